"""Run benchmarks of ``list.yaml`` and store their results in ``results.json``.

    python -m lab.run --list                              what there is, and when it was measured
    python -m lab.run NAME ... [--minutes 10] [--given encoder=FOLDER ...]
    python -m lab.run --quick [NAME ...]                  small versions; nothing is stored
    python -m lab.run --compare [NAME ...]                run again; exit 1 where a figure differs
    python -m lab.run --store NAME FILE [--machine KIND] [--versions FILE] [--note SENTENCE]
    python -m lab.run --unused                            results that no page names

A benchmark that cannot be run here is skipped, with the reason: an input is missing, or it would
take more than ``--minutes``. ``--given`` names an input, such as a model's folder; the datasets are
in AUGKIT_DATA. ``--compare`` looks at what ``list.yaml`` calls deterministic: all figures, or the
columns that are named there. ``--store`` takes the JSON lines of a run elsewhere, for example on a
machine with a GPU.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shlex
import shutil
import string
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from importlib.metadata import distributions
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from lab.command_line import argument, arguments
from lab.lines import json_lines, make_tables
from lab.tables import RESULTS, read_papers, read_results, table_text, value_text

ROOT = Path(__file__).parents[1]
LIST = Path(__file__).with_name("list.yaml")
RELEASE = "0.1.0"
PACKAGES = ("augkit", "numpy", "scikit-learn", "spacy", "torch", "transformers")
NAMED = re.compile(r"lab/results\.json#([\w-]+)|<!-- figures: ([\w ,-]+) -->")
"""Where a page names results."""
Tables = Mapping[str, Sequence[Mapping[str, Any]]]


# What there is


@dataclass(frozen=True)
class Benchmark:
    """A command of the list, what it needs, and which figures it gives."""

    name: str
    title: str
    command: str
    minutes: float
    needs: Sequence[str] = ()
    quick: str | None = None
    seed: int | str | None = None
    deterministic: bool | Sequence[str] = False
    """Whether all figures are the same in every run, or the headings of those that are."""
    tables: Mapping[str, Any] = field(default_factory=dict)

    @property
    def inputs(self) -> tuple[str, ...]:
        """What must be given: what is named, and what stands in braces in the command."""
        named = [name for _, name, _, _ in string.Formatter().parse(self.command) if name]
        return tuple(dict.fromkeys([*self.needs, *named]))

    @property
    def shown_command(self) -> str:
        """The command as a reader types it, with inputs in capitals."""
        shown = self.command.format(**{name: name.upper() for name in self.inputs})
        return shown if shown.startswith("augkit") else f"python {shown}"


@dataclass(frozen=True)
class Listed:
    """All benchmarks, and what inputs they may need."""

    benchmarks: Mapping[str, Benchmark]
    inputs: Mapping[str, Mapping[str, str]]

    @classmethod
    def read(cls, path: Path = LIST) -> Listed:
        """Read the YAML file."""
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
        benchmarks = {}
        for name, about in found["benchmarks"].items():
            benchmarks[name] = Benchmark(name, **about)
        return cls(benchmarks, found["inputs"])

    def missing(self, benchmark: Benchmark, given: Mapping[str, str]) -> str | None:
        """Why it cannot be run here, if it cannot."""
        for name in benchmark.inputs:
            about = self.inputs[name]
            if "module" in about:
                is_there = find_spec(about["module"]) is not None
            else:
                is_there = name in given
            if not is_there:
                return f"needs {about['text']}"
        return None


def given_inputs(named: Sequence[str]) -> dict[str, str]:
    """What is there: the data folder, a GPU, and what the user names."""
    given = {}
    if data := os.environ.get("AUGKIT_DATA"):
        given["data"] = data
    if shutil.which("nvidia-smi"):
        given["gpu"] = "yes"
    return given | dict(one.split("=", 1) for one in named)


def show_list(listed: Listed, results: Mapping[str, Any]) -> str:
    """A table of all benchmarks."""
    rows = []
    for one in listed.benchmarks.values():
        stored = results.get(one.name, {})
        rows.append(
            {
                "benchmark": one.name,
                "question": one.title,
                "needs": ", ".join(name for name in one.inputs if name != "cache"),
                "minutes": one.minutes,
                "measured": stored.get("date"),
                "command": f"`{one.shown_command}`",
            }
        )
    return table_text(rows)


# Running


def run_each(
    listed: Listed, asked: argparse.Namespace
) -> Iterator[tuple[Benchmark, Tables, float]]:
    """Run what can be run: the benchmark, its tables and its minutes. The others are printed."""
    with TemporaryDirectory() as cache:
        given = {"cache": cache, **given_inputs(asked.given)}
        for name in asked.names:
            benchmark = listed.benchmarks[name]
            reason = listed.missing(benchmark, given) or too_long(benchmark, asked)
            if reason is None:
                started = time.perf_counter()
                try:
                    lines = run_command(benchmark, given, asked)
                    tables = make_tables(lines, benchmark.tables)
                except (RuntimeError, KeyError) as error:
                    reason = str(error.args[0])
            if reason is not None:
                print(f"skipped {name}: {reason}", flush=True)
                continue
            minutes = round((time.perf_counter() - started) / 60, 1)
            print(f"{name}: {minutes} minutes", flush=True)
            yield benchmark, tables, minutes


def too_long(benchmark: Benchmark, asked: argparse.Namespace) -> str | None:
    """Why there is no time for it, if there is none."""
    if asked.quick and (benchmark.quick is not None or benchmark.minutes <= 1):
        return None
    takes = f"takes about {benchmark.minutes:g} minutes"
    if asked.quick:
        return f"has no small version and {takes}"
    return takes if benchmark.minutes > asked.minutes else None


def run_command(
    benchmark: Benchmark, given: Mapping[str, str], asked: argparse.Namespace
) -> list[Mapping[str, Any]]:
    """The JSON lines that a benchmark prints; RuntimeError where it fails."""
    command = shlex.split(benchmark.command.format(**given))
    if command[0] == "augkit":
        command = ["-m", *command]
    if asked.quick and benchmark.quick:
        command += shlex.split(benchmark.quick)
    environment = {"OMP_NUM_THREADS": "1", **os.environ}
    if "data" in given:
        environment["AUGKIT_DATA"] = given["data"]
    try:
        done = subprocess.run(
            [sys.executable, *command],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=asked.minutes * 60,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise RuntimeError(f"stopped after {asked.minutes:g} minutes") from error
    if done.returncode:
        complaint = done.stderr.strip().splitlines() or ["no message"]
        raise RuntimeError(f"failed: {complaint[-1]}")
    return json_lines(done.stdout)


# Storing


def store(
    benchmark: Benchmark, tables: Tables, asked: argparse.Namespace, minutes: float | None
) -> None:
    """Write a result under the name of its benchmark."""
    if asked.versions:
        versions = json.loads(asked.versions.read_text(encoding="utf-8"))
    else:
        versions = package_versions()
    results = read_results()
    results[benchmark.name] = {
        "command": benchmark.shown_command,
        "commit": None,
        "date": datetime.now(timezone.utc).date().isoformat(),
        "machine": asked.machine or machine_kind(),
        "versions": versions,
        "seed": benchmark.seed,
        "minutes": minutes,
        "note": asked.note,
        "tables": tables,
    }
    RESULTS.write_text(results_text(results), encoding="utf-8")


def results_text(results: Mapping[str, Any]) -> str:
    """The file of all results, by name, with one row of a table on each line."""
    blocks = []
    for name in sorted(results):
        parts = []
        for key, value in results[name].items():
            if key != "tables":
                parts.append(f"   {json_text(key)}: {json_text(value)}")
        tables = []
        for title, rows in results[name]["tables"].items():
            lines = ",\n".join(f"     {json_text(row)}" for row in rows)
            tables.append(f"    {json_text(title)}: [\n{lines}\n    ]")
        parts.append('   "tables": {\n' + ",\n".join(tables) + "\n   }")
        blocks.append(f"  {json_text(name)}: {{\n" + ",\n".join(parts) + "\n  }")
    release = f' "release": {json_text(RELEASE)},\n'
    return "{\n" + release + ' "results": {\n' + ",\n".join(blocks) + "\n }\n}\n"


def json_text(value: Any) -> str:
    """JSON on one line, letters as they are."""
    return json.dumps(value, ensure_ascii=False)


def machine_kind() -> str:
    """What a reader must know of this machine, without its name."""
    return f"{os.cpu_count()} CPU cores ({platform.machine()}), no GPU"


def package_versions() -> dict[str, str]:
    """The versions of Python and of the packages that figures may depend on."""
    installed = {one.metadata["Name"].lower(): one.version for one in distributions()}
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        if name in installed:
            found[name] = installed[name]
    return found


# Comparing, and what is not used


def differences(benchmark: Benchmark, stored: Tables, found: Tables) -> Iterator[str]:
    """Where a deterministic figure is not the stored one."""
    headings = benchmark.deterministic
    for title, rows in found.items():
        before = stored.get(title)
        if before is None or len(before) != len(rows):
            yield f"{benchmark.name}: '{title}' has {len(rows)} rows, {len(before or ())} stored"
            continue
        for number, (old, new) in enumerate(zip(before, rows, strict=True), 1):
            compared = new if headings is True else [one for one in new if one in headings]
            for heading in compared:
                was, now = value_text(old.get(heading)), value_text(new[heading])
                if was != now:
                    place = f"{benchmark.name}: '{title}', row {number}, {heading}"
                    yield f"{place}: stored {was}, now {now}"


def unused_results(results: Mapping[str, Any]) -> list[str]:
    """The results that no page of the docs, nor what is beside them, names."""
    named = {place[0] for entry in read_papers() for place in entry.get("figures", {}).values()}
    pages = [ROOT / name for name in ("README.md", "CHANGELOG.md", "tests/gold/README.md")]
    for kind in ("*.md", "*.ipynb"):
        pages += (ROOT / "docs").rglob(kind)
    for page in pages:
        for link, figures in NAMED.findall(page.read_text(encoding="utf-8")):
            named |= {link, *(name.strip() for name in figures.split(","))}
    return [name for name in results if name not in named]


def main() -> None:
    """Run, store, compare or list."""
    asked = arguments(
        __doc__,
        argument("names", nargs="*", metavar="NAME", help="a benchmark of the list"),
        argument("--list", action="store_true", help="print the list"),
        argument("--minutes", type=float, default=10, help="longest time of a benchmark"),
        argument("--given", nargs="+", default=[], metavar="INPUT=VALUE"),
        argument("--quick", action="store_true", help="small versions; stores nothing"),
        argument("--compare", action="store_true", help="with what is stored"),
        argument("--store", nargs=2, metavar=("NAME", "FILE"), help="the lines of a run elsewhere"),
        argument("--machine", help="kind of machine, where it is not this one"),
        argument("--versions", type=Path, help="JSON file: the packages there"),
        argument("--note", help="a sentence for the reader"),
        argument("--unused", action="store_true", help="print results that no page names"),
    )
    listed, results = Listed.read(), read_results()
    names = [*asked.names, *(asked.store or ())[:1]]
    unknown = [name for name in names if name not in listed.benchmarks]
    if unknown:
        sys.exit(f"not in lab/list.yaml: {', '.join(unknown)}")
    if asked.list:
        print(show_list(listed, results))
    elif asked.unused:
        print("\n".join(unused_results(results)))
    elif asked.store:
        name, file = asked.store
        benchmark = listed.benchmarks[name]
        lines = json_lines(Path(file).read_text(encoding="utf-8"))
        store(benchmark, make_tables(lines, benchmark.tables), asked, None)
    elif asked.compare:
        compare(listed, results, asked)
    elif asked.quick:
        asked.names = asked.names or list(listed.benchmarks)
        for _ in run_each(listed, asked):
            pass
    elif asked.names:
        for benchmark, tables, minutes in run_each(listed, asked):
            store(benchmark, tables, asked, minutes)
    else:
        sys.exit("which benchmarks? python -m lab.run --list shows them")


def compare(listed: Listed, results: Mapping[str, Any], asked: argparse.Namespace) -> None:
    """Run deterministic benchmarks again and print what differs; exit 1 if anything does."""
    asked.names = asked.names or [name for name in results if name in listed.benchmarks]
    asked.names = [name for name in asked.names if listed.benchmarks[name].deterministic]
    differ = False
    for benchmark, tables, _ in run_each(listed, asked):
        stored = results.get(benchmark.name, {}).get("tables", {})
        for line in differences(benchmark, stored, tables):
            print(line, flush=True)
            differ = True
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
