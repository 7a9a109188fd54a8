"""Swap: listed words become their partners."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.augmenters.create import create
from augkit.core.errors import ConfigError
from augkit.core.types import example
from augkit.text.casing import match_case


def swapped(text, *pairs):
    listed = pairs or [("film", "movie")]
    return create("swap", pairs=listed, other_languages="keep").augment(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A film, a FILM, Film!", "A movie, a MOVIE, Movie!"),
        ("The movie and the film", "The film and the movie"),
        ("(film)\n\t film  film's", "(movie)\n\t movie  movie's"),
        ("<b>film</b> &film;", "<b>movie</b> &movie;"),
    ],
)
def test_every_listed_word_changes_and_nothing_else(text, expected):
    """Both ways, in its casing, whatever stands around it."""
    assert swapped(text) == [expected]


def test_the_longest_entry_wins():
    pairs = [("film", "movie"), ("film star", "celebrity")]
    assert swapped("A film star in a film", *pairs) == ["A celebrity in a movie"]
    assert swapped("No celebrity.", *pairs) == ["No film star."]


@pytest.mark.parametrize(
    ("pair", "text", "expected"),
    [
        (("movie's", "film's"), "The movie's end", "The film's end"),
        (("C++", "Rust"), "I like C++ and rust.", "I like RUST and C++."),
        (("non-fiction", "fact"), "Non-fiction it is", "Fact it is"),
        (("e.g", "i.e"), "so e.g this", "so i.e this"),
        (("straße", "weg"), "Die STRASSE dort", "Die WEG dort"),
        (("straße", "weg"), "eine straße dort", "eine weg dort"),
        (("Groß-Straße", "weg"), "groß-straße dort", "weg dort"),
        (("\u0130stanbul", "Ankara"), "in \u0130stanbul now", "in Ankara now"),
        (("café", "bar"), "a café here", "a bar here"),
    ],
)
def test_entries_with_signs_are_found(pair, text, expected):
    assert swapped(text, pair) == [expected]


def test_entries_side_by_side_are_all_found():
    """Neighbours that share a sign do not hide one another."""
    pairs = [("film", "movie"), ("star", "actor")]
    assert swapped("film-star film/star film.star", *pairs) == [
        "movie-actor movie/actor movie.actor"
    ]


@given(st.text(alphabet="aAbBsSß\u0130\u0131\u0345é_1 \n.-\x00'", max_size=30))
def test_words_are_those_that_a_pattern_finds(text):
    """Looking words up in a flattened text gives what replacing them one by one gives."""
    pairs = [("a", "b"), ("ss", "bb"), ("é", "aa")]
    partners = {**dict(pairs), **{second: first for first, second in pairs}}

    def partner(match):
        found = partners.get(match.group().casefold())
        return match_case(found, match.group()) if found else match.group()

    expected = re.sub(r"\w+", partner, text)
    assert swapped(text, *pairs) == ([expected] if expected != text else [])


def test_pairs_of_fields_change_together():
    row = example({"premise": "A film.", "hypothesis": "No film."}, "neutral")
    (pair,) = create("swap", pairs=[("film", "movie")])([row])
    assert dict(pair.variant.fields) == {"premise": "A movie.", "hypothesis": "No movie."}
    assert [edit.field for edit in pair.provenance.edits] == ["premise", "hypothesis"]


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ([["film", "movie"], ["Film", "flick"]], "repeated: film"),
        ([["film", "film"]], "repeated: film"),
        ([["film", " "]], "empty"),
        ([["film"]], "pairs"),
    ],
)
def test_impossible_pairs_are_errors(pairs, said):
    """A word with two partners, or none, is a mistake."""
    with pytest.raises(ConfigError, match=said):
        create("swap", pairs=pairs)


@pytest.mark.parametrize(
    ("pair", "text", "expected"),
    [
        (("actor", "performer"), "He is an actor.", "He is a performer."),
        (("actor", "performer"), "A PERFORMER, a performer", "AN ACTOR, an actor"),
        (("actor", "performer"), "a actor", "a performer"),
        (("a", "an"), "a film, an actor", "an film, a actor"),
    ],
)
def test_articles_are_fitted(pair, text, expected):
    """a/an follows the new word where it was right before, and is never changed twice."""
    assert swapped(text, pair) == [expected]


def test_pairs_of_ones_own_work_in_any_language():
    """The bundled words are English; words that the user names are of any language."""
    row = example("Le film que nous avons vu hier soir avec nos amis \u00e9tait vraiment long.")
    (pair,) = create("swap", pairs=[["film", "spectacle"]])([row])
    assert pair.variant.fields["text"].startswith("Le spectacle que")
    (rejection,) = create("swap").outcomes([row])
    assert rejection.reason == "not English"
