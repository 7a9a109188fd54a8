"""Generated datasets and settings through ``augkit run``, in process: one JSON line.

    python -m benchmarks.release.fuzz [--cases 10000] [--seed 0] [--place DIR]

Every case is a file (JSON Lines, CSV, TSV, an array, or bytes that are none of these) with odd
texts, labels and columns, and settings of which some are right and some are not. Promised are:
exit code 0, 2, 3 or 4, never an error in the code; a finished run in which every selected row is
a variant or a rejection; and an end within ``--patience`` CPU-seconds. What breaks a promise is
printed with its case. The files are made in ``--place`` (default: a temporary folder).
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from benchmarks.command_line import argument, arguments, print_line

QUICK = "eda swap random-edit mask-words mask-phrase panda paraphrase auggpt contrast".split()
SLOW = "coba razor coba-style gpt3mix crossaug human".split()
"""Methods that train something first, or read more files: one case in twenty."""
PROMISED = {0, 2, 3, 4}

_WORDS = (
    "the film was not good she he her his king queen black white eleven years old great awful "
    "Anna Lamar doctor and , . ! 4/10 don't <b>bold</b> {{ x }} {% if %} ../../etc %s \\x1b[31m "
    "naïve 東京 שלום مرحبا 😀 👩‍👩‍👧 a\u200bb \u202etxt \ufeff null NaN true [MASK] </s> \" '"
).split(" ")
_ODD = st.text(st.characters(codec="utf-8"), max_size=30)
_TEXT = st.one_of(
    st.lists(st.sampled_from(_WORDS), max_size=12).map(" ".join),
    _ODD,
    st.sampled_from(["", " ", "\0", "a\0b", "\n", "x" * 5000, "word " * 400, "\ud800", "#", "-"]),
)
_VALUE = st.one_of(
    _TEXT, st.none(), st.booleans(), st.integers(), st.floats(), st.lists(_TEXT, max_size=2)
)
_LABEL = st.one_of(
    st.sampled_from(["positive", "negative"]), st.sampled_from([0, 1]), st.none(), _ODD
)
_NAMES = st.sampled_from(["text", "label", "premise", "hypothesis", "id", "augkit_id", "", "naïve"])


@dataclass(frozen=True)
class Case:
    """A file and the settings of ``augkit run``."""

    name: str
    content: bytes
    values: dict[str, Any]


@dataclass
class Found:
    """What came of the cases."""

    codes: Counter[int] = field(default_factory=Counter)
    broken: list[dict[str, Any]] = field(default_factory=list)
    rows: int = 0


class TooLong(BaseException):
    """A case took more than its CPU time."""


@st.composite
def rows(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Rows: most have a text and a label, some have anything."""
    if draw(st.integers(0, 9)):
        kind = draw(st.sampled_from(["text", "text", "pair"]))
        row = {"text": _TEXT} if kind == "text" else {"premise": _TEXT, "hypothesis": _TEXT}
        made = st.fixed_dictionaries(row | {"label": _LABEL}, optional={"extra": _VALUE})
        return draw(st.lists(made, min_size=draw(st.integers(0, 4)), max_size=8))
    return draw(st.lists(st.dictionaries(_NAMES, _VALUE, max_size=4), max_size=6))


@st.composite
def files(draw: st.DrawFn) -> tuple[str, bytes]:
    """A file name and its content."""
    kind = draw(st.sampled_from(["jsonl"] * 9 + ["csv"] * 3 + ["tsv", "json", "bytes"]))
    if kind == "bytes":
        return f"rows.{draw(st.sampled_from(['jsonl', 'csv', 'tsv', 'txt', 'parquet']))}", draw(
            st.binary(max_size=200)
        )
    made = draw(rows())
    if kind == "jsonl":
        end = draw(st.sampled_from(["\n", "\r\n", "\n\n"]))
        return "rows.jsonl", "".join(json.dumps(row) + end for row in made).encode()
    if kind == "json":
        return "rows.json", json.dumps(made).encode()
    out = io.StringIO()
    columns = list(dict.fromkeys(name for row in made for name in row))
    writer = csv.writer(out, delimiter="," if kind == "csv" else "\t")
    writer.writerow(map(_cell, columns))
    writer.writerows([[_cell(row.get(name)) for name in columns] for row in made])
    encoding = draw(st.sampled_from(["utf-8"] * 5 + ["utf-8-sig", "utf-16"]))
    return f"rows.{kind}", out.getvalue().encode(encoding, "surrogatepass")


def _cell(value: Any) -> Any:
    """What the csv of Python 3.10 can write: no NUL."""
    without = sys.version_info < (3, 11) and isinstance(value, str)
    return value.replace("\0", "") if without else "" if value is None else value


def run_values() -> st.SearchStrategy[dict[str, Any]]:
    """Settings of a run: two in three are right."""
    quick = st.sampled_from(QUICK)
    methods = st.integers(0, 99).flatmap(lambda n: st.sampled_from(SLOW) if n < 3 else quick)
    right = {
        "options": st.fixed_dictionaries({}, optional={"copies": st.integers(1, 4)}),
        "seed": st.integers(0, 10**12),
        "limit": st.integers(1, 5),
        "mix": st.sampled_from(["append", "replace"]),
        "gates": st.lists(st.sampled_from(["length", "edited-share"]), max_size=2, unique=True),
        "connection": st.fixed_dictionaries(
            {}, optional={"budget": st.sampled_from(["3calls", "20tokens", "1usd"])}
        ),
    }
    numbers = st.one_of(st.integers(-2, 9), st.floats(), _ODD, st.lists(_ODD, max_size=2))
    settings_of = st.sampled_from("alpha copies axes pairs max_chars batch_size target".split())
    wrong = {
        "options": st.dictionaries(settings_of, numbers, max_size=2),
        "limit": st.integers(-1, 1),
        "mix": st.sampled_from(["balance", "no"]),
        "gates": st.just(["lenght"]),
        "text_columns": st.lists(_NAMES, max_size=3),
        "label_column": st.one_of(_NAMES, _ODD),
        "id_column": _NAMES,
        "quotes": st.booleans(),
        "workers": st.integers(0, 1),
        "connection": st.just({"budget": "x"}),
    }
    some = {"method": methods}
    return st.integers(0, 2).flatmap(
        lambda n: st.fixed_dictionaries(some, optional=right if n else wrong)
    )


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A file with settings; now and then the file has another name than it should."""
    name, content = draw(files())
    return Case(name, content, draw(run_values()))


def outcome(case: Case, place: Path) -> tuple[int, int]:
    """Carry out a case as the command line would: its exit code, and the rows it read."""
    from augkit.core.errors import AugkitError
    from augkit.runs.execute import run
    from augkit.runs.settings import merge_settings

    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    (place / case.name).write_bytes(case.content)
    script = place / "answers.jsonl"
    script.write_text('{"match": "", "reply": "{\\"text\\": \\"Some other words.\\"}"}\n')
    needs_model = case.values["method"] in {"paraphrase", "auggpt", "coba-style", "gpt3mix"}
    given = {
        "dataset": str(place / case.name),
        "llm": f"scripted:{script}" if needs_model else None,
        "workers": 1,
        **case.values,
    }
    try:
        out = run(merge_settings(given), place / "out")
    except AugkitError as error:
        if not str(error).strip():
            raise AssertionError("an error without a message") from error
        return error.exit_code, 0
    return 0, check(out)


def check(out: Path) -> int:
    """Every selected row is a variant or a rejection, and the dataset has every row; how many."""
    counts = json.loads((out / "manifest.json").read_text(encoding="utf-8"))["counts"]
    dataset, variants, rejected = (
        [json.loads(line) for line in (out / name).read_bytes().splitlines()]
        for name in ("dataset.jsonl", "variants.jsonl", "rejected.jsonl")
    )
    parents = {record["parents"][0] for record in variants + rejected}
    originals = {row["augkit_id"] for row in dataset if row["augkit_origin"] == "original"}
    replaced = {row["augkit_parent"] for row in dataset if row["augkit_origin"] != "original"}
    if len(originals | replaced) != counts["read"] or len(parents) != counts["selected"]:
        raise AssertionError(f"rows were lost: {counts}, {len(originals)}, {len(parents)}")
    return int(counts["read"])


@contextlib.contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Raise ``TooLong`` in a case that takes more CPU time, however busy the machine is."""

    def stop(*_: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def tried(case: Case, place: Path, found: Found, seconds: float) -> None:
    """Carry out one case and write down what came of it."""
    try:
        with patience(seconds), warnings.catch_warnings():
            warnings.simplefilter("error")
            code, count = outcome(case, place)
    except (Exception, TooLong) as error:  # noqa: BLE001 - what it is for
        why = traceback.format_exception(error)[-3:]
        found.broken.append(
            {"error": "".join(why)[-1500:], "settings": repr(case.values), "file": case.name}
            | {"content": repr(case.content)[:600]}
        )
        return
    found.rows += count
    found.codes[code] += 1
    if code not in PROMISED:
        found.broken.append({"error": f"exit code {code}", "settings": repr(case.values)})


def fuzz(number: int, seed: int, place: Path, seconds: float = 60.0) -> Found:
    """Try so many cases."""
    from hypothesis import seed as seeded

    found = Found()

    @seeded(seed)
    @settings(
        max_examples=number,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(cases())
    def attempt(case: Case) -> None:
        tried(case, place, found, seconds)

    attempt()
    return found


def main() -> None:
    """Try them and print."""
    options = arguments(
        __doc__,
        argument("--cases", type=int, default=10_000),
        argument("--seed", type=int, default=0),
        argument("--patience", type=float, default=60.0),
        argument("--place", type=Path),
    )
    started = time.perf_counter()
    with tempfile.TemporaryDirectory(dir=options.place) as place:
        found = fuzz(options.cases, options.seed, Path(place, "case"), options.patience)
    used = resource.getrusage(resource.RUSAGE_SELF)
    result = {
        "benchmark": "fuzz",
        "cases": sum(found.codes.values()) + len(found.broken),
        "exit_codes": dict(sorted(found.codes.items())),
        "rows": found.rows,
        "broken": len(found.broken),
        "cpu_seconds": round(used.ru_utime + used.ru_stime, 1),
        "seconds": round(time.perf_counter() - started, 1),
        "examples": found.broken[:20],
    }
    print_line(result)


if __name__ == "__main__":
    main()
