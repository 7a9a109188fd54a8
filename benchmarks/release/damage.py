"""Files of runs, studies, surveys and audits, damaged, through every command: one JSON line.

    python -m benchmarks.release.damage [--changes 12] [--commands 99] [--share 1] [--seed 0]
        [--only run,stopped] [--place DIR]

Folders are made with the commands themselves. Then each of their files is damaged in every way
(keys deleted, values of wrong types, lines cut, bits flipped, numbers too large, not UTF-8, empty,
missing, a folder in its place, of another version), and each command that reads it is run on a
copy. Promised are: an exit code of 0, 2, 3 or 4, never an error in the code; an end within
a minute; and of the recorded replies of a language model, that a damaged one is never used: a run
that ends well on them has written no row that it does not write without damage. ``--changes`` is
how many of the changes inside a JSON file are drawn for each file, ``--commands`` how many of the
commands each change is tried with, and ``--share`` which share of the changes is made at all.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.command_line import argument, arguments, print_line

PROMISED = {0, 2, 3, 4}
CRASHED, PATIENCE = 70, 60
"""The exit code of a case that ended in an error of the code, and the seconds that each has."""
REVIEW = "Review number {} says that the hotel was good and that breakfast was served late."
WORDS = {"says": "states", "was good": "was fine", "was served": "arrived"}
TEMPLATE = """
texts: ["He is {years} and works as a {job}. He asks for a loan to repair his car."]
question: Should the bank grant the loan?
answers: ["yes", "no"]
slots: {years: [25, 40], job: [nurse, mechanic, cook]}
"""
STUDY = """
methods: [swap, eda]
datasets: [rows.jsonl]
tests: {rows.jsonl: [test.jsonl]}
"""
ODD_VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 3.5, 10**25, "", "text", "\ud800", "\x1b[31m", [], {}, [None], {"a": 1},
    ["a", 1], "x" * 70_000,
)  # fmt: skip
ODD_CELLS = (b"\xff\xfe", "text", -5, 2**62, 1e300, "{}", '{"a": "b"}')
ODD_TEXTS = (b"1e999", b"NaN", b"-Infinity", b"9" * 5000, b"[" * 100_000, b'{"a":' * 3000)


@dataclass(frozen=True)
class Scene:
    """A folder to damage, the files in it, and the commands that read them."""

    name: str
    files: Sequence[str]
    commands: Sequence[Sequence[str]]
    same: str = ""
    """A file that must be the same after each command that ends well."""


@dataclass(frozen=True)
class Change:
    """How a file is damaged."""

    name: str
    apply: Callable[[Path], object]


@dataclass(frozen=True)
class Drawn:
    """How many changes are drawn inside of a file, commands for a change, and of all changes."""

    changes: int
    commands: int
    share: float = 1.0


@dataclass
class Found:
    """What came of the cases."""

    cases: int = 0
    changes: int = 0
    codes: Counter[int] = field(default_factory=Counter)
    unnamed: int = 0
    """Errors whose sentence does not name the file."""
    wrong_answers: int = 0
    broken: list[dict[str, str]] = field(default_factory=list)


SCENES = (
    Scene(
        "run",
        (
            "manifest.json", "variants.jsonl", "rejected.jsonl", "dataset.jsonl", "scores.json",
            "predictions.jsonl", "shortcuts/survey.json", "work/progress.jsonl",
        ),
        (
            ("report", "run"),
            ("evaluate", "run", "--test", "test.jsonl"),
            ("evaluate", "run", "--metric", "quality"),
            ("shortcuts", "--run", "run"),
            ("push", "run", "me/name", "--dry-run"),
            ("export", "run", "--out", "tasks"),
            ("train", "--train", "run", "--out", "trained"),
            ("run", "--resume", "--out", "run"),
        ),
    ),
    Scene(
        "choices",
        ("manifest.json", "variants.jsonl", "rejected.jsonl", "dataset.jsonl",
         "shortcuts/survey.json"),
        (("report", "choices"), ("shortcuts", "--run", "choices"),
         ("push", "choices", "me/name", "--dry-run")),
    ),
    Scene(
        "fitted",
        ("manifest.json", "work/progress.jsonl", "work/dataset.jsonl", "work/artifacts"),
        (("run", "--resume", "--out", "fitted"), ("report", "fitted")),
    ),
    Scene(
        "stopped",
        ("work/llm.sqlite", "manifest.json", "variants.jsonl", "rejected.jsonl",
         "work/dataset.jsonl", "work/progress.jsonl"),
        (("run", "--resume", "--out", "stopped", "--budget", "1000calls"), ("report", "stopped")),
        same="dataset.jsonl",
    ),
    Scene(
        "cache",
        ("replies.sqlite",),
        (
            (
                "run", "-m", "paraphrase", "-d", "asked.jsonl", "--llm", "scripted:script.jsonl",
                "--cache", "cache/replies.sqlite", "--out", "cache/again",
            ),
            (
                "run", "-m", "paraphrase", "-d", "asked.jsonl", "--llm",
                "scripted:cache/replies.sqlite", "--out", "cache/again",
            ),
        ),
        same="again/dataset.jsonl",
    ),
    Scene(
        "study",
        ("study.json", "results.json", "TRIAL/manifest.json", "TRIAL/scores.json",
         "TRIAL/dataset.jsonl", "TRIAL/predictions.jsonl", "TRIAL/shortcuts/survey.json"),
        (("sweep", "study.yaml", "--out", "study", "--workers", "1"), ("report", "study")),
    ),
    Scene("survey", ("survey.json",), (("report", "survey"),)),
    Scene(
        "audit",
        ("audit.json", "answers.jsonl", "questions.jsonl"),
        (("audit", "loan.yaml", "--answers", "answered.jsonl", "--out", "audit"),
         ("report", "audit")),
    ),
    Scene(
        "model",
        ("training.json", "*"),
        (("evaluate", "--classifier", "model", "--test", "test.jsonl"),),
    ),
)  # fmt: skip


def main() -> None:
    """Damage everything and print what broke a promise."""
    options = arguments(
        __doc__,
        argument("--changes", type=int, default=12),
        argument("--seed", type=int, default=0),
        argument("--commands", type=int, default=99),
        argument("--share", type=float, default=1.0),
        argument("--only", default="", help="names of folders, by commas"),
        argument("--place", help="the folder to work in; default: a temporary one"),
    )
    only = options.only.split(",") if options.only else [scene.name for scene in SCENES]
    with contextlib.ExitStack() as stack:
        place = options.place or stack.enter_context(tempfile.TemporaryDirectory())
        drawn = Drawn(options.changes, options.commands, options.share)
        found = damage(Path(place), only, drawn, options.seed)
    for case in found.broken:
        print(json.dumps(case), file=sys.stderr)
    result = {"changes": found.changes, "cases": found.cases, "broken": len(found.broken)}
    result |= {"wrong_answers": found.wrong_answers, "unnamed": found.unnamed}
    codes = {str(code): number for code, number in sorted(found.codes.items())}
    print_line({"benchmark": "damage", **result, "exit_codes": codes})


def damage(place: Path, only: Sequence[str], drawn: Drawn, seed: int) -> Found:
    """Make the folders in ``place`` and run the cases."""
    place.mkdir(parents=True, exist_ok=True)
    home = Path.cwd()
    whole, copy = place / "whole", place / "copy"
    shutil.rmtree(whole, ignore_errors=True)
    whole.mkdir()
    os.chdir(whole)
    try:
        make_folders(only)
        found = Found()
        for scene in (scene for scene in SCENES if scene.name in only):
            expected = {command: _undamaged(whole, copy, scene, command)
                        for command in scene.commands}  # fmt: skip
            for name in _names(whole / scene.name, scene.files):
                draw = random.Random(f"{seed} {scene.name} {name}")
                for change in changes(whole / scene.name / name, draw, drawn.changes):
                    if draw.random() >= drawn.share:
                        continue
                    found.changes += 1
                    most = min(drawn.commands, len(scene.commands))
                    for command in draw.sample(scene.commands, most):
                        _case(found, whole, copy, (scene, name, change, command), expected)
    finally:
        os.chdir(home)
    return found


def make_folders(only: Sequence[str]) -> None:
    """The folders in the working directory, by the commands themselves."""
    _write_inputs()
    paraphrase = ("run", "-m", "paraphrase", "-d", "asked.jsonl", "--llm", "scripted:script.jsonl")
    panda = ("run", "-m", "panda", "-d", "rows.jsonl", "--out")
    mirror = ("run", "-m", "mirror", "-d", "pairs-demo", "--limit", "40", "--out", "choices")
    shortcuts = ("shortcuts", "--dataset", "rows.jsonl", "--out", "survey")
    commands: dict[str, Sequence[Sequence[str]]] = {
        "run": ((*panda, "run"), ("evaluate", "run", "--test", "test.jsonl")),
        "choices": (mirror,),
        "fitted": (("run", "-m", "random-edit", "-d", "rows.jsonl", "--out", "fitted"),),
        "stopped": ((*paraphrase, "--budget", "8calls", "--out", "stopped"),),
        "cache": ((*paraphrase, "--cache", "cache/replies.sqlite", "--out", "cache/first"),),
        "study": (("sweep", "study.yaml", "--out", "study", "--workers", "1"),),
        "survey": (shortcuts,),
        "audit": (
            ("audit", "loan.yaml", "--out", "audit"),
            ("audit", "loan.yaml", "--answers", "answered.jsonl", "--out", "audit"),
        ),
        "model": (("train", "--train", "rows.jsonl", "--out", "model"),),
    }
    for name in only:
        for command in commands[name]:
            if name == "audit" and "--answers" in command:
                _answer(Path("audit", "questions.jsonl"), Path("answered.jsonl"))
            code, said = in_child(command)
            if code != (3 if name == "stopped" else 0):
                sys.exit(f"{' '.join(command)} ended with {code}: {said}")
        if name == "fitted":  # as if it had been killed before the end
            _unfinish(Path("fitted"))


def _write_inputs() -> None:
    draw = random.Random(0)
    rows = [
        {
            "text": f"The {draw.choice(['room', 'food', 'waitress', 'man'])} was "
            f"{draw.choice(['good', 'fine', 'nice'] if good else ['bad', 'poor', 'awful'])} and "
            f"the {draw.choice(['bed', 'bath', 'desk'])} was {draw.choice(['old', 'new'])}, no. "
            f"{number}.",
            "label": "good" if good else "bad",
        }
        for number in range(60)
        for good in [number % 2 == 0]
    ]  # fmt: skip
    _write_lines("rows.jsonl", rows[:40])
    _write_lines("test.jsonl", rows[40:])
    asked = [REVIEW.format(number) for number in range(16)]
    _write_lines("asked.jsonl", [{"text": t, "label": "ab"[n % 2]} for n, t in enumerate(asked)])
    script = []
    for number, text in reversed(list(enumerate(asked))):
        for old, new in WORDS.items():
            text = text.replace(old, new)  # noqa: PLW2901 - the row reworded
        words = [{"old": old, "new": new} for old, new in WORDS.items()]
        reply = {"words": words, "text": text}
        script.append({"match": f"Review number {number} ", "reply": reply})
    _write_lines("script.jsonl", script)
    Path("loan.yaml").write_text(TEMPLATE, encoding="utf-8")
    Path("study.yaml").write_text(STUDY, encoding="utf-8")


def _write_lines(name: str, records: Sequence[Any]) -> None:
    Path(name).write_text("".join(json.dumps(record) + "\n" for record in records))


def _answer(questions: Path, answers: Path) -> None:
    lines = [json.loads(line) for line in questions.read_text().splitlines()]
    for number, line in enumerate(lines):
        line["answer"] = ["yes", "no"][number % 3 == 0]
    _write_lines(str(answers), lines)


def _unfinish(folder: Path) -> None:
    """The folder of a finished run as it was before its last block."""
    (folder / "dataset.jsonl").rename(folder / "work" / "dataset.jsonl")
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps(manifest | {"status": "interrupted"}))


def _names(folder: Path, patterns: Sequence[str]) -> list[str]:
    """The files to damage: ``TRIAL`` is the first trial of a study."""
    names: dict[str, None] = {}
    for pattern in patterns:
        if pattern.startswith("TRIAL/"):
            trial = min(path.name for path in folder.glob("trials/*"))
            names[f"trials/{trial}/{pattern.removeprefix('TRIAL/')}"] = None
        elif (folder / pattern).is_dir() or "*" in pattern:
            inside = (folder / pattern).rglob("*") if "*" not in pattern else folder.glob(pattern)
            found = sorted(path for path in inside if path.is_file())
            names |= dict.fromkeys(str(path.relative_to(folder)) for path in found)
        elif (folder / pattern).exists():
            names[pattern] = None
        else:
            sys.exit(f"{folder} has no {pattern}")
    return list(names)


def changes(path: Path, draw: random.Random, drawn: int) -> Iterator[Change]:
    """Every way to damage the file; ``drawn`` of those inside its records."""
    content = path.read_bytes()
    size = len(content)

    def written(name: str, new: bytes) -> Change:
        return Change(name, lambda target: target.write_bytes(new))

    yield written("empty", b"")
    yield Change("missing", Path.unlink)
    yield Change("a folder", lambda target: (target.unlink(), target.mkdir()))
    yield Change("a link to nothing", lambda target: (target.unlink(), target.symlink_to("none")))
    for share in (0.3, 0.7, 1.0):
        yield written(f"cut at {share}", content[: max(0, int(share * size) - 2)])
    for number in range(4 if size else 0):
        place, bit = draw.randrange(size), 1 << draw.randrange(8)
        flipped = bytes([content[place] ^ bit])
        name = f"bit {number} flipped at {place}"
        yield written(name, content[:place] + flipped + content[place + 1 :])
    middle = draw.randrange(size + 1)
    yield written("not UTF-8", content[:middle] + b"\xff\xfe\x80" + content[middle:])
    yield written("zeros", content[:middle] + bytes(64) + content[middle + 64 :])
    yield written("not JSON", b"<html>\n" * 3)
    if path.suffix == ".sqlite":
        yield from _changes_of_database(path, draw)
    elif path.suffix in {".json", ".jsonl"}:
        yield from _changes_of_records(content, path.suffix == ".jsonl", draw, drawn)


def _changes_of_records(
    content: bytes, lines: bool, draw: random.Random, drawn: int
) -> Iterator[Change]:
    """Records with keys deleted and values replaced, and what is no record."""
    parts = content.splitlines(keepends=True) if lines else [content]
    place = draw.randrange(len(parts)) if parts else 0

    def with_part(name: str, new: bytes) -> Change:
        whole = b"".join([*parts[:place], new + b"\n" * lines, *parts[place + 1 :]])
        return Change(name, lambda target: target.write_bytes(whole))

    for text in (b"null", b"[]", b"{}", b"3", b'"text"', b"", *ODD_TEXTS):
        yield with_part(f"record {text[:12]!r}", text)
    record = json.loads(parts[place]) if parts else {}
    paths = list(_paths(record))
    for number in range(drawn if paths else 0):
        keys = draw.choice(paths)
        changed = json.loads(json.dumps(record))
        holder = changed
        for key in keys[:-1]:
            holder = holder[key]
        if number % 3 == 0:
            del holder[keys[-1]]
            yield with_part(f"without {keys}", json.dumps(changed).encode())
        elif number % 3 == 1:
            value = draw.choice(ODD_VALUES)
            holder[keys[-1]] = value
            yield with_part(f"{keys} = {str(value)[:20]!r}", json.dumps(changed).encode())
        else:
            text = draw.choice(ODD_TEXTS[:4])
            holder[keys[-1]] = "ODD TEXT"
            new = json.dumps(changed).encode().replace(b'"ODD TEXT"', text)
            yield with_part(f"{keys} = {text[:12]!r}", new)


def _paths(value: Any, keys: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inside = value.items() if isinstance(value, dict) else ()
    if isinstance(value, list):
        inside = enumerate(value[:3])
    for key, inner in inside:
        yield (*keys, key)
        yield from _paths(inner, (*keys, key))


def _changes_of_database(path: Path, draw: random.Random) -> Iterator[Change]:
    """Tables and cells changed as by another program."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        tables = [row[0] for row in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table'")]  # fmt: skip
        columns = {table: [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
                   for table in tables}  # fmt: skip

    def statement(sql: str, *values: Any) -> Change:
        def apply(target: Path) -> None:
            with contextlib.closing(sqlite3.connect(target)) as opened:
                opened.execute(sql, values)
                opened.commit()

        return Change(f"{sql} {str(values)[:30]}", apply)

    for version in (0, 1, 99):
        yield statement(f"PRAGMA user_version = {version}")
    for table in tables:
        yield statement(f"DROP TABLE {table}")
        yield statement(f"DELETE FROM {table}")
        if table in {"replies", "spend"}:
            for column in columns[table]:
                for value in draw.sample(ODD_CELLS, 3):
                    yield statement(f"UPDATE OR REPLACE {table} SET {column} = ?", value)


def _undamaged(whole: Path, copy: Path, scene: Scene, command: Sequence[str]) -> bytes | None:
    """What a command writes without damage; it must end well."""
    _copied(whole, copy)
    code, said = in_child(command, copy)
    if code:
        sys.exit(f"{' '.join(command)} ended with {code}: {said}")
    path = copy / scene.name / scene.same
    return path.read_bytes() if scene.same and path.exists() else None


def _copied(whole: Path, copy: Path) -> None:
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(whole, copy, symlinks=True)


def _case(
    found: Found,
    whole: Path,
    copy: Path,
    case: tuple[Scene, str, Change, Sequence[str]],
    expected: dict[Sequence[str], bytes | None],
) -> None:
    scene, name, change, command = case
    _copied(whole, copy)
    change.apply(copy / scene.name / name)
    code, said = in_child(command, copy)
    found.cases += 1
    found.codes[code] += 1
    told = {"file": f"{scene.name}/{name}", "change": change.name, "command": " ".join(command)}
    if code not in PROMISED:
        found.broken.append({**told, "code": str(code), "end": said[-700:]})
    if code and Path(name).name not in said:
        found.unnamed += 1
        print("unnamed:", json.dumps({**told, "end": said[-300:]}), file=sys.stderr)
    result = copy / scene.name / scene.same
    if not code and expected[command] is not None and name.endswith(".sqlite"):
        # A replay has no other answers: rows without theirs stay as they are, in the same order.
        right = set(expected[command].splitlines())
        if not right.issuperset(result.read_bytes().splitlines()):
            found.wrong_answers += 1
            print("another result:", json.dumps(told), file=sys.stderr)


def in_child(command: Sequence[str], place: Path | None = None) -> tuple[int, str]:
    """The exit code of a command in a child of this process, and what it printed."""
    with tempfile.TemporaryFile() as said:
        child = os.fork()
        if child == 0:
            _become(command, place, said.fileno())
        _, status = os.waitpid(child, 0)
        said.seek(0)
        return os.waitstatus_to_exitcode(status), said.read().decode("utf-8", "replace")


def _become(command: Sequence[str], place: Path | None, said: int) -> None:
    """Run a command in this process and end it."""
    code = CRASHED
    try:
        signal.alarm(PATIENCE)
        os.dup2(said, 1)
        os.dup2(said, 2)
        os.environ["AUGKIT_DEBUG"] = "1"
        if place is not None:
            os.chdir(place)
        sys.argv = ["augkit", *command]
        from augkit.cli.app import main as augkit

        augkit()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:  # noqa: BLE001 - whatever ends a command is what is counted here
        traceback.print_exc()
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def load_modules() -> None:
    """Import once what the commands need, so that the children need not."""
    import sklearn.linear_model  # noqa: F401

    import augkit.cli.app
    import augkit.commands.evaluate.evaluate
    import augkit.commands.publish.push
    import augkit.report.page.run  # noqa: F401


if __name__ == "__main__":
    load_modules()
    main()
