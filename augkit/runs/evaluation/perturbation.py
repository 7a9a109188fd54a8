"""Perturbed test rows: what a method changes, and a control of random edits as large."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from augkit.augmenters.base import keyed_random
from augkit.augmenters.baselines.random_edit.corpus_words import fit_corpus_words
from augkit.augmenters.baselines.random_edit.method import matched_control
from augkit.augmenters.compose import outcomes_of
from augkit.core.errors import DataError
from augkit.core.protocols import Step
from augkit.core.types import Example, Outcome, Pair
from augkit.text.tokens import words


@dataclass(frozen=True)
class PerturbedRows:
    """Perturbed pairs of test rows, a control for each, and the reasons of rejections."""

    pairs: Sequence[Pair]
    rejected: Counter[str]
    controls: Sequence[Pair]
    control_rejected: Counter[str]


def perturb_rows(
    step: Step, rows: Sequence[Example], corpus: Sequence[Example], seed: int
) -> PerturbedRows:
    """Perturb the test rows and make a control of the same size for each perturbed pair.

    The control's words come from the training ``corpus``; no word that the perturbation removed
    or inserted anywhere is removed or inserted by it.
    """
    pairs, rejected = _split(outcomes_of(step, rows))
    _check(pairs, rejected, len(rows))
    vocabulary = fit_corpus_words(corpus).without(_edited_words(pairs))
    controls, control_rejected = _split(
        matched_control(pair, vocabulary, keyed_random(seed, pair.variant.id, "control", 0))
        for pair in pairs
    )
    return PerturbedRows(pairs, rejected, controls, control_rejected)


def _split(outcomes: Iterable[Outcome]) -> tuple[list[Pair], Counter[str]]:
    pairs, rejected = [], Counter[str]()
    for outcome in outcomes:
        if isinstance(outcome, Pair):
            pairs.append(outcome)
        else:
            rejected[outcome.reason] += 1
    return pairs, rejected


def _check(pairs: Sequence[Pair], rejected: Counter[str], rows: int) -> None:
    if not pairs:
        reasons = ", ".join(f"{reason}: {n}" for reason, n in rejected.most_common(3))
        raise DataError(
            f"nothing to compare: the method changed none of the {rows} test rows ({reasons}). "
            "Choose a test set with references to people, or another --method"
        )
    for pair in pairs:
        if pair.provenance.contract != "kept":
            raise DataError(
                f"'{pair.provenance.method}' does not promise to keep the label "
                f"({pair.provenance.contract}), so a changed prediction may be the right one. "
                "Choose a --method that keeps it"
            )


def _edited_words(pairs: Sequence[Pair]) -> set[str]:
    edits = (edit for pair in pairs for edit in pair.provenance.edits)
    return {word for edit in edits for word in words(edit.before) + words(edit.after)}
