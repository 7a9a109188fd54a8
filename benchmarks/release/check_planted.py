"""Does ``augkit check`` fail on the planted files of the RAZOR benchmarks, and pass without them?

    AUGKIT_DATA=DIR python -m benchmarks.release.check_planted [--write DIR] [--peer PYTHON]

The 37 shortcuts of ``razor_planted.py``, each planted in 2,000 sentences of SST-2, checked by the
default contract; first the same sentences with nothing planted. One JSON line a file: the checks
that failed and the strongest association. Then the result of coba for reviews-demo, with the
baseline of its originals. ``--write`` keeps the files as JSON Lines. ``--peer`` is
the Python of an environment with deepchecks[nlp]: its check of text properties against the label
runs on the same files, with its default condition.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from augkit import augment_dataset
from augkit.commands.check.contract import CheckContract
from augkit.commands.check.run import check_data
from augkit.core.types import Example
from augkit.datasets.load import load_dataset
from benchmarks.command_line import argument, arguments, print_line
from benchmarks.release.razor_planted import KINDS, ROWS, SHARES, planted


def files(folder: Path) -> Iterator[Path]:
    """Write the clean sentences and those with each shortcut; the path of each."""
    loaded = load_dataset("sst2_sentences:train", data_folder=os.environ.get("AUGKIT_DATA"))
    clean = random.Random(0).sample([row for row in loaded if row.label is not None], ROWS)
    yield write(folder / "clean.jsonl", clean)
    for kind in KINDS:
        yield write(folder / f"{kind.replace(' ', '-')}.jsonl", planted(kind, clean, SHARES, 0))


def write(path: Path, rows: list[Example]) -> Path:
    """The rows as JSON Lines."""
    lines = (json.dumps({"text": row.fields["text"], "label": row.label}) for row in rows)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def measure(path: Path) -> dict[str, object]:
    """What augkit says of a file."""
    report = check_data(path)
    findings = [one for check in report.checks for one in check.failed]
    strongest = max(findings, key=lambda one: one.value, default=None)
    return {
        "file": path.stem,
        "passed": report.passed,
        "failed": [check.name for check in report.checks if check.failed],
        "strongest": strongest and f"{strongest.feature} {strongest.value:.2f}",
    }


def coba_adds_none(folder: Path) -> bool:
    """Whether the result of coba passes where all shortcuts of its originals are known."""
    baseline, run = folder / "baseline.json", folder / "coba"
    check_data("reviews-demo", write_baseline_to=baseline)
    augment_dataset("reviews-demo", "coba", run)
    return check_data(run / "dataset.jsonl", CheckContract(no_new_shortcuts=baseline)).passed


def peer_results(python: str, paths: list[Path]) -> dict[str, dict[str, object]]:
    """What the peer says of the same files, by file."""
    script = Path(__file__).with_name("check_peers.py")
    done = subprocess.run(
        [python, str(script), *map(str, paths)], capture_output=True, text=True, check=True
    )
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return {line.pop("file"): line for line in lines}


def main() -> None:
    """Every file, one line each, and a line for all."""
    asked = arguments(
        __doc__,
        argument("--write", type=Path),
        argument("--peer"),
    )
    with tempfile.TemporaryDirectory() as scratch:
        folder = asked.write or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        paths = list(files(folder))
        theirs = peer_results(asked.peer, paths) if asked.peer else {}
        coba = coba_adds_none(Path(scratch))
        found = [measure(path) | theirs.get(path.stem, {}) for path in paths]
    for record in found:
        print_line(record)
    clean, others = found[0], found[1:]
    caught = sum(not record["passed"] for record in others)
    total = {"clean passes": clean["passed"], "planted": len(others), "caught": caught}
    total["result of coba passes with the baseline"] = coba
    if theirs:
        total["peer caught"] = sum(not record["peer passed"] for record in others)
        total["peer clean passes"] = clean["peer passed"]
    print_line(total)


if __name__ == "__main__":
    main()
