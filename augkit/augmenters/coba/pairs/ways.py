"""The ways from one relation to another: which changes of which text could lead there."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from augkit.augmenters.coba.pairs.contradict import hypothesis_contradicted, premise_contradicted
from augkit.augmenters.coba.pairs.entail import hypothesis_entailed
from augkit.augmenters.coba.pairs.given import premise_entails
from augkit.augmenters.coba.pairs.negation import asserted, denied
from augkit.augmenters.coba.pairs.neutral import hypothesis_loosened, premise_loosened
from augkit.augmenters.coba.pairs.scene import Scene
from augkit.augmenters.coba.pairs.writing import Change
from augkit.augmenters.relations import Relation


def ways(
    scene: Scene, source: Relation, target: Relation, draw: Random, *, facts: bool = False
) -> list[Change]:
    """Single changes that lead from ``source`` to ``target``, of either text.

    A contradicting hypothesis becomes neutral in two steps (``via``): nothing single does it. Where
    a dataset is of ``facts``, true or false and nothing between, a false claim denied is true: so
    "not" stands in both kinds of claims.
    """
    if scene.negated:
        return _with_negation(scene, source, target)
    if target == "contradiction":
        found = hypothesis_contradicted(scene, draw) + premise_contradicted(scene, draw)
        return found or (denied(scene) if source == "entailment" else [])
    if target == "entailment":
        turned = denied(scene) if facts and source == "contradiction" else []
        return turned + hypothesis_entailed(scene, draw) + premise_entails(scene)
    if source == "entailment":
        return hypothesis_loosened(scene, draw) + premise_loosened(scene, "said")
    return premise_loosened(scene, "excluded")


def via(scene: Scene, source: Relation, target: Relation, draw: Random) -> list[Change]:
    """First steps of the way that takes two: the hypothesis made to follow."""
    if (source, target) != ("contradiction", "neutral") or scene.negated:
        return []
    return hypothesis_entailed(scene, draw)


def second(scene: Scene, draw: Random) -> list[Change]:
    """Second steps: a hypothesis that follows says more than the premise."""
    return hypothesis_loosened(scene, draw)


def _with_negation(scene: Scene, source: Relation, target: Relation) -> list[Change]:
    """A text that denies is changed in one way only: its negation is taken away."""
    return asserted(scene) if {source, target} == {"entailment", "contradiction"} else []


def by_field(changes: Sequence[Change]) -> dict[str, list[Change]]:
    """The changes apart by the text they change."""
    found: dict[str, list[Change]] = {}
    for change in changes:
        found.setdefault(change.edits[0].field, []).append(change)
    return found
