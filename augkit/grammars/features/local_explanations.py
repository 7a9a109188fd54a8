"""Which rules of a text's tree speak for a wrong prediction, by how often labels use them.

The rules r of the most likely tree of a text are listed by

    p(ŷ | r) / p(y* | r),   p(y | r) ∝ 1 + trees of the label y, in the corpus, that use r

with ŷ the predicted label and y* the true one. The paper counts without the 1, which leaves a rule
that no tree of y* uses without a number.

Reference: friedman2022finding, section 6 and Table 9.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from augkit.core.arrays import Ints
from augkit.core.errors import DataError
from augkit.grammars.features.mutual_information import LabelledRows
from augkit.grammars.features.subtrees import extract_subtrees, occurrences, rules
from augkit.grammars.model.corpus import WordVocabulary
from augkit.grammars.trees import Trees, patterns
from augkit.text.features.document_counts import label_counts

RULE_COUNTS = "rule_counts.npz"

RuleKey = tuple[int, int, int, bool]
"""A symbol, then its children's symbols or (True) its words."""


@dataclass(frozen=True)
class RuleCounts:
    """How many rows of each label use each rule, words included.

    ``keys`` is int[rules, 4], a ``RuleKey`` each; ``counts`` int[rules, labels].
    """

    labels: tuple[str, ...]
    keys: Ints
    counts: Ints

    @cached_property
    def _index(self) -> dict[RuleKey, int]:
        return {(a, b, c, bool(leaf)): n for n, (a, b, c, leaf) in enumerate(self.keys.tolist())}

    def of(self, rule: RuleKey) -> list[int]:
        """The rows of each label that use a rule: nowhere seen, none."""
        index = self._index.get(rule)
        return [0] * len(self.labels) if index is None else self.counts[index].tolist()

    def save(self, folder: Path) -> None:
        """Write ``rule_counts.npz`` into a folder."""
        import numpy as np

        names = np.frombuffer(json.dumps(self.labels).encode(), np.uint8)
        with (folder / RULE_COUNTS).open("wb") as file:
            np.savez_compressed(file, labels=names, keys=self.keys, counts=self.counts)

    @classmethod
    def load(cls, folder: Path) -> RuleCounts:
        """Read saved counts; nothing in the file is executed."""
        import numpy as np

        path = folder / RULE_COUNTS
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
                labels = json.loads(arrays["labels"].tobytes())
                return cls(tuple(labels), arrays["keys"], arrays["counts"])
        except (OSError, ValueError, KeyError) as error:
            raise DataError(
                f"{path}: the rules of the training trees cannot be read: {error}"
            ) from error


def count_rules(trees: Trees, rows: Ints, labelled: LabelledRows) -> RuleCounts:
    """Count the rules of all trees; ``rows`` int[nodes] is the row of every node."""
    numbered = rules(trees, lexical=True)
    used = occurrences(numbered, rows, len(labelled.numbers))
    counts = label_counts(used, labelled.numbers, len(labelled.names))
    return RuleCounts(labelled.names, _rule_keys(trees, numbered.first), counts)


@dataclass(frozen=True)
class RuleEvidence:
    """A rule of a tree, the words that it spans there, and what speaks for it.

    ``predicted`` and ``gold`` are the training rows of either label that use the rule; ``ratio``
    is p(ŷ | r) / p(y* | r).
    """

    rule: str
    words: str
    predicted: int
    gold: int
    ratio: float


def explain_tree(
    trees: Trees, counts: RuleCounts, vocabulary: WordVocabulary, predicted: str, gold: str
) -> list[RuleEvidence]:
    """The rules of a text's trees, those first that speak most for the predicted label.

    A rule that occurs twice is listed once, where it comes first.
    """
    import numpy as np

    at = [counts.labels.index(label) for label in (predicted, gold)]
    nodes = np.arange(len(trees))
    paired = bool((trees.leaf_b >= 0).any())
    spans = patterns(extract_subtrees(trees, nodes), vocabulary, paired=paired)
    evidence: dict[RuleKey, RuleEvidence] = {}
    for words, (symbol, first, second, leaf) in zip(
        spans, _rule_keys(trees, nodes).tolist(), strict=True
    ):
        key = (symbol, first, second, bool(leaf))
        rows_with = counts.of(key)
        for_predicted, for_gold = (rows_with[number] for number in at)
        text = f"{symbol} → {words if leaf else f'{first} {second}'}"
        ratio = (1 + for_predicted) / (1 + for_gold)
        evidence.setdefault(key, RuleEvidence(text, words, for_predicted, for_gold, ratio))
    return sorted(evidence.values(), key=lambda rule: -rule.ratio)


def _rule_keys(trees: Trees, nodes: Ints) -> Ints:
    """A ``RuleKey`` of each node: int[nodes, 4]."""
    import numpy as np

    left = trees.left[nodes]
    right = trees.right[nodes]
    leaf = left < 0
    first = np.where(leaf, trees.leaf_a[nodes], trees.label[left])
    second = np.where(leaf, trees.leaf_b[nodes], trees.label[right])
    return np.stack([trees.label[nodes], first, second, leaf], axis=1).astype(np.int64)
