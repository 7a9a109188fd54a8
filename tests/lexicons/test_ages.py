from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.lexicons.demographics.ages import band_of, find_ages, new_age
from augkit.lexicons.demographics.axes import bundled_axis
from augkit.text.quantities import to_number

AGE = bundled_axis("age")
FRAMES = ["I was {} years old.", "a {}-year-old boy", "Lena, aged {}, drew", "at the age of {} he"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I was eleven years old.", [("eleven", 11)]),
        ("An 8-year-old boy", [("8", 8)]),
        ("a twenty-one-year-old nurse", [("twenty-one", 21)]),
        ("The witness, 34, refused", [("34", 34)]),
        ("in her early forties", [("forties", 42)]),
        ("In His Thirties", [("Thirties", 35)]),
        ("a 5 year old girl", [("5", 5)]),
        ("150 years old", []),
        ("It cost 1,200 years old", []),
        ("in 34, in 35 ways", []),
        ("he is two metres tall", []),
    ],
)
def test_ages_are_found(text: str, found: list[tuple[str, int]]) -> None:
    assert [(text[a.start : a.end], a.years) for a in find_ages(text)] == found


@given(
    st.integers(0, 99),
    st.sampled_from(FRAMES),
    st.sampled_from(sorted(AGE.bands)),
    st.integers(0, 1000),
)
def test_new_ages_are_in_the_band(years: int, frame: str, target: str, seed: int) -> None:
    """A new age lies in the band, in digits as before, the same for the same generator."""
    text = frame.format(years)
    [age] = find_ages(text)
    new = new_age(age, text, target, AGE, Random(seed))
    first, last = AGE.bands[target]
    assert first <= int(new) <= last
    assert new == new_age(age, text, target, AGE, Random(seed))


@pytest.mark.parametrize("target", sorted(AGE.bands))
@pytest.mark.parametrize("text", ["Eleven years old", "nine years old", "FORTY-TWO YEARS OLD"])
def test_words_stay_words(text: str, target: str) -> None:
    [age] = find_ages(text)
    new = new_age(age, text, target, AGE, Random(5))
    assert not new.isdigit()
    assert band_of(to_number(new), AGE) == target or target == "adult"
    assert new[0].isupper() == text[0].isupper()


def test_decades_move_to_the_target() -> None:
    text = "a man in his thirties"
    [age] = find_ages(text)
    new = {target: new_age(age, text, target, AGE, Random(0)) for target in AGE.decades}
    assert (new["senior"], new["middle-aged"], new["child"]) == ("seventies", "fifties", "teens")
