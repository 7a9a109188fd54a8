"""Trees as text."""

import sys

import numpy as np
import pytest

from augkit.core.errors import MissingExtra
from augkit.grammars.model.corpus import WordVocabulary
from augkit.grammars.trees import (
    Trees,
    bracketed,
    drawn,
    nltk_trees,
    patterns,
    rule_text,
    yields,
)

VOCABULARY = WordVocabulary(("[UNK]", "a", "man", "woman"))
TWO = Trees(
    label=np.array([4, 5, 0, 4, 6, 1]),
    left=np.array([-1, -1, 0, -1, -1, 3]),
    right=np.array([-1, -1, 1, -1, -1, 4]),
    leaf_a=np.array([1, 2, -1, 1, -1, -1]),
    leaf_b=np.array([1, 3, -1, 1, 0, -1]),
    doc=np.array([0, 0, 0, 1, 1, 1]),
)


def test_patterns_and_brackets():
    assert patterns(TWO, VOCABULARY, paired=True) == ["a man/a woman", "a/a [UNK]"]
    assert bracketed(TWO, VOCABULARY, paired=True) == [
        "(0 (4 a/a) (5 man/woman))",
        "(1 (4 a/a) (6 ε/[UNK]))",
    ]
    assert bracketed(TWO, VOCABULARY, paired=False)[0] == "(0 (4 a) (5 man))"
    assert [ids.tolist() for ids in yields(TWO, target=True)] == [[1, 3], [1, 0]]
    assert [ids.tolist() for ids in yields(TWO)] == [[1, 2], [1]]


def test_the_rule_of_a_node():
    assert [rule_text(TWO, node) for node in TWO.roots] == ["0 → 4 5", "1 → 4 6"]


@pytest.mark.parametrize("paired", [True, False])
def test_trees_of_nltk_are_those_of_its_reader(paired):
    """The same trees as nltk reads from the brackets, where no word is a bracket."""
    from nltk.tree import Tree

    trees = nltk_trees(TWO, VOCABULARY, paired=paired)
    assert trees == [Tree.fromstring(line) for line in bracketed(TWO, VOCABULARY, paired=paired)]
    brackets = WordVocabulary(("(", ")", "(", ")"))
    assert nltk_trees(TWO, brackets, paired=False)[0].leaves() == [")", "("]


def test_a_tree_is_drawn_and_a_wide_one_indented():
    """Nodes above their words, within the width; else nltk's brackets in lines that fit."""
    tree, _ = nltk_trees(TWO, VOCABULARY, paired=False)
    assert drawn(tree, 40).splitlines() == [
        "     0",
        " ┌───┴───┐",
        " 4       5",
        " │       │",
        " a      man",
    ]
    many = type(tree)("1", [tree] * 12)
    assert drawn(many, 78) == many.pformat(margin=78)
    assert max(map(len, drawn(many, 78).splitlines())) <= 78
    assert drawn(many, 200) != many.pformat(margin=200)


def test_without_nltk_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "nltk.tree", None)
    with pytest.raises(MissingExtra, match=r"pip install 'augkit\[explain\]'"):
        nltk_trees(TWO, VOCABULARY, paired=False)
