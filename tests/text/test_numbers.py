from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.text.quantities import MOST, to_number, to_words


@given(st.integers(0, MOST), st.sampled_from([str.lower, str.upper, str.title]))
def test_words_come_back(number: int, casing) -> None:
    """A number in words is read as that number, in any casing, with spaces or hyphens."""
    assert to_number(casing(to_words(number))) == number
    assert to_number(to_words(number).replace("-", " ")) == number
    assert to_number(str(number)) == number


@pytest.mark.parametrize("text", ["", "121", "one hundred and thirty", "-1", "4.5", "someone", "²"])
def test_other_texts_are_no_numbers(text: str) -> None:
    """What is no age-like number is None, not a guess."""
    assert to_number(text) is None


def test_out_of_range_is_refused() -> None:
    """A number that is no age is refused with its range."""
    with pytest.raises(ValueError, match="120"):
        to_words(121)
