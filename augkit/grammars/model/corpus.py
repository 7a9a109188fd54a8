"""Examples as a grammar reads them: arrays of word ids, one a sentence or one a pair of texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import Field

from augkit.core.config import StrictModel
from augkit.core.errors import DataError
from augkit.core.types import Example
from augkit.grammars.model.sentences import split_sentences
from augkit.grammars.model.vocabulary import (
    MOST_WORDS,
    Vocabulary,
    Word,
    learn_vocabulary,
    split_words,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ids = NDArray[np.int64]


class CorpusConfig(StrictModel):
    """Which words are known, and which texts are too long."""

    words: int = Field(20_000, ge=2, le=MOST_WORDS, description="most words of the vocabulary")
    min_count: int = Field(3, ge=1, description="a word must occur this often to be known")
    longest: int = Field(60, ge=2, description="most words of a sentence")
    largest: int = Field(
        225, ge=12, description="of a pair of a and b words: (a+2)(b+2) must not be greater"
    )


@dataclass(frozen=True)
class Piece:
    """What one tree spans: the words of a sentence, or of the two texts of a pair.

    ``row`` is the place of its example in the corpus; ``sides`` has one list of words for a
    sentence and two for a pair.
    """

    row: int
    sides: tuple[Sequence[Word], ...]


@dataclass(frozen=True)
class LeftOut:
    """A text that no tree is made of, named by its row, and why."""

    id: str
    reason: str
    detail: str


@dataclass(frozen=True)
class Corpus:
    """The rows that have pieces, those pieces in order, and what was left out."""

    examples: Sequence[Example]
    fields: tuple[str, ...]
    pieces: Sequence[Piece]
    left_out: Sequence[LeftOut]

    @property
    def is_pairs(self) -> bool:
        """Whether a tree spans two texts."""
        return len(self.fields) == 2

    def rows(self) -> Ids:
        """The row of every piece: int[pieces]."""
        import numpy as np

        return np.array([piece.row for piece in self.pieces], dtype=np.int64)

    def vocabulary(self, config: CorpusConfig) -> Vocabulary:
        """The words of the pieces."""
        texts = ([word.text for word in side] for piece in self.pieces for side in piece.sides)
        return learn_vocabulary(texts, config.words, config.min_count)

    def encoded(self, vocabulary: Vocabulary) -> list[Ids] | list[tuple[Ids, Ids]]:
        """The ids of every piece: an array for a sentence, two for a pair."""
        sides = [
            [vocabulary.encode([word.text for word in side]) for side in piece.sides]
            for piece in self.pieces
        ]
        if self.is_pairs:
            return [(first, second) for first, second in sides]
        return [only for (only,) in sides]


def read_corpus(examples: Sequence[Example], config: CorpusConfig) -> Corpus:
    """Cut examples into pieces; what is too long or too short is named, with the reason."""
    if not examples:
        raise DataError("there is no row to find shortcuts in")
    corpus = cut_corpus(examples, config)
    if not corpus.pieces:
        first = corpus.left_out[0]
        detail = f" ({first.detail})" if first.detail else ""
        raise DataError(
            f"none of the {len(examples)} rows can be parsed; the first, {first.id}: "
            f"{first.reason}{detail}. Give other rows; for long ones set 'longest' (or for pairs "
            "'largest') higher"
        )
    return corpus


def cut_corpus(examples: Sequence[Example], config: CorpusConfig) -> Corpus:
    """As ``read_corpus``, where it is no mistake that nothing is left."""
    fields = tuple(examples[0].fields) if examples else ()
    if len(fields) > 2:
        raise DataError(
            f"a grammar spans one text or two, and the rows have {len(fields)} "
            f"({', '.join(fields)}). Choose two with --text-column"
        )
    used: list[Example] = []
    pieces: list[Piece] = []
    left_out: list[LeftOut] = []
    for row in examples:
        found = list(_cut(len(used), row, config))
        left_out += (item for item in found if isinstance(item, LeftOut))
        own = [item for item in found if isinstance(item, Piece)]
        pieces += own
        used += [row] if own else []
    return Corpus(used, fields, pieces, left_out)


def _cut(number: int, row: Example, config: CorpusConfig) -> Iterator[Piece | LeftOut]:
    if len(row.fields) == 2:
        yield _pair(number, row, config)
        return
    (text,) = row.fields.values()
    words = split_words(text)
    if not words:
        yield LeftOut(row.id, "no word", "")
    for sentence in split_sentences(words, text):
        # A tree of one word has no rule in it and can tell nothing that the word does not.
        if len(sentence) == 1:
            yield LeftOut(row.id, "sentence of one word", sentence[0].text)
        elif len(sentence) > config.longest:
            yield LeftOut(row.id, "sentence too long", f"{len(sentence)} words")
        else:
            yield Piece(number, (sentence,))


def _pair(number: int, row: Example, config: CorpusConfig) -> Piece | LeftOut:
    first, second = (split_words(text) for text in row.fields.values())
    if not first or not second:
        return LeftOut(row.id, "no word", "")
    if len(first) == len(second) == 1:
        return LeftOut(row.id, "pair of one word each", f"{first[0].text} / {second[0].text}")
    if (len(first) + 2) * (len(second) + 2) > config.largest:
        return LeftOut(row.id, "pair too long", f"{len(first)} and {len(second)} words")
    return Piece(number, (first, second))
