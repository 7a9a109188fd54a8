"""Markdown is taken away and added; code and addresses stay as they are."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.text import markdown

PIECES = st.sampled_from(
    [
        "It is **very** warm.",
        "*so* it is",
        "2*3*4 and 2 ** 3",
        "snake_case_name and __init__",
        "- a point",
        "  * a point within",
        "1. first",
        "12) twelfth",
        "# Heading",
        "### Why #",
        "| a | b |",
        "| --- | --- |",
        "see `**code** - x` here",
        "**`bold code`**",
        "https://a.b/c_d_e*f*",
        "```python\n# no heading\n- **no** point\n```",
        "~~~\n* x\n~~~",
        "",
        "plain text",
    ]
)
TEXTS = st.lists(PIECES, max_size=8).map("\n".join)
REMOVERS = [
    markdown.without_emphasis,
    markdown.without_headings,
    markdown.without_bullets,
    markdown.without_numbering,
    markdown.without_wraps,
    markdown.without_tables,
]


@pytest.mark.slow
@pytest.mark.parametrize("change", REMOVERS)
@given(text=TEXTS)
def test_code_and_addresses_stay(change, text):
    """What is in code, or an address, is in the result in the same order."""
    assert markdown.literals(change(text)) == markdown.literals(text)


@pytest.mark.slow
@pytest.mark.parametrize("change", REMOVERS[:5])
@given(text=TEXTS)
def test_words_stay(change, text):
    before, after = (re.findall(r"[^\W\d_]+", part) for part in (text, change(text)))
    assert before == after


@pytest.mark.slow
@given(text=TEXTS)
def test_a_block_of_code_is_never_changed(text):
    """Slow oracle: lines between fences, found one by one, are in the result."""
    fenced, inside = [], ""
    for line in text.split("\n"):
        mark = re.match(r"[ \t]*(```|~~~)", line)
        if inside:
            fenced.append(line)
            inside = "" if mark and mark[1] == inside else inside
        elif mark:
            inside = mark[1]
            fenced.append(line)
    changed = text
    for change in REMOVERS:
        changed = change(changed)
    kept = iter(changed.split("\n"))
    assert all(line in kept for line in fenced)


@pytest.mark.slow
@given(text=TEXTS)
def test_what_is_added_is_counted(text):
    """A list has points, bold has bold phrases, a heading is one more heading."""
    plain = text
    for change in REMOVERS:
        plain = change(plain)
    if not re.search(r"\w", markdown.outside_code(plain, lambda part: part)):
        return
    headed = markdown.with_heading(plain, "Answer")
    assert len(markdown.HEADING.findall(headed)) == len(markdown.HEADING.findall(plain)) + 1


def test_a_paragraph_becomes_a_list_of_its_sentences():
    listed = markdown.with_bullets("It rains. We stay.")
    assert listed == "- It rains.\n- We stay."
    assert markdown.with_bullets("a\n\n- b") == "- a\n\n- b"


def test_a_formula_is_no_emphasis():
    formula = "from O((T*H*W)^2) into O((H*W)*T^2) + O(T*(H*W)^2)"
    assert markdown.without_emphasis(formula) == formula
    assert markdown.without_emphasis("(*so*, _it_ is.)") == "(so, it is.)"


def test_a_list_is_taken_away_again():
    text = "Rain falls.\nHail falls."
    assert markdown.without_bullets(markdown.with_bullets(text)) == text
    assert markdown.without_emphasis(markdown.with_bold(text)) == text


WRAPPED = (
    "Warm air rises and cools, so that\nwhat was vapour before becomes a\ncloud of drops, and they "
    "fall as\nrain."
)


@pytest.mark.parametrize("between", ["\n\n", "\n\n- a point\n\n"])
def test_wrapped_paragraphs_become_lines(between):
    joined = WRAPPED.replace("\n", " ")
    assert markdown.without_wraps(WRAPPED + between + WRAPPED) == joined + between + joined


@pytest.mark.parametrize(
    "text",
    [
        "The rain came down upon the town,\nand all\nthe people there went in, and down\nit came.",
        "red apples from the orchard\ngreen pears\nyellow plums that are not yet ripe",
        "Boil the water in a large pot first.\nAdd the salt and then the pasta too.\nWait.",
        "- a point that is as long as it gets\n- another one, of about that length\n- a third",
        f"```\n{WRAPPED}\n```",
    ],
)
def test_lines_of_their_own_stay(text):
    assert markdown.without_wraps(text) == text
