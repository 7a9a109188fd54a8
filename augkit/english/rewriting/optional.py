"""Phrases that texts can do without, found in the texts: their neighbours often meet elsewhere.

A word that was inserted, or that modifies its neighbours, leaves a text in which the words beside
it are neighbours, as they are in other texts ("is just a", "is a"). A word that its clause needs
leaves words that seldom meet ("the film is", "the is"). So a phrase counts as optional if the words
around it meet in other texts about as often as any two neighbours do: they are neighbours there,
and more often than their frequencies make likely.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from augkit.text.tokens import words

Phrase = tuple[str, ...]
Meet = Callable[[str, str], bool]
"""Whether two words are neighbours in texts more often than by chance; "" is the start or end."""


@dataclass(frozen=True)
class CorpusUse:
    """How a corpus uses words: which meet, and what its texts can do without."""

    meet: Meet
    optional: frozenset[Phrase] = frozenset()


_LEAST_OFTEN = 30
"""Occurrences from which a share is estimated."""
_AS_OFTEN = 0.7
"""How often the words around a phrase must meet, as a share of how often any neighbours do."""
_NEAR = 40
"""Characters in which the words beside a phrase are looked for."""


def optional_phrases(
    left_out: Iterable[tuple[str, int, int]], meet: Meet, usual: float
) -> frozenset[Phrase]:
    """The optional ones among phrases ``text[start:end]``.

    ``usual`` is the share of all neighbours that meet in other texts.
    """
    seen: Counter[Phrase] = Counter()
    met: Counter[Phrase] = Counter()
    for text, start, end in left_out:
        phrase = as_phrase(text[start:end])
        seen[phrase] += 1
        met[phrase] += meet(*words_beside(text, start, end))
    often = (phrase for phrase, count in seen.items() if count >= _LEAST_OFTEN)
    return frozenset(phrase for phrase in often if met[phrase] >= _AS_OFTEN * usual * seen[phrase])


def as_phrase(text: str) -> Phrase:
    """The words of a text in lower case."""
    return tuple(words(text.lower()))


def words_beside(text: str, start: int, end: int) -> tuple[str, str]:
    """The words beside ``text[start:end]``, in lower case; "" where it begins or ends the text.

    >>> words_beside("It is just a film.", 6, 10), words_beside("It is just a film.", 13, 17)
    (('is', 'a'), ('a', ''))
    """
    before = as_phrase(text[max(start - _NEAR, 0) : start])
    after = as_phrase(text[end : end + _NEAR])
    return before[-1] if before else "", after[0] if after else ""
