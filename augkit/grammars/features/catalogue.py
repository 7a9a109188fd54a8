"""Grammar features as targets: where in a text the structures occur that give its label away."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from augkit.core.errors import DataError
from augkit.core.types import Target
from augkit.grammars.features.subtrees import extract, first_leaves, matches
from augkit.grammars.features.survey import GrammarSurvey
from augkit.grammars.features.tree_text import patterns
from augkit.grammars.model.corpus import Corpus
from augkit.grammars.trees import EMPTY, Trees

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


_COLUMNS = ("patterns", "labels", "strengths")


@dataclass(frozen=True)
class Catalogue:
    """The features to look for: for each its tree, the label it goes with, and how strongly."""

    trees: Trees
    patterns: tuple[str, ...]
    labels: tuple[str, ...]
    strengths: tuple[float, ...]

    def save(self, folder: Path) -> None:
        """Write ``catalogue.npz`` and ``catalogue.json`` into a folder."""
        self.trees.save(folder / "catalogue.npz")
        record = {key: getattr(self, key) for key in _COLUMNS}
        text = json.dumps(record, ensure_ascii=False)
        (folder / "catalogue.json").write_text(text + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Catalogue:
        """Read what ``save`` wrote."""
        path = folder / "catalogue.json"
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
            columns = {key: tuple(record[key]) for key in _COLUMNS}
        except (OSError, ValueError, KeyError) as error:
            raise DataError(f"{path}: no features can be read there: {error!r}") from error
        return cls(Trees.load(folder / "catalogue.npz"), **columns)

    def targets(self, corpus: Corpus, trees: Trees) -> Iterator[tuple[int, Target]]:
        """Row and target of every listed feature in the trees, where it goes with the row's label.

        In a row without a label every listed feature is a target.
        """
        import numpy as np

        feature = matches(self.trees, trees)
        nodes = np.flatnonzero(feature >= 0)
        spans = [word_spans(trees, nodes, target=side == 1) for side in range(len(corpus.fields))]
        for index, node in enumerate(nodes.tolist()):
            piece = corpus.pieces[trees.doc[node]]
            number = int(feature[node])
            label = self.labels[number]
            if corpus.examples[piece.row].label not in {label, None}:
                continue
            reason = f"{self.patterns[number]} → {label}"
            for name, words, (first, last) in zip(corpus.fields, piece.sides, spans, strict=True):
                begin, end = int(first[index]), int(last[index])
                if begin < end:
                    span = (name, words[begin].start, words[end - 1].end)
                    yield piece.row, Target(*span, reason, self.strengths[number])


def catalogue_of(survey: GrammarSurvey, alpha: float) -> Catalogue:
    """The picked subtrees that are significant after correction.

    The strength of each is the share of its label on the held-out rows.
    """
    import numpy as np

    measured = survey.picked.measured
    kept = np.flatnonzero(measured.corrected <= alpha)
    written = patterns(survey.picked.trees, survey.vocabulary, paired=survey.corpus.is_pairs)
    names = survey.labelled.names
    shares = measured.share(held_out=True)
    return Catalogue(
        extract(survey.picked.trees, survey.picked.trees.roots[kept].astype(np.int64)),
        tuple(written[index] for index in kept),
        tuple(names[measured.label[index]] for index in kept),
        tuple(float(shares[index]) for index in kept),
    )


def word_spans(trees: Trees, nodes: Ints, *, target: bool = False) -> tuple[Ints, Ints]:
    """First word and word after the last that some nodes span in their text: int[nodes] each."""
    import numpy as np

    side = trees.leaf_b if target else trees.leaf_a
    before = np.concatenate([[0], np.cumsum((trees.left < 0) & (side != EMPTY))])
    # Words are counted from the first node of the node's own tree.
    starts = np.flatnonzero(np.diff(trees.doc, prepend=EMPTY - 1))
    origin = before[starts[np.searchsorted(starts, nodes, side="right") - 1]]
    return before[first_leaves(trees, nodes)] - origin, before[nodes + 1] - origin
