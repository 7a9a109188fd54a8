"""From the trees of a corpus to the structures that predict its labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from augkit.core.arrays import Ints
from augkit.core.errors import DataError
from augkit.core.types import Example, digest
from augkit.grammars.features.feature_groups import (
    FeatureGroups,
    SelectedFeatures,
    SelectionConfig,
    group_features,
    select_features,
)
from augkit.grammars.features.mutual_information import LabelledRows
from augkit.grammars.features.subtrees import rules, subtrees
from augkit.grammars.model.corpus import CorpusConfig, GrammarCorpus
from augkit.grammars.model.vocabulary import WordVocabulary
from augkit.grammars.trees import Trees
from augkit.text.association import label_numbers


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
    held = np.array([_is_held_out(row, config) for row in examples])
    if held.all() or not held.any():
        texts = len({next(iter(row.fields.values())) for row in examples})
        raise DataError(
            f"{len(examples)} rows (different first texts: {texts}) are too few to hold "
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


def _is_held_out(row: Example, config: SurveyConfig) -> bool:
    first = next(iter(row.fields.values()))
    share = int(digest("held out", str(config.seed), first)[:8], 16) / 16**8
    return share < config.held_out
