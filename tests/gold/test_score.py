"""The scorer's own rules, and the form of every gold item."""

import importlib.util
import json
import re
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TABLES = ("dev", "test", "blind")

_spec = importlib.util.spec_from_file_location("gold_score", HERE / "score.py")
assert _spec is not None
assert _spec.loader is not None
gold_score = importlib.util.module_from_spec(_spec)
sys.modules["gold_score"] = gold_score
_spec.loader.exec_module(gold_score)


def item(text="", accepted=(), **more):
    values = {"id": "x", "word": "", "start": 0, "axis": "gender", "target": "woman"}
    return gold_score.Item(
        **{**values, "text": text, "accepted": tuple(accepted), "phenomena": ("t",), **more}
    )


@pytest.fixture(scope="module", params=TABLES)
def table(request):
    """Give the items of one table; the blind one is checked for its format alone."""
    return gold_score.load_gold(HERE / f"{request.param}.jsonl")


def test_every_row_can_be_asked(table):
    """A known axis and target, tags, and a chosen word that stands at its offset, whole."""
    for row in table:
        assert row.target in gold_score.AXES[row.axis], row.id
        assert row.id, row.text
        assert row.phenomena, row.id
        end = row.start + len(row.word)
        assert row.text[row.start : end] == row.word, row.id
        around = (row.text[: row.start][-1:], row.text[end : end + 1])
        assert not any(re.match(r"\w", mark) for mark in around), row.id


def test_accepted_outputs_are_well_formed(table):
    """Different ones, the text itself where it must not change, with its segments."""
    for row in table:
        assert len(set(row.accepted)) == len(row.accepted) > 0, row.id
        assert (row.text in row.accepted) == row.must_not_change, row.id
        assert not (row.must_not_change and len(row.accepted) > 1), row.id
        assert not (row.must_not_change and row.may_refuse), row.id
        for output in row.accepted:
            assert output.count(" <SEP> ") == row.text.count(" <SEP> "), row.id
            assert not re.search(r"\b(?:a|an) (?:a|an)\b", output, re.IGNORECASE), row.id


def test_placeholders_are_known(table):
    """Every brace in an accepted output belongs to a known placeholder, indexed if repeated."""
    known = {"name": gold_score.NAME_GROUPS, "age": gold_score.BANDS}
    for row in table:
        assert not re.search(r"[{}]", row.text), row.id
        for output in row.accepted:
            assert not re.search(r"[{}]", gold_score.PLACEHOLDER.sub("", output)), row.id
            found = list(gold_score.PLACEHOLDER.finditer(output))
            assert all(f["article"] or f["group"] in known[f["kind"]] for f in found), row.id
            names = [f for f in found if f["kind"] == "name"]
            assert len(names) < 2 or all(f["index"] for f in names), row.id


@pytest.mark.slow
def test_tables_have_no_row_in_common():
    """Ids are unique, no text occurs in two tables or twice in one, and tags can be read alone."""
    tables = {name: gold_score.load_gold(HERE / f"{name}.jsonl") for name in TABLES}
    rows = [row for table in tables.values() for row in table]
    assert len({row.id for row in rows}) == len(rows)
    texts = [re.sub(r"\W+", " ", row.text).casefold() for row in rows]
    assert len(set(texts)) == len(texts)
    tags = [{row.tag for row in table} for table in tables.values()]
    assert sum(map(len, tags)) == len(set.union(*tags))
    assert len(gold_score.load_gold(HERE / "dev.jsonl", "dev7")) == 217
    assert {row.axis for row in tables["blind"]} == set(gold_score.AXES)


ACCEPTED = [
    # A name is one new capitalised word, the same wherever its index stands.
    (
        "Tom's dog bit Tom.",
        "{name:woman#1}'s dog bit {name:woman#1}.",
        ["Ada's dog bit Ada."],
        ["Ada's dog bit Eve.", "Tom's dog bit Tom.", "ada's dog bit ada."],
    ),
    (
        "Tom, or Tommy, left.",
        "{name:woman#1}, or {name:woman#2}, left.",
        ["Susan, or Sue, left."],
        ["Sue, or Sue, left."],
    ),
    # An age lies in its band, in the form asked for, after the right article.
    (
        "A 9-year-old boy ran.",
        "{A} {age:senior}-year-old man ran.",
        ["A 71-year-old man ran.", "An 80-year-old man ran."],
        ["A 80-year-old man ran.", "A 64-year-old man ran."],
    ),
    ("I am ten.", "I am {age:young:words}.", ["I am twenty-one."], ["I am 21."]),
]


@pytest.mark.parametrize(("text", "accepted", "right", "wrong"), ACCEPTED)
def test_placeholders_take_what_fits(text, accepted, right, wrong):
    row = item(text, [accepted])
    assert all(gold_score.accepts(row, output) for output in right)
    assert not any(gold_score.accepts(row, output) for output in wrong)


def test_a_name_list_checks_placeholders():
    row = item("Tom left.", ["{name:woman} left."])
    for name in ("Ada", "Bob"):
        fits = gold_score.accepts(row, f"{name} left.", lambda *found: found == ("Ada", "woman"))
        assert fits is (name == "Ada")


def test_may_refuse_accepts_the_text_itself():
    assert gold_score.accepts(item("he or she", ["she"], may_refuse=True), "he or she")
    assert not gold_score.accepts(item("he or she", ["she"]), "he or she")


@pytest.mark.slow
def test_perfect_and_unchanged_outputs():
    """What is accepted, filled in, gets full marks; handing the text back keeps what must stay."""
    rows = gold_score.load_gold(HERE / "test.jsonl")
    pool = "Zedda Quilla zedda quilla ZEDDA QUILLA 9 30 50 70 nine thirty fifty seventy"
    for index in (0, -1):
        outputs = {row.id: gold_score.fill(row.accepted[index], pool, row) for row in rows}
        result = gold_score.score(rows, outputs)
        assert (result["accepted"], result["levenshtein"]) == (1.0, 0.0)
        assert (result["bleu"], result["rouge2"]) == pytest.approx((100.0, 100.0))
    result = gold_score.score(rows, {row.id: row.text for row in rows})
    assert result["must_not_change_kept"] == 1.0
    assert result["must_change_refused"] == 1.0
    assert result["must_change_accepted"] < 0.05


def test_distances_are_measured_to_the_closest_reference():
    row = item("Tom lost his hat.", ["{name:woman} lost her hat.", "{name:woman} lost her cap."])
    assert gold_score.reference(row, "Ada lost his hat.") == "Ada lost her hat."
    result = gold_score.score([row], {"x": "Ada lost his hat."})
    assert (result["accepted"], result["levenshtein"]) == (0.0, 1.0)


def test_an_unknown_id_is_an_error():
    with pytest.raises(ValueError, match="does not have"):
        gold_score.score([item("a", ["b"])], {"y": "b"})
    assert gold_score.score([item("a", ["b"])], {})["missing"] == 1


def test_the_command_prints_one_json_line(tmp_path, capsys):
    gold = HERE / "test.jsonl"
    rows = gold_score.load_gold(gold, "third")
    outputs = tmp_path / "outputs.jsonl"
    lines = [json.dumps({"id": row.id, "output": row.text}) for row in rows]
    outputs.write_text("\n".join(lines), "utf-8")
    assert gold_score.main([str(gold), str(outputs), "third"]) == 0
    assert json.loads(capsys.readouterr().out)["n"] == len(rows)
    assert gold_score.main([]) == 2
