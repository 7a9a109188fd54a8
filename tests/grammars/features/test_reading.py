"""How trees are spelt, why an example looks like another label, and where classifiers fail."""

import numpy as np

from augkit.grammars.features.explain import rule_table
from augkit.grammars.features.minority_groups import Minority, minorities
from augkit.grammars.features.mutual_information import Labelled
from augkit.grammars.features.subtrees import incidence
from augkit.grammars.features.tree_text import bracketed, patterns, yields
from augkit.grammars.model.vocabulary import Vocabulary
from augkit.grammars.trees import Trees

VOCABULARY = Vocabulary(("[UNK]", "a", "man", "woman"))
TWO = Trees(
    label=np.array([4, 5, 0, 4, 6, 1]),
    left=np.array([-1, -1, 0, -1, -1, 3]),
    right=np.array([-1, -1, 1, -1, -1, 4]),
    leaf_a=np.array([1, 2, -1, 1, -1, -1]),
    leaf_b=np.array([1, 3, -1, 1, 0, -1]),
    doc=np.array([0, 0, 0, 1, 1, 1]),
)


def test_trees_read_as_words():
    """Patterns show what both sides span, brackets the whole tree."""
    assert patterns(TWO, VOCABULARY, paired=True) == ["a man/a woman", "a/a [UNK]"]
    assert bracketed(TWO, VOCABULARY, paired=True) == [
        "(0 (4 a/a) (5 man/woman))",
        "(1 (4 a/a) (6 ε/[UNK]))",
    ]
    assert bracketed(TWO, VOCABULARY, paired=False)[0] == "(0 (4 a) (5 man))"
    assert [ids.tolist() for ids in yields(TWO, target=True)] == [[1, 3], [1, 0]]
    assert [ids.tolist() for ids in yields(TWO)] == [[1, 2], [1]]


def test_a_rule_speaks_for_the_label_it_was_seen_with():
    """The rules of a tree are ordered by how much more often they go with one label."""
    trees = Trees.join([TWO] * 1)
    labelled = Labelled(("no", "yes"), np.array([0, 1]), np.array([False, False]))
    table = rule_table(trees, trees.doc, labelled)
    (evidence,) = table.explain(0, label=0, other=1)
    assert (evidence.rule, evidence.ratio, evidence.counts) == ("0 → 4 5", 2.0, (1, 0))
    (against,) = table.explain(0, label=1, other=0)
    assert against.ratio == 0.5


def test_held_out_rows_teach_no_rule():
    """Evidence is counted on the picking rows only."""
    labelled = Labelled(("no", "yes"), np.array([0, 1]), np.array([True, False]))
    (evidence,) = rule_table(TWO, TWO.doc, labelled).explain(0, label=0, other=1)
    assert evidence.counts == (0, 0)


def test_accuracy_where_a_feature_lies():
    """Supporting rows and counter-examples are told apart by the label that a feature gives."""
    matrix = incidence(np.array([0, 1, 2]), np.array([0, 0, 0]), (4, 2))
    found = minorities(matrix, np.array([1, 0]), np.array([1, 1, 0, 0]), np.array([1, 0, 1, 0]))
    assert found == [Minority(2, 0.5, 1, 0.0), Minority(0, None, 0, None)]
