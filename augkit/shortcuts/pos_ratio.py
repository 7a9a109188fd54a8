"""Words by their part of speech in context, in the four classes of the CoBA paper's Table 2."""

from __future__ import annotations

from collections.abc import Sequence

from augkit.core.analysis import Analysis
from augkit.core.types import Example
from augkit.language.parser import SpacyParser
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


def word_classes(examples: Sequence[Example]) -> list[dict[str, str]]:
    """For each example its words, in small letters, and the class each has where it first stands.

    A compound ("well-made") has the class of its last part, a contraction ("don't") of its first.
    """
    texts = [text for row in examples for text in row.fields.values()]
    analyses = iter(SpacyParser().parse(texts))
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
