"""The words of a corpus by kind and frequency, from which random edits sample."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from augkit.core.json_files import JsonArtifact
from augkit.core.types import Example
from augkit.lexicons.load import closed_classes
from augkit.text.tokens import plain_word_spans

_ENDINGS = ("ly", "ing", "ed", "s")
"""Endings that roughly show the form of open-class words."""
_SENTENCE_ENDS = frozenset('.!?:"\u201c(')


@dataclass(frozen=True)
class CorpusWords(JsonArtifact):
    """Word counts of a corpus.

    Words are lower-cased. ``names`` are those that always have a capital inside a sentence;
    ``reserved`` ones are counted, but neither replaced nor inserted.
    """

    file = "vocabulary.json"
    counts: Mapping[str, int]
    names: frozenset[str] = frozenset()
    reserved: frozenset[str] = frozenset()

    def kind(self, word: str) -> str:
        """The kind of word that may replace it: its closed class, a name, or its form.

        >>> [CorpusWords({}).kind(word) for word in ("With", "slowly", "film")]
        ['preposition', 'latin -ly', 'latin']
        """
        folded = word.lower()
        if folded in self.names:
            return f"{_script(folded)} name"
        return closed_classes().get(folded) or _form(folded)

    def is_open(self, word: str) -> bool:
        """Whether a word is of no closed class and no name."""
        folded = word.lower()
        return folded not in self.names and folded not in closed_classes()

    def band(self, word: str) -> int:
        """How frequent a word is: ⌊log₂ count⌋; an unseen word is as frequent as one seen once."""
        return max(1, self.counts.get(word.lower(), 1)).bit_length() - 1

    def neighbours(self, word: str) -> Sequence[str]:
        """Words of the kind in the band of ``word``, or in the nearest band that has another one.

        Empty where the corpus has no other word of the kind. The word itself may be among them.
        """
        bands = self._bands.get(self.kind(word), {})
        own = self.band(word)
        others = (band for band, words in bands.items() if set(words[:2]) - {word.lower()})
        nearest = min(others, key=lambda band: (abs(band - own), band), default=None)
        return () if nearest is None else bands[nearest]

    def without(self, words: Iterable[str]) -> CorpusWords:
        """The same vocabulary with these words reserved."""
        folded = frozenset(word.lower() for word in words)
        return replace(self, reserved=self.reserved | folded)

    @cached_property
    def _bands(self) -> dict[str, dict[int, list[str]]]:
        found: dict[str, dict[int, list[str]]] = {}
        for word in sorted(self.counts):
            if word not in self.reserved:
                bands = found.setdefault(self.kind(word), {})
                bands.setdefault(self.band(word), []).append(word)
        return found


def fit_corpus_words(examples: Iterable[Example]) -> CorpusWords:
    """Count the plain words of all texts, and find the names.

    >>> from augkit.core.types import example
    >>> fit_corpus_words([example("We saw Anna. Anna saw the film.")]).names
    frozenset({'anna'})
    """
    counts: Counter[str] = Counter()
    capital: Counter[str] = Counter()
    inside: Counter[str] = Counter()
    for row in examples:
        for text in row.fields.values():
            for start, end in plain_word_spans(text):
                word = text[start:end]
                folded = word.lower()
                counts[folded] += 1
                if not _starts_sentence(text, start):
                    inside[folded] += 1
                    capital[folded] += word[0].isupper() and not word[1:].isupper()
    # "I" and other one-letter words have a capital for other reasons.
    names = {word for word in capital if len(word) > 1 and capital[word] == inside[word]}
    return CorpusWords(dict(counts), frozenset(names))


def _starts_sentence(text: str, start: int) -> bool:
    before = text[max(0, start - 3) : start].rstrip()
    return not before or before[-1] in _SENTENCE_ENDS


@lru_cache(maxsize=1 << 16)
def _form(word: str) -> str:
    ending = next((f" -{end}" for end in _ENDINGS if word.endswith(end) and len(word) > 4), "")
    return f"{_script(word)}{ending}"


def _script(word: str) -> str:
    """The alphabet of a word, so that none is replaced by a word of another one."""
    return unicodedata.name(word[0], "unnamed").partition(" ")[0].lower()
