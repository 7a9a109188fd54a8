"""Examples as a grammar reads them: arrays of word ids, one a sentence or one a pair of texts.

The vocabulary has the frequent words in lower case, and ``[UNK]`` for all others.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from pydantic import Field

from augkit.core.arrays import Ints
from augkit.core.config import StrictModel
from augkit.core.errors import DataError
from augkit.core.types import Example

UNKNOWN = "[UNK]"
"""The word with the id 0, for every word that is not listed."""
MAX_VOCABULARY = 2**20 - 2
"""Ids must fit into 20 bits beside the sign for "no word": features pack them into one number."""

# Letters and digits form words, every other character is one: "4/10" is three words, so that a
# rating is a pattern and not a rare word.
_WORD = re.compile(r"\w+|[^\w\s]")
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)


class TextWord(NamedTuple):
    """A lower-cased word and its span in the text."""

    text: str
    start: int
    end: int


def split_words(text: str) -> list[TextWord]:
    """The words of a text; ``<br />`` is white space.

    >>> [word.text for word in split_words("Don't!<br />4/10")]
    ['don', "'", 't', '!', '4', '/', '10']
    """
    plain = _BREAK.sub(lambda match: " " * len(match.group()), text)
    return [TextWord(match.group().lower(), *match.span()) for match in _WORD.finditer(plain)]


@dataclass(frozen=True)
class WordVocabulary:
    """Words by their ids; ``words[0]`` is ``[UNK]``."""

    words: tuple[str, ...]

    @cached_property
    def _ids(self) -> Mapping[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    def __len__(self) -> int:
        """How many words there are, ``[UNK]`` included."""
        return len(self.words)

    def encode(self, words: Sequence[str]) -> Ints:
        """The ids of words: int[words].

        >>> WordVocabulary(("[UNK]", "good", "film")).encode(["good", "movie"]).tolist()
        [1, 0]
        """
        import numpy as np

        ids = self._ids
        return np.fromiter((ids.get(word, 0) for word in words), np.int64, len(words))

    def save(self, path: Path) -> None:
        """Write the words as a JSON list."""
        path.write_text(json.dumps(self.words, ensure_ascii=True) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> WordVocabulary:
        """Read what ``save`` wrote."""
        try:
            words = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise DataError(f"{path}: cannot be read as a vocabulary: {error}") from error
        if not isinstance(words, list) or words[:1] != [UNKNOWN]:
            raise DataError(f"{path}: damaged: a list of words that begins with '{UNKNOWN}'")
        return cls(tuple(map(str, words)))


def count_vocabulary(
    texts: Iterable[Sequence[str]], size: int = 20_000, min_count: int = 3
) -> WordVocabulary:
    """The ``size`` most frequent words (``[UNK]`` included) that occur ``min_count`` times.

    Ties are in alphabetical order, so that the order of the rows does not matter.

    >>> count_vocabulary([["a", "b", "a"], ["a", "b", "c"]], size=3, min_count=2).words
    ('[UNK]', 'a', 'b')
    """
    counts = Counter(word for words in texts for word in words)
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    frequent = [word for word in ranked if counts[word] >= min_count and word != UNKNOWN]
    if not frequent:
        raise DataError(
            f"the vocabulary is empty: none of the {len(counts)} different words occurs "
            f"{min_count} times. Give more rows, or set min_count to 1"
        )
    return WordVocabulary((UNKNOWN, *frequent[: min(size, MAX_VOCABULARY) - 1]))


_ENDS = frozenset(".!?…。")
_FOLLOWS = frozenset(".!?…。\"'”\u2019)]")
"""Punctuation that still belongs to the sentence after its end."""
_ABBREVIATIONS = frozenset("mr mrs ms dr prof st jr sr vs etc".split())


class CorpusConfig(StrictModel):
    """The vocabulary, and which texts are too long."""

    words: int = Field(
        20_000, ge=2, le=MAX_VOCABULARY, description="maximum size of the vocabulary"
    )
    min_count: int = Field(
        3, ge=1, description="a word must occur this often to be in the vocabulary"
    )
    longest: int = Field(60, ge=2, description="maximum words of a sentence")
    largest: int = Field(
        225, ge=12, description="of a pair of a and b words: (a+2)(b+2) must not be greater"
    )


@dataclass(frozen=True)
class TextUnit:
    """What one tree spans: the words of a sentence, or of the two texts of a pair.

    ``row`` is the index of its example in the corpus; ``sides`` has one list of words for a
    sentence and two for a pair.
    """

    row: int
    sides: tuple[Sequence[TextWord], ...]


@dataclass(frozen=True)
class LeftOut:
    """A text that is not parsed, named by its row, and why."""

    id: str
    reason: str
    detail: str


@dataclass(frozen=True)
class GrammarCorpus:
    """The rows that can be parsed, their sentences or pairs in order, and what was left out."""

    examples: Sequence[Example]
    fields: tuple[str, ...]
    units: Sequence[TextUnit]
    left_out: Sequence[LeftOut]

    @property
    def is_pairs(self) -> bool:
        """Whether a tree spans two texts."""
        return len(self.fields) == 2

    def rows(self) -> Ints:
        """The row of every unit: int[units]."""
        import numpy as np

        return np.array([unit.row for unit in self.units], dtype=np.int64)

    def vocabulary(self, config: CorpusConfig) -> WordVocabulary:
        """The words of the units."""
        texts = ([word.text for word in side] for unit in self.units for side in unit.sides)
        return count_vocabulary(texts, config.words, config.min_count)

    def encoded(self, vocabulary: WordVocabulary) -> list[Ints] | list[tuple[Ints, Ints]]:
        """The ids of every unit: an array for a sentence, two for a pair."""
        sides = [
            [vocabulary.encode([word.text for word in side]) for side in unit.sides]
            for unit in self.units
        ]
        if self.is_pairs:
            return [(first, second) for first, second in sides]
        return [only for (only,) in sides]


def read_corpus(examples: Sequence[Example], config: CorpusConfig) -> GrammarCorpus:
    """Split examples into sentences or pairs; what is too long or too short is left out."""
    if not examples:
        raise DataError("there are no rows to find shortcuts in")
    corpus = split_corpus(examples, config)
    if not corpus.units:
        first = corpus.left_out[0]
        detail = f" ({first.detail})" if first.detail else ""
        raise DataError(
            f"none of the {len(examples)} rows can be parsed; the first, {first.id}: "
            f"{first.reason}{detail}. Give other rows; for long ones set 'longest' (or for pairs "
            "'largest') higher"
        )
    return corpus


def split_corpus(examples: Sequence[Example], config: CorpusConfig) -> GrammarCorpus:
    """As ``read_corpus``, but the result may be empty."""
    fields = tuple(examples[0].fields) if examples else ()
    if len(fields) > 2:
        raise DataError(
            f"a grammar spans one text or two, and the rows have {len(fields)} "
            f"({', '.join(fields)}). Choose two with --text-column"
        )
    used: list[Example] = []
    units: list[TextUnit] = []
    left_out: list[LeftOut] = []
    for row in examples:
        parts = list(_units_of(len(used), row, config))
        left_out += (part for part in parts if isinstance(part, LeftOut))
        row_units = [part for part in parts if isinstance(part, TextUnit)]
        units += row_units
        used += [row] if row_units else []
    return GrammarCorpus(used, fields, units, left_out)


def _units_of(number: int, row: Example, config: CorpusConfig) -> Iterator[TextUnit | LeftOut]:
    if len(row.fields) == 2:
        yield _pair(number, row, config)
        return
    (text,) = row.fields.values()
    words = split_words(text)
    if not words:
        yield LeftOut(row.id, "no word", "")
    for sentence in split_sentences(words, text):
        # A tree of one word has no rule and says nothing beyond the word.
        if len(sentence) == 1:
            yield LeftOut(row.id, "sentence of one word", sentence[0].text)
        elif len(sentence) > config.longest:
            yield LeftOut(row.id, "sentence too long", f"{len(sentence)} words")
        else:
            yield TextUnit(number, (sentence,))


def _pair(number: int, row: Example, config: CorpusConfig) -> TextUnit | LeftOut:
    first, second = (split_words(text) for text in row.fields.values())
    if not first or not second:
        return LeftOut(row.id, "no word", "")
    if len(first) == len(second) == 1:
        return LeftOut(row.id, "pair of one word each", f"{first[0].text} / {second[0].text}")
    if (len(first) + 2) * (len(second) + 2) > config.largest:
        return LeftOut(row.id, "pair too long", f"{len(first)} and {len(second)} words")
    return TextUnit(number, (first, second))


def split_sentences(words: Sequence[TextWord], text: str) -> list[list[TextWord]]:
    """The words of each sentence, in order; none is lost.

    A line break ends a sentence too, whether written as such or as ``<br />``.

    >>> text = "Mr. Fox ran... It cost 2.50!<br />Good"
    >>> [len(sentence) for sentence in split_sentences(split_words(text), text)]
    [7, 6, 1]
    """
    sentences: list[list[TextWord]] = []
    sentence: list[TextWord] = []
    for index, word in enumerate(words):
        sentence.append(word)
        following = words[index + 1] if index + 1 < len(words) else None
        if following is None or _ends_after(sentence, following, text):
            sentences.append(sentence)
            sentence = []
    return sentences


def _ends_after(sentence: Sequence[TextWord], following: TextWord, text: str) -> bool:
    last = sentence[-1]
    gap = text[last.end : following.start]
    if "\n" in gap or "<" in gap:
        return True
    if not gap or following.text in _FOLLOWS:  # "2.50", "www.b.org", "..."
        return False
    return _is_end(sentence)


def _is_end(sentence: Sequence[TextWord]) -> bool:
    """Whether the last word is final punctuation, perhaps before closing quotes or brackets."""
    index = len(sentence) - 1
    while index > 0 and sentence[index].text in _FOLLOWS - _ENDS:
        index -= 1
    if sentence[index].text not in _ENDS:
        return False
    before = sentence[index - 1] if index else None
    if sentence[index].text != "." or before is None or before.end != sentence[index].start:
        return True
    is_initial = len(before.text) == 1 and before.text.isalpha() and before.text != "i"
    return not is_initial and before.text not in _ABBREVIATIONS
