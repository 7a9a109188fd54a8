"""The chart of groups: valid XML whose bars are the shares of the records."""

from xml.etree import ElementTree as ET

import pytest

from augkit.shortcuts.grammar_chart import groups_chart

SVG = "{http://www.w3.org/2000/svg}"


def record(label, counts, **changes):
    """A group as in ``features.jsonl``."""
    values = {"label": label, "held_out_counts": counts, "held_out_count": sum(counts.values())}
    values |= {"share": 0.9, "root": 3, "patterns": [{"pattern": "on opening <night>"}]}
    return values | changes


def bars(svg):
    """Colour and width of the bars, behind the ground and the squares of the legend."""
    rects = ET.fromstring(svg).iter(f"{SVG}rect")
    return [(r.get("fill"), float(r.get("width"))) for r in rects if r.get("height") == "16"]


def test_widths_are_shares_and_the_own_label_is_first():
    """A quarter of the rows is a quarter of the bar; a label has one colour in all bars."""
    groups = [record("b", {"a": 1, "b": 3}), record("a", {"a": 5, "b": 0})]
    (first, second, third, fourth) = bars(groups_chart(groups, ["a", "b"]))
    assert first[1] == pytest.approx(3 * second[1])
    assert third[1] == pytest.approx(first[1] + second[1])
    assert fourth[1] == 0
    assert (first[0], second[0]) == (fourth[0], third[0])


def test_a_group_without_held_out_rows_has_no_bar():
    """There is nothing to show of it."""
    assert bars(groups_chart([record("a", {"a": 0, "b": 0})], ["a", "b"])) == []


@pytest.mark.parametrize(
    "text", ["<script>&'\"", "\x1b[2J\0", "\u202e right to left", "word " * 99]
)
def test_text_of_a_dataset_is_text(text):
    """Never markup or control characters, and never so long that it leaves the picture."""
    groups = [record(text, {text: 2}, patterns=[{"pattern": text}])]
    shown = ET.fromstring(groups_chart(groups, [text]))
    assert not list(shown.iter(f"{SVG}script"))
    assert all(len(node.text) < 120 for node in shown.iter(f"{SVG}text"))
