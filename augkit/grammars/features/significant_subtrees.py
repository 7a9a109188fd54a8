"""The significant subtrees of a survey, and where they occur in other texts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from augkit.core.arrays import Ints
from augkit.core.errors import DataError
from augkit.core.protocols import Target
from augkit.grammars.features.subtrees import extract_subtrees, first_leaves, match_subtrees
from augkit.grammars.features.survey import GrammarSurvey
from augkit.grammars.features.tree_text import patterns
from augkit.grammars.model.corpus import GrammarCorpus
from augkit.grammars.trees import ABSENT, Trees

_COLUMNS = ("patterns", "labels", "strengths")


@dataclass(frozen=True)
class SignificantSubtrees:
    """Subtrees with their label and strength."""

    trees: Trees
    patterns: tuple[str, ...]
    labels: tuple[str, ...]
    strengths: tuple[float, ...]

    def save(self, folder: Path) -> None:
        """Write ``subtrees.npz`` and ``subtrees.json`` into a folder."""
        self.trees.save(folder / "subtrees.npz")
        record = {key: getattr(self, key) for key in _COLUMNS}
        text = json.dumps(record, ensure_ascii=False)
        (folder / "subtrees.json").write_text(text + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> SignificantSubtrees:
        """Read saved subtrees."""
        path = folder / "subtrees.json"
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
            columns = {key: tuple(record[key]) for key in _COLUMNS}
        except (OSError, ValueError, KeyError) as error:
            raise DataError(f"{path}: cannot be read as subtrees: {error!r}") from error
        return cls(Trees.load(folder / "subtrees.npz"), **columns)

    def targets(self, corpus: GrammarCorpus, trees: Trees) -> Iterator[tuple[int, Target]]:
        """Row and target of every listed feature in the trees, where it goes with the row's label.

        In a row without a label every listed feature is a target.
        """
        import numpy as np

        feature = match_subtrees(self.trees, trees)
        nodes = np.flatnonzero(feature >= 0)
        spans = [node_spans(trees, nodes, target=side == 1) for side in range(len(corpus.fields))]
        for index, node in enumerate(nodes.tolist()):
            unit = corpus.units[trees.doc[node]]
            number = int(feature[node])
            label = self.labels[number]
            if corpus.examples[unit.row].label not in {label, None}:
                continue
            reason = f"{self.patterns[number]} → {label}"
            for name, words, (first, last) in zip(corpus.fields, unit.sides, spans, strict=True):
                begin, end = int(first[index]), int(last[index])
                if begin < end:
                    span = (name, words[begin].start, words[end - 1].end)
                    yield unit.row, Target(*span, reason, self.strengths[number])


def significant_subtrees(survey: GrammarSurvey, alpha: float) -> SignificantSubtrees:
    """The selected subtrees that are significant after correction.

    The strength of each is the share of its label on the held-out rows.
    """
    import numpy as np

    statistics = survey.selected.statistics
    kept = np.flatnonzero(statistics.corrected <= alpha)
    names_of = patterns(survey.selected.trees, survey.vocabulary, paired=survey.corpus.is_pairs)
    labels = survey.labelled.names
    shares = statistics.share(held_out=True)
    return SignificantSubtrees(
        extract_subtrees(survey.selected.trees, survey.selected.trees.roots[kept].astype(np.int64)),
        tuple(names_of[index] for index in kept),
        tuple(labels[statistics.label[index]] for index in kept),
        tuple(float(shares[index]) for index in kept),
    )


def node_spans(trees: Trees, nodes: Ints, *, target: bool = False) -> tuple[Ints, Ints]:
    """First word and word after the last that some nodes span in their text: int[nodes] each."""
    import numpy as np

    side = trees.leaf_b if target else trees.leaf_a
    before = np.concatenate([[0], np.cumsum((trees.left < 0) & (side != ABSENT))])
    # Words are counted from the first node of the node's own tree.
    starts = np.flatnonzero(np.diff(trees.doc, prepend=ABSENT - 1))
    origin = before[starts[np.searchsorted(starts, nodes, side="right") - 1]]
    return before[first_leaves(trees, nodes)] - origin, before[nodes + 1] - origin
