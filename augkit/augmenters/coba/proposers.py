"""Who proposes the variants of single texts and of pairs, as the settings and the tools say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Protocol

from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.learnt import TextsLearnt
from augkit.augmenters.coba.pairs.propose import PairProposer
from augkit.augmenters.coba.reading import Reader
from augkit.augmenters.coba.talking.proposer import TalkingProposer
from augkit.augmenters.coba.talking.steps import talking_steps, talks
from augkit.augmenters.coba.texts import TextProposer
from augkit.augmenters.coba.who import offline_steps
from augkit.augmenters.relations import labels_of
from augkit.core.protocols import Tools
from augkit.core.types import Draft, Example, Rejection

Draw = Callable[[Example, int], Random]


class Proposer(Protocol):
    """Turns a batch of examples into drafts and rejections."""

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """At least one of them for every example."""
        ...


def for_texts(config: CobaConfig, tools: Tools, learnt: TextsLearnt, draw: Draw) -> Proposer:
    """The proposer of single texts."""
    reader = Reader()
    labels = tuple(learnt.sides) or tuple(learnt.ensemble.labels)
    if talks(config, tools):
        labels = tuple(learnt.ensemble.labels)
        steps = talking_steps(config, tools, labels, reader, learnt)
        return TalkingProposer(config, steps, labels, draw)
    return TextProposer(config, offline_steps(config, learnt, reader), labels, reader, draw)


def for_pairs(config: CobaConfig, tools: Tools, labels: Sequence[str], draw: Draw) -> Proposer:
    """The proposer of pairs; rules need labels that name how the second text relates to the first.

    A model is told the labels as they are, so it can work with any.
    """
    reader = Reader()
    relations = labels_of(labels)
    if talks(config, tools):
        named = tuple(relations.values()) if len(relations) > 1 else tuple(labels)
        steps = talking_steps(config, tools, named, reader, None)
        return TalkingProposer(config, steps, named, draw, every_target=True)
    return PairProposer(config, relations, reader, draw)
