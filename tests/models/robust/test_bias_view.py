"""The field or the words that a bias model sees."""

import pytest

from augkit.core.errors import ConfigError
from augkit.core.types import example
from augkit.models.robust.bias_view import BiasView, find_view, predictive_words


def test_predictive_field_and_words_are_found(claims, as_texts):
    """For a pair the field that predicts the label, for a text the words, the strongest first."""
    rows, _ = claims(0, 600, 0.95)
    assert find_view(rows, 10) == BiasView(field="claim")
    found = find_view(as_texts(rows), 4)
    assert set(found.words[:2]) == {"never", "always"}
    assert len(found.words) == 4
    assert str(found).startswith("4 words alone (")
    blind = [example(f"word{n % 7} here", "ab"[n % 2]) for n in range(70)]
    with pytest.raises(ConfigError, match="no bias to train against"):
        predictive_words(blind, 5)
