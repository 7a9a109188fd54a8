"""The proof for a field alone: a reader of both texts, trained on what each offer trains on.

Each fold is held out once. Of its rows a blind model, trained on the others, gets some wrong (hard)
and the rest right (easy). Each offer stands beside a control of the same size: its weights dealt
out at random, as many rows drawn at random, or rows repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from augkit.commands.fix.endings import Verdict
from augkit.commands.fix.linear_rows import CodedRows
from augkit.commands.fix.pair_views import View, pair_features
from augkit.commands.fix.reader import balanced_accuracy, balanced_difference, is_right
from augkit.core.arrays import Flags, Floats, Ints
from augkit.core.progress import report_progress
from augkit.core.types import Example
from augkit.models.folds import assign_folds

FOLDS = 5
SEEDS = 2
LEAST_HARD = 60
_COST = 0.01
_MOST_COST = 0.02
"""What ordinary rows may lose; and at most, where so little cannot be told from chance."""
_CLEAR = 2.0
ORDINARY = "ordinary rows"
HARD = "hard part"
EASY = "easy part"
OTHER = "hard, by another model"
PARTS = (ORDINARY, HARD, EASY, OTHER)
BLIND = "blind"
AS_IT_IS = "as it is"


@dataclass(frozen=True)
class Trained:
    """The rows that a reader is trained on, by their numbers, and what each counts."""

    rows: Ints
    weights: Floats | None = None


class ProofRows:
    """The rows of the proof and those made of them, as classifiers see them.

    Attributes:
        examples: The rows.
        read: What the reader sees of them and, behind them, of the made ones.
        alone: What the blind model sees of them.
        made: Method → the numbers of its rows and, for each, of the row it is made of.
    """

    def __init__(
        self,
        examples: Sequence[Example],
        made: Mapping[str, Sequence[tuple[int, Example]]],
        view: View,
    ) -> None:
        """Code the rows; ``made`` are pairs of a row's number and a row made of it."""
        import numpy as np

        self.examples = examples
        self.view = view
        self.made: dict[str, tuple[Ints, Ints]] = {}
        everything = list(examples)
        for method, rows in made.items():
            numbers = np.arange(len(everything), len(everything) + len(rows))
            self.made[method] = (numbers, np.array([parent for parent, _ in rows], dtype=int))
            everything += [row for _, row in rows]
        labels = [str(row.label) for row in everything]
        self.read = CodedRows([row.fields for row in everything], labels, pair_features)
        fields = [row.fields for row in examples]
        self.alone = CodedRows(fields, labels[: len(examples)], view.features)


Choose = Callable[[ProofRows, Ints, int], Trained]
"""What is trained on of so many rows, by a seed."""


@dataclass(frozen=True)
class PartChange:
    """A difference in balanced accuracy, with its standard error over rows and seeds."""

    level: float
    value: float
    error: float

    @property
    def is_up(self) -> bool:
        """Whether it is clearly more."""
        return self.value > 0 and self.value >= _CLEAR * self.error

    @property
    def is_down(self) -> bool:
        """Whether it is clearly less."""
        return self.value < 0 and -self.value >= _CLEAR * self.error


@dataclass(frozen=True)
class OfferProof:
    """What an offer does to the reader.

    Attributes:
        changes: The part of the held-out rows → the change.
        control: The same by the control.
        lead: By how much the reader that is trained on it beats the blind model.
    """

    changes: Mapping[str, PartChange]
    control: Mapping[str, PartChange]
    lead: PartChange


@dataclass(frozen=True)
class FieldProof:
    """What each offer does.

    Attributes:
        rows: The rows of the proof.
        hard_rows: Those that the blind model gets wrong, in the mean.
        lead: By how much the reader of the rows as they are beats the blind model.
        offers: The name of an offer → what it does; the simplest first.
    """

    rows: int
    hard_rows: int
    lead: PartChange
    offers: Mapping[str, OfferProof]

    def verdict_of(self, name: str) -> Verdict:
        """What may be said of an offer."""
        offer = self.offers[name]
        # A reader that reads no more than the blind model gains on the hard part by guessing.
        if self.hard_rows < LEAST_HARD or not (self.lead.is_up or offer.lead.is_up):
            return "not testable"
        hard = offer.changes[HARD]
        ordinary = offer.changes[ORDINARY]
        beats_chance = hard.value > offer.control[HARD].value
        agrees = offer.changes[OTHER].value > 0
        loses = ordinary.value < -_COST and (ordinary.is_down or ordinary.value < -_MOST_COST)
        if hard.is_up and beats_chance and agrees:
            return "trade" if loses else "leans less"
        # With any gain on the hard part a loss on ordinary rows is no harm: on MNLI people's hard
        # rows gained 2.2 points by such an offer.
        is_worse = ordinary.is_down and ordinary.value <= -_MOST_COST and hard.value <= 0
        return "harm" if hard.is_down or is_worse else "no help"

    @property
    def verdict(self) -> Verdict:
        """What may be said of the best offer."""
        said = {self.verdict_of(name) for name in self.offers}
        order: tuple[Verdict, ...] = ("leans less", "trade", "no help", "harm")
        return next((verdict for verdict in order if verdict in said), "not testable")

    @property
    def leaning(self) -> list[str]:
        """The offers that lean less."""
        return [name for name in self.offers if self.verdict_of(name) == "leans less"]

    @property
    def recommended(self) -> str | None:
        """The simplest offer that leans less and is not clearly below another that does."""
        gains = {name: self.offers[name].changes[HARD] for name in self.leaning}
        if not gains:
            return None
        best = max(gains.values(), key=lambda gain: gain.value)
        return next(name for name, gain in gains.items() if not _is_below(gain, best))


def _is_below(gain: PartChange, best: PartChange) -> bool:
    """Whether a gain is clearly smaller than another."""
    return best.value - gain.value >= _CLEAR * sqrt(gain.error**2 + best.error**2)


def prove_offers(rows: ProofRows, offers: Mapping[str, Choose], seed: int) -> FieldProof:
    """Train a reader on each offer and its control, cross-fitted, by some seeds."""
    answers = []
    for number in range(SEEDS):
        report_progress("training a reader of both texts", number, SEEDS)
        answers.append(_answer(rows, offers, seed + number))
    labels = rows.alone.labels
    proofs = {}
    for name in offers:
        proofs[name] = OfferProof(
            {part: _change(answers, AS_IT_IS, name, part, labels) for part in PARTS},
            {part: _change(answers, AS_IT_IS, _control(name), part, labels) for part in PARTS},
            _change(answers, BLIND, name, ORDINARY, labels),
        )
    hard_rows = sum(int(seed.parts[HARD].sum()) for seed in answers) // SEEDS
    lead = _change(answers, BLIND, AS_IT_IS, ORDINARY, labels)
    return FieldProof(len(rows.examples), hard_rows, lead, proofs)


@dataclass(frozen=True)
class _Answers:
    """Of one seed: what was trained → which rows it gets right; the rows of each part."""

    right: Mapping[str, Flags]
    parts: Mapping[str, Flags]


def _control(name: str) -> str:
    return f"control of {name}"


def _answer(rows: ProofRows, offers: Mapping[str, Choose], seed: int) -> _Answers:
    """Train on all folds but one, and ask about that one."""
    import numpy as np

    folds = np.array(assign_folds(rows.examples, FOLDS, seed, None))
    names = [BLIND, OTHER, AS_IT_IS, *offers, *map(_control, offers)]
    right = {name: np.zeros(len(folds), dtype=bool) for name in names}
    for fold in range(FOLDS):
        train = np.flatnonzero(folds != fold)
        held = np.flatnonzero(folds == fold)

        def is_read(trained: Trained, held: Ints = held) -> Flags:
            return rows.read.is_right(held, rows.read.ask(trained.rows, held, trained.weights))

        right[BLIND][held] = rows.alone.is_right(held, rows.alone.ask(train, held))
        right[OTHER][held] = _is_right_otherwise(rows, train, held)
        right[AS_IT_IS][held] = is_read(Trained(train))
        for name, choose in offers.items():
            trained = choose(rows, train, FOLDS * seed + fold)
            chance = control_of(trained, train, rows.read.labels, seed)
            right[name][held] = is_read(trained)
            right[_control(name)][held] = is_read(chance)
    parts = {
        ORDINARY: np.ones(len(folds), dtype=bool),
        HARD: ~right[BLIND],
        EASY: right[BLIND],
        OTHER: ~right[OTHER],
    }
    return _Answers(right, parts)


def _is_right_otherwise(rows: ProofRows, train: Ints, held: Ints) -> Flags:
    """Whether a blind model of another kind is right."""
    seen = [rows.examples[number] for number in train]
    asked = [rows.examples[number] for number in held]
    model = rows.view.train_other([row.fields for row in seen], [str(row.label) for row in seen])
    return is_right(model.predict([row.fields for row in asked]), asked)


def control_of(trained: Trained, train: Ints, labels: Any, seed: int) -> Trained:
    """What is of the same size by chance: weights dealt out, rows drawn, or rows repeated."""
    import numpy as np

    rng = np.random.default_rng(seed)
    if trained.weights is not None:
        dealt = trained.weights.copy()
        for label in np.unique(labels[trained.rows]):
            own = np.flatnonzero(labels[trained.rows] == label)
            dealt[own] = dealt[rng.permutation(own)]
        return Trained(trained.rows, dealt)
    more = len(trained.rows) - len(train)
    if more >= 0:
        return Trained(np.concatenate([train, rng.choice(train, more)]))
    drawn = []
    for label in np.unique(labels[train]):
        size = int((labels[trained.rows] == label).sum())
        drawn.append(rng.choice(train[labels[train] == label], size, replace=False))
    return Trained(np.sort(np.concatenate(drawn)))


def _change(
    answers: Sequence[_Answers], before: str, after: str, part: str, labels: Any
) -> PartChange:
    """The mean change over the seeds; its error has the rows' and the seeds' part.

    Each seed asks about the same rows, so that more seeds leave the rows' part as it is.
    """
    import numpy as np

    levels = []
    values = []
    errors = []
    for seed in answers:
        mask = seed.parts[part]
        names = list(labels[mask])
        value, error = balanced_difference(seed.right[before][mask], seed.right[after][mask], names)
        levels.append(balanced_accuracy(seed.right[before][mask], names))
        values.append(value)
        errors.append(error)
    of_seeds = float(np.var(values, ddof=1)) / len(values)
    error = sqrt(float(np.mean(np.square(errors))) + of_seeds)
    return PartChange(float(np.mean(levels)), float(np.mean(values)), error)
