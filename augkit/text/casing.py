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


def cased(word: str, like: str, text: str = "") -> str:
    """``word`` in the casing of what it replaces; small letters where ``text`` has no others.

    ``text`` is where both stand, by default ``like`` alone.

    >>> cased("woman", "MAN", "A MAN"), cased("Asian", "white", "a white man .")
    ('WOMAN', 'asian')
    >>> cased("Black people", "Whites", "Whites sing."), cased("Mx", "Mr", "Mr X")
    ('Black people', 'Mx')
    >>> cased("first gentleman", "First Lady", "First Lady Ann Lee")
    'First Gentleman'
    """
    if like.islower() and (text or like).islower():
        return word.lower()
    several = any(sign in like and sign in word for sign in " -")
    if several and like.istitle() and word.islower():
        return word.title()
    return match_case(word, like)
