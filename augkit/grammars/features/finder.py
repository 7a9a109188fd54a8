"""Grammar features as targets: where in a text the structures stand that give its label away."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from augkit.core.errors import DataError
from augkit.core.types import Example, Target
from augkit.grammars.features.subtrees import extract, first_leaves, matches
from augkit.grammars.features.survey import GrammarSurvey
from augkit.grammars.features.tree_text import patterns
from augkit.grammars.model.corpus import Corpus, CorpusConfig, cut_corpus
from augkit.grammars.model.vocabulary import Vocabulary
from augkit.grammars.trees import EMPTY, Trees

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


class Parser(Protocol):
    """A trained grammar, as far as a finder needs it."""

    def parse(self, corpus: Sequence[Any]) -> Trees:
        """The most likely trees of encoded texts."""
        ...


@dataclass(frozen=True)
class Catalogue:
    """The features to look for: a tree each, why it matters and how strongly."""

    trees: Trees
    reasons: tuple[str, ...]
    strengths: tuple[float, ...]

    def save(self, folder: Path) -> None:
        """Write ``catalogue.npz`` and ``catalogue.json`` into a folder."""
        self.trees.save(folder / "catalogue.npz")
        told = {"reasons": self.reasons, "strengths": self.strengths}
        text = json.dumps(told, ensure_ascii=False)
        (folder / "catalogue.json").write_text(text + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Catalogue:
        """Read what ``save`` wrote."""
        path = folder / "catalogue.json"
        try:
            told = json.loads(path.read_text(encoding="utf-8"))
            reasons, strengths = tuple(told["reasons"]), tuple(told["strengths"])
        except (OSError, ValueError, KeyError) as error:
            raise DataError(f"{path}: no features can be read there: {error!r}") from error
        return cls(Trees.load(folder / "catalogue.npz"), reasons, strengths)


def catalogue_of(survey: GrammarSurvey, alpha: float) -> Catalogue:
    """The picked subtrees that are significant after correction.

    The strength of each is the share of its label on the held-out rows.
    """
    import numpy as np

    measured = survey.picked.measured
    kept = np.flatnonzero(measured.corrected <= alpha)
    spelt = patterns(survey.picked.trees, survey.vocabulary, paired=survey.corpus.is_pairs)
    names = survey.labelled.names
    shares = measured.share(held_out=True)
    return Catalogue(
        extract(survey.picked.trees, survey.picked.trees.roots[kept].astype(np.int64)),
        tuple(f"{spelt[place]} → {names[measured.label[place]]}" for place in kept),
        tuple(float(shares[place]) for place in kept),
    )


@dataclass(frozen=True)
class GrammarFinder:
    """Parses texts and marks what the catalogue lists; satisfies ``protocols.Finder``."""

    parser: Parser
    vocabulary: Vocabulary
    catalogue: Catalogue
    config: CorpusConfig

    def find(self, examples: Sequence[Example]) -> list[list[Target]]:
        """Targets per example, the strongest first; a text over the length limit has none."""
        found: dict[str, list[Target]] = {row.id: [] for row in examples}
        corpus = cut_corpus(examples, self.config)
        if corpus.pieces:
            trees = self.parser.parse(corpus.encoded(self.vocabulary))
            for row, target in self.targets(corpus, trees):
                found[corpus.examples[row].id].append(target)
        for targets in found.values():
            targets.sort(key=lambda target: (-target.strength, target.field, target.start))
        return [list(found[row.id]) for row in examples]

    def targets(self, corpus: Corpus, trees: Trees) -> Iterator[tuple[int, Target]]:
        """Row and target of every place in the trees that the catalogue lists."""
        import numpy as np

        feature = matches(self.catalogue.trees, trees)
        nodes = np.flatnonzero(feature >= 0)
        spans = [word_spans(trees, nodes, target=side == 1) for side in range(len(corpus.fields))]
        for place, node in enumerate(nodes.tolist()):
            piece = corpus.pieces[trees.doc[node]]
            number = int(feature[node])
            for name, words, (first, last) in zip(corpus.fields, piece.sides, spans, strict=True):
                begin, end = int(first[place]), int(last[place])
                if begin < end:
                    where = (name, words[begin].start, words[end - 1].end)
                    reason, strength = (
                        self.catalogue.reasons[number],
                        self.catalogue.strengths[number],
                    )
                    yield piece.row, Target(*where, reason, strength)


def load_finder(folder: Path, config: CorpusConfig | None = None) -> GrammarFinder:
    """The finder of what ``augkit shortcuts --by grammar --out FOLDER`` found.

    ``config`` says how texts are read, where that was not by the defaults.
    """
    from augkit.grammars.model.grammar import Grammar

    return GrammarFinder(
        Grammar.load(folder / "grammar"),
        Vocabulary.load(folder / "vocabulary.json"),
        Catalogue.load(folder),
        CorpusConfig() if config is None else config,
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
