"""A part of ``benchmarks/release/damage.py``: damaged files of runs, through the commands."""

import importlib.util
import sqlite3
import sys
from pathlib import Path

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

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "release" / "damage.py"
VARIANT = (
    '{"id": "v", "fields": {"text": "a good film"}, "label": "x", "parents": ["p"], "method": "m",'
    ' "edits": [{"field": "text", "start": 2, "end": 5, "before": "bad", "after": "good"}],'
    ' "contract": "kept"}\n'
)
REQUEST = Request([Message("user", "Reword it.")])
KEY = key_of("model", REQUEST)


@pytest.fixture(scope="module")
def damage():
    """The benchmark as a module."""
    if not SCRIPT.is_file():
        pytest.skip("the benchmarks are not beside the tests")
    spec = importlib.util.spec_from_file_location("augkit_damage", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.parametrize("scene", ["stopped", "survey", "audit"])
def test_damaged_files_end_in_a_sentence(damage, tmp_path, scene):
    """No command ends in an error of the code, and no damaged reply is used."""
    share = {"stopped": 0.06}.get(scene, 0.25)
    found = damage.damage(tmp_path, [scene], damage.Drawn(3, 1, share), seed=1)
    assert found.broken == []
    assert found.wrong_answers == 0
    assert found.cases >= 5
    assert set(found.codes) <= damage.PROMISED


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (VARIANT.replace('"parents": ["p"]', '"parents": []'), "parents"),
        (VARIANT.replace('"text", "start": 2', '"text", "start": -2'), "outside of its fields"),
        (VARIANT.replace('{"field": "text"', '{"field": "other"'), "outside of its fields"),
        (VARIANT.replace('"id": "v", ', ""), "id: Field required"),
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


@pytest.mark.parametrize("column", ["text", "probabilities", "prompt_tokens", "usd", "fault"])
def test_a_changed_reply_counts_as_not_there(tmp_path, column):
    """One bit of it is enough; the reply is asked for and recorded again."""
    database = Database(tmp_path / "replies.sqlite", SCHEMA)
    store = ReplyStore(database, faults=True)
    store.put(KEY, REQUEST, Reply("an answer", cost=Cost(1, 20, 4, 0.01)))
    assert store.get(KEY).text == "an answer"
    database.run(f"UPDATE replies SET {column} = {column} || 'x'")
    assert store.get(KEY) is None
    store.put(KEY, REQUEST, Reply("an answer", cost=Cost(1, 20, 4, 0.01)))
    assert store.get(KEY).cost == Cost(1, 20, 4, 0.01)


def test_files_of_the_version_before_checksums_are_read(tmp_path):
    """What was paid for then is found, unless it cannot be a reply."""
    path = tmp_path / "replies.sqlite"
    database = Database(path, SCHEMA)
    ReplyStore(database).put(KEY, REQUEST, Reply("an answer", cost=Cost(1, 20, 4, 0.01)))
    database.close()
    with sqlite3.connect(path) as old:
        old.execute("ALTER TABLE replies DROP COLUMN checksum")
        old.execute("PRAGMA user_version = 3")
    old.close()
    database = Database(path, SCHEMA)
    store = ReplyStore(database)
    assert store.get(KEY).text == "an answer"
    database.run("UPDATE replies SET prompt_tokens = -1")
    assert store.get(KEY) is None


def test_damaged_spending_is_no_reason_to_spend(tmp_path):
    """A budget that cannot be kept is an error that names the file."""
    database = Database(tmp_path / "llm.sqlite", SCHEMA + SPENDING)
    (entry,) = SpendingTable(database).reserve("m", [Cost(1, 100, 10, 0.5)], None)
    SpendingTable(database).settle(entry, Cost(1, 90, 8, 0.4))
    for column, value in (("usd", "-1.0"), ("prompt_tokens", "'few'"), ("calls", "-3")):
        kept = database.run(f"SELECT {column} FROM spend")[0][0]
        database.run(f"UPDATE spend SET {column} = {value}")
        with pytest.raises(UserError, match=r"llm\.sqlite: damaged: 1 record of what was spent"):
            SpendingTable(database)
        database.run(f"UPDATE spend SET {column} = ?", kept)
    assert SpendingTable(database).spent().calls == 1
