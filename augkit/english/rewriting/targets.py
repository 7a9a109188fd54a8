"""What is to change in a text: the places of its giveaways, or those that a finder names."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from augkit.core.edits import Span, overlap
from augkit.english.rewriting.marks import MARK, WHOLE_MARKS, mark_spans
from augkit.english.rewriting.words import judges
from augkit.lexicons.load import closed_classes
from augkit.text.features.kinds import FIRST_WORD, LAST_WORD, Feature
from augkit.text.tokens import word_spans

_SENTENCE_MARKS = frozenset(".!?")


@dataclass(frozen=True)
class TextTarget:
    """A feature to remove: every place where the text has it, or a mark of the whole text."""

    spans: tuple[Span, ...]
    mark: str = ""


def is_evidence(feature: str, overused: Container[str] = ()) -> bool:
    """Whether a feature holds a word that judges: a label may turn on it, so it is kept.

    ``overused`` are words that judge elsewhere, but are in too many of the texts to judge here.

    >>> is_evidence("a great"), is_evidence("opening night")
    (True, False)
    """
    return any(judges(word) and word not in overused for word in feature.split())


def find_targets(
    text: str, giveaways: Iterable[Feature], limit: int, overused: Container[str] = ()
) -> list[TextTarget]:
    """The targets of a text, the strongest first; runs of giveaways are targets of their own.

    Marks come first; the words of an address or a hashtag go with it and are no other targets.
    """
    features = list(giveaways)
    marks = [
        TextTarget(tuple(Span(*place) for place in mark_spans(text, feature)), feature)
        for kind, feature in features
        if kind == MARK
    ]
    whole = [span for mark in marks if mark.mark in WHOLE_MARKS for span in mark.spans]
    every_word = (Span(*place) for place in word_spans(text))
    spans = [word for word in every_word if not any(overlap(word, mark) for mark in whole)]
    words = [text[start:end].lower() for start, end in spans]
    by_spans: dict[tuple[Span, ...], TextTarget] = {}
    marked = [False] * len(words)
    for kind, feature in features:
        if kind != MARK and not is_evidence(feature, overused):
            places = _places(words, kind, feature)
            for place, size in places:
                marked[place : place + size] = [True] * size
            for target in _word_targets(spans, places):
                word = text[slice(*target.spans[0])].lower()
                # A word that only grammar needs goes with a phrase, not alone.
                if closed_classes().get(word, "adverb") in {"adverb", "number", "order"}:
                    by_spans.setdefault(target.spans, target)
    runs = [TextTarget((run,)) for run in _runs(text, spans, marked)]
    return [*marks, *runs, *list(by_spans.values())[:limit]]


def _places(words: Sequence[str], kind: str, feature: str) -> list[tuple[int, int]]:
    """Where the words of a feature begin, and how many they are."""
    if kind in {FIRST_WORD, LAST_WORD}:
        return [(0 if kind == FIRST_WORD else len(words) - 1, 1)] if feature in words else []
    parts = feature.split(" ")
    size = len(parts)
    return [(n, size) for n in range(len(words) - size + 1) if list(words[n : n + size]) == parts]


def _word_targets(spans: Sequence[Span], places: Sequence[tuple[int, int]]) -> list[TextTarget]:
    """Of a single word all places; of a pair both words together, and each of them."""
    if not places:
        return []
    whole = tuple(Span(spans[place].start, spans[place + size - 1].end) for place, size in places)
    targets = [TextTarget(whole)]
    if places[0][1] > 1:
        targets += [
            TextTarget(tuple(spans[place + offset] for place, _ in places))
            for offset in range(places[0][1])
        ]
    return targets


def _runs(text: str, spans: Sequence[Span], marked: Sequence[bool]) -> list[Span]:
    """Three and more neighbouring words of a sentence that are all part of giveaways."""
    runs: list[list[Span]] = [[]]
    for index, span in enumerate(spans):
        before = text[spans[index - 1].end : span.start] if index else ""
        if not marked[index] or not _SENTENCE_MARKS.isdisjoint(before):
            runs.append([])
        if marked[index]:
            runs[-1].append(span)
    return [Span(run[0].start, run[-1].end) for run in runs if len(run) > 2]
