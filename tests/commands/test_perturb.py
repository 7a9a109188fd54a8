"""A wish in words becomes a job, or an error that says what is wrong."""

from __future__ import annotations

from random import Random

import pytest

from augkit.augmenters.panda.perturbers.protocol import Perturbed, PerturbTask
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.commands.perturb import PerturbRequest, to_task
from augkit.core.errors import UserError
from augkit.core.types import Rejection
from augkit.english.parser import SpacyParser

TEXT = "The man lifted the manhole cover."


def test_part_of_a_longer_word_is_refused():
    """A word that stands at its offset only as part of a longer one is refused, not guessed."""
    task = to_task(PerturbRequest(TEXT, "gender", "woman", "man", TEXT.index("manhole")), Random(0))
    assert isinstance(task, PerturbTask)
    assert isinstance(RulePerturber(SpacyParser()).perturb([task])[0], Rejection)


@pytest.mark.parametrize(("word", "start"), [("man", 5), ("woman", 4), ("hole", None)])
def test_wrong_places_are_errors(word, start):
    """A word that does not stand where it is said to stand, or nowhere whole, is an error."""
    with pytest.raises(UserError):
        to_task(PerturbRequest(TEXT, "gender", "woman", word, start), Random(0))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("He is 82 years old.", "82"),
        ("He is 82 years old.", "years"),
        ("He is 82 years old.", "old"),
        ("An 82-year-old man slept.", "year-old"),
        ("A woman aged 82 slept.", "aged"),
        ("He was in his late seventies.", "late"),
    ],
)
def test_any_word_of_an_age_points_at_its_number(text, word):
    """Whichever word of "82 years old" is named, the number changes."""
    task = to_task(PerturbRequest(text, "age", "child", word), Random(0))
    (answer,) = RulePerturber(SpacyParser()).perturb([task])
    assert isinstance(answer, Perturbed)
    assert {"82", "seventies"} & {edit.before for edit in answer.edits or ()}


@pytest.mark.parametrize("text", ["The house is 82 years old.", "An old friend, 82, slept late."])
def test_a_word_beside_another_age_points_at_none(text):
    """What is old need not be a person, and "late" need not belong to an age."""
    task = to_task(
        PerturbRequest(text, "age", "child", "late" if "late" in text else "old"), Random(0)
    )
    assert isinstance(RulePerturber(SpacyParser()).perturb([task])[0], Rejection)
