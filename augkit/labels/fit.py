"""Choosing the judges of a run: the ensemble is trained, a model is to be measured."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from augkit.core.errors import DataError
from augkit.core.types import Example, digest
from augkit.labels.check import LabelCheck, unverified_notes
from augkit.labels.judge import (
    NO_WORDS,
    EnsembleJudge,
    HiddenWords,
    not_verified,
)
from augkit.labels.measure import JudgeTest, balanced_sample
from augkit.labels.settings import JudgeSettings
from augkit.lexicons.label_order import LabelOrder
from augkit.prompts.load import PromptSet, bundled_prompt
from augkit.prompts.prompt import PromptExample

if TYPE_CHECKING:
    from augkit.models.ensembles.crossfit import CrossFitted, EnsembleConfig

_MOST_TRAINED = 5000
_JUDGE = "judge/label"

JudgeRole = Literal["writer", "second", "of the method"]
"""Who would judge: the writer itself, a second model, or one that the method asks by itself.

The last one is only measured.
"""


def fit_label_check(
    examples: Sequence[Example],
    settings: JudgeSettings,
    role: JudgeRole,
    order: LabelOrder | None = None,
) -> LabelCheck:
    """The judges for these rows; ``order`` is for a method that flips ordered labels."""
    rows = [row for row in examples if row.label is not None and not row.fault]
    labels = tuple(sorted({str(row.label) for row in rows}))
    measured_only = role == "of the method"
    if len(labels) < 2:
        return LabelCheck(labels)
    if settings.by == "none" and not measured_only:
        return LabelCheck(labels, notes=(not_verified("judge.by is none"),))
    notes: list[str] = []
    pairs = settings.by == "auto" and any(len(row.fields) > 1 for row in rows)
    free = settings.by in {"auto", "ensemble", "both"} and not (measured_only or pairs)
    ensemble = _trained(rows, settings, notes) if free else None
    auto = settings.by == "auto" and (role == "second" or pairs)
    asks = measured_only or auto or settings.by in {"llm", "both"}
    by_llm = asks and not measured_only
    if not (by_llm or measured_only):
        notes += unverified_notes(ensemble)
    test = None
    if asks and settings.rows:
        test = JudgeTest.of(rows, settings.rows, settings.min_accuracy, order)
    return LabelCheck(
        labels,
        by_llm,
        ensemble,
        notes=tuple(notes),
        tolerance=settings.tolerance,
        min_refuted=settings.min_refuted,
        only_trusted=settings.by == "auto",
        test=test,
    )


def prompts_with_rows(prompts: PromptSet, rows: Sequence[Example]) -> PromptSet:
    """The prompts with rows of the dataset as worked examples where an answer is a label."""
    if not prompts.rows_as_examples:
        return prompts
    drawn = balanced_sample(rows, prompts.rows_as_examples, "shown")
    shown = tuple(
        PromptExample(inputs={"fields": dict(row.fields)}, answer=str(row.label)) for row in drawn
    )
    prompt = prompts.replaced.get(_JUDGE) or bundled_prompt(_JUDGE)
    replaced = {**prompts.replaced, _JUDGE: prompt.with_examples(shown)}
    return PromptSet(replaced, prompts.rows_as_examples)


def train_judge(
    rows: Sequence[Example],
    hidden: HiddenWords = NO_WORDS,
    members: EnsembleConfig | None = None,
) -> EnsembleJudge:
    """Classifiers that judge out of fold, a linear one unless given; the rows have one shape."""
    from augkit.models.classifiers.settings import LinearConfig
    from augkit.models.ensembles.crossfit import EnsembleConfig, train_crossfitted

    members = members or EnsembleConfig(members=(LinearConfig(),))
    shown = list(map(hidden.remove_from, rows))
    return EnsembleJudge(train_crossfitted(shown, members, "judge of labels"), hidden=hidden)


def sampled_rows(rows: Iterable[Example], count: int, purpose: str) -> list[Example]:
    """So many of the rows, by their ids: the same in any order of the rows."""
    return sorted(rows, key=lambda row: digest(purpose, row.id))[:count]


def same_fields(rows: Iterable[Example]) -> list[Example]:
    """The rows that have the commonest fields; all of them, as a rule."""
    by_fields: dict[frozenset[str], list[Example]] = {}
    for row in rows:
        by_fields.setdefault(frozenset(row.fields), []).append(row)
    return max(by_fields.values(), key=len, default=[])


def _trained(
    rows: Sequence[Example], settings: JudgeSettings, notes: list[str]
) -> CrossFitted | None:
    """The ensemble, where it is accurate enough or asked for; ``notes`` says how good it is."""
    try:
        judge = train_judge(sampled_rows(same_fields(rows), _MOST_TRAINED, "ensemble"))
    except DataError as error:
        notes.append(f"no ensemble judges labels: {error}")
        return None
    accuracy = judge.accuracy
    at_chance = judge.ensemble.at_chance
    used = settings.by != "auto" or (accuracy >= settings.min_accuracy and not at_chance)
    verdict = "it judges labels" if used else "too few to judge labels (--set judge.by=llm)"
    chance = ", no better than chance" if at_chance else ""
    notes.append(f"the ensemble is right for {accuracy:.0%} of held-out rows{chance}: {verdict}")
    return judge.ensemble if used else None
