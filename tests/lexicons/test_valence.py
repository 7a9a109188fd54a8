"""Valences: pleasant words are above 0, unpleasant ones below."""

from augkit.lexicons.valence import valences


def test_signs():
    """Praise and blame have opposite signs; a neutral word is not listed."""
    assert valences()["wonderful"] > 0 > valences()["horrible"]
    assert "table" not in valences()
