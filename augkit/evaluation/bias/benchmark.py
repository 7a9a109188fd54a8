"""A bias benchmark: its data, which scores are less biased, how it is scored."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from augkit.core.results import Direction, Score

ModelKind = Literal["masked", "causal", "vectors", "llm"]
"""The kind of model that a scoring rule needs."""


@dataclass(frozen=True)
class ScoringRule:
    """A kind of model, and ``score(model, items)``.

    ``rescores_close_pairs``: where the model rounds, close texts are scored again without.
    """

    model: ModelKind
    about: str
    score: Callable[[Any, Sequence[Any]], list[Score]]
    rescores_close_pairs: bool = False


@dataclass(frozen=True)
class HubSource:
    """The data of a benchmark on the hub; ``read(subset, rows)`` makes items of them.

    Labels that are numbers on the hub are given to ``read`` by name.
    """

    repository: str
    split: str
    read: Callable[[str, Sequence[Mapping[str, Any]]], list[Any]]
    subsets: tuple[str, ...] = ("default",)


@dataclass(frozen=True)
class Benchmark:
    """A published benchmark; the first of its scoring ``rules`` is the published one.

    ``unbiased`` is the main score of an unbiased model, ``direction`` which scores are less biased:
    with "neither" those nearer to ``unbiased``. ``path`` is where the data are under ``bias/`` of
    the data folder (of ``bundled`` ones, in this package). ``caveats`` come with every result.
    """

    name: str
    about: str
    direction: Direction
    unbiased: float
    path: str
    read: Callable[[Path], list[Any]]
    rules: Mapping[str, ScoringRule]
    caveats: str
    reference: str
    bundled: bool = False
    hub: HubSource | None = None
    sampling_unit: Callable[[Any], str] = repr
    """Items of one unit are sampled together: a descriptor with all its sentences."""
