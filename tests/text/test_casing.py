"""Replacements in the casing of what they replace."""

from __future__ import annotations

import pytest

from augkit.text.casing import match_case


@pytest.mark.parametrize(
    ("word", "like", "expected"),
    [
        ("film", "MOVIE", "FILM"),
        ("film", "Movie", "Film"),
        ("film", "movie", "film"),
        ("perhaps", "I", "Perhaps"),
        ("NASA", "agency", "NASA"),
        ("film", "mOVIE", "film"),
        ("film", "123", "film"),
        ("film", "", "film"),
        ("", "Movie", ""),
        ("straße", "STREET", "STRASSE"),
    ],
)
def test_casing_is_taken_over(word, like, expected):
    """ALL CAPS and a first capital are taken over; anything else leaves the word as it is."""
    assert match_case(word, like) == expected
