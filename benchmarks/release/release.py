"""Every benchmark of the release from one command: run, store, show, and say what was skipped.

    python -m benchmarks.release.release [--only NAME ...] [--minutes 10]
        [--given encoder=FOLDER ...]
    python -m benchmarks.release.release --list | --render | --check
    python -m benchmarks.release.release --quick [--only NAME ...]
    python -m benchmarks.release.release --store NAME FILE [--machine KIND] [--versions FILE]
        [--note SENTENCE]

``release.yaml`` lists the benchmarks: command, what it needs, about how many minutes, and which
figures of its JSON lines make a table. What can be run here is run, one after another; each result
is ``docs/results/0.1.0/NAME.json``, and the tables of the pages are written from these files. What
was not run, and why, is printed and stored in ``skipped.json``: an input is missing, it would
take more than ``--minutes``, or it failed.

``--given`` names an input, such as a model's folder; the datasets are in AUGKIT_DATA. ``--quick``
runs small versions, to see that they work, and stores nothing. ``--store`` takes the JSON lines of
a run elsewhere, for example on a GPU. ``--render`` only writes the pages anew; ``--check`` fails
if that would change one.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.command_line import argument, arguments
from benchmarks.release.paper_figures import paper_rows
from benchmarks.release.release_table import Benchmark, Table
from benchmarks.release.result_tables import make_tables
from benchmarks.release.results import (
    FOLDER,
    ROOT,
    read_results,
    render_pages,
    table_text,
    write_result,
)

SKIPPED = FOLDER / "skipped.json"
METHODS = ("baselines", "coba", "razor", "panda", "fairscore", "bias")
"""How the names of the pages about methods start: their benchmarks are a list of their own."""


def given_inputs(named: Sequence[str]) -> dict[str, str]:
    """What is there: the data folder, a GPU, and what the user names."""
    given = {}
    if data := os.environ.get("AUGKIT_DATA"):
        given["data"] = data
    if shutil.which("nvidia-smi"):
        given["gpu"] = "yes"
    return given | dict(one.split("=", 1) for one in named)


def run(benchmark: Benchmark, given: Mapping[str, str], options: argparse.Namespace) -> list[Any]:
    """The JSON lines that a benchmark prints; RuntimeError where it fails."""
    command = benchmark.command.format(**given)
    if options.quick and benchmark.quick:
        command = f"{command} {benchmark.quick}"
    arguments = shlex.split(command)
    program = [] if arguments[0] == "augkit" else [sys.executable]
    data = {"AUGKIT_DATA": given["data"]} if "data" in given else {}
    try:
        done = subprocess.run(
            [*program, *arguments],
            cwd=ROOT,
            env={"OMP_NUM_THREADS": "1", **os.environ, **data},
            capture_output=True,
            text=True,
            timeout=options.minutes * 60,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise RuntimeError(f"stopped after {options.minutes:g} minutes") from error
    if done.returncode:
        raise RuntimeError(f"failed: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
    return json_lines(done.stdout)


def json_lines(text: str) -> list[Any]:
    """The JSON objects among the lines; RuntimeError if there is none."""
    found = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    if not found:
        raise RuntimeError("printed no figures")
    return found


def measure(table: Table, options: argparse.Namespace) -> dict[str, str]:
    """Run what can be run; why the others were skipped."""
    skipped: dict[str, str] = {}
    with TemporaryDirectory() as cache:
        given = {"cache": cache, **given_inputs(options.given)}
        for name in options.only or table.benchmarks:
            benchmark = table.benchmarks[name]
            reason = table.missing(benchmark, given) or too_long(benchmark, options)
            reason = reason or attempt(benchmark, given, options)
            if reason is not None:
                skipped[name] = reason
    return skipped


def too_long(benchmark: Benchmark, options: argparse.Namespace) -> str | None:
    """Why there is no time for it, if there is none."""
    takes = f"takes about {benchmark.minutes:g} minute{'s' * (benchmark.minutes != 1)}"
    if options.quick:
        small = benchmark.quick is not None or benchmark.minutes <= 1
        return None if small else f"has no small version and {takes}"
    return takes if benchmark.minutes > options.minutes else None


def attempt(
    benchmark: Benchmark, given: Mapping[str, str], options: argparse.Namespace
) -> str | None:
    """Run and store one; what went wrong, if anything did."""
    started = time.perf_counter()
    try:
        lines = run(benchmark, given, options)
        tables = make_tables(lines, benchmark.tables)
    except (RuntimeError, KeyError) as error:
        return str(error.args[0])
    if not options.quick:
        store(benchmark, tables, options, round((time.perf_counter() - started) / 60, 1))
    print(f"{benchmark.name}: {(time.perf_counter() - started) / 60:.1f} minutes", flush=True)
    return None


def store(
    benchmark: Benchmark,
    tables: Mapping[str, Any],
    options: argparse.Namespace,
    minutes: float | None = None,
) -> None:
    """Write the result under its name, with the command as a reader types it."""
    about = {"seed": benchmark.seed, "machine": options.machine, "note": options.note}
    if options.versions:
        about["versions"] = json.loads(Path(options.versions).read_text(encoding="utf-8"))
    about["minutes"] = minutes
    write_result(benchmark.name, benchmark.shown_command, tables, **about)


def measured_rows(table: Table, *, methods: bool) -> list[dict[str, Any]]:
    """The benchmarks with a stored result: what they need, how long they took, and where it is."""
    results = read_results()
    return [
        {
            "benchmark": one.name,
            "question": one.title,
            "needs": ", ".join(name for name in one.inputs if name != "cache") or None,
            "minutes": results[one.name]["minutes"] or one.minutes,
            "result": f"[{results[one.name]['date'] or 'measured before'}]({one.page}.md)",
        }
        for one in table.benchmarks.values()
        if one.name in results and one.page.startswith(METHODS) == methods
    ]


def command_rows(table: Table, *, methods: bool) -> list[dict[str, Any]]:
    """The command of each benchmark."""
    return [
        {"benchmark": benchmark.name, "command": f"`{benchmark.shown_command}`"}
        for benchmark in table.benchmarks.values()
        if benchmark.page.startswith(METHODS) is methods
    ]


def skipped_rows(table: Table) -> list[dict[str, Any]]:
    """The benchmarks without a stored result, and why."""
    results, skipped = read_results(), read_skipped()
    return [
        {
            "benchmark": one.name,
            "question": one.title,
            "why": skipped.get(one.name, "not run this time"),
        }
        for one in table.benchmarks.values()
        if one.name not in results
    ]


def read_skipped() -> dict[str, str]:
    """Why benchmarks were skipped when they were last asked for."""
    return json.loads(SKIPPED.read_text(encoding="utf-8")) if SKIPPED.exists() else {}


def keep_skipped(skipped: Mapping[str, str], asked: Sequence[str], known: Sequence[str]) -> None:
    """Replace the reasons of the benchmarks that were asked for."""
    kept = {name: why for name, why in read_skipped().items() if name not in asked}
    found = {**kept, **skipped}
    ordered = {name: found[name] for name in known if name in found}
    FOLDER.mkdir(parents=True, exist_ok=True)
    SKIPPED.write_text(json.dumps(ordered, indent=1) + "\n", encoding="utf-8")


def rendered(table: Table) -> dict[Path, str]:
    """The pages that are not current, with their new text."""
    special: dict[str, Callable[[], str]] = {
        "measured-methods": lambda: table_text(measured_rows(table, methods=True)),
        "measured-others": lambda: table_text(measured_rows(table, methods=False)),
        "skipped": lambda: table_text(skipped_rows(table)),
        "commands-methods": lambda: table_text(command_rows(table, methods=True)),
        "commands-others": lambda: table_text(command_rows(table, methods=False)),
        "inputs": lambda: table_text(
            [{"input": name, "what": about["text"]} for name, about in table.inputs.items()]
        ),
    }
    results = read_results()
    for paper in {entry["paper"] for entry in table.papers}:
        entries = [entry for entry in table.papers if entry["paper"] == paper]
        special[f"papers-{paper}"] = partial(paper_rows, entries, results)
    return render_pages(table.pages(), table.titles, special)


def write_pages(table: Table) -> None:
    """Write the pages that are not current."""
    for path, text in rendered(table).items():
        path.write_text(text, encoding="utf-8")
        print(f"written: {path.relative_to(ROOT)}")


def main() -> None:
    """Run, store, render or check."""
    options = arguments(
        __doc__,
        argument("--only", nargs="+", metavar="NAME", help="these benchmarks alone"),
        argument("--minutes", type=float, default=10, help="longest time of a benchmark"),
        argument("--given", nargs="+", default=[], metavar="INPUT=VALUE"),
        argument("--quick", action="store_true", help="small versions; stores nothing"),
        argument("--list", action="store_true", help="print the table of benchmarks"),
        argument("--render", action="store_true", help="write the pages from stored results"),
        argument("--check", action="store_true", help="fail if a page is not current"),
        argument("--store", nargs=2, metavar=("NAME", "FILE")),
        argument("--machine", help="kind of machine, where it is not this one"),
        argument("--versions", help="JSON file: the packages there, and their versions"),
        argument("--note", help="a sentence for the reader"),
    )
    table = Table.read()
    unknown = {*(options.only or ()), *(options.store or ())[:1]} - table.benchmarks.keys()
    if unknown:
        sys.exit(f"not in release.yaml: {', '.join(sorted(unknown))}")
    if options.list:
        results = [row for kind in (True, False) for row in measured_rows(table, methods=kind)]
        print(table_text(results), table_text(skipped_rows(table)), sep="\n\n")
    elif options.check:
        sys.exit("\n".join(f"not current: {path}" for path in rendered(table)) or None)
    elif options.store:
        name, file = options.store
        lines = json_lines(Path(file).read_text(encoding="utf-8"))
        store(table.benchmarks[name], make_tables(lines, table.benchmarks[name].tables), options)
        write_pages(table)
    else:
        skipped = {} if options.render else measure(table, options)
        if not (options.render or options.quick):
            keep_skipped(skipped, options.only or list(table.benchmarks), list(table.benchmarks))
        if not options.quick:
            write_pages(table)
        for name, reason in skipped.items():
            print(f"skipped {name}: {reason}")


if __name__ == "__main__":
    main()
