"""The names of a text that a rewording must keep: words that no dictionary has, if they are names.

A capital within a sentence makes a name. At the start of a sentence every word has one, and in a
text without capitals none has: there the lists of names decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from augkit.augmenters.llm_checks.form import is_english
from augkit.lexicons.demographics.first_names import first_names
from augkit.lexicons.demographics.surnames import surnames
from augkit.lexicons.load import word_set

_LETTERS = 4
"""Shorter words are abbreviations, or anything."""
_WORD = re.compile(r"[^\W\d_]+")
_OPENING = re.compile(r"(?:^|[.!?:;…\n*\"“”(\[])\W*$")
_NEXT_CAPITAL = re.compile(r"[ -][^\W\d_a-z]")
_WORD_BEFORE = re.compile(r"([^\W\d_]+) $")


def names_in(text: str) -> Iterator[str]:
    """The names of an English text, in lower case.

    >>> list(names_in("Definately the best thing Spielberg made. Loooved it, realy."))
    ['spielberg']
    >>> list(names_in("definately the best thing quentin tarantino made, no biggie"))
    ['quentin', 'tarantino']
    """
    cased = not (text.islower() or text.isupper())
    for match in _WORD.finditer(text):
        word = match[0].casefold()
        if len(word) < _LETTERS or is_english(word) or (cased and match[0].islower()):
            continue
        before = text[: match.start()][-20:]
        if not cased:
            is_name = _is_listed(word) or _ends_with_first_name(before)
        elif _OPENING.search(before):
            is_name = _is_listed(word) or _NEXT_CAPITAL.match(text, match.end()) is not None
        else:
            is_name = True
        if is_name:
            yield word


def _is_listed(word: str) -> bool:
    return word in first_names() or word in surnames() or word in word_set("places")


def _ends_with_first_name(text: str) -> bool:
    """Whether the last word is a first name and nothing else, so that a surname may follow.

    >>> _ends_with_first_name("by quentin "), _ends_with_first_name("it will ")
    (True, False)
    """
    found = _WORD_BEFORE.search(text)
    word = found[1].casefold() if found else ""
    return word in first_names() and not is_english(word)
