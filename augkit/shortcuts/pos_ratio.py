"""The mix of parts of speech among important words: Table 2 of the CoBA paper.

Words are tagged in context and fall into the paper's four classes. Reference: jin2025coba.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from augkit.core.analysis import Analysis
from augkit.core.protocols import Parser
from augkit.core.types import Example
from augkit.text.tokens import word_spans

CLASSES = ("noun", "verb", "adjective or adverb", "other")
_OF_TAG = {
    "NOUN": "noun",
    "PROPN": "noun",
    "VERB": "verb",
    "AUX": "verb",
    "ADJ": "adjective or adverb",
    "ADV": "adjective or adverb",
}


def pos_ratio(
    lists: Sequence[Iterable[str]], classes: Sequence[Mapping[str, str]]
) -> dict[str, float]:
    """The share of each class among the listed words of all rows.

    ``lists`` holds words of each row, ``classes`` what ``word_classes`` gives for it.

    >>> pos_ratio([["film", "ran"]], [{"film": "noun", "ran": "verb"}])["verb"]
    0.5
    """
    counts = Counter(
        known[word]
        for words, known in zip(lists, classes, strict=True)
        for word in words
        if word in known
    )
    return {name: counts[name] / max(1, counts.total()) for name in CLASSES}


def word_classes(examples: Sequence[Example], parser: Parser) -> list[dict[str, str]]:
    """For each example its words, lower-cased, and the class that each has where it first occurs.

    A compound ("well-made") has the class of its last part, a contraction ("don't") of its first.
    """
    texts = [text for row in examples for text in row.fields.values()]
    analyses = iter(parser.parse(texts))
    found = []
    for row in examples:
        known: dict[str, str] = {}
        for text in row.fields.values():
            analysis = next(analyses)
            for start, end in word_spans(text):
                known.setdefault(text[start:end].casefold(), _class(analysis, start, end))
        found.append(known)
    return found


def _class(analysis: Analysis, start: int, end: int) -> str:
    last = "-" in analysis.text[start:end]
    token = analysis.token_at(end - 1 if last else start)
    return _OF_TAG.get(token.upos, "other") if token else "other"
