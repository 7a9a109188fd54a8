"""Placeholders, addresses, mentions and hashtags stay whole, whatever a method does."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit import chain, create, from_callable
from augkit.core.types import Pair, Rejection, example
from augkit.text.placeholders import changed_placeholders, placeholder_spans
from augkit.text.tokens import plain_word_spans

SLOTS = [
    "[MASK]", "_num_", "[PHONE NUMBER]", "{name}", "{{ first name }}", "${order_id}", "$first_name",
    "<user>", "<|end|>",
    "https://example.org/film?a=1", "www.film.org", "ann.film@example.org", "@film_fan", "#film",
]  # fmt: skip


@pytest.mark.parametrize("slot", SLOTS)
def test_a_placeholder_is_one_span(slot):
    """Also in brackets and quotes, and before a stop."""
    for text in (slot, f"Ask ({slot}), please.", f'A good film: "{slot}".', f"{slot}. It is here."):
        assert [text[start:end] for start, end in placeholder_spans(text)] == [slot]
        first = text.index(slot)
        last = first + len(slot)
        assert all(end <= first or last <= start for start, end in plain_word_spans(text))


@pytest.mark.parametrize(
    "text", ["5 < 6 and 7 > 3", "A <br /> <i>film</i> <br>", "C# and a [long aside here] {", "a@b"]
)
def test_other_signs_are_no_placeholders(text):
    """Comparisons, markup and asides."""
    assert placeholder_spans(text) == []


@given(st.lists(st.sampled_from([*SLOTS, "a film", "fine"])), st.data())
def test_lost_ones_are_those_that_counting_finds(parts, data):
    """Each that is there less often than before; others may be added."""
    after = data.draw(st.lists(st.sampled_from([*SLOTS, "a film", "fine"])))
    fewer = Counter(part for part in parts if part in SLOTS) - Counter(after)
    slots = [part for part in fewer if part[0] in "[{$<_"]
    changed = changed_placeholders(" ".join(parts), " ".join(after))
    assert [part for part in changed if part[0] in "[{$<_"] == slots


@pytest.mark.parametrize(
    ("after", "changed"),
    [
        ("Fine film.", []),
        ("Fine film, www.film.org #fun.", []),
        ("Fine film. See #fun.", []),
        ("Fine film, www.movie.org #fun.", ["www.film.org"]),
        ("Fine film, www.film. org #fun.", ["www.film.org"]),
        ("Fine film, www.film.org # fun.", ["#fun"]),
        ("Fine film, www.film.org fun.", ["#fun"]),
        ("Fine film, www.film.org #Fun.", []),
    ],
)
def test_an_address_may_go_whole_but_not_in_part(after, changed):
    """Another one in its place, or a part of it, is a change."""
    before = "Fine film, www.film.org #fun."
    assert changed_placeholders(before, after) == changed


TEXT = (
    "Hi {name}, the woman from [COMPANY NAME] said that her film about cars, #film, is at "
    "https://example.org/film and that <user> or @film_fan should write to her at film@example.org."
)
SETTINGS = {
    "eda": {"copies": 8, "alpha": 0.5},
    "typo": {"copies": 8, "share": 0.9},
    "mask-words": {"copies": 4, "share": 0.9},
    "mask-phrase": {"copies": 8, "longest": 9},
    "random-edit": {"copies": 8},
    "swap": {"pairs": [["film", "movie"], ["name", "title"], ["company", "firm"]]},
    "panda": {"copies": 4},
}


@pytest.mark.parametrize("method", SETTINGS)
def test_no_method_changes_a_placeholder(method):
    """Alone, and after another method whose masks are placeholders then."""
    words = [example("An old man saw a long play about trains there.", "b"), example(TEXT, "a")]
    step = create(method, **SETTINGS[method]).fit(words)
    masked = chain(create("mask-words", share=0.2), step)
    accepted = 0
    for composed in (step, masked):
        for outcome in composed.outcomes([example(TEXT, "a")]):
            if isinstance(outcome, Pair):
                accepted += 1
                assert changed_placeholders(TEXT, outcome.variant.fields["text"]) == []
    assert accepted


def test_what_would_change_one_is_rejected_with_the_reason():
    """A function of the user's is checked as every method is."""
    shout = from_callable(str.upper, "shout")
    (outcome,) = shout.outcomes([example("Hi {name}, see [A].", "a")])
    assert isinstance(outcome, Rejection)
    assert (outcome.reason, outcome.detail) == ("changes a placeholder", "{name}")
