"""A wish in words becomes a job, or an error that says what is wrong."""

from __future__ import annotations

from random import Random

import pytest

from augkit.augmenters.panda.jobs import Job, Refused
from augkit.augmenters.panda.requests import Wish, to_job
from augkit.augmenters.panda.rules import Rules
from augkit.errors import UserError

TEXT = "The man lifted the manhole cover."


def test_part_of_a_longer_word_is_refused():
    """A word that stands at its offset only as part of a longer one is refused, not guessed."""
    job = to_job(Wish(TEXT, "gender", "woman", "man", TEXT.index("manhole")), Random(0))
    assert isinstance(job, Job)
    assert isinstance(Rules().perturb([job])[0], Refused)


@pytest.mark.parametrize(("word", "start"), [("man", 5), ("woman", 4), ("hole", None)])
def test_wrong_places_are_errors(word, start):
    """A word that does not stand where it is said to stand, or nowhere whole, is an error."""
    with pytest.raises(UserError):
        to_job(Wish(TEXT, "gender", "woman", word, start), Random(0))
