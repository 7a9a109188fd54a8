"""Local explanations: the rules of one text by how often labels use them, against plain loops."""

import numpy as np
import pytest

from augkit.core.errors import DataError
from augkit.grammars.features.local_explanations import RuleCounts, count_rules, explain_tree
from augkit.grammars.features.mutual_information import LabelledRows
from augkit.grammars.model.corpus import WordVocabulary

WORDS = WordVocabulary(("[UNK]", "a", "b", "c", "d"))


def rules_of(trees, node):
    """The rules at and below a node, spelled out."""
    label = int(trees.label[node])
    if trees.left[node] < 0:
        a, b = (
            WORDS.words[side[node]] if side[node] >= 0 else "ε"
            for side in (trees.leaf_a, trees.leaf_b)
        )
        return {f"{label} → {a}/{b}"}
    children = [int(side[node]) for side in (trees.left, trees.right)]
    names = " ".join(str(trees.label[child]) for child in children)
    return {f"{label} → {names}"}.union(*(rules_of(trees, child) for child in children))


@pytest.mark.parametrize("seed", range(3))
def test_equals_counting_by_hand(seed, make_forest, tmp_path):
    """Every rule of a text, once, with the trees of both labels that use it and their ratio."""
    rng = np.random.default_rng(seed)
    trees = make_forest(rng, 30, symbols=3)
    labels = rng.integers(0, 3, 30)
    labelled = LabelledRows(("x", "y", "z"), labels, np.zeros(30, dtype=bool))
    count_rules(trees, trees.doc.astype(np.int64), labelled).save(tmp_path)
    counts = RuleCounts.load(tmp_path)
    used = [rules_of(trees, root) for root in trees.roots]
    new = make_forest(rng, 1, symbols=3, most=12)
    found = explain_tree(new, counts, WORDS, "z", "x")
    expected = {}
    for rule in rules_of(new, len(new) - 1):
        wrong, right = (
            sum(rule in rules and labels[n] == label for n, rules in enumerate(used))
            for label in (2, 0)
        )
        expected[rule] = wrong, right, (1 + wrong) / (1 + right)
    assert {one.rule: (one.predicted, one.gold, one.ratio) for one in found} == expected
    ratios = [one.ratio for one in found]
    assert ratios == sorted(ratios, reverse=True)


def test_damaged_counts(tmp_path):
    (tmp_path / "rule_counts.npz").write_bytes(b"no")
    with pytest.raises(DataError, match="rule_counts"):
        RuleCounts.load(tmp_path)
