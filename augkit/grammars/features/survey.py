"""From the trees of a corpus to the structures that predict its labels, as plain records.

The significant subtrees can be looked for in other texts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import Any

from pydantic import Field

from augkit.core.arrays import Ints
from augkit.core.errors import DataError
from augkit.core.protocols import Target
from augkit.core.types import Example, digest
from augkit.grammars.features.feature_groups import (
    FeatureGroups,
    SelectedFeatures,
    SelectionConfig,
    group_features,
    select_features,
)
from augkit.grammars.features.mutual_information import FeatureStatistics, LabelledRows
from augkit.grammars.features.subtrees import (
    extract_subtrees,
    first_leaves,
    match_subtrees,
    rules,
    subtrees,
)
from augkit.grammars.model.corpus import CorpusConfig, GrammarCorpus, WordVocabulary
from augkit.grammars.trees import ABSENT, Trees, bracketed, patterns, rule_text
from augkit.text.features.numbering import label_numbers

_SHOWN_IDS = 5


class SurveyConfig(CorpusConfig, SelectionConfig):
    """How texts are read, and which features are selected and tested."""

    held_out: float = Field(
        0.3,
        gt=0,
        lt=1,
        description="share of the rows that only test the features selected on the others",
    )
    alpha: float = Field(
        0.05, gt=0, lt=1, description="largest corrected p-value that is significant"
    )
    seed: int = Field(0, description="of the split, and of the grammar's training")


@dataclass(frozen=True)
class GrammarSurvey:
    """Trees with everything found in them; ``rows`` int[nodes] is the row of every node."""

    corpus: GrammarCorpus
    vocabulary: WordVocabulary
    trees: Trees
    rows: Ints
    labelled: LabelledRows
    selected: SelectedFeatures
    groups: FeatureGroups
    rules: SelectedFeatures


def label_rows(examples: Sequence[Example], config: SurveyConfig) -> LabelledRows:
    """The labels, and a split that keeps rows with the same first text together.

    Pairs that share a premise are not independent: with one of them on each side of the split,
    what is specific to them would seem to generalise.
    """
    import numpy as np

    names, numbers = label_numbers([str(row.label) for row in examples])
    if len(names) < 2:
        raise DataError(
            f"all {len(examples)} rows that can be parsed have one label, '{names[0]}': nothing "
            "can predict it. Choose another split or label column"
        )
    texts = [next(iter(row.fields.values())) for row in examples]
    digests = [digest("held out", str(config.seed), text) for text in texts]
    held = np.array([int(text_digest[:8], 16) / 16**8 < config.held_out for text_digest in digests])
    if held.all() or not held.any():
        raise DataError(
            f"{len(examples)} rows (different first texts: {len(set(texts))}) are too few to hold "
            f"{config.held_out:.0%} of them out. Give more rows, or set held_out nearer to 0.5"
        )
    return LabelledRows(names, numbers, held)


def survey_trees(
    corpus: GrammarCorpus,
    vocabulary: WordVocabulary,
    trees: Trees,
    labelled: LabelledRows,
    config: SurveyConfig,
) -> GrammarSurvey:
    """Select subtrees and rules, and group the subtrees."""
    rows = corpus.rows()[trees.doc]
    selected = select_features(trees, subtrees(trees), rows, labelled, config)
    rule_config = config.model_copy(update={"min_leaves": 1})
    selected_rules = select_features(trees, rules(trees), rows, labelled, rule_config)
    groups = group_features(selected, labelled)
    return GrammarSurvey(
        corpus, vocabulary, trees, rows, labelled, selected, groups, selected_rules
    )


def group_records(survey: GrammarSurvey) -> list[dict[str, Any]]:
    """The groups, the most informative first, each with its patterns in the same order."""
    paired = survey.corpus.is_pairs
    names = patterns(survey.selected.trees, survey.vocabulary, paired=paired)
    brackets = bracketed(survey.selected.trees, survey.vocabulary, paired=paired)
    single = [
        {
            "pattern": name,
            "tree": tree,
            **statistics_record(survey.selected.statistics, index, survey.labelled),
        }
        for index, (name, tree) in enumerate(zip(names, brackets, strict=True))
    ]
    records = []
    for index, members in enumerate(survey.groups.members):
        record = {
            "root": int(survey.groups.root[index]),
            "label": survey.labelled.names[survey.groups.statistics.label[index]],
            "patterns": [single[member] for member in members],
            **statistics_record(survey.groups.statistics, index, survey.labelled),
        }
        records.append(record | _ids(survey, survey.groups.occurrences, index))
    return records


def rule_records(survey: GrammarSurvey) -> list[dict[str, Any]]:
    """The binary rules, the most informative first, each with the words of one use."""
    selected = survey.rules
    names = patterns(selected.trees, survey.vocabulary, paired=survey.corpus.is_pairs)
    return [
        {
            "rule": rule_text(selected.trees, int(root)),
            "label": survey.labelled.names[selected.statistics.label[index]],
            "example": names[index],
            **statistics_record(selected.statistics, index, survey.labelled),
        }
        for index, root in enumerate(selected.trees.roots)
    ]


def statistics_record(
    statistics: FeatureStatistics, index: int, labelled: LabelledRows
) -> dict[str, Any]:
    """Counts, share of the label and information, on selection and held-out rows."""
    held_share = float(statistics.share(held_out=True)[index])
    return {
        "count": int(statistics.counts[index].sum()),
        "share": round(float(statistics.share()[index]), 4),
        "counts": _by_label(statistics.counts[index], labelled.names),
        "information": float(statistics.information[index]),
        "held_out_count": int(statistics.held_counts[index].sum()),
        "held_out_share": None if isnan(held_share) else round(held_share, 4),  # JSON has no NaN
        "held_out_counts": _by_label(statistics.held_counts[index], labelled.names),
        "held_out_information": float(statistics.held_information[index]),
        "p": float(statistics.p_value[index]),
        "corrected_p": float(statistics.corrected[index]),
    }


def _by_label(counts: Ints, names: Sequence[str]) -> dict[str, int]:
    return {name: int(count) for name, count in zip(names, counts, strict=True)}


def _ids(survey: GrammarSurvey, occurrences: Any, index: int) -> dict[str, list[str]]:
    """Some rows with a group and its label, and some with another label."""
    labelled = survey.labelled
    label = survey.groups.statistics.label[index]
    rows = occurrences[:, [index]].nonzero()[0]
    agrees = labelled.numbers[rows] == label
    return {
        name: [survey.corpus.examples[row].id for row in chosen[:_SHOWN_IDS]]
        for name, chosen in (("examples", rows[agrees]), ("counter_examples", rows[~agrees]))
    }


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
                begin = int(first[index])
                end = int(last[index])
                if begin < end:
                    span = (name, words[begin].start, words[end - 1].end)
                    yield unit.row, Target(*span, reason, self.strengths[number])


def significant_subtrees(survey: GrammarSurvey, alpha: float) -> SignificantSubtrees:
    """The selected subtrees that are significant after correction.

    The strength of each is the share of its label on the held-out rows.
    """
    import numpy as np

    statistics = survey.selected.statistics
    significant = np.flatnonzero(statistics.corrected <= alpha)
    names_of = patterns(survey.selected.trees, survey.vocabulary, paired=survey.corpus.is_pairs)
    labels = survey.labelled.names
    shares = statistics.share(held_out=True)
    return SignificantSubtrees(
        extract_subtrees(
            survey.selected.trees, survey.selected.trees.roots[significant].astype(np.int64)
        ),
        tuple(names_of[index] for index in significant),
        tuple(labels[statistics.label[index]] for index in significant),
        tuple(float(shares[index]) for index in significant),
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
