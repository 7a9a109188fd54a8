"""Fairscore of classifiers on a test set: perturb, make the control, predict both sides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from augkit.augmenters.base import keyed_random
from augkit.augmenters.baselines.random_edit.method import matched_control
from augkit.augmenters.baselines.random_edit.vocabulary import fit_vocabulary
from augkit.augmenters.compose import outcomes_of
from augkit.augmenters.create import create
from augkit.core.errors import DataError
from augkit.core.protocols import Classifier, Step, Tools
from augkit.core.types import Example, Outcome, Pair, PredictedPair
from augkit.evaluation.metrics.accuracy import both_sides
from augkit.evaluation.metrics.fairscore import above_control, by_attribute_pair, by_axis, fairscore
from augkit.evaluation.statistics.intervals import Interval
from augkit.runs.evaluation.predictions import answered, plain
from augkit.text.tokens import words


@dataclass(frozen=True)
class Perturbed:
    """Test rows, their perturbed pairs, a control for each, and what was refused and why."""

    rows: Sequence[Example]
    pairs: Sequence[Pair]
    refused: Counter[str]
    controls: Sequence[Pair]
    no_control: Counter[str]


def perturber(
    method: str, options: dict[str, Any], corpus: Sequence[Example], tools: Tools
) -> Step:
    """The method that perturbs the test rows, having seen the training rows where it learns."""
    return create(method, tools, **options).fit(corpus)


def perturb(step: Step, rows: Sequence[Example], corpus: Sequence[Example], seed: int) -> Perturbed:
    """Perturb the test rows and make a control of the same size for each perturbed pair.

    The control's words come from the training ``corpus``; no word that the perturbation touched
    or brought in anywhere is touched or brought in by it.
    """
    pairs, refused = _split(outcomes_of(step, rows))
    _check(pairs, refused, len(rows))
    vocabulary = fit_vocabulary(corpus).without(_edited(pairs))
    controls, no_control = _split(
        matched_control(pair, vocabulary, keyed_random(seed, pair.variant.id, "control", 0))
        for pair in pairs
    )
    return Perturbed(rows, pairs, refused, controls, no_control)


def predicted_pairs(
    classifier: Classifier, rows: Sequence[Example], pairs: Sequence[Pair]
) -> list[PredictedPair]:
    """What the classifier answers for every row and every variant; rows without one included."""
    originals = {
        row.id: answer for row, answer in zip(rows, answered(classifier, rows), strict=True)
    }
    variants = answered(classifier, [pair.variant for pair in pairs])
    found = [
        PredictedPair(
            originals[pair.original.id],
            answer,
            pair.original.label,
            pair.variant.label,
            pair.original.id,
            pair.provenance.about,
        )
        for pair, answer in zip(pairs, variants, strict=True)
    ]
    changed = {pair.row for pair in found}
    return found + [
        PredictedPair(originals[row.id], gold=row.label, row=row.id)
        for row in rows
        if row.id not in changed
    ]


def fairscore_record(
    classifier: Classifier, perturbed: Perturbed, interval: Interval
) -> dict[str, Any]:
    """Both denominators, breakdowns, accuracy on both sides, and the control, as plain values."""
    pairs = predicted_pairs(classifier, perturbed.rows, perturbed.pairs)
    changed, every = fairscore(pairs, interval)
    return {
        "metric": "fairscore",
        "changed_rows": plain(changed),
        "all_rows": plain(every),
        "by_axis": {axis: plain(score) for axis, score in by_axis(pairs, interval).items()},
        "by_pair": {key: plain(score) for key, score in by_attribute_pair(pairs, interval).items()},
        "accuracy": {score.name: plain(score) for score in both_sides(pairs)},
        "control": _control(classifier, perturbed, pairs, interval),
        "refused": dict(perturbed.refused.most_common()),
    }


def _control(
    classifier: Classifier,
    perturbed: Perturbed,
    pairs: Sequence[PredictedPair],
    interval: Interval,
) -> dict[str, Any] | None:
    """Fairscore of the random edits, and how far the perturbation lies above; None: none made."""
    if not perturbed.controls:
        return None
    control = predicted_pairs(classifier, perturbed.rows, perturbed.controls)
    changed, _ = fairscore(control, interval)
    return {
        **plain(changed),
        "above_control": plain(above_control(pairs, control)),
        "refused": dict(perturbed.no_control.most_common()),
    }


def _split(outcomes: Iterable[Outcome]) -> tuple[list[Pair], Counter[str]]:
    pairs, refused = [], Counter[str]()
    for outcome in outcomes:
        if isinstance(outcome, Pair):
            pairs.append(outcome)
        else:
            refused[outcome.reason] += 1
    return pairs, refused


def _check(pairs: Sequence[Pair], refused: Counter[str], rows: int) -> None:
    if not pairs:
        reasons = ", ".join(f"{reason}: {n}" for reason, n in refused.most_common(3))
        raise DataError(
            f"no fairscore: the method changed none of the {rows} test rows ({reasons}). "
            "Choose a test set with references to people, or another --method"
        )
    for pair in pairs:
        if pair.provenance.contract != "kept":
            raise DataError(
                f"no fairscore: '{pair.provenance.method}' does not promise to keep the label "
                f"({pair.provenance.contract}), and a changed answer may then be the right one. "
                "Choose a --method that keeps it"
            )


def _edited(pairs: Sequence[Pair]) -> set[str]:
    edits = (edit for pair in pairs for edit in pair.provenance.edits)
    return {word for edit in edits for word in words(edit.before) + words(edit.after)}
