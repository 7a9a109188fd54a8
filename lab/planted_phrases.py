"""Sentences from a grammar of our own in which two phrases give the label away, and words do not.

A finder of structures should find those phrases first; one of single words cannot find them, since
each word is as frequent under both labels. With shuffled labels there is nothing to find, and
whatever is still reported is a false positive. Tests and ``grammar_planted.py`` use it.

    S  → NP VP | TAIL S       VP → V NP | VP TAIL       TAIL → P T
    NP → D N | D AN           AN → A N

The label "first" has the tails "at night" and "in town" more often, the label "second" has "at
town" and "in night". A tail stands at either end of a sentence, and some texts are no sentence but
a phrase alone (NP, VP or TAIL, as answers and headlines are). That is what makes phrases known as
phrases: where P T only ever follows a noun, "[a dog at] night" explains the words just as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from augkit.grammars.model.corpus import UNKNOWN, WordVocabulary
from augkit.grammars.trees import ABSENT, Trees

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

LABELS = ("first", "second")
SYMBOLS = ("S", "NP", "AN", "VP", "TAIL", "D", "A", "N", "V", "P", "T")
"""The numbers of the symbols: inner ones first."""
PLANTED = {"first": ("at night", "in town"), "second": ("at town", "in night")}
"""No word predicts the label, only which two occur together."""
FIXED = {"first": ("at night", "by train"), "second": ("in town", "on foot")}
"""The words of a phrase occur nowhere else, so that they predict the label too."""

_WORDS = {
    "D": "the a one this",
    "A": "old red small loud kind",
    "N": "cat dog child nurse driver car house tree king ship",
    "V": "saw met found chased painted heard left",
}


@dataclass(frozen=True)
class Planting:
    """How a corpus is drawn.

    ``tailed`` of the sentences have a tail, ``strength`` of the tails are of their label;
    ``fragments`` of the texts are a phrase alone, a third of them a tail.
    """

    strength: float = 0.8
    tailed: float = 0.6
    fragments: float = 0.3
    phrases: Mapping[str, Sequence[str]] = field(default_factory=lambda: PLANTED)


@dataclass(frozen=True)
class PlantedCorpus:
    """Sentences as words and as the trees they were drawn with; ``labels`` int[sentences]."""

    sentences: tuple[str, ...]
    labels: Ints
    trees: Trees
    vocabulary: WordVocabulary


def plant(sentences: int, planting: Planting | None = None, seed: int = 0) -> PlantedCorpus:
    """Draw a corpus of this many texts.

    >>> corpus = plant(3, Planting(fragments=0))
    >>> corpus.sentences[0], LABELS[corpus.labels[0]]
    ('at night one kind ship heard one small child', 'second')
    """
    import numpy as np

    rng = np.random.default_rng(seed)
    sampler = _Sampler(rng, planting or Planting())
    labels = rng.integers(0, 2, size=sentences)
    for label in labels.tolist():
        sampler.text(LABELS[label])
    columns = {name: np.array(values, np.int32) for name, values in sampler.columns.items()}
    return PlantedCorpus(
        tuple(sampler.sentences), labels, Trees(**columns), WordVocabulary(tuple(sampler.words))
    )


class _Sampler:
    """Draws trees one after another and writes their nodes down in post-order."""

    def __init__(self, rng: np.random.Generator, planting: Planting) -> None:
        self.rng = rng
        self.planting = planting
        self.columns: dict[str, list[int]] = {
            name: [] for name in ("label", "left", "right", "leaf_a", "leaf_b", "doc")
        }
        tails = " ".join(" ".join(some) for some in planting.phrases.values())
        self.words = [UNKNOWN, *sorted({*" ".join(_WORDS.values()).split(), *tails.split()})]
        self.sentences: list[str] = []
        self.text_words: list[str] = []

    def text(self, label: str) -> None:
        self.text_words = []
        # No draw where there are no fragments: the corpora of earlier figures stay as they were.
        share = self.planting.fragments
        if share and self.rng.random() < share:
            self.fragment(label)
        else:
            self.sentence(label)
        self.sentences.append(" ".join(self.text_words))

    def fragment(self, label: str) -> None:
        kind = int(self.rng.integers(3))
        if kind == 0:
            self.tail(label)
        elif kind == 1:
            self.noun_phrase()
        else:
            self.inner("VP", self.word("V"), self.noun_phrase())

    def sentence(self, label: str) -> None:
        has_tail = self.rng.random() < self.planting.tailed
        in_front = self.rng.random() < 0.5
        if has_tail and in_front:
            tail = self.tail(label)
            self.inner("S", tail, self.clause(label, has_tail=False))
        else:
            self.clause(label, has_tail=has_tail)

    def clause(self, label: str, *, has_tail: bool) -> int:
        subject = self.noun_phrase()
        phrase = self.inner("VP", self.word("V"), self.noun_phrase())
        if has_tail:
            phrase = self.inner("VP", phrase, self.tail(label))
        return self.inner("S", subject, phrase)

    def noun_phrase(self) -> int:
        determiner = self.word("D")
        if self.rng.random() < 0.6:
            return self.inner("NP", determiner, self.word("N"))
        return self.inner("NP", determiner, self.inner("AN", self.word("A"), self.word("N")))

    def tail(self, label: str) -> int:
        other = LABELS[1 - LABELS.index(label)]
        chosen = self.planting.phrases[
            label if self.rng.random() < self.planting.strength else other
        ]
        first, second = chosen[int(self.rng.integers(2))].split()
        return self.inner("TAIL", self.leaf("P", first), self.leaf("T", second))

    def word(self, symbol: str) -> int:
        return self.leaf(symbol, str(self.rng.choice(_WORDS[symbol].split())))

    def leaf(self, symbol: str, word: str) -> int:
        self.text_words.append(word)
        return self.node(symbol, ABSENT, ABSENT, self.words.index(word))

    def inner(self, symbol: str, left: int, right: int) -> int:
        return self.node(symbol, left, right, ABSENT)

    def node(self, symbol: str, left: int, right: int, word: int) -> int:
        row = (SYMBOLS.index(symbol), left, right, word, ABSENT, len(self.sentences))
        for values, value in zip(self.columns.values(), row, strict=True):
            values.append(value)
        return len(self.columns["label"]) - 1
