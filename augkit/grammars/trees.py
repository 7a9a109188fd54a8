"""Parse trees of a whole corpus as flat arrays: small, quick to count in, easy to store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

from augkit.core.errors import DataError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]

ABSENT = -1
"""No child, or the empty word."""


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

    label: Ints
    left: Ints
    right: Ints
    leaf_a: Ints
    leaf_b: Ints
    doc: Ints

    def __len__(self) -> int:
        """The number of nodes."""
        return len(self.label)

    @property
    def roots(self) -> Ints:
        """The rows of the roots, in the order of the documents: the last row of each."""
        import numpy as np

        last = np.flatnonzero(np.diff(self.doc, append=ABSENT))
        return last.astype(np.int32)

    def save(self, path: Path) -> None:
        """Write one compressed ``.npz``."""
        import numpy as np

        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            np.savez_compressed(file, **{one.name: getattr(self, one.name) for one in fields(self)})

    @classmethod
    def load(cls, path: Path) -> Trees:
        """Read saved trees; nothing in the file is executed."""
        import numpy as np

        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
                return cls(**{one.name: arrays[one.name] for one in fields(cls)})
        except (OSError, ValueError, KeyError, BadZipFile) as error:
            raise DataError(f"{path}: cannot be read as trees: {error}") from error

    @classmethod
    def join(cls, parts: list[Trees]) -> Trees:
        """One value of several, whose documents are already numbered as they should be."""
        import numpy as np

        starts = np.cumsum([0, *(len(part) for part in parts)])
        joined: dict[str, Any] = {}
        for one in fields(cls):
            columns = [getattr(part, one.name) for part in parts]
            if one.name in {"left", "right"}:
                columns = [
                    np.where(column == ABSENT, ABSENT, column + start)
                    for column, start in zip(columns, starts[:-1], strict=True)
                ]
            joined[one.name] = np.concatenate([np.empty(0, np.int32), *columns]).astype(np.int32)
        return cls(**joined)

    def to_nltk(self, row: int, word_of: Callable[[int], str]) -> Any:
        """The subtree at ``row`` as an ``nltk.Tree``; ``word_of`` gives the word of a token id.

        A leaf is ``word`` in a sentence and ``word/word`` in a pair, ``ε`` the empty word.
        """
        from nltk import Tree

        label = str(self.label[row])
        if self.left[row] != ABSENT:
            children = (int(side[row]) for side in (self.left, self.right))
            return Tree(label, [self.to_nltk(child, word_of) for child in children])
        sides = (self.leaf_a, self.leaf_b) if (self.leaf_b != ABSENT).any() else (self.leaf_a,)
        words = ("ε" if side[row] == ABSENT else word_of(int(side[row])) for side in sides)
        return Tree(label, ["/".join(words)])
