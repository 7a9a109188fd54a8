"""Choosing the judges of a run: the ensemble is trained, a model that judges is measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from augkit.core.errors import DataError
from augkit.core.progress import report_progress
from augkit.core.protocols import LLM
from augkit.core.types import Example, digest
from augkit.labels.check import LabelCheck
from augkit.labels.judge import (
    NO_WORDS,
    EnsembleJudge,
    HiddenWords,
    LLMJudge,
    named_label,
    not_verified,
)
from augkit.labels.settings import JudgeSettings
from augkit.lexicons.label_order import LabelOrder
from augkit.prompts.choice_question import likeliest
from augkit.prompts.load import PromptSet, bundled_prompt
from augkit.prompts.prompt import PromptExample

if TYPE_CHECKING:
    from augkit.models.ensembles.crossfit import CrossFitted, EnsembleConfig

_MOST_TRAINED = 5000
_MOST_CHARS = 1000
"""Longer rows are neither shown as examples nor used to measure."""
_JUDGE = "judge/label"

JudgeRole = Literal["writer", "second", "of the method"]
"""Who would judge: the writer itself, a second model, or one that the method asks by itself.

The last one is only measured.
"""


@dataclass(frozen=True)
class JudgeAccuracy:
    """How a judge labelled rows of the dataset.

    A row is ``right`` where both orders of the labels give its label. The mean of both decides, and
    can be right where they contradict each other.
    """

    right: Counter[str]
    asked: Counter[str]
    right_by_mean: int
    agreed: int
    """Rows for which both orders give the same label, right or wrong."""

    @property
    def accuracy(self) -> float:
        """Share of the rows that the mean of both orders labels right."""
        return self.right_by_mean / max(1, self.asked.total())

    def is_shown_above(self, least: float) -> bool:
        """Whether the 95 % interval of the accuracy begins at ``least`` or above it.

        >>> [JudgeAccuracy(Counter(), Counter(a=n), n, n).is_shown_above(0.7) for n in (6, 24)]
        [False, True]
        """
        return _wilson(self.right_by_mean, max(1, self.asked.total()))[0] >= least

    @property
    def agreement(self) -> float:
        """Share of the rows for which both orders agree."""
        return self.agreed / max(1, self.asked.total())

    def describe(self) -> str:
        """Rows right in both orders with a 95 % Wilson interval, by label; agreement; the mean."""
        right, asked = self.right.total(), self.asked.total()
        if not asked:
            return f"not measured: no row has at most {_MOST_CHARS} characters"
        low, high = _wilson(right, asked)
        by_label = [f"{label} {self.right[label]}/{self.asked[label]}" for label in self.asked]
        return (
            f"right for {right} of {asked} rows ({right / asked:.0%}, 95 % interval "
            f"{low:.0%} to {high:.0%}; {', '.join(by_label)}) in both orders of the labels; the "
            f"orders agree for {self.agreed}; their mean, which decides, is right for "
            f"{self.right_by_mean}"
        )


def _wilson(right: int, asked: int) -> tuple[float, float]:
    from scipy.stats import binomtest

    interval = binomtest(right, asked).proportion_ci(method="wilson")
    return float(interval.low), float(interval.high)


def fit_label_check(
    examples: Sequence[Example],
    settings: JudgeSettings,
    llm: LLM,
    role: JudgeRole,
    order: LabelOrder | None = None,
) -> LabelCheck:
    """The judges for these rows.

    ``llm`` is the model that would judge; ``order`` is for a method that flips ordered labels.
    """
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
    trusted = steady = True
    if asks and settings.rows:
        report_progress("measuring the judge of labels")
        accuracy = measure_judge(llm, labels, rows, settings.rows, order)
        trusted = accuracy.accuracy >= settings.min_accuracy
        steady = accuracy.agreement >= settings.min_accuracy
        notes.append(_note(accuracy, trusted, ensemble is not None, settings))
    by_llm = asks and not measured_only and (trusted or settings.by != "auto")
    if not (by_llm or measured_only):
        if ensemble is None:
            notes.append(not_verified("no judge is good enough, and every variant is accepted"))
        elif ensemble.at_chance:
            notes.append(not_verified("the only judge is no better than chance"))
    limits = settings.tolerance, settings.min_refuted
    return LabelCheck(labels, by_llm, ensemble, trusted, tuple(notes), *limits, steady=steady)


def measure_judge(
    llm: LLM,
    labels: Sequence[str],
    rows: Sequence[Example],
    count: int,
    order: LabelOrder | None = None,
) -> JudgeAccuracy:
    """Have some rows of the dataset labelled, as many of each label as can be.

    In an ``order`` a label is right on the right side of the middle; there are no rows of the
    middle itself.
    """
    if order is not None:
        rows = [row for row in rows if order.side(row.label)]
    sample = balanced_sample(rows, count, "measure")
    alike = {label: [label] if order is None else order.same_side(label) for label in labels}
    right: Counter[str] = Counter()
    right_by_mean = agreed = 0
    answers = LLMJudge(llm, labels).ask([row.fields for row in sample])
    for row, answer in zip(sample, answers, strict=True):
        label = str(row.label)
        named = [likeliest(by_order.probabilities) for by_order in answer.by_order]
        sides = {tuple(alike[name]) for name in named if name is not None}
        agrees = len(named) - named.count(None) > 1 and len(sides) == 1
        is_right = named_label(answer) in alike[label]
        right[label] += is_right and agrees
        right_by_mean, agreed = right_by_mean + is_right, agreed + agrees
    asked = Counter(sorted(str(row.label) for row in sample))
    return JudgeAccuracy(+right, asked, right_by_mean, agreed)


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


def balanced_sample(rows: Sequence[Example], count: int, purpose: str) -> list[Example]:
    """So many rows, one label after the other, by their ids: the same in any order of the rows."""
    by_label: dict[str, list[Example]] = {}
    for row in sorted(rows, key=lambda row: digest(purpose, row.id)):
        short = sum(map(len, row.fields.values())) <= _MOST_CHARS
        if short and row.label is not None and not row.fault:
            by_label.setdefault(row.label, []).append(row)
    turns = max(map(len, by_label.values()), default=0)
    in_turn = [by_label[label][n : n + 1] for n in range(turns) for label in sorted(by_label)]
    return [row for rows in in_turn for row in rows][:count]


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
    accuracy, at_chance = judge.accuracy, judge.ensemble.at_chance
    used = settings.by != "auto" or (accuracy >= settings.min_accuracy and not at_chance)
    verdict = "it judges labels" if used else "too few to judge labels (--set judge.by=llm)"
    chance = ", no better than chance" if at_chance else ""
    notes.append(f"the ensemble is right for {accuracy:.0%} of held-out rows{chance}: {verdict}")
    return judge.ensemble if used else None


def _note(accuracy: JudgeAccuracy, trusted: bool, has_ensemble: bool, s: JudgeSettings) -> str:
    note = f"judge: the model is {accuracy.describe()}"
    if trusted and accuracy.agreement < s.min_accuracy:
        return f"{note}. The order of the labels decides many answers: read some variants"
    if trusted and not accuracy.is_shown_above(s.min_accuracy):
        return (
            f"{note}. So few rows do not show that it reaches {s.min_accuracy:.0%}: measure it on "
            "more (--set judge.rows=100, a larger --sample), or read some variants"
        )
    if trusted:
        return note
    instead = "the ensemble judges instead" if has_ensemble else "labels are doubtful"
    return (
        f"{note}. That is less than {s.min_accuracy:.0%}: {instead}; try --set "
        "judge_llm=MODEL with a better model, or --set examples=data:6"
    )
