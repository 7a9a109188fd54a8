"""The result of a survey as plain records: one per group, one per rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from augkit.core.arrays import Ints
from augkit.grammars.features.mutual_information import FeatureStatistics, LabelledRows
from augkit.grammars.features.survey import GrammarSurvey
from augkit.grammars.features.tree_text import bracketed, patterns, rule_text

_SHOWN_IDS = 5


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
    found = []
    for index, members in enumerate(survey.groups.members):
        record = {
            "root": int(survey.groups.root[index]),
            "label": survey.labelled.names[survey.groups.statistics.label[index]],
            "patterns": [single[member] for member in members],
            **statistics_record(survey.groups.statistics, index, survey.labelled),
        }
        found.append(record | _ids(survey, survey.groups.occurrences, index))
    return found


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
    return {
        "count": int(statistics.counts[index].sum()),
        "share": round(float(statistics.share()[index]), 4),
        "counts": _by_label(statistics.counts[index], labelled.names),
        "information": float(statistics.information[index]),
        "held_out_count": int(statistics.held_counts[index].sum()),
        "held_out_share": _share(statistics, index),
        "held_out_counts": _by_label(statistics.held_counts[index], labelled.names),
        "held_out_information": float(statistics.held_information[index]),
        "p": float(statistics.p_value[index]),
        "corrected_p": float(statistics.corrected[index]),
    }


def _by_label(counts: Ints, names: Sequence[str]) -> dict[str, int]:
    return {name: int(count) for name, count in zip(names, counts, strict=True)}


def _share(statistics: FeatureStatistics, index: int) -> float | None:
    """JSON has no NaN: a feature that no held-out row has has no share."""
    if not statistics.held_counts[index].sum():
        return None
    return round(float(statistics.share(held_out=True)[index]), 4)


def _ids(survey: GrammarSurvey, occurrences: Any, index: int) -> dict[str, list[str]]:
    """Some rows with a group and its label, and some with another label."""
    labelled, own = survey.labelled, survey.groups.statistics.label[index]
    rows = occurrences[:, [index]].nonzero()[0]
    agrees = labelled.numbers[rows] == own
    return {
        name: [survey.corpus.examples[row].id for row in some[:_SHOWN_IDS]]
        for name, some in (("examples", rows[agrees]), ("counter_examples", rows[~agrees]))
    }
