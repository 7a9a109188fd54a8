"""Prices: a dated data file, and one of the user's own in front of it."""

import pytest

from augkit.core.errors import ConfigError
from augkit.llm.prices import bundled_prices, price_of


def test_the_bundled_list_is_sound():
    """Every price is positive and writing costs more than reading; the list has its date."""
    prices = bundled_prices()
    assert prices.as_of
    assert all(0 < price.input < price.output for price in prices.models.values())


def test_a_dated_name_has_the_price_of_its_model():
    """A snapshot costs what the model costs; an unknown model has no price."""
    assert price_of("gpt-4o-2024-08-06", None) == price_of("gpt-4o", None)
    assert price_of("my-own", None) is None


def test_the_users_list_comes_first(tmp_path):
    """It adds and replaces; what it does not name is looked up in the bundled one."""
    own = tmp_path / "prices.yaml"
    own.write_text("as_of: today\nmodels:\n  gpt-4o: {input: 1, output: 2}\n")
    assert price_of("gpt-4o", own).output == 2
    assert price_of("gpt-4o-mini", own) == price_of("gpt-4o-mini", None)


def test_a_wrong_list_is_an_error_with_its_line(tmp_path):
    own = tmp_path / "prices.yaml"
    own.write_text("as_of: today\nmodels:\n  m: {input: 1, outptu: 2}\n")
    with pytest.raises(ConfigError, match=r"prices\.yaml:3"):
        price_of("m", own)
