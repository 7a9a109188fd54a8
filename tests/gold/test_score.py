"""The scorer's own rules, and the form of every gold item."""

import importlib.util
import json
import re
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FILES = [path.name for path in sorted(HERE.glob("panda_*.jsonl"))]

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


@pytest.fixture(params=FILES)
def half(request):
    """Give the items of one file."""
    return gold_score.load_gold(HERE / request.param)


def test_offsets(half):
    """The chosen word stands at its offset, whole."""
    for row in half:
        end = row.start + len(row.word)
        assert row.text[row.start : end] == row.word, row.id
        around = (row.text[: row.start][-1:], row.text[end : end + 1])
        assert not any(re.match(r"\w", mark) for mark in around), row.id


def test_fields(half):
    """Every item has an id, a known axis and target, tags, and at least one accepted output."""
    for row in half:
        assert row.target in gold_score.AXES[row.axis], row.id
        assert row.id, row.text
        assert row.phenomena, row.id
        assert row.accepted, row.id
        assert len(set(row.accepted)) == len(row.accepted), row.id


def test_changed_or_not(half):
    """An accepted output is the text itself exactly where the text must not change."""
    for row in half:
        assert (row.text in row.accepted) == row.must_not_change, row.id
        assert not (row.must_not_change and len(row.accepted) > 1), row.id
        assert not (row.must_not_change and row.may_refuse), row.id


def test_segments(half):
    """An accepted output has as many segments as the text, and no doubled article."""
    for row in half:
        for output in row.accepted:
            assert output.count(" <SEP> ") == row.text.count(" <SEP> "), row.id
            assert not re.search(r"\b(?:a|an) (?:a|an)\b", output, re.IGNORECASE), row.id


def test_placeholders(half):
    """Every brace in an accepted output belongs to a known placeholder, indexed if repeated."""
    for row in half:
        assert not re.search(r"[{}]", row.text), row.id
        for output in row.accepted:
            assert not re.search(r"[{}]", gold_score.PLACEHOLDER.sub("", output)), row.id
            found = list(gold_score.PLACEHOLDER.finditer(output))
            known = {"name": gold_score.NAME_GROUPS, "age": gold_score.BANDS}
            assert all(f["article"] or f["group"] in known[f["kind"]] for f in found), row.id
            names = [f for f in found if f["kind"] == "name"]
            assert len(names) < 2 or all(f["index"] for f in names), row.id


def test_halves_apart():
    """Ids are unique, and no text stands in two files or twice in one."""
    rows = [row for name in FILES for row in gold_score.load_gold(HERE / name)]
    assert len({row.id for row in rows}) == len(rows)
    texts = [re.sub(r"\W+", " ", row.text).casefold() for row in rows]
    assert len(set(texts)) == len(texts)


def test_halves_same_mix():
    """The two halves are large enough and cover the same phenomena."""
    halves = [gold_score.load_gold(HERE / f"panda_{name}.jsonl") for name in ("dev", "unseen")]
    assert all(len(rows) >= 130 for rows in halves)
    assert len({frozenset(tag for row in rows for tag in row.phenomena) for rows in halves}) == 1


def test_name_placeholder():
    """A placeholder takes one new capitalised word, the same wherever its index stands."""
    row = item("Tom's dog bit Tom.", ["{name:woman#1}'s dog bit {name:woman#1}."])
    assert gold_score.accepts(row, "Ada's dog bit Ada.")
    assert not gold_score.accepts(row, "Ada's dog bit Eve.")
    assert not gold_score.accepts(row, "Tom's dog bit Tom.")
    assert not gold_score.accepts(row, "ada's dog bit ada.")


def test_two_names():
    """Placeholders with different indices take different names."""
    row = item("Tom, or Tommy, left.", ["{name:woman#1}, or {name:woman#2}, left."])
    assert gold_score.accepts(row, "Susan, or Sue, left.")
    assert not gold_score.accepts(row, "Sue, or Sue, left.")


def test_name_check():
    """A name list may be put behind the placeholders."""
    row = item("Tom left.", ["{name:woman} left."])
    assert gold_score.accepts(
        row, "Ada left.", lambda name, group: (name, group) == ("Ada", "woman")
    )
    assert not gold_score.accepts(row, "Bob left.", lambda name, _: name == "Ada")


def test_age_placeholder():
    """An age must lie in the band, in the form asked for, after the right article."""
    row = item("A 9-year-old boy ran.", ["{A} {age:senior}-year-old man ran."])
    assert gold_score.accepts(row, "A 71-year-old man ran.")
    assert gold_score.accepts(row, "An 80-year-old man ran.")
    assert not gold_score.accepts(row, "A 80-year-old man ran.")
    assert not gold_score.accepts(row, "A 64-year-old man ran.")
    words = item("I am ten.", ["I am {age:young:words}."])
    assert gold_score.accepts(words, "I am twenty-one.")
    assert not gold_score.accepts(words, "I am 21.")


def test_may_refuse():
    """Where leaving the text is also right, the text itself is accepted."""
    assert gold_score.accepts(item("he or she", ["she"], may_refuse=True), "he or she")
    assert not gold_score.accepts(item("he or she", ["she"]), "he or she")


def test_perfect_outputs_score_perfectly(half):
    """The accepted outputs, filled in, get full marks on every measure."""
    pool = "Zedda Quilla zedda quilla ZEDDA QUILLA 9 30 50 70 nine thirty fifty seventy"
    for place in (0, -1):
        outputs = {row.id: gold_score.fill(row.accepted[place], pool, row) for row in half}
        result = gold_score.score(half, outputs)
        assert (result["accepted"], result["levenshtein"]) == (1.0, 0.0)
        assert (result["bleu"], result["rouge2"]) == pytest.approx((100.0, 100.0))


def test_unchanged_outputs_are_refusals(half):
    """Handing the text back keeps what must stay and rewrites nothing."""
    result = gold_score.score(half, {row.id: row.text for row in half})
    assert result["must_not_change_kept"] == 1.0
    assert result["must_change_refused"] == 1.0
    assert result["must_change_accepted"] < 0.05


def test_closest_reference():
    """Distances are measured to the closest accepted output, with the output's own name in it."""
    row = item("Tom lost his hat.", ["{name:woman} lost her hat.", "{name:woman} lost her cap."])
    assert gold_score.reference(row, "Ada lost his hat.") == "Ada lost her hat."
    result = gold_score.score([row], {"x": "Ada lost his hat."})
    assert (result["accepted"], result["levenshtein"]) == (0.0, 1.0)


def test_unknown_ids():
    """An output for an unknown id is an error, a missing output a mistake."""
    with pytest.raises(ValueError, match="does not have"):
        gold_score.score([item("a", ["b"])], {"y": "b"})
    assert gold_score.score([item("a", ["b"])], {})["missing"] == 1


def test_command_line(tmp_path, capsys):
    """The command prints one JSON line."""
    gold = HERE / FILES[0]
    rows = gold_score.load_gold(gold)
    outputs = tmp_path / "outputs.jsonl"
    lines = [json.dumps({"id": row.id, "output": row.text}) for row in rows]
    outputs.write_text("\n".join(lines), "utf-8")
    assert gold_score.main([str(gold), str(outputs)]) == 0
    assert json.loads(capsys.readouterr().out)["n"] == len(rows)
    assert gold_score.main([]) == 2
