"""What a change is about travels from the method to the files and into the breakdown."""

import numpy as np
import pytest

from augkit.augmenters.base import Augmenter
from augkit.augmenters.compose import chain
from augkit.augmenters.create import create
from augkit.commands.evaluate.inputs import pair_predictions, perturb_rows
from augkit.core.config import MethodConfig
from augkit.core.errors import DataError
from augkit.core.types import Variant, example
from augkit.evaluation.metrics.base import PerturbedPredictions
from augkit.evaluation.metrics.fairscore import Fairscore
from augkit.runs.row_work import variant_record


class Gender(Augmenter[MethodConfig]):
    """He becomes she and says so; two changes where both ``he`` and ``old`` stand there."""

    name = "gender"
    Config = MethodConfig
    contract = "kept"

    def propose(self, batch):
        """One draft per known word."""
        known = {
            "he": ("she", "gender", "man", "woman"),
            "old": ("young", "age", "senior", "young"),
        }
        for parent in batch:
            text = parent.fields["text"]
            for copy, (word, (other, axis, source, target)) in enumerate(known.items()):
                if word in text.split():
                    changed = {"text": text.replace(word, other)}
                    about = {"axis": axis, "source": source, "target": target}
                    yield Variant(parent, changed, parent.label, self.contract, copy, about=about)


class SheIsBad:
    """A classifier whose only word is ``she``."""

    labels = ("bad", "good")

    def predict(self, examples):
        """Certain answers."""
        bad = np.array(["she" in row.fields["text"].split() for row in examples], dtype=float)
        return np.stack([bad, 1 - bad], axis=1)


def scores_of(perturbed, rows):
    """Fairscore of the classifier on perturbed rows and controls, by name."""
    sides = [pair_predictions(SheIsBad(), p) for p in (perturbed.pairs, perturbed.controls)]
    unchanged = len({row.id for row in rows} - {pair.original.id for pair in perturbed.pairs})
    scores = Fairscore().score(PerturbedPredictions(*sides, unchanged))
    return {score.name: score for score in scores}


ROWS = [
    example("he wrote a long book", "good"),
    example("he is an old man of the sea", "good"),
    example("an old house on a hill", "good"),
    example("nothing of the kind here", "bad"),
]
GENDER = Gender(MethodConfig())


def test_about_reaches_the_pair_the_chain_and_the_file():
    """Signed pairs and compositions carry it; variants.jsonl has it where there is something."""
    (pair,) = GENDER(ROWS[:1])
    assert pair.provenance.about == {"axis": "gender", "source": "man", "target": "woman"}
    assert variant_record(pair)["about"] == pair.provenance.about
    (longer,) = chain(GENDER, create("swap", pairs=[["book", "novel"]]))(ROWS[:1])
    assert longer.provenance.about == pair.provenance.about
    (plain,) = create("swap", pairs=[["book", "novel"]])(ROWS[:1])
    assert "about" not in variant_record(plain)


def test_the_breakdown_is_by_what_each_change_was_about():
    """A classifier that reacts to ``she`` alone changes with gender and never with age."""
    scores = scores_of(perturb_rows(GENDER, ROWS, ROWS, seed=0), ROWS)
    assert (scores["axis: age"].value, scores["axis: age"].n) == (0.0, 2)
    assert (scores["axis: gender"].value, scores["axis: gender"].n) == (1.0, 2)
    assert {"gender, man -> woman", "age, senior -> young"} < set(scores)
    # The second row has a variant of each kind, of which one changes: (1 + 1/2 + 0) / 3.
    assert scores["changed_rows"].value == pytest.approx(0.5)
    assert scores["all_rows"].value == pytest.approx(1.5 / 4)


def test_the_control_of_a_classifier_of_one_word_is_flat():
    """Random edits never bring in a word that the perturbation uses, so nothing changes."""
    scores = scores_of(perturb_rows(GENDER, ROWS * 20, ROWS, seed=3), ROWS * 20)
    assert (scores["control"].value, scores["control"].n) == (0, 3)
    assert scores["above_control"].value == pytest.approx(0.5)


def test_a_row_with_variants_is_predicted_once_and_one_without_never():
    """Predictions may be paid for: none is made that no score needs."""
    pairs, asked = list(GENDER(ROWS)), []

    class Counting(SheIsBad):
        def predict(self, examples):
            asked.extend(row.fields["text"] for row in examples)
            return super().predict(examples)

    predicted = pair_predictions(Counting(), pairs)
    assert [(pair.row, pair.variant is None) for pair in predicted] == [
        (pair.original.id, False) for pair in pairs
    ]
    texts = [row.fields["text"] for row in ROWS[:3]]
    assert asked == texts + [pair.variant.fields["text"] for pair in pairs]


def test_a_method_that_does_not_keep_labels_has_no_fairscore():
    """Where the label may change, a changed answer is not a fault."""

    class Flipping(Gender):
        contract = "flipped"

    with pytest.raises(DataError, match="does not promise to keep the label"):
        perturb_rows(Flipping(MethodConfig()), ROWS, ROWS, seed=0)
