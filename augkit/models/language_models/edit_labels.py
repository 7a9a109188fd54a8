"""What a person's rewrite does to each word of a text: the labels that an edit tagger learns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from augkit.lexicons.demographics.axes import BUNDLED, read_axis
from augkit.models.language_models.perturber import PerturberPair
from augkit.text.tokens import word_spans

KEEP, REPLACE, INSERT = 0, 1, 2
LABELS = ("keep", "replace", "insert")
"""A word stays, is replaced or dropped, or stays and gets words before it."""

Counts = tuple[int, int, int]


class TaggerInput(NamedTuple):
    """A text, the span of the selected word, and what the person should become."""

    text: str
    start: int
    end: int
    axis: str
    target: str

    @property
    def word(self) -> str:
        """The selected word."""
        return self.text[self.start : self.end]


class LabelledText(NamedTuple):
    """An input, and how many people gave each word of the text each label."""

    input: TaggerInput
    counts: tuple[Counts, ...]


def edit_labels(text: str, rewrite: str) -> list[int]:
    """A label for each word of ``text``; case and punctuation do not count.

    >>> edit_labels("His wife left.", "His young wife left"), edit_labels("He left.", "She left")
    ([0, 2, 0], [1, 0])
    """
    before, after = _comparable(text), _comparable(rewrite)
    first = 0
    while first < min(len(before), len(after)) and before[first] == after[first]:
        first += 1
    last = 0
    while last < min(len(before), len(after)) - first and before[-1 - last] == after[-1 - last]:
        last += 1
    labels = [KEEP] * len(before)
    changed = before[first : len(before) - last], after[first : len(after) - last]
    for kind, start, end, _, _ in SequenceMatcher(None, *changed, autojunk=False).get_opcodes():
        if kind == "insert" and first + start < len(before):
            labels[first + start] = INSERT
        elif kind in {"replace", "delete"}:
            labels[first + start : first + end] = [REPLACE] * (end - start)
    return labels


def labelled_texts(pairs: Iterable[PerturberPair]) -> list[LabelledText]:
    """The pairs by what was asked; rewrites of several people are counted together.

    The place of the selected word is not in the data: its first occurrence is taken. Pairs whose
    word is not in the text, or whose attribute is on no bundled axis, are left out.
    """
    axes = {name: axis for axis in BUNDLED for name in read_axis(axis).attributes}
    asked: dict[TaggerInput, list[list[int]]] = {}
    for pair in pairs:
        start = first_occurrence(pair.original, pair.selected_word)
        axis = axes.get(pair.target_attribute)
        if start is None or axis is None:
            continue
        end = start + len(pair.selected_word)
        key = TaggerInput(pair.original, start, end, axis, pair.target_attribute)
        asked.setdefault(key, []).append(edit_labels(pair.original, pair.perturbed))
    return [LabelledText(key, _counts(labels)) for key, labels in asked.items()]


def first_occurrence(text: str, word: str) -> int | None:
    """Where a word first stands as a whole word, or within one.

    >>> first_occurrence("The man saw her.", "he"), first_occurrence("The man saw her.", "man")
    (1, 4)
    """
    whole = (start for start, end in word_spans(text) if text[start:end] in {word, f"{word}'s"})
    found = next(whole, text.find(word))
    return None if found < 0 else found


def _counts(labels: Sequence[Sequence[int]]) -> tuple[Counts, ...]:
    return tuple(
        (given.count(KEEP), given.count(REPLACE), given.count(INSERT))
        for given in zip(*labels, strict=True)
    )


def _comparable(text: str) -> list[str]:
    return [text[start:end].casefold().replace("\u2019", "'") for start, end in word_spans(text)]
