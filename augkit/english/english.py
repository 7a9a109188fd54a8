"""Whether a text is English, by letter trigrams; cheap enough for every row of a stream.

Of a text in Latin script without common English words, the sum over its trigrams of

    log p(trigram | L) - log p(trigram | English)

is compared with a limit, for the language L with the greatest sum. Short texts cannot reach the
limit unless they are clearly not English.
"""

from __future__ import annotations

import re
from functools import lru_cache

from augkit.english.morphology import parts_of_speech
from augkit.lexicons.load import trigram_languages, trigram_weights

_FREQUENT = tuple(f" {word} " for word in "it that with this its what who you from".split())
_ENGLISH = frozenset(
    "the and that with this it you its than about from his who into much does what some their "
    "your which very been enough through only there something many they would every really could "
    "both when being ever should nothing such down those because few them while another might "
    "itself quite almost our away where why were him anything though she again around always whose "
    "did everyone anyone these between after rather before".split()
)
"""Function words that no other language written in Latin script has."""
_CONTRACTED = re.compile(r"n['\u2019]t\b|\w ?['\u2019](?:ll|re|ve)\b")
_CHARS_PER_WORD = 400
"""A longer text must have more than one of "the" and "and": a German one may quote English.
"""
_FEW_WORDS = 5
_LIMIT = 6.0
_LIMIT_OF_FEW = 14.0
"""Of the sum, for texts with at least so many words, and with fewer."""
_MOST_WORDS = 60
_REMEMBERED = 8192
"""Tokens whose sums are kept: most tokens of a stream were there before."""
_STEPS = 4
"""Weights of the table are in quarters."""
_WORD = re.compile(r"[^\W\d_]+")
_LONG_WORD = 4
_KNOWN_SHARE = 0.9
OTHER_SCRIPT = "another script"


def not_english(text: str) -> str:
    """The code of the language that a text is in, or "another script"; "" where it is English.

    Fragments, names and numbers are English unless they are clearly something else.

    >>> not_english("A warm and funny film."), not_english("Der Film war leider sehr langweilig.")
    ('', 'de')
    >>> not_english("film-star film/star film.star")
    ''
    >>> not_english("Это очень хороший фильм."), not_english("zone 51"), not_english("")
    ('another script', '', '')
    """
    size = len(text)
    if size < _CHARS_PER_WORD:  # the usual case, as fast as can be
        if " the " in text or " and " in text:
            return ""
        for word in _FREQUENT:
            if word in text:
                return ""
    elif (text.count(" the ") + text.count(" and ")) * _CHARS_PER_WORD > size:
        return ""
    if not text.isascii():
        letters = [ord(letter) for letter in text if letter.isalpha()]
        latin = sum(code < 0x250 or 0x1E00 <= code < 0x1F00 for code in letters)
        if 2 * latin < len(letters):
            return OTHER_SCRIPT
    tokens = text.lower().split()
    if size < _CHARS_PER_WORD and (not _ENGLISH.isdisjoint(tokens) or _CONTRACTED.search(text)):
        return ""
    language = _other_language([token for token in tokens[:_MOST_WORDS] if not token.isdigit()])
    return "" if language and _are_known(text.split()[:_MOST_WORDS]) else language


def _other_language(tokens: list[str]) -> str:
    sums = list(map(sum, zip(*map(_sums, tokens), strict=True)))
    few = len(_WORD.findall(" ".join(tokens))) < _FEW_WORDS
    greatest = max(sums, default=0)
    if greatest <= _STEPS * (_LIMIT_OF_FEW if few else _LIMIT):
        return ""
    return trigram_languages()[sums.index(greatest)]


def _are_known(tokens: list[str]) -> bool:
    """Whether nearly all words of some length are in the dictionary; names say nothing."""
    words = {word for token in tokens for word in _WORD.findall(token)}
    longer = [word for word in words if len(word) >= _LONG_WORD]
    longer = [word for word in longer if not word.istitle()] or longer
    listed = sum(bool(parts_of_speech(word.lower())) for word in longer)
    return bool(longer) and listed >= _KNOWN_SHARE * len(longer)


@lru_cache(maxsize=_REMEMBERED)
def _sums(token: str) -> tuple[int, ...]:
    """The sum over the trigrams of a token, for each language."""
    table = trigram_weights()
    words = [f" {word} " for word in _WORD.findall(token)]
    grams = [word[at : at + 3] for word in words for at in range(len(word) - 2)]
    rows = [[0] * len(trigram_languages()), *(table[gram] for gram in grams if gram in table)]
    return tuple(map(sum, zip(*rows, strict=True)))
