"""False texts without negation: the wrong nationality."""

import random

import pytest

from augkit.augmenters.razor.rules.alternatives import categories
from augkit.augmenters.razor.rules.nationality import other_nationality
from augkit.augmenters.razor.rules.rewriter import RewriteTask, rewrite
from augkit.language.parser import SpacyParser

EVIDENCE = "Ann Olsen -LRB- born 1962 -RRB- is an American actor and singer . She lives in Peru ."


def rewrites(text, context=EVIDENCE):
    """Every statement that one draw of all nationalities gives."""
    (statement,) = SpacyParser().parse([text])
    return set(other_nationality(statement, context, random.Random(0), 100))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ann Olsen is an actor.", "Ann Olsen is a Danish actor."),
        ("Ann Olsen is a professional singer.", "Ann Olsen is a Danish professional singer."),
        ("Ann Olsen is a great singer.", "Ann Olsen is a great Danish singer."),
        ("Ann Olsen has been an actor.", "Ann Olsen has been an Egyptian actor."),
        ("Ann Olsen starred in Nightfall.", "The Danish actor Ann Olsen starred in Nightfall."),
    ],
)
def test_a_nationality_comes_in_that_is_not_the_one(text, expected):
    """Before the noun and what classes it, with its article, or before the name."""
    assert expected in rewrites(text)


@pytest.mark.parametrize("text", ["Ann Olsen is an actor.", "Ann Olsen starred in Nightfall."])
def test_what_the_evidence_names_is_never_drawn(text):
    """Neither the nationality nor one whose country is named."""
    assert not any(word in one for one in rewrites(text) for word in ("American", "Peruvian"))


@pytest.mark.parametrize(
    ("text", "context"),
    [
        ("Bo Olsen is an actor.", EVIDENCE),
        ("Ann Olsen is an American actor.", EVIDENCE),
        ("She is an actor.", EVIDENCE),
        ("Ann Olsen is an actor.", "Ann Olsen 's son is an American actor ."),
        ("Ann Olsen is an actor.", "Ann Olsen is an actor ."),
        ("Ann Olsen is a plumber.", EVIDENCE),
    ],
)
def test_without_a_nationality_in_the_evidence_nothing_is_rewritten(text, context):
    """Another subject, none, a nationality that is there, none in the evidence, another noun."""
    assert not rewrites(text, context)


def test_denials_leave_false_texts_alone():
    """A true text gets no wrong nationality; a false one does, and denies nothing more."""
    text = "Ann Olsen is not an actor."
    labels = ("REFUTES", "SUPPORTS")
    jobs = [RewriteTask(text, EVIDENCE, label, [], random.Random(0)) for label in labels]
    refuted, supported = (set(found) for found in rewrite(jobs, SpacyParser()))
    wrong = [one.text for one in refuted if one.how == "other nationality"]
    assert wrong
    assert all(any(name in one for name in categories()["nationalities"].inserted) for one in wrong)
    assert not any(one.how == "other nationality" for one in supported)
