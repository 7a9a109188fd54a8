"""What a survey found as plain values: a record a group, a record a rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from augkit.grammars.features.explain import spell_rule
from augkit.grammars.features.mutual_information import Labelled, Measured
from augkit.grammars.features.survey import GrammarSurvey
from augkit.grammars.features.tree_text import bracketed, patterns

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

_SHOWN_IDS = 5


def group_records(survey: GrammarSurvey) -> list[dict[str, Any]]:
    """The groups, the most telling first, each with its patterns in the same order."""
    paired = survey.corpus.is_pairs
    spelt = patterns(survey.picked.trees, survey.vocabulary, paired=paired)
    drawn = bracketed(survey.picked.trees, survey.vocabulary, paired=paired)
    single = [
        {"pattern": name, "tree": tree, **figures(survey.picked.measured, place, survey.labelled)}
        for place, (name, tree) in enumerate(zip(spelt, drawn, strict=True))
    ]
    found = []
    for place, members in enumerate(survey.groups.members):
        record = {
            "root": int(survey.groups.root[place]),
            "label": survey.labelled.names[survey.groups.measured.label[place]],
            "patterns": [single[member] for member in members],
            **figures(survey.groups.measured, place, survey.labelled),
        }
        found.append(record | _ids(survey, survey.groups.occurrences, place))
    return found


def rule_records(survey: GrammarSurvey) -> list[dict[str, Any]]:
    """The binary rules, the most telling first, each with the words of one place that uses it."""
    ruled = survey.rules
    spelt = patterns(ruled.trees, survey.vocabulary, paired=survey.corpus.is_pairs)
    return [
        {
            "rule": spell_rule(ruled.trees, int(root)),
            "label": survey.labelled.names[ruled.measured.label[place]],
            "example": spelt[place],
            **figures(ruled.measured, place, survey.labelled),
        }
        for place, root in enumerate(ruled.trees.roots)
    ]


def figures(measured: Measured, place: int, labelled: Labelled) -> dict[str, Any]:
    """Counts, share of the label and information, on the picking rows and on the held-out ones."""
    return {
        "count": int(measured.counts[place].sum()),
        "share": round(float(measured.share()[place]), 4),
        "counts": _by_label(measured.counts[place], labelled.names),
        "information": float(measured.information[place]),
        "held_out_count": int(measured.held_counts[place].sum()),
        "held_out_share": _share(measured, place),
        "held_out_counts": _by_label(measured.held_counts[place], labelled.names),
        "held_out_information": float(measured.held_information[place]),
        "p": float(measured.chance[place]),
        "corrected_p": float(measured.corrected[place]),
    }


def _by_label(counts: Ints, names: Sequence[str]) -> dict[str, int]:
    return {name: int(count) for name, count in zip(names, counts, strict=True)}


def _share(measured: Measured, place: int) -> float | None:
    """JSON has no NaN: a feature that no held-out row holds has no share."""
    if not measured.held_counts[place].sum():
        return None
    return round(float(measured.share(held_out=True)[place]), 4)


def _ids(survey: GrammarSurvey, occurrences: Any, place: int) -> dict[str, list[str]]:
    """Some rows that hold a group and have its label, and some that have another."""
    labelled, own = survey.labelled, survey.groups.measured.label[place]
    rows = occurrences[:, [place]].nonzero()[0]
    agrees = labelled.numbers[rows] == own
    return {
        name: [survey.corpus.examples[row].id for row in some[:_SHOWN_IDS]]
        for name, some in (("examples", rows[agrees]), ("counter_examples", rows[~agrees]))
    }
