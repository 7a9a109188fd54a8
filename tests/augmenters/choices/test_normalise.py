"""Normalise: style is made alike; content, code and the winner stay."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit import create, load_dataset
from augkit.augmenters.choices.style_rules import alike, chosen_rules, style_rules
from augkit.core.errors import UnknownName
from augkit.text import markdown

PIECES = st.sampled_from(
    [
        "Sure! Here is a list of birds:",
        "I hope this helps!",
        "Let me know if you have any questions.",
        "**Robins** are \u201cred\u201d birds.",
        "- an owl",
        "1. a crane",
        "## Birds",
        "They weigh 1,250 g  or 3.5 oz.",
        "```python\nx  =  **y**\n```",
        "See `a  b` and https://b.org/x_y_z .",
        "Paris and Anna   Vogel",
        "",
        "twenty-one owls",
        "iPads are not birds",
    ]
)
TEXTS = st.lists(PIECES, min_size=1, max_size=6).map("\n".join)
SURE = chosen_rules((), ())
ALL = chosen_rules(tuple(style_rules()), ())


@pytest.mark.slow
@pytest.mark.parametrize("rules", [SURE, ALL], ids=["default", "all"])
@given(texts=st.lists(TEXTS, min_size=2, max_size=4))
def test_a_second_time_changes_nothing(rules, texts):
    after, _ = alike(tuple(texts), rules)
    assert alike(after, rules) == (after, [])


@pytest.mark.slow
@given(texts=st.lists(TEXTS, min_size=2, max_size=4))
def test_code_addresses_and_numbers_stay(texts):
    """With the rules that are on by default."""
    after, _ = alike(tuple(texts), SURE)
    for before, new in zip(texts, after, strict=True):
        assert markdown.literals(new) == markdown.literals(before)
        assert re.findall(r"\d[\d.,]*\d|\d", new) == re.findall(r"\d[\d.,]*\d|\d", before)
        assert re.findall(r"Paris|Anna|Vogel|iPads", new) == re.findall(
            r"Paris|Anna|Vogel|iPads", before
        )


CASES = {
    "wrapped lines": (
        "Owls sleep by day, but hunt at\nnight, when mice come out of\ntheir holes.",
        "Owls sleep by day, but hunt at night, when mice come out of their holes.",
    ),
    "emphasis": ("It is **so** and *so*.", "It is so and so."),
    "headings": ("# Birds\nThey sing.", "Birds\nThey sing."),
    "bullets": ("* owl.\n* crane.", "owl.\ncrane."),
    "numbering": ("1. owl.\n2. crane.", "owl.\ncrane."),
    "tables": ("| owl | small |", "owl: small"),
    "fences": ("~~~py\nx = 1\n~~~", "```\nx = 1\n```"),
    "quotation marks": ("\u201cYes\u201d, it\u2019s so.", '"Yes", it\'s so.'),
    "openings": ("Sure! Here is what I found:\n\nOwls sing.", "Owls sing."),
    "closings": ("Owls sing. I hope this helps!", "Owls sing."),
    "numbers": ("Twelve owls and one crane.", "12 owls and one crane."),
    "trailing space": ("Owls sing. \n\n", "Owls sing."),
    "doubled spaces": ("Owls  sing.", "Owls sing."),
    "blank lines": ("Owls.\n\n\n\nCranes.", "Owls.\n\nCranes."),
}


@pytest.mark.parametrize("name", CASES)
def test_each_rule_does_what_it_says(name):
    """Alone, and named in what it changed; it says what it promises."""
    rule = style_rules()[name]
    before, after = CASES[name]
    assert alike((before, "No."), [rule]) == ((after, "No."), [name])
    assert rule.promise


def test_rules_about_the_item_look_at_all_candidates():
    """A full stop and a capital come where others have them."""
    final, capitals = style_rules()["final mark"], style_rules()["capitals"]
    assert alike(("Lima.", "Cusco", "`x`"), [final])[0] == ("Lima.", "Cusco.", "`x`")
    assert alike(("Lima", "Cusco"), [final])[0] == ("Lima", "Cusco")
    assert alike(("Lima", "the sea"), [capitals])[0] == ("Lima", "The sea")


def test_every_rule_is_tested():
    assert {*CASES, "final mark", "capitals"} == {*style_rules()}


@pytest.mark.parametrize(
    "text",
    [
        "Sure, you can eat it.",
        "Here is where it happened: Rome.",
        "Yes. Let me know if it rains tomorrow in Rome, he said, and left.",
        "I hope so.",
        "Is there anything else in the box?",
    ],
)
def test_answers_that_look_like_openings_and_closings_stay(text):
    rules = [style_rules()["openings"], style_rules()["closings"]]
    if text.startswith("Here is"):
        text = "Where? " + text
    assert alike((text, "No."), rules)[0][0] == text


ROW = {"prompt": "Birds?", "chosen": "**Owls** sing.", "rejected": "Cranes  do."}


def test_a_run_replaces_rows(run_rows):
    given = [ROW, {"prompt": "b", "chosen": "Yes.", "rejected": "No."}]
    rows = run_rows("normalise", given, "without_rules=[doubled spaces]")
    assert [(row["chosen"], row["rejected"]) for row in rows] == [
        ("Owls sing.", "Cranes  do."),
        ("Yes.", "No."),
    ]


def test_python_gives_pairs_with_the_rules_that_changed_them(write_rows):
    rows = load_dataset(write_rows([ROW]), choices=True)
    (pair,) = create("normalise")(rows)
    assert pair.variant.label == "1"
    assert pair.provenance.about == {"rules": "emphasis, doubled spaces"}


@pytest.mark.parametrize(
    ("chosen", "reason"),
    [("**Cranes** do.", "candidates differ in style alone"), ("| --- |", "empty variant")],
)
def test_rows_without_another_text_are_rejected(write_rows, chosen, reason):
    """Candidates that differ in style alone, and those of which nothing is left."""
    row = {"prompt": "Birds?", "chosen": chosen, "rejected": "Cranes do."}
    rows = load_dataset(write_rows([row]), choices=True)
    (outcome,) = create("normalise", with_rules=["tables"]).outcomes(rows)
    assert outcome.reason == reason


def test_an_unknown_rule_is_an_error():
    with pytest.raises(UnknownName, match="emphasis"):
        create("normalise", with_rules=["bold"])
