"""Metrics and classifiers that ``evaluate`` takes by name, end to end."""

import pytest

from augkit.commands.evaluate.evaluate import evaluate
from augkit.commands.evaluate.inputs import counterfactual_predictions, row_predictions
from augkit.commands.evaluate.settings import evaluation_settings
from augkit.core.errors import UserError
from augkit.core.results import Comparison
from augkit.core.types import Example
from augkit.runs.execute import run
from augkit.runs.settings import RunSettings

GOOD, BAD = ["warm", "clever", "bright", "tender"], ["dull", "clumsy", "grim", "stale"]


def rows(times=6):
    """Each pair is a review and the same with an antonym of the word that decides."""
    found = []
    for number, (good, bad) in enumerate(zip(GOOD * times, BAD * times, strict=True)):
        common = {"pair_id": f"p{number}", "group": "ab"[number % 2]}
        found.append({"text": f"The film was {good}.", "label": "pos", "shortcut": "pos"} | common)
        found.append({"text": f"The film was {bad}.", "label": "neg", "shortcut": "pos"} | common)
    return found


@pytest.mark.parametrize(
    ("metric", "names"),
    [
        ("macro-f1", ["macro_f1"]),
        ("matthews", ["matthews"]),
        ("pair-consistency", ["consistency", "accuracy, original", "accuracy, perturbed"]),
        ("worst-group", ["worst_group", "group: a", "group: b"]),
        ("counter-examples", ["supporting", "counter", "gap"]),
    ],
)
def test_metrics_by_name(write_rows, metric, names):
    """A test set with pairs, groups and shortcuts in its columns is measured by each metric."""
    path = str(write_rows(rows()))
    values = {"train": path, "tests": (path,), "metrics": (metric,), "seeds": 1}
    (record,) = evaluate(evaluation_settings(values))
    assert list(record.scores) == names
    first = record.scores[names[0]]
    assert (first.value, record.seeds.values) == (1, (1,))
    assert first.low < 1
    assert first.n == (48 if metric in {"macro-f1", "matthews"} else 24)


class Stubborn:
    """Answers the same to everything."""

    labels = ("neg", "pos")

    def predict(self, examples):
        """Certain of pos."""
        import numpy as np

        return np.tile([0.0, 1.0], (len(examples), 1))


def test_rows_of_one_pair_are_put_together():
    """The first row of a pair is the original; a row without a partner is in no pair."""
    labelled = [("a", "pos"), ("b", "pos"), ("a", "neg"), ("a", "pos"), (None, "neg")]
    examples = [
        Example({"text": str(number)}, label, str(number), {"pair_id": pair, "group": 7})
        for number, (pair, label) in enumerate(labelled)
    ]
    found = counterfactual_predictions(Stubborn(), examples)
    assert [(pair.row, pair.gold, pair.variant_gold) for pair in found] == [
        ("0", "pos", "neg"),
        ("0", "pos", "pos"),
    ]
    answers = row_predictions(Stubborn(), examples)
    assert [answer.about for answer in answers] == [{"group": "7"}] * 5
    assert [answer.gold for answer in answers] == [label for _, label in labelled]


@pytest.mark.slow
def test_several_p_values_are_corrected(write_rows, tmp_path):
    """With two test sets each p has Holm's beside it, never below it; with one there is none."""
    path = str(write_rows(rows(2), "train.jsonl"))
    settings = RunSettings(method="swap", dataset=path, options={"pairs": [["film", "show"]]})
    folder = run(settings, tmp_path / "run")
    alone = evaluate(evaluation_settings({"run": folder, "tests": (path,)}))
    assert alone[-1].p_corrected is None
    both = evaluate(evaluation_settings({"run": folder, "tests": (path, path)}))
    tested = [record for record in both if isinstance(record, Comparison)]
    assert len(tested) == 2
    assert all(record.p <= record.p_corrected <= 1 for record in tested)


def test_an_encoder_is_trained_and_measured(write_rows, tiny_bert):
    """``encoder:PATH`` trains a head on a saved encoder; its settings stand in the record."""
    path = str(write_rows(rows()))
    values = {"train": path, "tests": (path,), "model_kind": f"encoder:{tiny_bert}"}
    (record,) = evaluate(evaluation_settings(values | {"model": {"strength": 1.0}}))
    assert record.model["kind"] == "encoder"
    assert record.model["strength"] == 1
    assert record.scores["accuracy"].value > 0.9


def test_contrast_sets_are_made_of_test_rows(write_rows):
    """The error of contrast sets is measured on pairs of captions, for each kind of edit."""
    captions = []
    for number in range(30):
        place = ["street", "beach", "garden"][number % 3]
        premise = f"A man is in the {place} with dog number {number}."
        for label, hypothesis in (
            ("contradiction", "A man is at home."),
            ("entailment", f"A man is in the {place}."),
            ("neutral", "A man is tall."),
        ):
            captions.append({"premise": premise, "hypothesis": hypothesis, "label": label})
    path = str(write_rows(captions))
    values = {"train": path, "tests": (path,), "metrics": ("contrast-error",), "seeds": 0}
    (record,) = evaluate(evaluation_settings(values))
    assert record.perturbation.method == "contrast"
    assert "error, hypernym" in record.scores
    assert 0 <= record.scores["error"].value <= 1


def test_no_contrast_set_is_an_error_that_says_why(write_rows):
    """Reviews are no pairs of captions."""
    path = str(write_rows(rows()))
    values = {"train": path, "tests": (path,), "metrics": ("contrast-error",), "seeds": 0}
    with pytest.raises(UserError, match="pair"):
        evaluate(evaluation_settings(values))
