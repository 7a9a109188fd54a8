"""The benchmark of the person that a pronoun stands for, on a sentence of two readings."""

from __future__ import annotations

import json
import random
from unittest.mock import patch

import pytest

from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.augmenters.panda.rules import coreference as persons
from augkit.commands.perturb import PerturbRequest, to_task
from augkit.english.parser import SpacyParser
from benchmarks.research.panda_coref import Recorded
from benchmarks.research.panda_coref_ceiling import Truth, changed_spans

REST = "after the match, and the coach said that {} had played well."
TEXT = f"Mark met Paul {REST.format('he')}"
READINGS = {
    "that she": f"Mark met {{name:woman}} {REST.format('she')}",
    "that he": f"Mark met {{name:woman}} {REST.format('he')}",
}
HE = TEXT.index("he had")


def rewritten(**replaced):
    """The text in which Paul becomes a woman, with parts of the rules replaced."""
    task = to_task(PerturbRequest(TEXT, "gender", "woman", "Paul"), random.Random(0))
    with patch.multiple(persons, **replaced):
        return RulePerturber(SpacyParser()).perturb([task])[0].fields["0"]


def test_a_placeholder_is_one_changed_word():
    """The name and the pronoun change."""
    found = changed_spans(TEXT, READINGS["that she"])
    assert [TEXT[slice(*span)] for span in found] == ["Paul", "he"]


@pytest.mark.parametrize("reading", READINGS)
def test_pronouns_are_chosen_as_in_the_accepted_rewrite(reading):
    """Either reading is reached."""
    task = to_task(PerturbRequest(TEXT, "gender", "woman", "Paul"), random.Random(0))
    truth = Truth(task, READINGS[reading])
    assert reading in rewritten(most_likely=truth.choose)


@pytest.mark.parametrize(("name", "reading"), [("Paul", "that she"), ("Mark", "that he")])
def test_recorded_scores_choose_the_person(name, reading):
    """The mention with the higher score wins."""
    spans = [(TEXT.index(one), TEXT.index(one) + 4) for one in ("Mark", "Paul")]
    row = {"part": "items", "text": TEXT, "pronoun": [HE, HE + 2], "mentions": spans}
    scores = [float(TEXT[slice(*span)] == name) for span in spans]
    recorded = Recorded([json.loads(json.dumps(row))], [scores])
    assert reading in rewritten(antecedent_scores=recorded, _bound=lambda *_: [])


def test_a_low_rank_addition_starts_at_nothing():
    """The layer gives what it gave."""
    torch = pytest.importorskip("torch")
    from benchmarks.research.panda_coref_train import LowRank

    layer, vectors = torch.nn.Linear(4, 3), torch.ones(2, 4)
    assert torch.equal(LowRank(layer, 2)(vectors), layer(vectors))
