"""Every LLM method with a real model: yield, cost, and a sheet of outputs to read.

    python -m lab.real_llm --data DIR --out FOLDER --llm openai:local
        --base-url http://127.0.0.1:8080/v1 [--tasks coba/sst2 razor] [--rows N] [--minutes 30]

A task is a method on a dataset. Its rows are drawn by ``--seed`` and come first in a file of up to
4,000 rows, on which the method is fitted. Each task is a run of its own under FOLDER: the same
command again continues it and pays nothing twice. ``--minutes`` stops between rows, or within a
method that takes all rows at once. ``--only-draw`` writes the rows alone, so that FOLDER can
be taken to a machine without the data.

Prints one JSON line for each task that has begun: yield (rows with an accepted variant), calls,
tokens and seconds per accepted variant, rejections by reason, prompt tokens that the server had
cached, the tokens that ``--dry-run`` estimated beside the real ones, and accepted texts that hold a
piece of a prompt, a tag, a label name that the source lacks or a row of the data. FOLDER/TASK.tsv
holds every accepted variant to read: source, its label, the target label, output.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from augkit.core.errors import AugkitError
from augkit.core.types import Example
from augkit.datasets.rows import read_block
from augkit.llm.settings import ConnectOptions
from augkit.runs.estimate import estimate_parts
from augkit.runs.execute import run
from augkit.runs.plan import make_plan
from augkit.runs.settings import RunSettings
from lab.command_line import argument, arguments, print_line
from lab.real_llm_leaks import LeakCheck
from lab.real_llm_rows import Row, draw_rows


@dataclass(frozen=True)
class Task:
    """A method on a dataset, with how many rows are augmented and the method's own settings."""

    method: str
    rows: int
    options: dict[str, Any] = field(default_factory=dict)
    dataset_rows: int | None = None
    """For a method that takes the whole dataset and chooses its rows itself: how many it gets."""


TASKS = {
    "coba/sst2": Task("coba", 60, {"calls": "one"}),
    "coba/imdb": Task("coba", 40, {"calls": "one"}),
    "coba/nli": Task("coba", 40, {"calls": "one"}),
    "coba/fever": Task("coba", 40, {"calls": "one"}),
    "coba-steps/sst2": Task("coba", 40),
    "coba-steps/nli": Task("coba", 40),
    "razor/fever": Task("razor", 300, {"top": 300, "rounds": 1}, 300),
    "razor/sst2": Task("razor", 40, {"top": 20, "rounds": 1}, 400),
    "paraphrase/sst2": Task("paraphrase", 40),
    "auggpt/sst2": Task("auggpt", 10),
    "crossaug/fever-supported": Task("crossaug", 40),
    "panda/persons": Task("panda", 40, {"perturber": "llm"}),
    "gpt3mix/sst2": Task("gpt3mix", 40),
    "autocad/sst2": Task("autocad", 40),
    "back-translation/sst2": Task("back-translation", 40),
}


def settings_of(name: str, asked: argparse.Namespace) -> RunSettings:
    """The settings of a task's run; its rows are written first."""
    task = TASKS[name]
    rows = asked.rows or task.rows
    options = dict(task.options)
    if "top" in options and asked.rows:
        options["top"] = max(1, rows // 2)
    dataset = asked.out / "rows" / f"{name.partition('/')[2]}-{task.dataset_rows or 'all'}.jsonl"
    if not dataset.exists():
        dataset.parent.mkdir(parents=True, exist_ok=True)
        drawn = draw_rows(name.partition("/")[2], asked.data, asked.seed)[: task.dataset_rows]
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in drawn)
        dataset.write_text(text, encoding="utf-8")
    connection = ConnectOptions(
        base_url=asked.base_url, workers=asked.workers, timeout=asked.timeout, cache=asked.cache
    )
    return RunSettings(
        method=task.method,
        options=options,
        dataset=str(dataset),
        limit=None if task.dataset_rows else rows,
        seed=asked.seed,
        llm=asked.llm,
        judge_llm=asked.judge_llm,
        workers=asked.workers,
        connection=connection,
    )


def run_task(settings: RunSettings, folder: Path, seconds: float) -> str:
    """Run, or continue, until done or out of time; what ended it, "" where it is done."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, max(1.0, seconds))
    try:
        with redirect_stdout(sys.stderr):
            run(settings, folder, resume=True)
    except KeyboardInterrupt:
        return "out of time"
    except AugkitError as error:
        return f"{type(error).__name__}: {error}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    return ""


def read_lines(path: Path) -> list[Row]:
    """The JSON lines of a file that may not be there yet."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def written(fields: Mapping[str, str]) -> str:
    """The texts of a row in one line."""
    return " || ".join(" ".join(text.split()) for text in fields.values())


def write_sheet(path: Path, variants: Sequence[Row], sources: Mapping[str, Example]) -> None:
    """Source, source label, target label, output; nothing else."""
    lines = ["source\tsource label\ttarget label\toutput"]
    for one in variants:
        source = sources[one["parents"][0]]
        cells = written(source.fields), source.label, one["label"], written(one["fields"])
        lines.append("\t".join(str(cell) for cell in cells))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def leaks(method: str, variants: Sequence[Row], sources: Mapping[str, Example]) -> list[str]:
    """What accepted texts hold that they must not, for each changed text."""
    labels = {str(row.label) for row in sources.values()}
    rows = (text for row in sources.values() for text in row.fields.values())
    check = LeakCheck(method, labels, rows)
    found = []
    for one in variants:
        source = sources[one["parents"][0]]
        context = " ".join(source.fields.values())
        for name, text in one["fields"].items():
            if text != source.fields.get(name):
                found += check.found(context, text)
    return found


def sources_of(settings: RunSettings) -> dict[str, Example]:
    """The rows of a task's dataset by their ids."""
    with make_plan(settings) as plan:
        dataset = plan.dataset
        return {
            row.id: row
            for block in dataset.blocks()
            for row in read_block(dataset.name, dataset.schema, block, plan.scan.repeats_in(block))
        }


def share(part: float, whole: float) -> float | None:
    """A ratio, to three digits; None of nothing."""
    return round(part / whole, 3) if whole else None


def measured(name: str, settings: RunSettings, folder: Path, ended: str) -> Row:
    """The figures of a task so far."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    cost, counts = manifest["cost"], manifest["counts"]
    variants = read_lines(folder / "variants.jsonl")
    reasons = manifest["rejected_by_reason"]
    done = counts["selected"] - reasons.pop("not among the highest scores", 0)
    accepted = {one["parents"][0] for one in variants}
    tokens = cost["prompt_tokens"] + cost["completion_tokens"]
    return {
        "benchmark": "real_llm",
        "task": name,
        "model": settings.llm,
        "status": ended or manifest["status"],
        "rows": done,
        "rows_accepted": len(accepted),
        "yield": share(len(accepted), done),
        "variants": len(variants),
        "calls": cost["calls"],
        "calls_per_variant": share(cost["calls"], len(variants)),
        "prompt_tokens": cost["prompt_tokens"],
        "completion_tokens": cost["completion_tokens"],
        "tokens_per_variant": share(tokens, len(variants)),
        "seconds_per_variant": share(cost["seconds"], len(variants)),
        "cached_prompt_share": share(cost["prompt_cached"], cost["prompt_tokens"]),
        "rejected": reasons,
        "notes": manifest["fitted"],
    }


def estimated(settings: RunSettings, real: Row) -> Row:
    """The tokens of ``--dry-run`` beside the real ones."""
    _, estimate = estimate_parts(settings)
    if estimate is None:
        return {}
    tokens = real["prompt_tokens"] + real["completion_tokens"]
    guessed = estimate.prompt + estimate.completion
    return {
        "estimated_calls": estimate.calls,
        "estimated_prompt_tokens": estimate.prompt,
        "estimated_completion_tokens": estimate.completion,
        "estimate_over_real": share(guessed, tokens) if real["status"] == "done" else None,
    }


def main() -> None:
    """One line for each task."""
    asked = arguments(
        __doc__,
        argument("--data", type=Path, default=os.environ.get("AUGKIT_DATA"), required=False),
        argument("--out", type=Path, required=True),
        argument("--llm", default="openai:local", help="or transformers:PATH"),
        argument("--judge-llm"),
        argument("--base-url"),
        argument("--tasks", nargs="+", default=list(TASKS), help=", ".join(TASKS)),
        argument("--rows", type=int, help="instead of the number of each task"),
        argument("--seed", type=int, default=0),
        argument("--minutes", type=float, default=1e6),
        argument("--workers", type=int, default=4),
        argument("--timeout", type=float),
        argument("--cache", type=Path, help="replies shared with other runs"),
        argument("--only-draw", action="store_true", help="write the rows, run nothing"),
    )
    end = time.monotonic() + 60 * asked.minutes
    chosen = [name for name in TASKS if any(name.startswith(one) for one in asked.tasks)]
    for name in chosen:
        settings, folder = settings_of(name, asked), asked.out / "runs" / name.replace("/", "-")
        ended = "not run"
        if asked.only_draw:
            continue
        if time.monotonic() < end:
            ended = run_task(settings, folder, end - time.monotonic())
        if not (folder / "manifest.json").exists():
            print_line({"benchmark": "real_llm", "task": name, "status": ended})
            continue
        line = measured(name, settings, folder, ended)
        variants = read_lines(folder / "variants.jsonl")
        sources = sources_of(settings)
        write_sheet(folder.parent.parent / f"{folder.name}.tsv", variants, sources)
        line["leaks"] = leaks(settings.method, variants, sources)
        print_line(line | estimated(settings, line))


if __name__ == "__main__":
    main()
