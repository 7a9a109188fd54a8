"""Split any text into passages for the parser, each word with its offset in the text.

Passages end at blank lines and ``<br />`` tags, and in very long paragraphs after a full stop, so
that time is linear in the length of the text. White space and these tags never become words: the
parser was not trained on any.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from augkit.english.negation import with_apostrophes

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

MOST_WORDS = 1_000
"""A passage has no more words than this."""

BATCH_WORDS = 8_000
"""About so many words are parsed at once: enough to be quick, few enough for little memory."""

# Web reviews mark a new paragraph with tags instead of a blank line.
_BREAK = re.compile(r"\n\s*\n|(?:<br\s*/?>\s*)+", re.IGNORECASE)
# The tokenizer strips signs off a word one by one, in quadratic time: no stretch is longer.
_STRETCH = re.compile(r"\S{1,400}")
_SURROGATE = re.compile("[\ud800-\udfff]")
_STOPS = frozenset(".!?")


@dataclass(frozen=True, slots=True)
class Passage:
    """Words ready for the parser, and the offset of each in the text."""

    doc: Doc
    starts: tuple[int, ...]


def passages(nlp: Language, text: str) -> list[Passage]:
    """The passages of a text, in order; none for a text without words."""
    # spaCy cannot encode half a surrogate pair; one character for another keeps every offset.
    readable = with_apostrophes(_SURROGATE.sub("\ufffd", text))
    return [
        _passage(nlp, readable, part)
        for start, end in _paragraphs(readable)
        for part in _parts(list(_words(nlp, readable, start, end)), readable)
    ]


def batches(docs: Iterable[Doc]) -> Iterator[list[Doc]]:
    """Runs of documents of about ``BATCH_WORDS`` words."""
    batch: list[Doc] = []
    size = 0
    for doc in docs:
        batch.append(doc)
        size += len(doc)
        if size >= BATCH_WORDS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for gap in _BREAK.finditer(text):
        yield start, gap.start()
        start = gap.end()
    yield start, len(text)


def _words(nlp: Language, text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for stretch in _STRETCH.finditer(text, start, end):
        offset = stretch.start()
        for begin, stop in _cuts(nlp.tokenizer, stretch.group()):
            yield offset + begin, offset + stop


@lru_cache(maxsize=100_000)
def _cuts(tokenizer: Callable[[str], Doc], stretch: str) -> tuple[tuple[int, int], ...]:
    """The spans of the words in a stretch without spaces; cached, as most stretches recur."""
    return tuple((token.idx, token.idx + len(token)) for token in tokenizer(stretch))


def _parts(words: list[tuple[int, int]], text: str) -> Iterator[list[tuple[int, int]]]:
    while len(words) > MOST_WORDS:
        cut = MOST_WORDS
        for index in range(MOST_WORDS, MOST_WORDS // 2, -1):
            if text[words[index - 1][1] - 1] in _STOPS:
                cut = index
                break
        yield words[:cut]
        words = words[cut:]
    if words:
        yield words


def _passage(nlp: Language, text: str, words: list[tuple[int, int]]) -> Passage:
    from spacy.tokens import Doc

    following = [start for start, _ in words[1:]] + [words[-1][1]]
    doc = Doc(
        nlp.vocab,
        words=[text[start:end] for start, end in words],
        spaces=[after > end for (_, end), after in zip(words, following, strict=True)],
    )
    return Passage(doc, tuple(start for start, _ in words))
