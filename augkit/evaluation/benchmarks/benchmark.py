"""What a bias benchmark is: where its data lie, how they are read, and the ways to score them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from augkit.core.types import Score

Needs = Literal["masked", "causal", "vectors"]
"""The kind of model that a way of scoring asks."""


@dataclass(frozen=True)
class Way:
    """One way to score: the model it needs, what it is, and ``score(model, items)``.

    ``settles``: where the model rounds, items too near for that are scored again without.
    """

    needs: Needs
    about: str
    score: Callable[[Any, Sequence[Any]], list[Score]]
    settles: bool = False


@dataclass(frozen=True)
class HubSource:
    """Where the hub has a benchmark's data, and ``read(subset, rows)`` makes items of them.

    Labels that are numbers on the hub come to ``read`` under their names.
    """

    repository: str
    split: str
    read: Callable[[str, Sequence[Mapping[str, Any]]], list[Any]]
    subsets: tuple[str, ...] = ("default",)


@dataclass(frozen=True)
class Benchmark:
    """A published benchmark. ``ways`` are named; the first is the published one.

    ``place`` is where the data lie under ``bias/`` of the data folder (for ``bundled`` ones, in
    this package), ``faults`` what is known to be wrong with the benchmark: it is told with every
    result.
    """

    name: str
    about: str
    place: str
    read: Callable[[Path], list[Any]]
    ways: Mapping[str, Way]
    faults: str
    cite: str
    bundled: bool = False
    hub: HubSource | None = None
    unit: Callable[[Any], str] = repr
    """What is drawn whole where not all items are scored: a descriptor with all its sentences."""
