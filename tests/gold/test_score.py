"""The scorer's own rules, and the form of every gold item."""

import importlib.util
import json
import re
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
OPEN = ("dev", "test")
TABLES = (*OPEN, "blind")

_spec = importlib.util.spec_from_file_location("gold_score", HERE / "score.py")
assert _spec is not None
assert _spec.loader is not None
gold_score = importlib.util.module_from_spec(_spec)
sys.modules["gold_score"] = gold_score
_spec.loader.exec_module(gold_score)


def item(text="", accepted=(), **more):
    """Make a small gold item."""
    values = {"id": "x", "word": "", "start": 0, "axis": "gender", "target": "woman"}
    return gold_score.Item(
        **{**values, "text": text, "accepted": tuple(accepted), "phenomena": ("t",), **more}
    )


@pytest.fixture(params=TABLES)
def table(request):
    """Give the items of one table; the blind one is checked for its format alone."""
    return gold_score.load_gold(HERE / f"{request.param}.jsonl")


@pytest.fixture(params=OPEN)
def open_table(request):
    """Give the items of a table that may be scored."""
    return gold_score.load_gold(HERE / f"{request.param}.jsonl")


def test_the_chosen_word_is_at_its_offset(table):
    """The chosen word stands at its offset, whole."""
    for row in table:
        end = row.start + len(row.word)
        assert row.text[row.start : end] == row.word, row.id
        around = (row.text[: row.start][-1:], row.text[end : end + 1])
        assert not any(re.match(r"\w", mark) for mark in around), row.id


def test_every_field_is_valid(table):
    """Every item has an id, a known axis and target, tags, and at least one accepted output."""
    for row in table:
        assert row.target in gold_score.AXES[row.axis], row.id
        assert row.id, row.text
        assert row.phenomena, row.id
        assert row.accepted, row.id
        assert len(set(row.accepted)) == len(row.accepted), row.id


def test_the_text_is_accepted_only_where_it_must_not_change(table):
    """An accepted output is the text itself exactly where the text must not change."""
    for row in table:
        assert (row.text in row.accepted) == row.must_not_change, row.id
        assert not (row.must_not_change and len(row.accepted) > 1), row.id
        assert not (row.must_not_change and row.may_refuse), row.id


def test_accepted_outputs_keep_the_segments(table):
    """An accepted output has as many segments as the text, and no doubled article."""
    for row in table:
        for output in row.accepted:
            assert output.count(" <SEP> ") == row.text.count(" <SEP> "), row.id
            assert not re.search(r"\b(?:a|an) (?:a|an)\b", output, re.IGNORECASE), row.id


def test_placeholders_are_known(table):
    """Every brace in an accepted output belongs to a known placeholder, indexed if repeated."""
    for row in table:
        assert not re.search(r"[{}]", row.text), row.id
        for output in row.accepted:
            assert not re.search(r"[{}]", gold_score.PLACEHOLDER.sub("", output)), row.id
            found = list(gold_score.PLACEHOLDER.finditer(output))
            known = {"name": gold_score.NAME_GROUPS, "age": gold_score.BANDS}
            assert all(f["article"] or f["group"] in known[f["kind"]] for f in found), row.id
            names = [f for f in found if f["kind"] == "name"]
            assert len(names) < 2 or all(f["index"] for f in names), row.id


def test_ids_and_texts_are_unique_over_all_tables():
    """Ids are unique, and no text occurs in two tables or twice in one."""
    rows = [row for name in TABLES for row in gold_score.load_gold(HERE / f"{name}.jsonl")]
    assert len({row.id for row in rows}) == len(rows)
    texts = [re.sub(r"\W+", " ", row.text).casefold() for row in rows]
    assert len(set(texts)) == len(texts)


def test_every_row_has_the_tag_of_its_origin():
    """The rows of a tag can be read alone."""
    tags = {
        name: {row.tag for row in gold_score.load_gold(HERE / f"{name}.jsonl")} for name in TABLES
    }
    assert tags["dev"] == {
        "dev",
        "weak",
        "weak2",
        "weak3",
        "weak4",
        "weak5",
        "weak6",
        "weak7",
        "weak8",
        "weak9",
        "weak10",
        *(f"dev{number}" for number in range(2, 12)),
    }
    assert tags["test"] == {"unseen", "third", "fourth", "fifth", "sixth"}
    assert tags["blind"] == {"blind"}
    assert len(gold_score.load_gold(HERE / "dev.jsonl", "dev7")) == 217


def test_the_first_halves_cover_the_same_phenomena():
    """The two halves of the first set are large enough and have the same tags."""
    halves = [
        gold_score.load_gold(HERE / "dev.jsonl", "dev"),
        gold_score.load_gold(HERE / "test.jsonl", "unseen"),
    ]
    assert all(len(rows) >= 130 for rows in halves)
    assert len({frozenset(tag for row in rows for tag in row.phenomena) for rows in halves}) == 1


def test_the_blind_table_covers_every_axis():
    """At least 120 rows over gender, race and age, 40 of which must not change."""
    rows = gold_score.load_gold(HERE / "blind.jsonl")
    assert len(rows) >= 120
    assert {row.axis for row in rows} == set(gold_score.AXES)
    assert sum(row.must_not_change for row in rows) >= 40


def test_a_name_placeholder_takes_one_new_name():
    """A placeholder takes one new capitalised word, the same wherever its index stands."""
    row = item("Tom's dog bit Tom.", ["{name:woman#1}'s dog bit {name:woman#1}."])
    assert gold_score.accepts(row, "Ada's dog bit Ada.")
    assert not gold_score.accepts(row, "Ada's dog bit Eve.")
    assert not gold_score.accepts(row, "Tom's dog bit Tom.")
    assert not gold_score.accepts(row, "ada's dog bit ada.")


def test_different_indices_take_different_names():
    """Placeholders with different indices take different names."""
    row = item("Tom, or Tommy, left.", ["{name:woman#1}, or {name:woman#2}, left."])
    assert gold_score.accepts(row, "Susan, or Sue, left.")
    assert not gold_score.accepts(row, "Sue, or Sue, left.")


def test_a_name_list_checks_placeholders():
    """A name list may be put behind the placeholders."""
    row = item("Tom left.", ["{name:woman} left."])
    assert gold_score.accepts(
        row, "Ada left.", lambda name, group: (name, group) == ("Ada", "woman")
    )
    assert not gold_score.accepts(row, "Bob left.", lambda name, _: name == "Ada")


def test_an_age_placeholder_takes_ages_of_its_band():
    """An age must lie in the band, in the form asked for, after the right article."""
    row = item("A 9-year-old boy ran.", ["{A} {age:senior}-year-old man ran."])
    assert gold_score.accepts(row, "A 71-year-old man ran.")
    assert gold_score.accepts(row, "An 80-year-old man ran.")
    assert not gold_score.accepts(row, "A 80-year-old man ran.")
    assert not gold_score.accepts(row, "A 64-year-old man ran.")
    words = item("I am ten.", ["I am {age:young:words}."])
    assert gold_score.accepts(words, "I am twenty-one.")
    assert not gold_score.accepts(words, "I am 21.")


def test_may_refuse_accepts_the_text_itself():
    """Where leaving the text is also right, the text itself is accepted."""
    assert gold_score.accepts(item("he or she", ["she"], may_refuse=True), "he or she")
    assert not gold_score.accepts(item("he or she", ["she"]), "he or she")


@pytest.mark.slow
def test_perfect_outputs_score_perfectly(open_table):
    """The accepted outputs, filled in, get full marks on every measure."""
    pool = "Zedda Quilla zedda quilla ZEDDA QUILLA 9 30 50 70 nine thirty fifty seventy"
    for index in (0, -1):
        outputs = {row.id: gold_score.fill(row.accepted[index], pool, row) for row in open_table}
        result = gold_score.score(open_table, outputs)
        assert (result["accepted"], result["levenshtein"]) == (1.0, 0.0)
        assert (result["bleu"], result["rouge2"]) == pytest.approx((100.0, 100.0))


@pytest.mark.slow
def test_unchanged_outputs_are_rejections(open_table):
    """Handing the text back keeps what must stay and rewrites nothing."""
    result = gold_score.score(open_table, {row.id: row.text for row in open_table})
    assert result["must_not_change_kept"] == 1.0
    assert result["must_change_refused"] == 1.0
    assert result["must_change_accepted"] < 0.05


def test_distances_are_measured_to_the_closest_reference():
    """Distances are measured to the closest accepted output, with the output's own name in it."""
    row = item("Tom lost his hat.", ["{name:woman} lost her hat.", "{name:woman} lost her cap."])
    assert gold_score.reference(row, "Ada lost his hat.") == "Ada lost her hat."
    result = gold_score.score([row], {"x": "Ada lost his hat."})
    assert (result["accepted"], result["levenshtein"]) == (0.0, 1.0)


def test_an_unknown_id_is_an_error():
    """An output for an unknown id is an error, a missing output a mistake."""
    with pytest.raises(ValueError, match="does not have"):
        gold_score.score([item("a", ["b"])], {"y": "b"})
    assert gold_score.score([item("a", ["b"])], {})["missing"] == 1


def test_the_command_prints_one_json_line(tmp_path, capsys):
    """The command prints one JSON line."""
    gold = HERE / "dev.jsonl"
    rows = gold_score.load_gold(gold, "dev")
    outputs = tmp_path / "outputs.jsonl"
    lines = [json.dumps({"id": row.id, "output": row.text}) for row in rows]
    outputs.write_text("\n".join(lines), "utf-8")
    assert gold_score.main([str(gold), str(outputs), "dev"]) == 0
    assert json.loads(capsys.readouterr().out)["n"] == len(rows)
    assert gold_score.main([]) == 2
