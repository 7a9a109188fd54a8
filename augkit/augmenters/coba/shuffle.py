"""Step 5, shuffle and delete: only normal triples change their order or are left out.

A language model writes a text from triples in any order. Offline the text stays letter for letter,
so whole sentences move: those all of whose triples are normal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from random import Random
from typing import Protocol

from augkit.augmenters.coba.categorise import Category
from augkit.augmenters.coba.config import VariantConfig
from augkit.augmenters.coba.edit import Edited, Job
from augkit.core.edits import Span
from augkit.core.types import Edit
from augkit.english.triples import Triple


@dataclass(frozen=True, slots=True)
class TriplePlan:
    """What a variant is written from: its triples in their new order.

    Deleted triples are not in ``order``, edited ones are as edited; ``moved`` are the edits of the
    source text that move and delete sentences.
    """

    job: Job
    edited: Edited
    order: tuple[Triple, ...]
    moved: tuple[Edit, ...] = ()


class Shuffler(Protocol):
    """Edited triples → the plan of a variant."""

    def shuffle(self, job: Job, edited: Edited, dropped: AbstractSet[int]) -> TriplePlan:
        """The plan of a job; ``dropped`` sentences, by index, are left out in any case."""
        ...


@dataclass(frozen=True)
class KeepOrder:
    """No shuffling and no deleting: for pairs of texts that rules edit."""

    def shuffle(self, job: Job, edited: Edited, dropped: AbstractSet[int]) -> TriplePlan:
        """The triples as edited."""
        _ = dropped
        return TriplePlan(job, edited, tuple(edited.triples.get(t.id, t) for t in job.triples))


@dataclass(frozen=True)
class SentenceShuffler:
    """Whole sentences of a single text: those with normal triples only and no edit."""

    config: VariantConfig

    def shuffle(self, job: Job, edited: Edited, dropped: AbstractSet[int]) -> TriplePlan:
        """The plan of a job, with the edits that move its sentences."""
        ((field, sentences),) = job.sentences.items()
        starts = [edit.start for edit in edited.edits or ()]
        free = [
            index
            for index in normal_sentences(len(sentences), job.triples, job.categories)
            if index not in dropped
            and not any(sentences[index].start <= start < sentences[index].end for start in starts)
        ]
        total = len(sentences) - len(dropped)
        places = shuffle_sentences(free, total, self.config, job.rng)
        places |= dict.fromkeys(sorted(dropped))
        moved = moved_edits(job.parent.fields[field], field, sentences, places)
        sources = [places.get(index, index) for index in range(len(sentences))]
        order = [t for source in sources for t in job.triples if t.sentence == source]
        return TriplePlan(job, edited, tuple(edited.triples.get(t.id, t) for t in order), moved)


def normal_sentences(
    total: int, triples: Sequence[Triple], categories: Mapping[int, Category]
) -> list[int]:
    """The sentences, by index, that have triples and only normal ones."""
    kinds: dict[int, set[Category]] = {}
    for triple in triples:
        kinds.setdefault(triple.sentence, set()).add(categories[triple.id])
    return [index for index in range(total) if kinds.get(index) == {"normal"}]


def shuffle_sentences(
    free: Sequence[int], total: int, config: VariantConfig, rng: Random
) -> dict[int, int | None]:
    """Sentence → the one that takes its place, or None where it is deleted.

    A text of ``total`` sentences keeps at least one.
    """
    kept = [index for index in free if rng.random() >= config.delete]
    if len(free) == total and not kept:
        kept = list(free[:1])
    new = dict(zip(kept, rng.sample(kept, len(kept)) if config.permute else kept, strict=True))
    return {index: new.get(index) for index in free}


def moved_edits(
    text: str, field: str, sentences: Sequence[Span], places: Mapping[int, int | None]
) -> tuple[Edit, ...]:
    """The edits of the source text that move and delete sentences."""
    edits = []
    for index, other in places.items():
        start, end = sentences[index]
        if other is None:
            # The space after a sentence goes with it; of the last one, the space before.
            stop = sentences[index + 1].start if index + 1 < len(sentences) else end
            edits.append(Edit(field, start, stop, text[start:stop], ""))
        elif other != index:
            there = sentences[other]
            edits.append(Edit(field, start, end, text[start:end], text[there.start : there.end]))
    return tuple(edits)


@dataclass(frozen=True)
class TripleShuffler:
    """Single normal triples that were not edited: a language model writes the text anew."""

    config: VariantConfig

    def shuffle(self, job: Job, edited: Edited, dropped: AbstractSet[int]) -> TriplePlan:
        """The plan of a job, field by field."""
        _ = dropped
        normal = {id_ for id_, category in job.categories.items() if category == "normal"}
        order = shuffle_triples(
            job.triples, edited.triples, normal - set(edited.triples), self.config, job.rng
        )
        return TriplePlan(job, edited, order)


def shuffle_triples(
    triples: Sequence[Triple],
    changed: Mapping[int, Triple],
    free: AbstractSet[int],
    config: VariantConfig,
    rng: Random,
) -> tuple[Triple, ...]:
    """Changed triples in their places; of the ``free`` ones some deleted, the rest permuted.

    A field never loses all its triples.
    """
    order: list[Triple] = []
    for field in dict.fromkeys(triple.field for triple in triples):
        own = [triple for triple in triples if triple.field == field]
        kept = [t for t in own if t.id not in free or rng.random() >= config.delete] or own
        moving = [t for t in kept if t.id in free]
        shuffled = iter(rng.sample(moving, len(moving)) if config.permute else moving)
        order += [next(shuffled) if t.id in free else changed.get(t.id, t) for t in kept]
    return tuple(order)
