"""Give a replacement the casing of what it replaces."""

from __future__ import annotations


def match_case(word: str, like: str) -> str:
    """``word`` in the casing of ``like``: ALL CAPS, Capitalised, or as it is.

    >>> match_case("film", "MOVIE"), match_case("film", "Movie"), match_case("film", "movie")
    ('FILM', 'Film', 'film')
    """
    if len(like) > 1 and like.isupper():
        return word.upper()
    if like[:1].isupper():
        return word[:1].upper() + word[1:]
    return word
