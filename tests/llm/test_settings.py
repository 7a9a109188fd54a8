"""Options are checked when they are given, not when the first call is made."""

import pytest

from augkit.core.config import validate
from augkit.core.errors import ConfigError
from augkit.core.yaml_files import parse_yaml
from augkit.llm.settings import ConnectOptions


@pytest.mark.parametrize("budget", ["2.00", "500calls", "~"])
def test_a_budget_may_be_written_plainly_in_yaml(budget):
    """A number, a number with its unit, or nothing."""
    values = parse_yaml(f"budget: {budget}", "options")
    assert validate(ConnectOptions, values).budget in {"2.0", "500calls", None}


@pytest.mark.parametrize(
    "wrong",
    [
        {"base_url": "127.0.0.1:8000"},
        {"budget": "a lot"},
        {"timeout": 0},
        {"workers": 0},
        {"attempts": 0},
        {"retries": 3},
    ],
)
def test_what_makes_no_sense_is_refused(wrong):
    with pytest.raises(ConfigError, match=next(iter(wrong))):
        validate(ConnectOptions, wrong)
