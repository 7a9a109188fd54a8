"""The choice of the field that a method works on."""

import pytest

from augkit.augmenters.fields import chosen_field
from augkit.core.errors import ConfigError

PAIR = {"premise": "A man sleeps.", "hypothesis": "He is awake."}


def test_the_named_field_or_the_last_one():
    """Without a name the last field is taken."""
    assert chosen_field(PAIR, "premise") == "premise"
    assert chosen_field(PAIR, None) == "hypothesis"


def test_a_missing_field_is_an_error_that_lists_the_fields():
    """A misspelt name never falls back to another field."""
    with pytest.raises(ConfigError) as error:
        chosen_field(PAIR, "premiss")
    assert str(error.value) == (
        "field: no field 'premiss' in this dataset; choose: premise, hypothesis"
    )
