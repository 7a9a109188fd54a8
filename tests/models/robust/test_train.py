"""Robust training of classifiers on texts: a planted shortcut decides less, for every kind."""

import numpy as np
import pytest

from augkit.core.errors import ConfigError
from augkit.models.classifiers.linear import LinearClassifier, train_linear
from augkit.models.classifiers.settings import EncoderConfig, LinearConfig, TransformersConfig
from augkit.models.robust.bias_view import BiasView
from augkit.models.robust.methods import RobustConfig
from augkit.models.robust.train import RobustTraining, train_robust

METHODS = ["jtt", "drift", "poe", "rew", "clever"]


def counter_accuracy(model, rows, agrees):
    predicted = [model.labels[n] for n in model.predict(rows).argmax(axis=1)]
    right = np.array([label == row.label for label, row in zip(predicted, rows, strict=True)])
    return right[~agrees].mean()


@pytest.fixture(scope="module", params=["claims", "texts"])
def planted(request, claims, as_texts):
    """Rows and their bias, test rows, and the accuracy of plain training where the cue misleads."""
    rows, _ = claims(0, 800, 0.9)
    test, agrees = claims(100, 800, 0.5)
    view = BiasView(field="claim")
    if request.param == "texts":
        rows, test = as_texts(rows), as_texts(test)
        view = BiasView(words=("never", "always"))
    before = counter_accuracy(train_linear(rows, LinearConfig(ngrams=1)), test, agrees)
    return rows, view, test, agrees, before


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_a_planted_shortcut_decides_less(planted, method):
    """Against the claim of a pair, or against two given words of a text."""
    rows, view, test, agrees, before = planted
    robust = RobustTraining(method, RobustConfig(), view)
    model = train_robust(rows, LinearConfig(ngrams=1), robust)
    assert counter_accuracy(model, test, agrees) > before + 0.05


@pytest.mark.slow
def test_bias_features_may_be_given(claims):
    """Those of the training rows suffice for all methods but CLEVER, which needs new texts'."""
    rows, _ = claims(1, 300, 0.9)
    view = BiasView(field="claim")
    given = train_linear(view(rows)).features(view(rows))
    for method in ("drift", "poe", "rew"):
        model = train_robust(
            rows, LinearConfig(), RobustTraining(method, RobustConfig(), bias_features=given)
        )
        assert isinstance(model, LinearClassifier)
    with pytest.raises(ConfigError, match="it must see it in new texts"):
        train_robust(
            rows, LinearConfig(), RobustTraining("clever", RobustConfig(), bias_features=given)
        )


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_heads_of_encoders_and_transformers_are_trained(tiny_bert, claims, method):
    """Each method trains both; a transformer gives the same rows the same answers again."""
    rows, _ = claims(0, 60, 0.9)
    robust = RobustTraining(method, RobustConfig(), BiasView(field="claim"))
    quick = {"epochs": 2, "batch_size": 16, "learning_rate": 1e-3, "max_tokens": 32}
    tuned = TransformersConfig(model=str(tiny_bert), **quick)
    for member in (EncoderConfig(model=str(tiny_bert)), tuned):
        answers = train_robust(rows, member, robust, rows[:10]).predict(rows)
        assert answers.shape == (60, 2)
        assert np.abs(answers.sum(axis=1) - 1).max() < 1e-6
    again = train_robust(rows, tuned, robust, rows[:10])
    assert (answers == again.predict(rows)).all()


def test_wrong_settings_are_errors(claims):
    rows, _ = claims(0, 40, 0.9)
    config = RobustConfig()
    with pytest.raises(ConfigError, match="claim, evidence"):
        train_robust(
            rows, LinearConfig(), RobustTraining("poe", config, BiasView(field="hypothesis"))
        )
    with pytest.raises(ConfigError, match="choose jtt, drift, poe, rew, clever"):
        train_robust(rows, LinearConfig(), RobustTraining("pow", config))
    with pytest.raises(ConfigError, match="poe needs a bias to train against"):
        train_robust(rows, LinearConfig(), RobustTraining("poe", config))
    with pytest.raises(ConfigError, match="learner logistic"):
        train_robust(rows, LinearConfig(learner="svm"), RobustTraining("jtt", config))
