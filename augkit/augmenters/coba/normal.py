"""Permuting and deleting what carries neither the label nor a shortcut.

Offline the text is kept letter for letter, so the unit is the sentence all of whose triples are
normal: such sentences change places among themselves, or are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from augkit.augmenters.coba.steps import Category
from augkit.core.types import Edit
from augkit.language.triples import Span, Triple


def normal_sentences(
    sentences: Sequence[Span], triples: Sequence[Triple], categories: Mapping[int, Category]
) -> list[int]:
    """The sentences, by number, that have triples and only normal ones."""
    kinds: dict[int, set[Category]] = {}
    for triple in triples:
        kinds.setdefault(triple.sentence, set()).add(categories[triple.id])
    return [number for number in range(len(sentences)) if kinds.get(number) == {"normal"}]


def arrangement(
    free: Sequence[int], total: int, delete: float, *, permute: bool, draw: Random
) -> dict[int, int | None]:
    """Sentence → the one that takes its place, or None where it is left out.

    A text of ``total`` sentences keeps at least one.

    >>> arrangement([0, 2], 3, 0.0, permute=False, draw=Random(0))
    {0: 0, 2: 2}
    """
    kept = [number for number in free if draw.random() >= delete]
    if len(free) == total and not kept:
        kept = list(free[:1])
    new = dict(zip(kept, draw.sample(kept, len(kept)) if permute else kept, strict=True))
    return {number: new.get(number) for number in free}


def moved_edits(
    text: str, field: str, sentences: Sequence[Span], places: Mapping[int, int | None]
) -> tuple[Edit, ...]:
    """What moving and leaving out sentences means for the source text."""
    edits = []
    for number, other in places.items():
        start, end = sentences[number]
        if other is None:
            # The space after a sentence goes with it; of the last one, the space before.
            stop = sentences[number + 1].start if number + 1 < len(sentences) else end
            edits.append(Edit(field, start, stop, text[start:stop], ""))
        elif other != number:
            there = sentences[other]
            edits.append(Edit(field, start, end, text[start:end], text[there.start : there.end]))
    return tuple(edits)
