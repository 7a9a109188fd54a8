"""A second reading: does the pair, parsed anew, show the relation that it was edited to?"""

from __future__ import annotations

from augkit.augmenters.coba.pairs.scene import Scene
from augkit.augmenters.relations import Relation

_BY_OTHER_MEANS = ("turned", "denied", "asserted")
"""Changes whose effect the links between words do not show."""


def carries(scene: Scene, target: Relation, how: str) -> bool:
    """Whether nothing in the words of the pair speaks against the relation ``target``."""
    excluded = bool(scene.by_support("excluded"))
    if target == "contradiction":
        return excluded or how.startswith(_BY_OTHER_MEANS)
    if excluded:
        return False
    open_words = [link for link in scene.links if link.support in {"unsaid", "narrower"}]
    if target == "neutral":
        return bool(open_words) or not scene.links
    return not open_words or how.startswith(_BY_OTHER_MEANS)
