"""The order of the triples that a variant is written from: permuted and thinned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Protocol

from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.steps import Edited, Job
from augkit.language.triples import Triple


class Freedom(Protocol):
    """How freely triples may be rearranged, as settings say."""

    @property
    def permute(self) -> bool:
        """Whether they change places among themselves."""
        ...

    @property
    def delete(self) -> float:
        """The probability that one is left out."""
        ...


def arranged(job: Job, edited: Edited, config: CobaConfig) -> tuple[Triple, ...]:
    """The triples of a variant, field by field: only normal ones are moved or left out."""
    normal = {number for number, kind in job.categories.items() if kind == "normal"}
    free = normal - set(edited.triples)
    if not job.words.principal:
        # Nobody said what matters: what the editor left alone may matter for the new label.
        free = set()
    return rearranged(job.triples, edited.triples, free, config, job.generator)


def rearranged(
    triples: Sequence[Triple],
    changed: Mapping[int, Triple],
    free: set[int],
    config: Freedom,
    draw: Random,
) -> tuple[Triple, ...]:
    """Changed triples in their places; of the ``free`` ones some left out and the rest permuted.

    Nothing of a field is left out that would leave it without a triple.
    """
    order: list[Triple] = []
    for field in dict.fromkeys(triple.field for triple in triples):
        mine = [triple for triple in triples if triple.field == field]
        kept = [t for t in mine if t.id not in free or draw.random() >= config.delete]
        kept = kept or mine
        moving = [t for t in kept if t.id in free]
        shuffled = iter(draw.sample(moving, len(moving)) if config.permute else moving)
        order += [next(shuffled) if t.id in free else changed.get(t.id, t) for t in kept]
    return tuple(order)
