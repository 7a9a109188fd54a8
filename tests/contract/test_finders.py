"""Every registered finder keeps the promises of a finder."""

import pytest

from augkit.core import registry
from augkit.testing import check_finder

pytestmark = pytest.mark.slow

SETTINGS = {
    "attribution": {"ensemble": "linear-three", "folds": 2},
    "grammar": {
        "symbols": 4,
        "leaves": 8,
        "width": 16,
        "epochs": 10,
        "learning_rate": 0.02,
        "min_count": 9,
    },
    "razor-definition": {"folds": 2, "fewest": 1},
}
"""What makes them fast enough for a test."""


@pytest.mark.parametrize("name", registry.names("finders"))
def test_promises_are_kept(name):
    """Targets lie in their texts, batches do not matter, and what is saved finds the same."""
    if name == "grammar":
        pytest.importorskip("torch")
    check_finder(name, SETTINGS.get(name, {}))
