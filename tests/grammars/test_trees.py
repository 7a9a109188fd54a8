"""Flat trees."""

import numpy as np
import pytest

from augkit.core.errors import DataError
from augkit.grammars.trees import Trees


def ints(*values):
    return np.array(values, np.int32)


@pytest.fixture
def trees():
    """Two trees: (0 (32 a/b) (33 c/ε)) of document 0 and the same of document 2."""
    return Trees(
        label=ints(32, 33, 0, 32, 33, 0),
        left=ints(-1, -1, 0, -1, -1, 3),
        right=ints(-1, -1, 1, -1, -1, 4),
        leaf_a=ints(5, 6, -1, 5, 6, -1),
        leaf_b=ints(7, -1, -1, 7, -1, -1),
        doc=ints(0, 0, 0, 2, 2, 2),
    )


def same(one, other):
    return all((getattr(one, n) == getattr(other, n)).all() for n in vars(one))


def test_roots_are_the_last_nodes(trees):
    """A tree's root is the last of its rows, whichever documents have no tree."""
    assert trees.roots.tolist() == [2, 5]


def test_saved_and_loaded(trees, tmp_path):
    trees.save(tmp_path / "deep" / "trees.npz")
    assert same(Trees.load(tmp_path / "deep" / "trees.npz"), trees)


def test_damaged_file(tmp_path):
    (tmp_path / "x.npz").write_bytes(b"PK\x03\x04 no")
    for name in ("x.npz", "y.npz"):
        with pytest.raises(DataError, match=name):
            Trees.load(tmp_path / name)


def test_joined(trees):
    """Joining shifts the rows of children and keeps leaves as they are."""
    both = Trees.join([trees, trees])
    assert len(both) == 12
    assert both.left.tolist() == [-1, -1, 0, -1, -1, 3, -1, -1, 6, -1, -1, 9]
    assert len(Trees.join([])) == 0
