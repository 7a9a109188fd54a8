"""Regressors: labels that are numbers, learnt by ridge regression or by a transformer."""

import numpy as np
import pytest

from augkit.core.errors import ConfigError, DataError
from augkit.core.types import example
from augkit.models.classifiers.labels import SCALE
from augkit.models.classifiers.learners import fit
from augkit.models.classifiers.settings import (
    EncoderConfig,
    LearnerConfig,
    LinearConfig,
    TransformersConfig,
)
from augkit.models.classifiers.train import load_trained_classifier, train_classifier

POINTS = {"warm": 1.5, "clever": 0.7, "dull": -1.2, "stale": -0.4, "film": 0.1, "bright": 0.9}


def graded(count=120):
    """Texts whose words add up to the grade, with a fraction."""
    rng = np.random.default_rng(4)
    rows = []
    for number in range(count):
        words = rng.choice(list(POINTS), 4)
        grade = 3 + sum(POINTS[word] for word in words)
        rows.append(example(" ".join(words), f"{grade:.2f}", occurrence=number))
    return rows


def correlation(model, rows):
    gold = [float(row.label) for row in rows]
    return np.corrcoef(model.predict(rows)[:, 0], gold)[0, 1]


def test_ridge_regression_is_the_closed_form():
    """W = (XᵀX + I/C)⁻¹ Xᵀ(y - ȳ) on centred features; the bias is free."""
    rng = np.random.default_rng(1)
    features, targets = rng.normal(size=(40, 3)), rng.normal(size=40) * 2 + 5
    fitted = fit(features, targets, 1, LearnerConfig(strength=0.5))
    mean = features.mean(axis=0)
    centred = features - mean
    system = centred.T @ centred + np.eye(3) / 0.5
    weights = np.linalg.solve(system, centred.T @ (targets - targets.mean()))
    np.testing.assert_allclose(fitted.weights[0], weights, atol=1e-9)
    np.testing.assert_allclose(fitted.bias, targets.mean() - weights @ mean, atol=1e-9)


def test_a_linear_regressor_predicts_numbers_and_is_saved(tmp_path):
    """Not probabilities: the numbers have the scale of the labels, and are the same when loaded."""
    rows = graded()
    model = train_classifier(rows[:100], LinearConfig(features="counts", ngrams=1), numeric=True)
    assert (model.labels, model.config.learner) == (SCALE, "ridge")
    assert correlation(model, rows[100:]) > 0.99
    assert model.predict(rows).mean() == pytest.approx(
        np.mean([float(row.label) for row in rows]), abs=0.1
    )
    model.save(tmp_path / "model")
    loaded = load_trained_classifier(tmp_path / "model")
    assert (loaded.predict(rows) == model.predict(rows)).all()
    assert loaded.predict([]).shape == (0, 1)


@pytest.mark.slow
def test_an_encoder_and_a_transformer_are_regressors_too(tiny_bert, tmp_path):
    """A head with one output; the fine-tuned one is saved and loaded as any other."""
    rows = graded(64)
    head = train_classifier(rows, EncoderConfig(model=str(tiny_bert), strength=1.0), numeric=True)
    assert correlation(head, rows) > 0.9
    config = TransformersConfig(model=str(tiny_bert), epochs=15, batch_size=8, learning_rate=0.01)
    tuned = train_classifier(rows, config, numeric=True)
    assert tuned.labels == SCALE
    assert correlation(tuned, rows) > 0.5
    tuned.save(tmp_path / "tuned")
    loaded = load_trained_classifier(tmp_path / "tuned")
    np.testing.assert_allclose(loaded.predict(rows), tuned.predict(rows), atol=1e-5)


def test_other_learners_are_refused():
    """Only what was asked for: the default learner gives way to ridge regression."""
    with pytest.raises(ConfigError, match="ridge regression, not by svm"):
        train_classifier(graded(), LinearConfig(learner="svm"), numeric=True)


def test_a_label_that_is_missing_among_numbers_is_an_error():
    """What a table writes for an empty cell is no number to learn."""
    with pytest.raises(DataError, match="'nan' is no number"):
        train_classifier([*graded(), example("a film", "nan")], LinearConfig(), numeric=True)
