"""How many small faults, put into the package one at a time, do the tests catch?

    pytest -n 2 -q --cov=augkit --cov-context=test --cov-report=   # which test executes which line
    python scripts/mutants.py draw mutants.json [--count 60] [--seed 0]
    python scripts/mutants.py run mutants.json [--coverage .coverage] [--jobs 2] [--only 7 12]

A mutant is the package with one place changed: a comparison turned, a constant changed, a branch
dropped, or a return emptied. Each is run in a copy of the repository against the tests that execute
the changed line, those that execute least first. It is caught when one of them fails within a
minute of processor time. ``run`` prints a JSON line for each mutant, and one with the counts.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent
CPU_SECONDS = 60
WALL_SECONDS = 900
"""A test that waits for ever uses no processor time."""

TURNED: dict[type[ast.cmpop], ast.cmpop] = {
    ast.Lt: ast.GtE(),
    ast.LtE: ast.Gt(),
    ast.Gt: ast.LtE(),
    ast.GtE: ast.Lt(),
    ast.Eq: ast.NotEq(),
    ast.NotEq: ast.Eq(),
    ast.In: ast.NotIn(),
    ast.NotIn: ast.In(),
    ast.Is: ast.IsNot(),
    ast.IsNot: ast.Is(),
}


_NONE = ast.Constant(None)
"""What a bare ``return`` gives."""


class Place(NamedTuple):
    """A place that can be changed: the expression, what it becomes, and how its line is run."""

    kind: str
    node: ast.expr
    replacement: str
    lines: tuple[int, ...]
    at_import: bool


def places(tree: ast.Module) -> Iterator[Place]:
    """All places of a module that can be changed."""
    yield from _places_below(tree, statement=None, at_import=True)


def _places_below(node: ast.AST, statement: ast.stmt | None, *, at_import: bool) -> Iterator[Place]:
    """The places of a node and of all below it; annotations are no code."""
    for child, inside in _children(node):
        current = child if isinstance(child, ast.stmt) else statement
        imported = at_import and not inside
        if current is not None:
            for kind, expression, replacement in _changes(child):
                lines = tuple(sorted({current.lineno, expression.lineno}))
                yield Place(kind, expression, replacement, lines, imported)
        yield from _places_below(child, current, at_import=imported)


def _children(node: ast.AST) -> Iterator[tuple[ast.AST, bool]]:
    """The nodes below one, and whether they run when a function is called."""
    is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child, is_function and name == "body"


def _changes(node: ast.AST) -> Iterator[tuple[str, ast.expr, str]]:
    """What can be changed at one node: the kind, the expression, and its new text."""
    if isinstance(node, ast.Compare):
        turned = copy.deepcopy(node)
        turned.ops[0] = TURNED[type(node.ops[0])]
        yield "comparison turned", node, f"({ast.unparse(turned)})"
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield "constant changed", node, str(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield "constant changed", node, str(node.value + 1)
    elif isinstance(node, ast.If) and ast.unparse(node.test) != "TYPE_CHECKING":
        yield "branch dropped", node.test, "False"
    elif isinstance(node, ast.Return) and ast.unparse(node.value or _NONE) != "None":
        yield "return emptied", node.value or _NONE, "None"


def draw(count: int, seed: int) -> list[dict[str, Any]]:
    """Mutants of the package: each kind equally often, and within a kind each place."""
    by_kind: dict[str, list[dict[str, Any]]] = {}
    for path in sorted((ROOT / "augkit").rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        for place in places(ast.parse(source)):
            mutant = {
                "file": path.relative_to(ROOT).as_posix(),
                "kind": place.kind,
                "line": place.node.lineno,
                "column": place.node.col_offset,
                "before": ast.get_source_segment(source, place.node),
                "after": place.replacement,
                "lines": place.lines,
                "at_import": place.at_import,
            }
            by_kind.setdefault(place.kind, []).append(mutant)
    generator = random.Random(seed)
    kinds = sorted(by_kind)
    drawn = [generator.choice(by_kind[kinds[number % len(kinds)]]) for number in range(count)]
    return [{"number": number, **mutant} for number, mutant in enumerate(drawn)]


def mutated(source: str, mutant: dict[str, Any]) -> str:
    """The source with the change; ValueError where the place is no longer there."""
    lines = source.splitlines(keepends=True)
    start = sum(map(len, lines[: mutant["line"] - 1]))
    # The parser counts columns in bytes.
    start += len(lines[mutant["line"] - 1].encode()[: mutant["column"]].decode())
    if not source.startswith(mutant["before"], start):
        raise ValueError(f"{mutant['file']}:{mutant['line']} is no longer what was drawn")
    return source[:start] + mutant["after"] + source[start + len(mutant["before"]) :]


class Executions:
    """Which tests execute which lines, as coverage recorded it with a context for each test."""

    def __init__(self, path: Path) -> None:
        """Open the data file of coverage."""
        from coverage.numbits import register_sqlite_functions  # noqa: PLC0415 - only `run` needs it

        self._database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        register_sqlite_functions(self._database)
        self._sizes = dict(
            self._database.execute(
                "select context.context, count(*) from line_bits"
                " join context on context.id = line_bits.context_id group by context.context"
            )
        )

    def tests(self, mutant: dict[str, Any]) -> list[str]:
        """The tests that execute the changed line, those that execute the fewest files first.

        A line that runs when its module is imported belongs to whichever test came first, so the
        tests of all lines of the file stand for it.
        """
        wanted = (
            "1"
            if mutant["at_import"]
            else " or ".join(
                f"num_in_numbits({line}, line_bits.numbits)" for line in mutant["lines"]
            )
        )
        found = self._database.execute(
            "select distinct context.context from line_bits"
            " join context on context.id = line_bits.context_id"
            " join file on file.id = line_bits.file_id"
            f" where file.path like ? and ({wanted})",
            [f"%/{mutant['file']}"],
        )
        contexts = sorted((context for (context,) in found if context), key=self._sizes.__getitem__)
        # A context is the name of a test and the phase in which it executed the line.
        return list(dict.fromkeys(context.rpartition("|")[0] for context in contexts))


def run_mutant(mutant: dict[str, Any], tests: list[str], copies: list[Path]) -> dict[str, Any]:
    """The mutant with what became of it, in a copy of the repository that nobody uses."""
    if not tests:
        return {**mutant, "result": "no test executes the line"}
    folder = copies.pop()
    path = folder / mutant["file"]
    source = path.read_text(encoding="utf-8")
    try:
        path.write_text(mutated(source, mutant), encoding="utf-8")
        result = run_tests(folder, tests)
    finally:
        path.write_text(source, encoding="utf-8")
        copies.append(folder)
    return {**mutant, "tests": len(tests), **result}


def run_tests(folder: Path, tests: list[str]) -> dict[str, Any]:
    """Whether one of the tests fails, and which."""
    listed = folder / "tests-of-mutant.txt"
    listed.write_text("\n".join(tests), encoding="utf-8")
    # The shell sets the limit: a function of Python's between fork and exec can lock up threads.
    limited = ["bash", "-c", f'ulimit -t {CPU_SECONDS}; exec "$@"', "bash"]
    command = [*limited, sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "--tb=no"]
    command += ["-p", "no:cacheprovider", f"@{listed}"]
    environment = {**os.environ, "PYTHONPATH": str(folder), "OMP_NUM_THREADS": "1"}
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=WALL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {"result": "over a minute"}
    if done.returncode < 0:
        return {"result": "over a minute"}
    if done.returncode == 0:
        return {"result": "survived"}
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    if not failed:
        return {"result": "not run", "why": (done.stdout + done.stderr)[-300:]}
    return {"result": "caught", "by": failed[0][:200]}


def run(mutants: list[dict[str, Any]], coverage: Path, jobs: int) -> Iterator[dict[str, Any]]:
    """Each mutant with what became of it, in the order in which they were drawn."""
    executions = Executions(coverage)
    # Looked up before any thread starts: a connection to SQLite belongs to one.
    tests = [executions.tests(mutant) for mutant in mutants]
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    with TemporaryDirectory() as work, ThreadPoolExecutor(jobs) as pool:
        copies = [Path(work) / f"copy-{number}" for number in range(jobs)]
        for folder in copies:
            for name in filter(None, tracked.stdout.split("\0")):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)
        yield from pool.map(partial(run_mutant, copies=copies), mutants, tests)


def main() -> None:
    """Draw mutants, or run them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["draw", "run"])
    parser.add_argument("file", type=Path, help="the JSON file of the mutants")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--coverage", type=Path, default=ROOT / ".coverage")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", type=int, nargs="+", metavar="NUMBER")
    options = parser.parse_args()
    if options.what == "draw":
        drawn = draw(options.count, options.seed)
        options.file.write_text(json.dumps(drawn, indent=1) + "\n", encoding="utf-8")
        return
    mutants = json.loads(options.file.read_text(encoding="utf-8"))
    if options.only:
        mutants = [mutant for mutant in mutants if mutant["number"] in options.only]
    results: Counter[str] = Counter()
    for outcome in run(mutants, options.coverage, options.jobs):
        results[outcome["result"]] += 1
        print(json.dumps(outcome), flush=True)
    print(json.dumps({"mutants": len(mutants), **results}), flush=True)


if __name__ == "__main__":
    main()
