import re
from functools import cache
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.lexicons.demographics.axes import bundled_axis
from augkit.lexicons.demographics.find_references import Hit, ReferenceFinder, finder_for
from augkit.lexicons.demographics.names import first_names
from augkit.lexicons.demographics.term_senses import readings

ALL = ("gender", "race", "age")
_FORMS = sorted({r.form for name in ALL for r in readings(bundled_axis(name))})
_FILLERS = ["the", "a", "table", "runs", "green", "is", "to", "and", "market", "oh", "old", "will"]
_NAMES = ["Helen", "Victor", "Keisha", "Rose", "Dallas", "Robin"]
_GAPS = [" ", "  ", ", ", "-", ". ", "/", "'s ", "\n", "\u2019s "]
texts = st.lists(
    st.tuples(
        st.one_of(st.sampled_from(_FORMS), st.sampled_from(_FILLERS), st.sampled_from(_NAMES)),
        st.sampled_from([str, str.lower, str.upper, str.title]),
        st.sampled_from(_GAPS),
    ).map(lambda part: part[1](part[0]) + part[2]),
    max_size=8,
).map("".join)


def slow_terms(axis: str, text: str) -> set[tuple[int, int]]:
    """Places of the terms of an axis by trying every form at every place, longest first."""
    patterns = _patterns(axis)
    found, place = set(), 0
    while place < len(text):
        ends = [match.end() for p in patterns if (match := p.match(text, place))]
        if ends:
            found.add((place, max(ends)))
        place = max(ends, default=place + 1)
    return found


@cache
def _patterns(axis: str) -> list[re.Pattern[str]]:
    return [_pattern(form) for form in {r.form for r in readings(bundled_axis(axis))}]


def _pattern(form: str) -> re.Pattern[str]:
    parts = re.findall(r"[^\W_]+", form)
    gaps = re.split(r"[^\W_]+", form)[1:-1]
    loose = r"(?:\s+|\s*[-\u2010\u2011]\s*)"
    joins = [{"/": r"\s*/\s*", "'": r"\s*['\u2019]\s*"}.get(gap, loose) for gap in gaps]
    body = "".join(part + join for part, join in zip(parts, [*joins, ""], strict=True))
    return re.compile(rf"(?<![^\W_]){body}(?![^\W_])", re.IGNORECASE)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(texts, st.sampled_from(ALL))
def test_terms_equal_a_slow_search(text: str, axis: str) -> None:
    hits = [hit for hit in finder_for(axis).find(text) if hit.pos != "name"]
    assert {(hit.start, hit.end) for hit in hits} == slow_terms(axis, text)


@settings(max_examples=60, deadline=None)
@given(st.one_of(texts, st.text(max_size=60)), st.sampled_from(ALL))
def test_a_quick_no_is_certain(text: str, axis: str) -> None:
    """Without the gate the same is found; hits lie inside the text, in order."""
    hits = finder_for(axis).find(text)
    with patch.object(ReferenceFinder, "may_have", return_value=True):
        assert finder_for(axis).find(text) == hits
    assert [h.start for h in hits] == sorted(h.start for h in hits)
    assert all(0 <= h.start < h.end <= len(text) for h in hits)


def at(text: str, word: str, axis: str = "gender") -> Hit:
    start = text.index(word)
    return next(h for h in finder_for(axis).find(text) if h.start <= start < h.end)


@pytest.mark.parametrize(
    ("text", "word", "target", "options"),
    [
        ("She left.", "She", "man", ("he",)),
        ("We called her.", "her", "man", ("him", "his")),
        ("It is his.", "his", "woman", ("her", "hers")),
        ("It is hers.", "hers", "man", ("his",)),
        ("Two men sat.", "men", "woman", ("women",)),
        ("Ask him or her.", "him", "non-binary", ("them",)),
        ("Ladies and gentlemen!", "Ladies", "non-binary", ("everyone",)),
        ("My mother-in-law won.", "mother", "man", ("father-in-law",)),
        ("Yes, ma'am.", "ma", "man", ("sir",)),
        ("Yes, ma\u2019am.", "ma", "man", ("sir",)),
    ],
)
def test_options(text: str, word: str, target: str, options: tuple[str, ...]) -> None:
    """A hit knows every form that it could become."""
    written = [reading.written.get(target) for reading in at(text, word).readings]
    assert tuple(dict.fromkeys(word for word in written if word)) == options


@pytest.mark.parametrize(
    ("text", "word", "needs"),
    [
        ("She left.", "She", ()),
        ("We saw him.", "him", ()),
        ("Sailors man the pumps.", "man", ("pos",)),
        ("We need people to man stations.", "man", ("pos",)),
        ("They man the pumps.", "man", ("pos",)),
        ("The lady sat.", "lady", ()),
        ("I saw #women trending.", "women", ("joined",)),
        ("They left.", "They", ("number",)),
        ("Helen sat.", "Helen", ()),
        ("Rose sat.", "Rose", ("name",)),
    ],
)
def test_needs(text: str, word: str, needs: tuple[str, ...]) -> None:
    """A hit names what must be found out before it may be changed."""
    assert at(text, word).needs == needs


def test_verbs_change_with_they() -> None:
    """Only "they" changes the verb of "she"."""
    assert at("She left.", "She").readings[0].verb_changes == {"non-binary"}


def test_fixed_and_harmful_phrases_are_blocked() -> None:
    """A colour, a name of a thing and a harmful phrase are blocked with their reason."""
    assert "oh boy" in at("Oh boy, that was close.", "boy").blocked
    assert "black market" in at("on the black market", "black", "race").blocked
    assert "slur" in at("a white trash comedy", "white", "race").blocked
    assert not at("a white actor", "white", "race").blocked
    assert at("a white-trash comedy", "white", "race").blocked


def test_names_in_their_places() -> None:
    """A first name is found with a capital, doubted after another name, and in small letters."""
    finder = finder_for("gender")
    walter, scott = finder.find("Walter Scott wrote it.")
    assert (walter.needs, scott.needs) == ((), ("surname",))
    assert finder.find("Mr. Scott wrote it.")[1].needs == ("surname",)
    assert [h.needs for h in finder.find("helen never raises a hand .")] == [("name",)]
    assert finder.find("A helen is not Troy's.")[0].attribute == "man"
    assert finder.find("a rose in the garden .") == []


@pytest.mark.parametrize("text", ["Don't buy it.", "Don\u2019t buy it.", "DON'T buy it."])
def test_a_negation_is_no_name(text: str) -> None:
    assert finder_for("gender").find(text) == []


def test_ages_in_numbers_are_found() -> None:
    """Numbers and decades are hits of the band they are in; "old" is part of them."""
    found = finder_for("age").find("An 8-year-old girl, Lena, aged 71, and a man in his fifties")
    got = [(h.readings[0].pos, h.attribute) for h in found if not h.is_weak]
    assert got == [("age", "child"), ("noun", "child"), ("age", "senior"), ("age", "middle-aged")]


def test_one_word_on_two_axes() -> None:
    """A word that says gender and age, or gender and ethnicity, is a hit of both."""
    assert [a for a in ALL if finder_for(a).find("The Latina sang.")] == ["gender", "race"]
    assert [a for a in ALL if finder_for(a).find("The girl sang.")] == ["gender", "age"]


def test_letters_that_grow_in_lower_case() -> None:
    """A letter that becomes two in lower case does not shift what follows."""
    text = "\u0130stanbul: she left."
    hit = at(text, "she")
    assert text[hit.start : hit.end] == "she"


@pytest.mark.slow
def test_long_texts_take_linear_time() -> None:
    text = "She said nothing to the old table . " * 12_500
    assert len(finder_for("gender").find(text)) == 12_500


@pytest.mark.slow
def test_every_name_can_be_found() -> None:
    finder = finder_for("gender")
    missing = [
        name.text
        for name in first_names().values()
        if "-" not in name.text and not finder.find(f"Then {name.text} sat.")
    ]
    assert missing == []
