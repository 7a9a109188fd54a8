"""Error of contrast sets against its definition, counted by hand and by loops."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.core.errors import DataError
from augkit.core.results import PredictedPair
from augkit.evaluation.metrics.contrast_error import ContrastError


def variant(row, edit, said, *, right=True):
    """A variant of a row, whose shortcut suggests "no"."""
    about = {"edit": edit, "suggests": "no"}
    return PredictedPair("yes" if right else "no", said, "yes", row=row, about=about)


def test_any_variant_misleads_its_set():
    """Two sets of one edit and one of another; a row that is wrong and a control do not count."""
    data = [
        variant("1", "antonym", "yes"),
        variant("1", "antonym", "no"),
        variant("2", "antonym", "yes"),
        variant("2", "hypernym", "no"),
        variant("3", "antonym", "no", right=False),
        variant("4", "control", "no"),
    ]
    scores = {score.name: (score.value, score.n) for score in ContrastError().score(data)}
    assert scores == {
        "error": (2 / 3, 3),
        "error, antonym": (0.5, 2),
        "error, hypernym": (1.0, 1),
    }


drawn = st.builds(
    variant,
    st.sampled_from("123"),
    st.sampled_from(["antonym", "adjective"]),
    st.sampled_from(["yes", "no"]),
)


@given(st.lists(drawn, min_size=1, max_size=12))
def test_the_error_is_its_definition(data):
    """Every set, looked up anew among all variants, gives the same share."""
    sets = {(pair.about["edit"], pair.row) for pair in data}
    misled = [
        any(pair.variant == "no" for pair in data if (pair.about["edit"], pair.row) == one)
        for one in sets
    ]
    assert ContrastError().score(data)[0].value == pytest.approx(sum(misled) / len(sets))


def test_classifiers_are_compared_on_common_sets():
    """A set whose original one of them gets wrong tells nothing of their difference."""
    first = [variant("1", "antonym", "no"), variant("2", "antonym", "no")]
    second = [variant("1", "antonym", "yes"), variant("2", "antonym", "yes", right=False)]
    (difference,) = ContrastError().compare(first, second)
    assert (difference.score.value, difference.score.n) == (-1.0, 1)


def test_nothing_to_measure_is_an_error():
    """Without a row that is right there is no set."""
    with pytest.raises(DataError, match="classified correctly"):
        ContrastError().score([variant("1", "antonym", "no", right=False)])
