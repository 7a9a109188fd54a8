"""Markdown put in and taken out: the words stay."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from augkit.commands.audit.judges.verdicts import markdown_marks
from augkit.text.features.kinds import lowered_words
from augkit.text.markdown import with_markdown, without_markdown

sentences = st.lists(
    st.lists(st.sampled_from("tea Water leaf, 3 cups (warm)".split()), min_size=1, max_size=6),
    min_size=1,
    max_size=5,
).map(lambda parts: " ".join(" ".join(part).capitalize() + "." for part in parts))


@given(sentences)
def test_what_is_put_in_can_be_taken_out(text):
    """The same words, with marks and then without."""
    marked = with_markdown(text)
    assert markdown_marks(marked) > 0
    assert lowered_words(marked) == lowered_words(text)
    assert without_markdown(marked).split() == text.split()


@given(st.text(st.sampled_from("ab*_#`|-[]()>1. \n"), max_size=60))
def test_without_twice_is_without_once(text):
    """Nothing is left to take out."""
    plain = without_markdown(text)
    assert without_markdown(plain) == plain


def test_every_mark_goes():
    """Headings, lists, quotations, bold, italic, code, tables and links."""
    text = (
        "# Tea\n\n> - **Boil** the *water*\n1) use `a pot`\n\n```python\nprint(1)\n```\n"
        "| leaf | time |\n| --- | ---: |\n| green | 2 |\n\nSee [this](https://tea.org/x)."
    )
    assert without_markdown(text) == (
        "Tea\n\nBoil the water\nuse a pot\n\nprint(1)\nleaf, time\ngreen, 2\n\nSee this."
    )
    assert markdown_marks(without_markdown(text)) == 0


def test_what_looks_like_a_mark_stays():
    """Stars and lines that are none."""
    text = "2 * 3 * 4 is 24; snake_case_name; a - b; #1"
    assert without_markdown(text) == text
