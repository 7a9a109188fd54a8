"""Placeholders, addresses and hashtags stay whole; what is put in is spaced as its text is."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit import chain, create, from_callable
from augkit.core.types import Pair, Variant, example
from augkit.text.placeholders import changed_placeholders, placeholder_spans
from augkit.text.spacing import is_tokenised, spaced_like
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
    "text",
    [
        "5 < 6 and 7 > 3",
        "A <br /> <i>film</i> <br>",
        "C# and a [long aside here] {",
        "a@b",
        "snake_case",
    ],
)
def test_other_signs_are_no_placeholders(text):
    assert placeholder_spans(text) == []


@pytest.mark.slow
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
    shout = from_callable(str.upper, "shout")
    (outcome,) = shout.outcomes([example("Hi {name}, see [A].", "a")])
    assert isinstance(outcome, Variant)
    assert (outcome.reason, outcome.detail) == ("changes a placeholder", "{name}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dr. lee was kind , and quick .", True),
        ("it cost 3.50 !", True),
        ("no marks at all", False),
        ("Kind, and quick.", False),
        ("Kind , and quick. Really.", False),
    ],
)
def test_most_marks_decide(text, expected):
    """An abbreviation or one odd space does not."""
    assert is_tokenised(text) is expected


def test_what_is_inserted_has_the_spaces_of_the_text():
    """Also where it begins with a mark; an ellipsis and a decimal stay whole."""
    tokenised = "we came , we saw ."
    assert spaced_like("so, it was 3.5...", tokenised, 0) == "so , it was 3.5 ..."
    assert spaced_like("; we", tokenised, 7) == " ; we"
    assert spaced_like("; we", tokenised, 8) == "; we"
    assert spaced_like("so, it was", "We came, we saw.", 0) == "so, it was"
