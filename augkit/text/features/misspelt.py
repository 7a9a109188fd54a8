"""Words that look misspelt: rare, and one slip of the fingers away from a frequent word.

The texts themselves are the word list, so that no language needs one. A slip is a letter too many,
a letter that is missing or another one, or two letters that changed places; neither the first
letter nor, but for a letter that is doubled or swapped, the end, which inflections change. Where a
letter is doubled or swapped, another word seldom comes out, so that less frequent words count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf

_Difference = tuple[int, int, str, str]
_LEAST_LETTERS = 4
_TIMES_AS_FREQUENT = 20
"""How much more frequent the word is that was meant."""
_TIMES_IF_PLAIN = 5
"""The same where a letter is doubled or swapped."""


def misspelt_words(counts: Mapping[str, int]) -> set[str]:
    """The words that look misspelt, among words with how often each occurs.

    >>> sorted(misspelt_words({"about": 60, "abuot": 2, "abouts": 1, "shout": 1, "above": 30}))
    ['abuot']
    """
    meant: dict[str, list[str]] = {}
    for word, count in counts.items():
        if count >= _TIMES_IF_PLAIN and len(word) >= _LEAST_LETTERS and word.isalpha():
            for shorter in _without_a_letter(word):
                meant.setdefault(shorter, []).append(word)
    most = max(counts.values(), default=0) / _TIMES_IF_PLAIN
    return {
        word
        for word, count in counts.items()
        if count <= most
        and len(word) >= _LEAST_LETTERS
        and word.isalpha()
        and any(
            counts[frequent] >= _TIMES_IF_PLAIN * count
            and counts[frequent] >= _times_as_frequent(word, frequent) * count
            for shorter in _without_a_letter(word)
            for frequent in meant.get(shorter, ())
        )
    }


def _times_as_frequent(word: str, meant: str) -> float:
    """How much more frequent the word that was meant must be."""
    difference = _difference(word, meant)
    if _is_plain(word, difference):
        return _TIMES_IF_PLAIN
    return _TIMES_AS_FREQUENT if _is_one_letter(difference) else inf


def is_slip(word: str, meant: str) -> bool:
    """Whether one slip makes a word of another one.

    >>> [is_slip(word, "about") for word in ("abuot", "abot", "aboout", "abiut", "abouts", "scout")]
    [True, True, True, True, False, False]
    """
    return _times_as_frequent(word, meant) < inf


def is_plain_slip(word: str, meant: str) -> bool:
    """Whether a letter is doubled, or two behind the first are swapped.

    >>> [is_plain_slip(word, "about") for word in ("abuot", "abotu", "aabout", "aboutt", "abiut")]
    [True, True, True, True, False]
    """
    return _is_plain(word, _difference(word, meant))


def _is_plain(word: str, difference: _Difference) -> bool:
    first, _, changed, before = difference
    beside = word[first - 1 : first] + word[first + 1 : first + 2]
    is_doubled = len(changed) == 1 and not before and changed in beside
    return first > 0 and (is_doubled or (len(changed) == 2 and changed == before[::-1]))


def _is_one_letter(difference: _Difference) -> bool:
    """Whether a letter within the word is too many, missing or another one."""
    first, last, changed, before = difference
    return first > 0 and last > 0 and {len(changed), len(before)} <= {0, 1} and changed != before


def _difference(word: str, meant: str) -> _Difference:
    """How many letters both begin and end with, and what each has between."""
    first = 0
    last = 0
    shorter = min(len(word), len(meant))
    while first < (shorter - 1 or shorter) and word[first] == meant[first]:
        first += 1
    while last < shorter - first and word[-1 - last] == meant[-1 - last]:
        last += 1
    return first, last, word[first : len(word) - last], meant[first : len(meant) - last]


def _without_a_letter(word: str) -> Iterator[str]:
    """The word, and every one without one of its letters: a slip shares one with what was meant."""
    yield word
    for place in range(1, len(word)):
        yield word[:place] + word[place + 1 :]
