"""Words marked in a text: nothing is lost, and what is marked is what was asked."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from augkit.core.results import MarkedText, WordMark
from augkit.report.marked import in_brackets, marked_fields, marked_lines, split_spans

spans = st.lists(
    st.tuples(st.integers(0, 20), st.integers(1, 5)).map(lambda s: (s[0], s[0] + s[1], "kind"))
)


@given(st.text(max_size=25), spans)
def test_the_pieces_are_the_text(text, asked):
    """Put together, the pieces are the text; of spans that overlap the first is marked."""
    inside = [span for span in asked if span[1] <= len(text)]
    found = list(split_spans(text, inside))
    assert "".join(part for part, _ in found) == text
    last = 0
    expected = []
    for start, end, _ in sorted(inside):
        if start >= last:
            expected.append(text[start:end])
            last = end
    assert [part for part, kind in found if kind] == expected


def test_each_field_has_its_marks():
    """A pair is shown field by field, with what is said of it above."""
    marks = (WordMark("claim", 3, 6, "REFUTES"),)
    marked = MarkedText(
        "SUPPORTS, predicted REFUTES", {"evidence": "He is.", "claim": "Is not"}, marks
    )
    assert list(marked_lines(marked)) == [
        "SUPPORTS, predicted REFUTES",
        "  evidence: He is.",
        "  claim: Is [not]",
    ]
    assert marked_fields(marked)["fields"]["claim"] == [("Is ", ""), ("not", "REFUTES")]


def test_brackets_of_a_text_without_marks():
    """Nothing is marked where nothing was found."""
    assert in_brackets("A film.", []) == "A film."
