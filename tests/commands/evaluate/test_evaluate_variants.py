"""Quality of a run's variants, end to end on a bundled dataset."""

import pytest

from augkit.commands.evaluate.scores import evaluate_run
from augkit.commands.evaluate.settings import evaluation_settings
from augkit.core.results import read_evaluation
from augkit.runs.execute import run
from augkit.runs.settings import RunSettings


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("quality") / "run"
    options = {"pairs": [["film", "movie"], ["good", "fine"], ["was", "is"]]}
    return run(RunSettings(method="swap", dataset="reviews-demo", options=options, limit=90), place)


@pytest.mark.slow
def test_all_parts_are_measured_or_named(folder):
    """Label, size, grammar, diversity and association; what is missing says why.

    Samples are drawn by content: a second look gives the same.
    """
    asked = evaluation_settings({"run": folder, "metrics": ("quality",)})
    evaluation = evaluate_run(asked)
    assert evaluate_run(asked) == evaluation
    (record,) = evaluation.records
    scores, skipped = record.scores, record.skipped
    assert 0 < scores["minimality"].value < 0.3
    assert 0.5 < scores["similarity"].value < 1
    assert scores["bleu to originals"].value > 0.5
    assert scores["label agreement"].n == scores["minimality"].n
    assert scores["self-BLEU, variants"].value > 0
    assert "n-gram association, after" in scores
    assert "negation gap, before" in scores
    assert skipped["spurious words"] == "the method names no spurious words"
    assert ("grammar" in skipped) != ("grammar, variants" in scores)
    assert any("of the words changed" in line for line in evaluation.verdict["measured"])
    assert "test rows repeated, variants" not in scores
    assert any("linear judge" in line for line in evaluation.verdict["caveats"])
    assert read_evaluation(folder) == evaluation
    repeated = evaluation_settings(
        {"run": folder, "metrics": ("quality",), "tests": ("reviews-demo:train",)}
    )
    (leaky,) = evaluate_run(repeated).records
    assert leaky.scores["test rows repeated, originals"].value == 1
    assert leaky.scores["test rows repeated, variants"].value < 1


@pytest.mark.slow
def test_the_vectors_of_a_named_encoder_are_compared(folder, tiny_bert):
    """Its vectors take the place of TF-IDF."""
    asked = evaluation_settings(
        {"run": folder, "metrics": ("quality",), "model_kind": f"encoder:{tiny_bert}"}
    )
    (record,) = evaluate_run(asked).records
    assert 0.5 < record.scores["similarity"].value <= 1
