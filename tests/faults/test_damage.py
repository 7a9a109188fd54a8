"""Damaged files of runs, studies, surveys, audits and models, through the commands."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from augkit.core.errors import DataError, UserError
from augkit.core.model_types import Message, Reply, Request
from augkit.core.types import Cost
from augkit.llm.database import Database
from augkit.llm.reply_store import SCHEMA, ReplyStore, key_of
from augkit.llm.wrappers.budget import SCHEMA as SPENDING
from augkit.llm.wrappers.budget import SpendingTable
from augkit.runs.ledger import Chunk, Counts, Ledger
from augkit.runs.records import read_dataset, read_rejected, read_variants
from tests.faults.cases import try_cases
from tests.faults.generator import damage_file

# --- folders, made by the commands themselves ------------------------------------------------

REVIEW = "Review number {} says that the hotel was good and that breakfast was served late."
REWORDED = {"says": "states", "was good": "was fine", "was served": "arrived"}
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
ASKED = "run -m paraphrase -d asked.jsonl"
PARAPHRASE = f"{ASKED} --llm scripted:script.jsonl"
AUDIT = "audit loan.yaml --answers answered.jsonl --out audit"
SWEEP = "sweep study.yaml --out study --trials 1"


class Scene(NamedTuple):
    """A folder: the commands that make it, the files to damage, and the commands that read it."""

    name: str
    made_by: Sequence[str]
    files: Sequence[str]
    """Patterns; each finds at least one file."""
    commands: Sequence[str]
    same: str = ""
    """A file whose rows are the same after each command that ends well."""


SCENES = (
    Scene(
        "run",
        ["run -m panda -d rows.jsonl --out run", "evaluate run --test test.jsonl"],
        [
            "manifest.json", "variants.jsonl", "rejected.jsonl", "dataset.jsonl", "scores.json",
            "predictions.jsonl", "shortcuts/survey.json", "work/progress.jsonl",
        ],
        [
            "report run",
            "evaluate run --test test.jsonl",
            "evaluate run --metric quality",
            "shortcuts run",
            "train run --out trained",
            "run --resume --out run",
        ],
    ),
    Scene(
        "choices",
        ["run -m mirror -d pairs-demo --limit 40 --out choices"],
        [
            "manifest.json", "variants.jsonl", "rejected.jsonl", "dataset.jsonl",
            "shortcuts/survey.json",
        ],
        ["report choices", "shortcuts choices"],
    ),
    Scene(
        "fitted",
        ["run -m random-edit -d rows.jsonl --out fitted"],
        ["manifest.json", "work/progress.jsonl", "work/dataset.jsonl", "work/artifacts/**/*"],
        ["run --resume --out fitted", "report fitted"],
    ),
    Scene(
        "stopped",
        [f"{PARAPHRASE} --budget 8calls --out stopped"],
        [
            "work/llm.sqlite", "work/llm.sqlite", "manifest.json", "variants.jsonl",
            "rejected.jsonl", "work/dataset.jsonl", "work/progress.jsonl",
        ],
        ["run --resume --out stopped --budget 1000calls", "report stopped"],
        same="dataset.jsonl",
    ),
    Scene(
        "cache",
        [f"{PARAPHRASE} --set cache=cache/replies.sqlite --out cache/first"],
        ["replies.sqlite"],
        [
            f"{PARAPHRASE} --set cache=cache/replies.sqlite --out cache/again",
            f"{ASKED} --llm scripted:cache/replies.sqlite --out cache/again",
        ],
        same="again/dataset.jsonl",
    ),
    Scene(
        "study",
        [SWEEP],
        [
            "study.json", "results.json", "trials/*/manifest.json", "trials/*/scores.json",
            "trials/*/dataset.jsonl", "trials/*/predictions.jsonl",
            "trials/*/shortcuts/survey.json",
        ],
        [SWEEP, "report study"],
    ),
    Scene(
        "survey",
        ["shortcuts rows.jsonl --out survey"],
        ["survey.json"],
        ["report survey"],
    ),
    Scene(
        "audit",
        ["audit loan.yaml --out audit", AUDIT],
        ["audit.json", "answers.jsonl", "questions.jsonl"],
        [AUDIT, "report audit"],
    ),
    Scene(
        "model",
        ["train rows.jsonl --out model"],
        ["training.json", "*"],
        ["evaluate --classifier model --test test.jsonl"],
    ),
)  # fmt: skip


def write_lines(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


def write_inputs(place):
    """The rows, the answers of the model, and the settings that the commands read."""
    draw = Random(0)
    rows = []
    for number in range(60):
        words = ["bad", "poor", "awful"] if number % 2 else ["good", "fine", "nice"]
        who = draw.choice(["room", "food", "waitress", "man"])
        what = draw.choice(["bed", "bath", "desk"])
        age = draw.choice(["old", "new"])
        text = f"The {who} was {draw.choice(words)} and the {what} was {age}, no. {number}."
        rows.append({"text": text, "label": "bad" if number % 2 else "good"})
    write_lines(place / "rows.jsonl", rows[:40])
    write_lines(place / "test.jsonl", rows[40:])
    words = [{"old": old, "new": new} for old, new in REWORDED.items()]
    asked = []
    script = []
    for number in range(16):
        text = REVIEW.format(number)
        asked.append({"text": text, "label": "ab"[number % 2]})
        for old, new in REWORDED.items():
            text = text.replace(old, new)
        reply = {"words": words, "text": text}
        script.append({"match": f"Review number {number} ", "reply": reply})
    write_lines(place / "asked.jsonl", asked)
    write_lines(place / "script.jsonl", reversed(script))  # 12 is found before 1
    (place / "loan.yaml").write_text(TEMPLATE)
    (place / "study.yaml").write_text(STUDY)


@pytest.fixture(scope="module")
def whole(run_augkit, tmp_path_factory):
    """A place with the folder of every scene."""
    place = tmp_path_factory.mktemp("whole")
    write_inputs(place)
    home = Path.cwd()
    os.chdir(place)
    for scene in SCENES:
        for command in scene.made_by:
            done = run_augkit(*command.split())
            assert done.code == (3 if scene.name == "stopped" else 0), done.err
            if command == "audit loan.yaml --out audit":
                questions = Path("audit", "questions.jsonl").read_text().splitlines()
                answers = ("yes", "no", "no") * len(questions)
                lines = zip(map(json.loads, questions), answers, strict=False)
                write_lines(Path("answered.jsonl"), [q | {"answer": a} for q, a in lines])
    # As if it had been killed before the end.
    Path("fitted", "dataset.jsonl").rename("fitted/work/dataset.jsonl")
    manifest = Path("fitted", "manifest.json")
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"status": "interrupted"}))
    os.chdir(home)
    return place


def carry_out(run_augkit, command, whole, place, damage=lambda: None):
    """Run a command on a copy of the folders."""
    shutil.copytree(whole, place, symlinks=True, dirs_exist_ok=True)
    os.chdir(place)
    damage()
    return run_augkit(*command.split())


@pytest.fixture(scope="module")
def expected(run_augkit, whole, tmp_path_factory):
    """Command → the lines that it writes without damage; each command ends well."""
    lines = {}
    home = Path.cwd()
    for scene in SCENES:
        for command in scene.commands:
            place = tmp_path_factory.mktemp("undamaged")
            done = carry_out(run_augkit, command, whole, place)
            assert done.code == 0, f"{command}: {done.err}"
            same = place / scene.name / scene.same
            if same.is_file():
                lines[command] = set(same.read_bytes().splitlines())
    os.chdir(home)
    return lines


# --- damage ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_damaged_files_end_in_a_sentence(run_augkit, whole, expected, tmp_path, monkeypatch):
    """No command ends in an error of the code, and no damaged reply is used."""

    def attempt(number, rng, place):
        scene = SCENES[number % len(SCENES)]
        file = place / scene.name / rng.choice(found[scene.name])
        command = rng.choice(scene.commands)
        done = carry_out(run_augkit, command, whole, place, lambda: damage_file(rng, file))
        assert done.code in {0, 2, 3, 4}, f"{command}, {file}: {done.err}"
        if done.code == 0 and command in expected and file.suffix == ".sqlite":
            # A replay has no other answers: rows without theirs stay as they are.
            rows = (place / scene.name / scene.same).read_bytes().splitlines()
            assert expected[command].issuperset(rows), f"{command}, {file}: a damaged reply"
        return str(done.code)

    found = {}
    for scene in SCENES:
        folder = whole / scene.name
        found[scene.name] = [
            path.relative_to(folder)
            for pattern in scene.files
            for path in sorted(folder.glob(pattern))[:9]
            if path.is_file()
        ]
        assert len(found[scene.name]) >= len(scene.files)
    monkeypatch.chdir(tmp_path)
    codes = try_cases(attempt, 36, tmp_path / "case")
    tried = codes.total()
    assert codes["0"] > tried / 10
    assert codes["2"] > tried / 10


# --- records and stores ----------------------------------------------------------------------

VARIANT = (
    '{"id": "v", "fields": {"text": "a good film"}, "label": "x", "parents": ["p"], "method": "m",'
    ' "edits": [{"field": "text", "start": 2, "end": 5, "before": "bad", "after": "good"}],'
    ' "contract": "kept"}\n'
)
REQUEST = Request([Message("user", "Reword it.")])
KEY = key_of("model", REQUEST)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (VARIANT.replace('"parents": ["p"]', '"parents": []'), "parents"),
        (VARIANT.replace('"text", "start": 2', '"text", "start": -2'), "outside of its fields"),
        (VARIANT.replace('{"field": "text"', '{"field": "other"'), "outside of its fields"),
        (VARIANT.replace('"id": "v", ', ""), "'id': Field required"),
        (VARIANT[:40] + "\n", "damaged"),
        ("[" * 100_000 + "\n", "nested too deeply"),
        ("null\n", "damaged"),
        ("\udcff\n", "damaged"),
    ],
)
def test_a_damaged_line_is_named(tmp_path, line, reason):
    """With its file, its number, what is wrong and what to do; those before it are read."""
    text = (VARIANT + line).encode("utf-8", "surrogateescape")
    (tmp_path / "variants.jsonl").write_bytes(text)
    variants = read_variants(tmp_path)
    first = next(variants)
    assert first.original == {"text": "a bad film"}
    with pytest.raises(DataError, match=rf"variants\.jsonl, line 2: .*{reason}.*Restore it"):
        next(variants)


@pytest.mark.parametrize("read", [read_variants, read_rejected, read_dataset])
def test_a_missing_file_and_a_folder_in_its_place_are_told(tmp_path, read):
    """Each as what it is."""
    with pytest.raises(DataError, match="missing"):
        next(read(tmp_path))
    for name in ("variants.jsonl", "rejected.jsonl", "dataset.jsonl"):
        (tmp_path / name).mkdir()
    with pytest.raises(DataError, match="cannot be read: Is a directory"):
        next(read(tmp_path))


def test_a_damaged_line_of_the_progress_counts_as_not_there(tmp_path):
    """The run goes on from the last line that is whole, and does the rest again."""
    (tmp_path / "work").mkdir()
    chunk = Chunk((b"{}\n", b"", b"{}\n"), Counts(read=1))
    with Ledger(tmp_path) as ledger:
        for _ in range(3):
            ledger.append(chunk)
    journal = tmp_path / "work" / "progress.jsonl"
    first, second, third = journal.read_text().splitlines(keepends=True)
    for damaged in (third.replace("[9", "[8"), third[:20] + "\n", third.replace('"read": 3', "9")):
        journal.write_text(first + second + damaged)
        with Ledger(tmp_path) as ledger:
            assert ledger.progress.counts.read == 2
            assert (tmp_path / "variants.jsonl").stat().st_size == 6
            ledger.append(chunk)


@pytest.mark.parametrize("damaged", ["reply || 'x'", "'{}'", "substr(reply, 1, 20)", "x'ff00'"])
def test_a_damaged_reply_counts_as_not_there(tmp_path, damaged):
    """It is asked for and recorded again."""
    database = Database(tmp_path / "replies.sqlite", SCHEMA)
    store = ReplyStore(database, faults=True)
    store.put(KEY, REQUEST, Reply("an answer", cost=Cost(1, 20, 4, 0.01)))
    assert store.get(KEY).text == "an answer"
    database.run(f"UPDATE replies SET reply = {damaged}")
    assert store.get(KEY) is None
    store.put(KEY, REQUEST, Reply("an answer", cost=Cost(1, 20, 4, 0.01)))
    assert store.get(KEY).cost == Cost(1, 20, 4, 0.01)


def test_damaged_spending_is_no_reason_to_spend(tmp_path):
    """A budget that cannot be kept is an error that names the file."""
    database = Database(tmp_path / "llm.sqlite", SCHEMA + SPENDING)
    spending = SpendingTable(database)
    (entry,) = spending.reserve("m", [Cost(1, 100, 10, 0.5)], None)
    spending.settle(entry, Cost(1, 90, 8, 0.4))
    for column, value in (("usd", "-1.0"), ("prompt_tokens", "'few'"), ("calls", "-3")):
        kept = database.run(f"SELECT {column} FROM spend")[0][0]
        database.run(f"UPDATE spend SET {column} = {value}")
        with pytest.raises(UserError, match=r"llm\.sqlite: damaged: 1 record of what was spent"):
            SpendingTable(database)
        database.run(f"UPDATE spend SET {column} = ?", kept)
    assert SpendingTable(database).spent().calls == 1
