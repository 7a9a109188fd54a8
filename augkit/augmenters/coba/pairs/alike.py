"""Both texts changed alike: the label stays, and neither text tells it alone any more."""

from __future__ import annotations

from random import Random

from augkit.augmenters.coba.pairs.contradict import denials, says
from augkit.augmenters.coba.pairs.scene import Scene, word_of
from augkit.augmenters.coba.pairs.writing import Change, swapped


def changed_alike(scene: Scene, draw: Random) -> list[Change]:
    """A word that both texts have gives way, in both, to one that neither has."""
    changes = []
    for link in scene.by_support("said"):
        if link.word.upos == "VERB":  # what fits one verb seldom fits another, and twice seldomer
            continue
        others = scene.supporters(link.word)
        if len(others) != 1 or word_of(others[0]) != word_of(link.word):
            continue
        words = denials(scene.hypothesis, link.word)
        for word in draw.sample(words, len(words)):
            if says(scene, word, link.word):
                continue
            here = swapped(scene.second, scene.hypothesis, link.word, word)
            there = swapped(scene.first, scene.premise, others[0], word)
            if here and there:
                changes.append(Change((*there, *here), "both alike"))
                break
    return changes
