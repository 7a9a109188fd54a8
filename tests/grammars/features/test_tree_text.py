"""Trees as text."""

import numpy as np

from augkit.grammars.model.corpus import WordVocabulary
from augkit.grammars.trees import Trees, bracketed, patterns, rule_text, yields

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
    """Patterns show what both sides span, brackets the whole tree."""
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
