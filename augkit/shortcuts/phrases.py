"""The words around a cue: where its phrase stands, how far it reaches, how the texts read on.

    T = mean of ln P(right | left) over the words on both sides of its places
        - the mean of the same over all neighbours of the field,

with P(r | l) = (n(l, r) + 5·P(r)) / (n(l) + 5), where the neighbours themselves do not count. The
ends of a text are words, too. T is 0 where the texts read on as if the phrase had not been there;
words that are said are at -1.5 to -7.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from augkit.core.arrays import Flags, Floats, Ints
from augkit.text.features.numbering import NumberedTexts, number_texts
from augkit.text.tokens import words_and_signs

_SHARED = 0.8
"""A phrase grows by a neighbour that this share of its texts has."""
_LONGEST = 12
_PRIOR = 5.0
_CLOSING = ".!?\u2026"
_START = "<start>"
_END = "<end>"
"""No tokens, as these hold no spaces, and signs stand alone."""


@dataclass(frozen=True)
class GrownPhrase:
    """Words and signs in a row, and their first place in each text of a cue."""

    tokens: tuple[str, ...]
    places: Ints
    """int[texts], into ``TokenTexts.ids``"""


@dataclass(frozen=True)
class TokenTexts:
    """The words and signs of texts, in lower case, with a start and an end around each text."""

    numbered: NumberedTexts[str]

    @classmethod
    def read(cls, texts: Sequence[str]) -> TokenTexts:
        """Split the texts."""
        numbers = {_START: 0, _END: 1}
        return cls(number_texts(texts, _bounded_tokens, numbers))

    @property
    def ids(self) -> Ints:
        """The number of each token: int[tokens]."""
        return self.numbered.ids

    @property
    def documents(self) -> Ints:
        """int[tokens], the text of each."""
        return self.numbered.documents

    def grow(self, words: Sequence[str], texts: Flags) -> GrownPhrase:
        """Add the neighbours to a phrase that nearly all its texts share; bool[texts]: which."""
        phrase = self._placed(tuple(words), texts)
        if not len(phrase.places):
            # Signs stand between its words in most texts: its rarest word, grown, has them.
            phrase = self._placed((min(words, key=self._count),), texts)
        while len(phrase.places) and len(phrase.tokens) < _LONGEST:
            longer = self._longer(phrase.tokens, phrase.places)
            if longer is None or longer[1] < _SHARED * int(texts.sum()):
                break
            phrase = self._placed(longer[0], texts)
        return phrase

    def places(self, tokens: Sequence[str], texts: Flags) -> Ints:
        """Find the first place of a phrase in each of some texts."""
        import numpy as np

        ids = [self.numbered.numbers.get(token, -1) for token in tokens]
        if not ids or -1 in ids:
            return np.empty(0, dtype=np.int64)
        rarest = min(range(len(ids)), key=lambda place: self._counts[ids[place]])
        start = self._starts[ids[rarest]]
        end = self._starts[ids[rarest] + 1]
        found = self._order[start:end] - rarest
        found = found[(found > 0) & (found + len(ids) < len(self.ids))]
        for place, number in enumerate(ids):
            found = found[self.ids[found + place] == number]
        found = np.sort(found[texts[self.documents[found]]])
        _, first = np.unique(self.documents[found], return_index=True)
        return found[first]

    def reads_on(self, phrase: GrownPhrase) -> float | None:
        """Compute T of a phrase; None where it has no place."""
        if not len(phrase.places):
            return None
        left = self.ids[phrase.places - 1]
        right = self.ids[phrase.places + len(phrase.tokens)]
        return float(self._log_p(left, right, 0).mean()) - self._usual

    def at_an_end(self, tokens: Sequence[str]) -> float:
        """Compute the share of all texts with a phrase that begin, or end, with it: the larger."""
        import numpy as np

        places = self.places(tokens, np.ones(len(self.numbered), dtype=bool))
        if not len(places):
            return 0.0
        begins = (self.ids[places - 1] == 0).mean()
        ends = (self.ids[places + len(tokens)] == 1).mean()
        return float(max(begins, ends))

    def _placed(self, tokens: tuple[str, ...], texts: Flags) -> GrownPhrase:
        return GrownPhrase(tokens, self.places(tokens, texts))

    def _count(self, token: str) -> int:
        number = self.numbered.numbers.get(token)
        return len(self.ids) if number is None else int(self._counts[number])

    def _longer(self, tokens: tuple[str, ...], places: Ints) -> tuple[tuple[str, ...], int] | None:
        """The phrase with its commonest neighbour, and how many of its texts have that."""
        import numpy as np

        best: tuple[tuple[str, ...], int] | None = None
        for offset in (len(tokens), -1):
            neighbours = self.ids[places + offset]
            neighbours = neighbours[neighbours > 1]
            if offset < 0:
                # A closing sign belongs to the sentence before: without it that has no end.
                neighbours = neighbours[~np.isin(neighbours, self._closing)]
            if not len(neighbours):
                continue
            counts = np.bincount(neighbours)
            number = int(counts.argmax())
            if best is None or counts[number] > best[1]:
                word = self.numbered.names[number]
                longer = (word, *tokens) if offset < 0 else (*tokens, word)
                best = longer, int(counts[number])
        return best

    @cached_property
    def _counts(self) -> Ints:
        import numpy as np

        return np.bincount(self.ids, minlength=len(self.numbered.numbers))

    @cached_property
    def _closing(self) -> list[int]:
        """The numbers of the signs that end a sentence."""
        numbers = self.numbered.numbers
        return [numbers[sign] for sign in _CLOSING if sign in numbers]

    @cached_property
    def _order(self) -> Ints:
        """The places of each token, token by token."""
        import numpy as np

        return np.argsort(self.ids, kind="stable")

    @cached_property
    def _starts(self) -> Ints:
        import numpy as np

        return np.concatenate([[0], np.cumsum(self._counts)])

    @cached_property
    def _neighbours(self) -> tuple[Ints, Ints]:
        """The left and the right one of all neighbours in a text."""
        inside = self.documents[:-1] == self.documents[1:]
        return self.ids[:-1][inside], self.ids[1:][inside]

    @cached_property
    def _pairs(self) -> tuple[Ints, Ints]:
        """The different pairs of neighbours, as numbers in order, and how often each occurs."""
        import numpy as np

        left, right = self._neighbours
        pairs, counts = np.unique(self._joined(left, right), return_counts=True)
        return pairs, counts

    @cached_property
    def _usual(self) -> float:
        """The mean over all neighbours, each left out of what it is compared with."""
        left, right = self._neighbours
        return float(self._log_p(left, right, 1).mean())

    def _joined(self, left: Ints, right: Ints) -> Ints:
        import numpy as np

        joined: Ints = left.astype(np.int64) * len(self.numbered.numbers) + right
        return joined

    def _log_p(self, left: Ints, right: Ints, out: int) -> Floats:
        """Compute ln P(right | left), with ``out`` occurrences of the pair left out."""
        import numpy as np

        pairs, counts = self._pairs
        joined = self._joined(left, right)
        places = np.minimum(np.searchsorted(pairs, joined), len(pairs) - 1)
        together = np.where(pairs[places] == joined, counts[places], 0)
        usual = _PRIOR * self._counts[right] / len(self.ids)
        ahead = self._counts[left] - out + _PRIOR
        logarithms: Floats = np.log((together - out + usual) / ahead)
        return logarithms


def _bounded_tokens(text: str) -> list[str]:
    return [_START, *words_and_signs(text.lower()), _END]
