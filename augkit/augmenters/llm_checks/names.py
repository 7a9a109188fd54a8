"""The names of a text that a rewording must keep: words that no dictionary has, if they are names.

A capital within a sentence makes a name. At the start of a sentence every word has one, and in a
text without capitals none has: there the lists of names decide, or a word that is no slip of the
pen for another one.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from functools import lru_cache

from augkit.augmenters.llm_checks.form import is_english
from augkit.lexicons.demographics.first_names import first_names
from augkit.lexicons.demographics.surnames import surnames
from augkit.lexicons.load import word_set

_LETTERS = 4
"""Shorter words are abbreviations, or anything."""
_WORD = re.compile(r"[^\W\d_]+")
_OPENING = re.compile(r"(?:^|[.!?:;…\n*\"“”(\[])\W*$")
_NEXT_CAPITAL = re.compile(r"[ -][^\W\d_a-z]")
_REPEATED = re.compile(r"(.)\1{2,}")


def names_in(text: str) -> Iterator[str]:
    """The names of an English text, in lower case.

    >>> list(names_in("Definately the best thing Spielberg made. Loooved it, realy."))
    ['spielberg']
    >>> list(names_in("definately the best thing spielberg made"))
    ['spielberg']
    """
    cased = not (text.islower() or text.isupper())
    for match in _WORD.finditer(text):
        word = match[0].casefold()
        if len(word) < _LETTERS or is_english(word) or (cased and match[0].islower()):
            continue
        if not cased:
            is_name = _is_listed(word) or not _is_misspelt(word)
        elif _OPENING.search(text[: match.start()][-20:]):
            is_name = _is_listed(word) or _NEXT_CAPITAL.match(text, match.end()) is not None
        else:
            is_name = True
        if is_name:
            yield word


def _is_listed(word: str) -> bool:
    return word in first_names() or word in surnames() or word in word_set("places")


@lru_cache(maxsize=10_000)
def _is_misspelt(word: str) -> bool:
    """Whether a word of the dictionary is one letter away, or has fewer of a repeated one."""
    shorter = {_REPEATED.sub(r"\1", word), _REPEATED.sub(r"\1\1", word)} - {word}
    return any(map(is_english, shorter)) or any(map(is_english, _one_letter_away(word)))


def _one_letter_away(word: str) -> Iterator[str]:
    for index in range(len(word) + 1):
        head, tail = word[:index], word[index:]
        yield from (head + letter + tail for letter in string.ascii_lowercase)
        if tail:
            yield head + tail[1:]
            yield from (head + letter + tail[1:] for letter in string.ascii_lowercase)
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]
