"""Trees as text: the words a tree spans, its rules, or the whole tree in brackets."""

from __future__ import annotations

from augkit.core.arrays import Ints
from augkit.grammars.model.vocabulary import WordVocabulary
from augkit.grammars.trees import ABSENT, Trees

EPSILON = "ε"
"""The empty word."""


def yields(trees: Trees, *, target: bool = False) -> list[Ints]:
    """The word ids that each tree spans, on its source or its target side, in order."""
    import numpy as np

    side = trees.leaf_b if target else trees.leaf_a
    kept = np.flatnonzero((trees.left < 0) & (side != ABSENT))
    number = np.searchsorted(trees.roots, kept)
    cuts = np.searchsorted(number, np.arange(1, len(trees.roots)))
    return np.split(side[kept].astype(np.int64), cuts) if len(trees.roots) else []


def patterns(trees: Trees, vocabulary: WordVocabulary, *, paired: bool) -> list[str]:
    """The words that each tree spans: "4 / 10", or for pairs "a man/a woman" and "ε/to work"."""
    sides = [yields(trees), yields(trees, target=True)] if paired else [yields(trees)]
    words = [[" ".join(vocabulary.words[number] for number in ids) for ids in one] for one in sides]
    if not paired:
        return words[0]
    return ["/".join(text or EPSILON for text in texts) for texts in zip(*words, strict=True)]


def bracketed(trees: Trees, vocabulary: WordVocabulary, *, paired: bool) -> list[str]:
    """Each tree on one line: ``(14 (41 a/a) (32 man/woman))``."""
    words = (*vocabulary.words, EPSILON)  # ABSENT is -1: the last
    texts: list[str] = []
    lines: list[str] = []
    columns = (trees.label, trees.left, trees.leaf_a, trees.leaf_b)
    roots = set(trees.roots.tolist())
    # In post-order the two children of a node are the last trees that were finished.
    for node, row in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
        label, left, source, target = row
        if left == ABSENT:
            leaf = f"{words[source]}/{words[target]}" if paired else words[source]
            texts.append(f"({label} {leaf})")
        else:
            right = texts.pop()
            texts[-1] = f"({label} {texts[-1]} {right})"
        if node in roots:
            lines.append(texts.pop())
    return lines


def rule_text(trees: Trees, node: int) -> str:
    """The rule at an internal node, as "17 → 49 35"."""
    children = (trees.label[side[node]] for side in (trees.left, trees.right))
    return f"{trees.label[node]} → {' '.join(map(str, children))}"
