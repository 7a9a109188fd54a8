"""Numbers in figures are found again, however another text writes them, and missed if lost."""

from datetime import date, time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from augkit.text.quantities import MOST, missing_quantities, to_number, to_words

times = st.builds(time, st.integers(0, 23), st.integers(0, 59))


@given(st.integers(0, MOST), st.sampled_from([str.lower, str.upper, str.title]))
def test_words_come_back(number, casing):
    """A number in words is read as that number, in any casing, with spaces or hyphens."""
    assert to_number(casing(to_words(number))) == number
    assert to_number(to_words(number).replace("-", " ")) == number
    assert to_number(str(number)) == number


@pytest.mark.parametrize("text", ["", "121", "one hundred and thirty", "-1", "4.5", "someone", "²"])
def test_other_texts_are_no_numbers(text):
    """What is no age-like number is None, not a guess; nor can it be written."""
    assert to_number(text) is None
    with pytest.raises(ValueError, match="120"):
        to_words(MOST + 1)


@pytest.mark.slow
@given(st.text(), st.text(), st.text())
def test_a_text_has_its_own_numbers(text, before, after):
    assert missing_quantities(text, text) == []
    assert missing_quantities(text, f"{before} | {text} | {after}") == []


@pytest.mark.slow
@given(st.integers(0, MOST), st.integers(0, MOST))
def test_percentages_in_words(number, other):
    """The same number counts, with its sign; any other does not."""
    there = f"{to_words(other)} percent of them agreed"
    assert missing_quantities(f"{number}% agreed", there) == [f"{number}%"] * (number != other)
    assert missing_quantities(f"{number}% agreed", f"{number} of them agreed") == [f"{number}%"]


@pytest.mark.slow
@given(st.integers(0, 10**9))
def test_amounts_of_money(number):
    """Sign or word, with or without separators; another currency is another amount."""
    amount = f"${number:,}"
    for same in (f"{number} dollars", f"{number:,} bucks", f"${number}.00", f"US${number}"):
        assert missing_quantities(amount, same) == []
        assert missing_quantities(same, amount) == []
    assert missing_quantities(amount, f"€{number}") == [amount]


@pytest.mark.slow
@given(times, times)
@example(time(1, 1), time(1, 0))
def test_times_of_twelve_and_twenty_four_hours(one, other):
    """Both ways to write a time are the same; another time is not."""
    hour = one.hour % 12 or 12
    half = f"{hour}:{one.minute:02} {'pm' if one.hour > 11 else 'a.m.'}"
    assert missing_quantities(f"at {one:%H:%M}", f"at {half}") == []
    assert missing_quantities(f"at {half}", f"at {one:%H:%M}") == []
    if (one.hour % 12, one.minute) != (other.hour % 12, other.minute):
        assert missing_quantities(f"at {one:%H:%M}", f"at {other:%H:%M}") == [f"{one:%H:%M}"]


@pytest.mark.slow
@given(st.dates(min_value=date(1000, 1, 1)))
def test_dates_in_figures_and_with_the_month_in_words(day):
    forms = [f"{day:%Y-%m-%d}", f"{day:%d/%m/%Y}", f"{day.day} {day:%B} {day.year}"]
    forms.append(f"{day:%b} {day.day}th, {day.year}")
    for form in forms:
        assert [missing_quantities(form, other) for other in forms] == [[]] * len(forms)
    assert missing_quantities(forms[2], f"{day.day} of that month, {day.year}") == [f"{day:%B}"]


@pytest.mark.parametrize(
    ("stated", "other"),
    [
        ("80-90% agree", "between 80 and 90 percent agree"),
        ("$5-10 each", "$5 to $10 each"),
        ("2.5 million people", "2,500,000 people"),
        ("250 people", "two hundred and fifty people"),
        ("a 5k run", "a run of 5,000 metres"),
        ("10/10, the 3rd time", "ten out of ten, the third time"),
        ("the 21st day", "the twenty-first day"),
        ("at 7 pm, at 12:00", "at seven in the evening, at noon"),
        ("all 5 may come", "all five can come"),
    ],
)
def test_other_ways_to_write_a_number(stated, other):
    assert missing_quantities(stated, other) == missing_quantities(other, stated) == []
