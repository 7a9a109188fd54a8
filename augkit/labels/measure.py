"""How good a language model is as a judge of labels: it labels rows of the dataset first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from typing_extensions import Self

from augkit.core.protocols import LLM
from augkit.core.types import Example, digest
from augkit.labels.judge import LLMJudge, named_label
from augkit.lexicons.label_order import LabelOrder
from augkit.llm.faults import NOT_ANSWERED
from augkit.prompts.choice_question import likeliest

_MOST_CHARS = 1000
"""Longer rows are neither shown as examples nor used to measure."""


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
        right = self.right.total()
        asked = self.asked.total()
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


@dataclass(frozen=True)
class JudgeTest:
    """Rows of the dataset that a model must label before it may judge.

    Attributes:
        rows: The rows.
        min_accuracy: A model that is right less often is not trusted.
        order: Of ordered labels: a label is right on the right side of the middle.
    """

    rows: tuple[Example, ...]
    min_accuracy: float
    order: LabelOrder | None = None

    @classmethod
    def of(
        cls,
        rows: Sequence[Example],
        count: int,
        min_accuracy: float,
        order: LabelOrder | None = None,
    ) -> Self:
        """Choose ``count`` rows, as many of each label as can be; none of the middle itself."""
        if order is not None:
            rows = [row for row in rows if order.side(row.label)]
        sample = balanced_sample(rows, count, "measure")
        plain = tuple(Example(row.fields, row.label) for row in sample)
        return cls(plain, min_accuracy, order)

    def accuracy_of(self, llm: LLM, labels: Sequence[str]) -> JudgeAccuracy | None:
        """Have a model label the rows; None where it did not answer all that it was asked."""
        alike: dict[str, Sequence[str]] = {label: [label] for label in labels}
        if self.order is not None:
            alike = {label: self.order.same_side(label) for label in labels}
        right: Counter[str] = Counter()
        right_by_mean = 0
        agreed = 0
        answers = LLMJudge(llm, labels).ask([row.fields for row in self.rows])
        if any(answer.fault in NOT_ANSWERED for answer in answers):
            return None
        for row, answer in zip(self.rows, answers, strict=True):
            label = str(row.label)
            named = [likeliest(by_order.probabilities) for by_order in answer.by_order]
            sides = {tuple(alike[name]) for name in named if name is not None}
            agrees = len(named) - named.count(None) > 1 and len(sides) == 1
            is_right = named_label(answer) in alike[label]
            right[label] += is_right and agrees
            right_by_mean += is_right
            agreed += agrees
        asked = Counter(sorted(str(row.label) for row in self.rows))
        return JudgeAccuracy(+right, asked, right_by_mean, agreed)

    @property
    def record(self) -> dict[str, Any]:
        """What a file keeps of it."""
        rows = [{"fields": dict(row.fields), "label": row.label} for row in self.rows]
        order = None if self.order is None else asdict(self.order)
        return {"rows": rows, "min_accuracy": self.min_accuracy, "order": order}

    @classmethod
    def read(cls, record: Mapping[str, Any]) -> Self:
        """The test of a record."""
        rows = tuple(Example(row["fields"], row["label"]) for row in record["rows"])
        order = record["order"] and LabelOrder(**record["order"])
        return cls(rows, record["min_accuracy"], order)


def describe_judge(accuracy: JudgeAccuracy, min_accuracy: float, *, has_ensemble: bool) -> str:
    """Say how good a model is that judges, and what follows from that."""
    note = f"judge: the model is {accuracy.describe()}"
    if accuracy.accuracy < min_accuracy:
        instead = "the ensemble judges instead" if has_ensemble else "labels are doubtful"
        return (
            f"{note}. That is less than {min_accuracy:.0%}: {instead}; try --set "
            "judge_llm=MODEL with a better model, or --set examples=data:6"
        )
    if accuracy.agreement < min_accuracy:
        return f"{note}. The order of the labels decides many answers: read some variants"
    if not accuracy.is_shown_above(min_accuracy):
        return (
            f"{note}. So few rows do not show that it reaches {min_accuracy:.0%}: measure it on "
            "more (--set judge.rows=100, a larger --sample), or read some variants"
        )
    return note


def balanced_sample(rows: Iterable[Example], count: int, purpose: str) -> list[Example]:
    """So many rows, one label after the other, by their ids: the same in any order of the rows."""
    by_label: dict[str, list[Example]] = {}
    for row in sorted(rows, key=lambda row: digest(purpose, row.id)):
        short = sum(map(len, row.fields.values())) <= _MOST_CHARS
        if short and row.label is not None and not row.fault:
            by_label.setdefault(row.label, []).append(row)
    turns = max(map(len, by_label.values()), default=0)
    in_turn = [by_label[label][n : n + 1] for n in range(turns) for label in sorted(by_label)]
    return [row for rows in in_turn for row in rows][:count]
