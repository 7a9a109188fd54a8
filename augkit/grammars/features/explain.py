"""Why one example looks like another label: the rules of its tree that favour that label most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from augkit.grammars.features.mutual_information import Labelled
from augkit.grammars.features.subtrees import Numbered, occurrences, rules
from augkit.grammars.trees import Trees

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Evidence:
    """One rule of a tree: the node that uses it, and how strongly it speaks for a label.

    ``ratio`` is p(label | rule) / p(other label | rule); ``counts`` the training rows that use the
    rule, by label.
    """

    node: int
    rule: str
    ratio: float
    counts: tuple[int, ...]


@dataclass(frozen=True)
class RuleTable:
    """The rules that the trees of a corpus use, and the labels: ``counts`` int[rules, labels]."""

    trees: Trees
    rows: Ints
    numbered: Numbered
    counts: Ints

    def explain(self, row: int, label: int, other: int) -> list[Evidence]:
        """The rules of one row's trees that speak for ``label`` against ``other``, strongest first.

            ratio(r) = (1 + n(label, r)) / (1 + n(other, r))

        n counts the training rows that use the rule r; the added one is ours. A rule that the tree
        uses several times stands once. For a misclassified example ``label`` is the prediction and
        ``other`` the truth.

        Reference: friedman2022finding.
        """
        import numpy as np

        nodes = np.flatnonzero((self.rows == row) & (self.numbered.of_node >= 0))
        kinds, index = np.unique(self.numbered.of_node[nodes], return_index=True)
        ratios = (1 + self.counts[kinds, label]) / (1 + self.counts[kinds, other])
        order = np.argsort(-ratios, kind="stable")
        return [
            self._evidence(int(nodes[index[place]]), int(kinds[place]), float(ratios[place]))
            for place in order
        ]

    def _evidence(self, node: int, rule: int, ratio: float) -> Evidence:
        return Evidence(
            node, spell_rule(self.trees, node), ratio, tuple(map(int, self.counts[rule]))
        )


def rule_table(trees: Trees, rows: Ints, labelled: Labelled) -> RuleTable:
    """Count the binary rules of the picking rows; ``rows`` int[nodes] is the row of every node."""
    numbered = rules(trees)
    used: Any = occurrences(numbered, rows, len(labelled.numbers))
    return RuleTable(trees, rows, numbered, labelled.counts(used, ~labelled.held_out))


def spell_rule(trees: Trees, node: int) -> str:
    """The rule at an inner node, as "17 → 49 35"."""
    children = (trees.label[side[node]] for side in (trees.left, trees.right))
    return f"{trees.label[node]} → {' '.join(map(str, children))}"
