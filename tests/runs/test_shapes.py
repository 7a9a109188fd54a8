"""Runs on data with spans: entities and answers are what the text says, in every format."""

import json
import random
from pathlib import Path

import pytest

import augkit
from augkit.core.edits import Edit, undo
from augkit.core.errors import ConfigError, DataError
from augkit.datasets.readers import blocks
from augkit.datasets.shapes.tags import entities
from augkit.runs.execute import run
from augkit.runs.plan import make_plan
from augkit.runs.settings import RunSettings

pytestmark = pytest.mark.slow

METHODS = ["swap", "eda", "typo", "panda", "coba"]
ROWS = 36


@pytest.fixture(scope="module")
def wnut(tagged):
    """Tokens with entity tags, and a label for the methods that need one."""
    rng = random.Random(0)
    rows = (tagged(rng) for _ in range(ROWS))
    return [{"tokens": tokens, "ner_tags": tags, "label": label} for tokens, tags, label in rows]


@pytest.fixture
def squad(tagged):
    """A context of two sentences, a question, an answer with its offset, and a label."""
    rng = random.Random(1)
    rows = []
    for _ in range(ROWS):
        tokens, tags, label = tagged(rng)
        more, _, _ = tagged(rng, label)
        context = " ".join([*tokens, *more]).replace(" ,", ",").replace(" .", ".")
        start, end, _ = rng.choice(entities(tags))
        answer = " ".join(tokens[start : end + 1])
        answers = {"text": [answer], "answer_start": [context.index(answer)]}
        question = "What is the film about, and who saw it?"
        rows.append({"context": context, "question": question, "answers": answers, "label": label})
    return rows


def written(rows, path: Path) -> Path:
    """The rows as a file, JSON Lines or parquet."""
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    else:
        import pyarrow as pa
        from pyarrow import parquet

        parquet.write_table(pa.Table.from_pylist(rows), path)
    return path


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def surfaces(row):
    """Label and text of the entities of a row."""
    tokens, tags = row["tokens"], row["ner_tags"]
    assert len(tokens) == len(tags)
    return [(label, " ".join(tokens[a : b + 1])) for a, b, label in entities(tags)]


@pytest.mark.parametrize("method", METHODS)
def test_entities_stay_entities(tmp_path, method, wnut):
    """Each variant has the entities of its original; only some methods change their text.

    What a variant's tags say is checked by the texts of the entities that the edits name.
    """
    out = augkit.augment_dataset(
        written(wnut, tmp_path / "wnut.jsonl"), method, tmp_path / "out", span_columns=["ner_tags"]
    )
    originals = {row["augkit_id"]: row for row in lines(out / "dataset.jsonl")}
    variants = [row for row in originals.values() if row["augkit_origin"] == "variant"]
    assert len(variants) >= ROWS // 5
    known = {tuple(row["tokens"]): surfaces(row) for row in wnut}
    by_id = {record["id"]: record for record in lines(out / "variants.jsonl")}
    for row in variants:
        record = by_id[row["augkit_id"]]
        assert " ".join(row["tokens"]) == record["fields"]["text"]
        before = known[tuple(_undone(record))]
        after = surfaces(row)
        assert [label for label, _ in after] == [label for label, _ in before]
        if method in {"eda", "coba"}:
            assert after == before


def _undone(record):
    """The tokens of the original."""
    edits = [Edit(**edit) for edit in record["edits"]]
    return undo(record["fields"], edits)["text"].split()


@pytest.mark.parametrize("method", METHODS)
def test_answers_are_at_their_offsets(tmp_path, method, squad):
    path = written(squad, tmp_path / "squad.jsonl")
    loose = {"unit": "text", "min_text_label": 0.0, "min_sentence_edits": 0, "broad": True}
    texts = {"text_columns": ["context"], "options": loose}
    named = {"options": {"full_names": "change"}}  # the persons of these rows have full names
    texts = {"coba": texts, "panda": named}.get(method, {})
    out = augkit.augment_dataset(path, method, tmp_path / "out", span_columns=["answers"], **texts)
    rows = lines(out / "dataset.jsonl")
    assert sum(row["augkit_origin"] == "variant" for row in rows) >= ROWS // 3
    for row in rows:
        for answer, start in zip(*row["answers"].values(), strict=True):
            assert row["context"][start : start + len(answer)] == answer


def test_a_parquet_file_gives_the_rows_of_json_lines(tmp_path, wnut):
    """Entities of both are kept in the same way."""
    results = []
    for kind in ("jsonl", "parquet"):
        path = written(wnut, tmp_path / f"wnut.{kind}")
        out = augkit.augment_dataset(path, "typo", tmp_path / kind, span_columns=["ner_tags"])
        results.append((out / "dataset.jsonl").read_bytes())
    assert results[0] == results[1]


def test_a_wrong_row_stops_a_run_before_it_starts(tmp_path, squad):
    """No folder, no call of a model."""
    rows = squad[:3]
    rows[1]["answers"]["answer_start"] = [5000]
    path = written(rows, tmp_path / "squad.jsonl")
    with pytest.raises(DataError, match=r"squad.jsonl, line 2: column 'answers': the span 5000-"):
        augkit.augment_dataset(path, "swap", tmp_path / "out", span_columns=["answers"])
    assert not (tmp_path / "out").exists()


def test_a_run_cannot_be_resumed_on_other_spans(tmp_path, squad):
    """They are part of the dataset."""
    rows = squad[:3]
    path = written(rows, tmp_path / "squad.jsonl")
    settings = RunSettings(method="swap", dataset=str(path), span_columns=("answers",))
    run(settings, tmp_path / "out")
    rows[0]["answers"] = {"text": [], "answer_start": []}
    written(rows, path)
    with pytest.raises(ConfigError, match="was started on other rows"):
        run(settings, tmp_path / "out", resume=True)


def test_a_method_of_one_field_takes_one_that_may_change(tmp_path, squad):
    """By default the last; where that is locked, the last of the others."""
    path = str(written(squad[:10], tmp_path / "squad.jsonl"))
    for edited, field in (((), None), (("question",), "question")):
        settings = RunSettings(
            method="razor", dataset=path, edit_columns=edited, span_columns=("answers",)
        )
        with make_plan(settings) as plan:
            assert plan.config.field == field


def test_processes_give_the_same_rows(tmp_path, monkeypatch, wnut):
    """Spans travel to worker processes and back."""
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 2000)
    path = written(wnut, tmp_path / "wnut.jsonl")
    one, two = (
        augkit.augment_dataset(path, "eda", tmp_path / str(n), span_columns=["ner_tags"], workers=n)
        for n in (1, 2)
    )
    assert (one / "dataset.jsonl").read_bytes() == (two / "dataset.jsonl").read_bytes()
