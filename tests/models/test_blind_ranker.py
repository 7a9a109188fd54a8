"""The blind ranker: its words are TF-IDF as scikit-learn counts it, and amounts are seen too."""

import random

import numpy as np
import pytest

from augkit.models.blind_ranker import blind_features, blind_vectorizer
from augkit.text.features.within_items import Items


def test_words_are_those_of_scikit_learn():
    """The sum of a text's features, and their number, whatever their order."""
    rng = random.Random(0)
    texts = [" ".join(rng.choices("abcdefgh", k=rng.randint(1, 9))) for _ in range(40)]
    counted = blind_features(texts).words
    documents = np.bincount(counted.indices, minlength=counted.shape[1])
    rarity = np.where(documents >= 2, np.log(41 / (1 + documents)) + 1, 0.0)
    expected = blind_vectorizer().fit_transform(texts)
    assert int((documents >= 2).sum()) == expected.shape[1]
    assert counted @ rarity == pytest.approx(np.asarray(expected.sum(axis=1)).ravel())


@pytest.mark.parametrize("size", [1, 12])
def test_an_amount_is_learnt_where_words_say_nothing(size):
    """Every text has words of its own; the winner has a list, or more words."""
    rng, texts = random.Random(1), []
    for number in range(60):
        words = [f"word{number}x{rng.randrange(10**6)}" for _ in range(2 * size + 6)]
        texts += ["\n".join(f"- {word}" for word in words), " ".join(words)]
    items = Items(np.repeat(np.arange(60), 2), np.tile([True, False], 60), np.arange(60))
    held = np.arange(60) % 3 == 0
    scores = blind_features(texts).scores(items, ~held, held)
    assert (scores[::2] > scores[1::2]).all()
