"""Parse trees of a whole corpus as flat arrays: small, quick to count in, easy to store.

As text they are the words they span, their rules, brackets, or a drawing by nltk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from zipfile import BadZipFile

from augkit.core.arrays import Ints
from augkit.core.errors import DataError, MissingExtra
from augkit.grammars.model.corpus import WordVocabulary

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Int32s = NDArray[np.int32]

T = TypeVar("T")

ABSENT = -1
"""No child, or the empty word."""
EPSILON = "ε"
"""The empty word."""


@dataclass(frozen=True)
class Trees:
    """Binary trees over texts or pairs of texts, one node a row, children before parents.

    All arrays are int32[nodes]. The nodes of a tree are consecutive, in post-order, so its root is
    its last node, and documents ascend. A document without a tree (too long for the grammar, or
    of one word) simply does not occur in ``doc``.

    * ``label``: the symbol. Internal symbols come first (0 … 31 in a 32 + 64 grammar),
      pre-terminals after them (32 … 95).
    * ``left``, ``right``: the rows of the children, -1 at a leaf.
    * ``leaf_a``, ``leaf_b``: at a leaf, the token ids on the source and the target side, -1 for
      the empty word; both -1 at an internal node. Sentences have no target side.
    * ``doc``: the number of the text in the corpus that was parsed.
    """

    label: Int32s
    left: Int32s
    right: Int32s
    leaf_a: Int32s
    leaf_b: Int32s
    doc: Int32s

    def __len__(self) -> int:
        """The number of nodes."""
        return len(self.label)

    @property
    def roots(self) -> Int32s:
        """The rows of the roots, in the order of the documents: the last row of each."""
        import numpy as np

        last = np.flatnonzero(np.diff(self.doc, append=ABSENT))
        return last.astype(np.int32)

    def save(self, path: Path) -> None:
        """Write one compressed ``.npz``."""
        import numpy as np

        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            np.savez_compressed(file, **vars(self))

    @classmethod
    def load(cls, path: Path) -> Trees:
        """Read saved trees; nothing in the file is executed."""
        import numpy as np

        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
                return cls(**{column.name: arrays[column.name] for column in fields(cls)})
        except (OSError, ValueError, KeyError, BadZipFile) as error:
            raise DataError(f"{path}: cannot be read as trees: {error}") from error

    @classmethod
    def join(cls, parts: list[Trees]) -> Trees:
        """One value of several, whose documents are already numbered as they should be."""
        import numpy as np

        starts = np.cumsum([0, *(len(part) for part in parts)])
        joined: dict[str, Any] = {}
        for field in fields(cls):
            columns = [getattr(part, field.name) for part in parts]
            if field.name in {"left", "right"}:
                columns = [
                    np.where(column == ABSENT, ABSENT, column + start)
                    for column, start in zip(columns, starts[:-1], strict=True)
                ]
            joined[field.name] = np.concatenate([np.empty(0, np.int32), *columns]).astype(np.int32)
        return cls(**joined)


def yields(trees: Trees, *, target: bool = False) -> list[Ints]:
    """The word ids that each tree spans, on its source or its target side, in order."""
    import numpy as np

    side = trees.leaf_b if target else trees.leaf_a
    leaves = np.flatnonzero((trees.left < 0) & (side != ABSENT))
    number = np.searchsorted(trees.roots, leaves)
    cuts = np.searchsorted(number, np.arange(1, len(trees.roots)))
    return np.split(side[leaves].astype(np.int64), cuts) if len(trees.roots) else []


def patterns(trees: Trees, vocabulary: WordVocabulary, *, paired: bool) -> list[str]:
    """The words that each tree spans: "4 / 10", or for pairs "a man/a woman" and "ε/to work"."""
    sides = [yields(trees), yields(trees, target=True)] if paired else [yields(trees)]
    texts = [
        [" ".join(vocabulary.words[number] for number in ids) for ids in side] for side in sides
    ]
    if not paired:
        return texts[0]
    return ["/".join(text or EPSILON for text in pair) for pair in zip(*texts, strict=True)]


def bracketed(trees: Trees, vocabulary: WordVocabulary, *, paired: bool) -> list[str]:
    """Each tree on one line: ``(14 (41 a/a) (32 man/woman))``."""

    def brackets(label: str, children: Sequence[str]) -> str:
        return f"({label} {' '.join(children)})"

    return _nested(trees, vocabulary, brackets, paired=paired)


def nltk_trees(trees: Trees, vocabulary: WordVocabulary, *, paired: bool) -> list[Any]:
    """Each tree as an ``nltk.Tree``, to be drawn, searched or converted."""
    try:
        from nltk.tree import Tree
    except ImportError as error:
        raise MissingExtra("explain", "a tree of nltk") from error
    return _nested(trees, vocabulary, Tree, paired=paired)


def drawn(tree: Any, width: int) -> str:
    """An ``nltk.Tree`` drawn in lines of this width; one that is wider as indented brackets."""
    from nltk.tree.prettyprinter import TreePrettyPrinter

    picture = TreePrettyPrinter(tree).text(unicodelines=True)
    lines = [line.rstrip() for line in picture.splitlines() if line.strip()]
    return "\n".join(lines) if max(map(len, lines)) <= width else str(tree.pformat(margin=width))


def _nested(
    trees: Trees,
    vocabulary: WordVocabulary,
    make: Callable[[str, list[Any]], T],
    *,
    paired: bool,
) -> list[T]:
    """What ``make`` makes of each tree: of a symbol with its children, or with its one word.

    Of pairs a word is ``man/woman``; ``ε`` is the empty one.
    """
    words = (*vocabulary.words, EPSILON)  # ABSENT is -1: the last
    open_nodes: list[T] = []
    finished: list[T] = []
    columns = (trees.label, trees.left, trees.leaf_a, trees.leaf_b)
    roots = set(trees.roots.tolist())
    # In post-order the two children of a node are the last trees that were finished.
    for node, row in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
        label, left, source, target = row
        if left == ABSENT:
            word = f"{words[source]}/{words[target]}" if paired else words[source]
            open_nodes.append(make(str(label), [word]))
        else:
            right = open_nodes.pop()
            open_nodes[-1] = make(str(label), [open_nodes[-1], right])
        if node in roots:
            finished.append(open_nodes.pop())
    return finished


def rule_text(trees: Trees, node: int) -> str:
    """The rule at an internal node, as "17 → 49 35"."""
    children = (trees.label[side[node]] for side in (trees.left, trees.right))
    return f"{trees.label[node]} → {' '.join(map(str, children))}"
