"""The n-gram reward model against its likelihood, minimised without a gradient."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from augkit.core.choices import Choice
from augkit.core.errors import ConfigError, DataError
from augkit.models.classifiers.settings import LinearConfig
from augkit.models.reward.base import RewardClassifier, place_probabilities
from augkit.models.reward.ngrams import train_ngrams, words_and_marks
from augkit.models.reward.train import train_reward

CHOICES = [
    Choice(("warm sun", "cold rain"), (0,)),
    Choice(("cold sun", "warm rain", "cold cold"), (1,)),
    Choice(("warm warm", "rain"), (0,)),
    Choice(("sun rain", "cold"), (0,)),
]


def tfidf(texts):
    """TF-IDF by its definition: (1 + ln n) · (1 + ln((1 + N) / (1 + df)))."""
    words = sorted({word for text in texts for word in text.split()})
    counts = np.array([[text.split().count(word) for word in words] for text in texts])
    frequency = (counts > 0).sum(axis=0)
    kept = frequency >= 2
    idf = 1 + np.log((1 + len(texts)) / (1 + frequency))
    scaled = np.where(counts, 1 + np.log(np.maximum(counts, 1)), 0.0) * idf
    return scaled[:, kept]


@pytest.mark.parametrize("weights", [None, np.array([2.0, 0.5, 1.0, 0.0])])
def test_the_weights_have_the_highest_likelihood(weights):
    """Written item by item, and minimised without a gradient."""
    texts = [text for choice in CHOICES for text in choice.candidates]
    features = tfidf(texts)
    counted = np.ones(4) if weights is None else weights

    def loss(coefficients):
        total, start = coefficients @ coefficients / 2, 0
        for choice, weight in zip(CHOICES, counted, strict=True):
            scores = features[start : start + len(choice.candidates)] @ coefficients
            start += len(choice.candidates)
            total -= weight * 0.7 * (scores[choice.winners[0]] - math.log(sum(np.exp(scores))))
        return total

    options = {"xatol": 1e-9, "fatol": 1e-13, "maxiter": 20_000, "maxfev": 20_000}
    slow = minimize(loss, np.zeros(features.shape[1]), method="Nelder-Mead", options=options)
    model = train_ngrams(CHOICES, LinearConfig(ngrams=1, strength=0.7), weights)
    assert model.scores(CHOICES) == pytest.approx(features @ slow.x, abs=1e-3)


def test_marks_and_line_breaks_are_words():
    assert words_and_marks("**Yes**,\n1.") == ["*", "*", "yes", "*", "*", ",", "\n", "1", "."]


def test_a_choice_is_a_row_whose_label_is_a_place():
    model = train_ngrams(CHOICES, LinearConfig(ngrams=1))
    scores = model.scores(CHOICES)
    shares = place_probabilities(CHOICES, scores, 4)
    assert shares.shape == (4, 4)
    assert shares[0, 2:].tolist() == [0, 0]
    powers = np.exp(scores[2:5])
    assert shares[1, :3] == pytest.approx(powers / powers.sum())
    assert RewardClassifier(model).labels[:2] == ("1", "2")


def test_ties_are_left_out_and_settings_of_classifiers_are_refused():
    with pytest.raises(DataError, match="nothing to learn"):
        train_reward([Choice(("a", "b"), ())], LinearConfig())
    with pytest.raises(ConfigError, match=r"model\.learner"):
        train_reward(CHOICES, LinearConfig(learner="svm"))
