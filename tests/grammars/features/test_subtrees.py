"""Subtrees and rules against templates written as strings."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.core.errors import DataError
from augkit.grammars.features.subtrees import (
    extract_subtrees,
    incidence,
    leaf_counts,
    match_subtrees,
    occurrences,
    rules,
    subtrees,
)
from augkit.grammars.trees import Trees

SIZES = st.integers(0, 2**32 - 1)


def tree_string(trees, node):
    """A subtree as a string, labels and words and brackets."""
    if trees.left[node] < 0:
        return f"({trees.label[node]} {trees.leaf_a[node]}/{trees.leaf_b[node]})"
    inner = "".join(tree_string(trees, side[node]) for side in (trees.left, trees.right))
    return f"({trees.label[node]} {inner})"


def rule_string(trees, node):
    """The rule used at a node as a string; a leaf's is its word."""
    if trees.left[node] < 0:
        return tree_string(trees, node)
    children = (trees.label[side[node]] for side in (trees.left, trees.right))
    return f"{trees.label[node]} -> {' '.join(map(str, children))}"


def same_partition(numbers, names):
    """Whether two nodes have one number exactly when they have one name."""
    return len(set(zip(numbers, names, strict=True))) == len(set(numbers)) == len(set(names))


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(seed=SIZES, documents=st.integers(1, 30))
def test_numbers_are_the_templates(make_forest, seed, documents):
    trees = make_forest(np.random.default_rng(seed), documents)
    nodes = range(len(trees))
    found = subtrees(trees)
    assert same_partition(found.of_node.tolist(), [tree_string(trees, node) for node in nodes])
    assert (found.of_node[found.first] == np.arange(len(found))).all()
    ruled = rules(trees, lexical=True)
    assert same_partition(ruled.of_node.tolist(), [rule_string(trees, node) for node in nodes])
    inner = np.flatnonzero(trees.left >= 0)
    binary = rules(trees)
    assert (np.flatnonzero(binary.of_node >= 0) == inner).all()


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(seed=SIZES)
def test_counts_are_those_of_sets(make_forest, seed):
    """A row counts once for a feature, however often it holds it, and several trees are one row."""
    rng = np.random.default_rng(seed)
    trees = make_forest(rng, 20)
    row_of_tree = np.sort(rng.integers(0, 12, size=20))
    found = subtrees(trees)
    matrix = occurrences(found, row_of_tree[trees.doc], 12)
    expected = [set() for _ in range(12)]
    for node in range(len(trees)):
        expected[row_of_tree[trees.doc[node]]].add(tree_string(trees, node))
    names = [tree_string(trees, node) for node in found.first]
    got = [{names[column] for column in matrix[row].indices} for row in range(12)]
    assert got == expected
    assert matrix.dtype == bool


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(seed=SIZES)
def test_cut_out_trees_are_found_again(make_forest, seed):
    """Extracted subtrees are unchanged, and are found in the trees they came from."""
    rng = np.random.default_rng(seed)
    trees = make_forest(rng, 15)
    found = subtrees(trees)
    some = rng.permutation(found.first)[: int(rng.integers(1, 9))]
    extracted = extract_subtrees(trees, some)
    names = [tree_string(trees, node) for node in some]
    assert [tree_string(extracted, root) for root in extracted.roots] == names
    number = {name: index for index, name in enumerate(names)}
    wanted = [number.get(tree_string(trees, node), -1) for node in range(len(trees))]
    assert match_subtrees(extracted, trees).tolist() == wanted
    assert leaf_counts(trees).tolist() == [
        tree_string(trees, node).count("/") for node in range(len(trees))
    ]


def test_empty_and_too_many(make_forest):
    """No tree has no feature; a label that does not fit into its bits is an error."""
    nothing = make_forest(np.random.default_rng(0), 0)
    assert len(subtrees(nothing)) == 0
    assert occurrences(subtrees(nothing), np.empty(0, int), 3).shape == (3, 0)
    columns = {name: np.array([-1]) for name in ("left", "right", "leaf_a", "leaf_b")}
    large = Trees(label=np.array([2**13]), doc=np.array([0]), **columns)
    with pytest.raises(DataError, match="symbols"):
        subtrees(large)


def test_incidence_keeps_each_entry_once():
    """Repeated entries are one, and rows without any stay."""
    matrix = incidence(np.array([2, 2, 0]), np.array([1, 1, 0]), (4, 2))
    assert matrix.toarray().tolist() == [[True, False], [False, False], [False, True], [False] * 2]
