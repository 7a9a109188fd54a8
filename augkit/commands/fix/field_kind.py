"""The kind "field alone": one of two texts, or their overlap, tells the label without the other.

Nothing here repairs it; choosing or weighing rows is a trade. What is offered: weights under which
a blind model says nothing, and the rows that it gets wrong (hard) and right (easy) as tests. The
proof trains a reader of both texts with and without the weights, beside the same weights dealt out
at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Any

from augkit.commands.fix.endings import Ending, Verdict, per_cent, shown_points
from augkit.commands.fix.pair_views import View, pair_features, views_of
from augkit.commands.fix.reader import (
    Reader,
    balanced_accuracy,
    balanced_difference,
    is_right,
)
from augkit.commands.fix.work import Work
from augkit.core.arrays import Flags, Floats
from augkit.core.json_files import write_json_lines
from augkit.core.progress import report_progress
from augkit.core.types import Example, digest
from augkit.models.folds import assign_folds

FOLDS = 5
_SEEDS = 3
_LEAST_GAIN = 0.05
"""How far over guessing a field alone is a shortcut, in balanced accuracy."""
_CAP = 5.0
_THIRDS = 3
_PROVED = 4_000
"""Rows of the proof, at most; the weights are those of all rows."""
_LEAST_HARD = 60
_COST = 0.01
_CLEAR = 2.0
WEIGHT = "weight"


@dataclass(frozen=True)
class Blind:
    """What a model that sees one view of the rows says of each, trained without it."""

    view: View
    labels: Sequence[str]
    confidence: Floats
    right: Flags
    accuracy: float
    """Balanced."""


def blind_views(work: Work) -> list[Blind]:
    """The view that gives the label away most, where one does; cross-fitted by groups."""
    if not work.is_pair:
        return []
    report_progress("training on each text alone")
    examples = work.examples
    found = [cross_fit(examples, view, work.settings.seed) for view in _views(work)]
    best = max(found, key=lambda blind: blind.accuracy)
    chance = 1 / len(work.rows.labels)
    is_enough = best.accuracy >= chance + _LEAST_GAIN
    return [best] if is_enough and len(examples) >= 2 * _LEAST_HARD else []


def _views(work: Work) -> list[View]:
    """All views, or that of the field which a named cue is in."""
    views = views_of(work.rows.fields)
    if work.is_named:
        fields = {cue.feature.field for cue in work.chosen}
        views = [view for view in views if view.name in fields] or views
    return views


def cross_fit(examples: Sequence[Example], view: View, seed: int) -> Blind:
    """Predict every row by a model of the other folds; rows of one text are in one fold."""
    import numpy as np

    folds = np.array(assign_folds(examples, FOLDS, seed, None))
    labels = np.array([str(row.label) for row in examples])
    rows = [row.fields for row in examples]
    predicted = np.empty(len(rows), dtype=object)
    confidence = np.zeros(len(rows))
    for fold in range(FOLDS):
        held = np.flatnonzero(folds == fold)
        seen = np.flatnonzero(folds != fold)
        if not len(held) or len(set(labels[seen])) < 2:
            predicted[held] = labels[0]
            continue
        blind = view.train([rows[n] for n in seen], list(labels[seen]))
        names, scores = blind.probabilities([rows[n] for n in held])
        predicted[held] = [names[place] for place in scores.argmax(axis=1)]
        confidence[held] = scores.max(axis=1)
    right = np.asarray(predicted == labels, dtype=bool)
    accuracy = balanced_accuracy(right, list(labels))
    return Blind(view, list(predicted), confidence, right, accuracy)


def cell_weights(blind: Blind, labels: Sequence[str]) -> Floats:
    """What each row counts so that the blind model says nothing: float[rows], of mean 1.

    w = P(y) / P(y | what the blind model says and how sure it is), at most 5
    """
    import numpy as np

    names = np.array(labels)
    said = np.array(blind.labels)
    bounds = np.quantile(blind.confidence, [third / _THIRDS for third in range(1, _THIRDS)])
    thirds = np.searchsorted(bounds, blind.confidence)
    weights = np.ones(len(names))
    for label in set(labels):
        share = float((names == label).mean())
        for answer in set(blind.labels):
            for third in range(_THIRDS):
                cell = (said == answer) & (thirds == third)
                own = cell & (names == label)
                if own.any():
                    weights[own] = min(_CAP, share * cell.sum() / own.sum())
    return np.asarray(weights / weights.mean())


@dataclass(frozen=True)
class Change:
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
class FieldProof:
    """What weights do to a reader of both texts.

    Attributes:
        rows: The rows of the proof.
        hard_rows: Those that the blind model gets wrong, in the mean of the seeds.
        lead: By how much the reader beats the blind model on ordinary rows.
        changes: The part of the test → the change by the weights.
        control: The same by weights that are dealt out at random.
    """

    rows: int
    hard_rows: int
    lead: Change
    changes: dict[str, Change]
    control: dict[str, Change]

    @property
    def verdict(self) -> Verdict:
        """What may be said of the weights."""
        if self.hard_rows < _LEAST_HARD or not self.lead.is_up:
            return "not testable"
        hard = self.changes["hard"]
        ordinary = self.changes["ordinary"]
        beats_chance = hard.value > self.control["hard"].value
        agrees = self.changes["hard for another blind model"].value > 0
        if hard.is_up and beats_chance and agrees:
            return "leans less" if ordinary.value >= -_COST else "trade"
        is_worse = ordinary.is_down and ordinary.value <= -2 * _COST
        return "harm" if hard.is_down or is_worse else "no help"


def prove_weights(examples: Sequence[Example], view: View, seed: int) -> FieldProof:
    """Train with and without the weights, on four of five folds, by three seeds."""
    drawn = sorted(examples, key=lambda row: digest(str(seed), "proof", row.id))[:_PROVED]
    parts: dict[str, list[tuple[float, float, float]]] = {}
    controls: dict[str, list[tuple[float, float, float]]] = {}
    leads: list[tuple[float, float, float]] = []
    hard_rows = 0
    for number in range(_SEEDS):
        report_progress("training with and without weights", number, _SEEDS)
        folds = assign_folds(drawn, FOLDS, seed + number, None)
        train = [row for row, fold in zip(drawn, folds, strict=True) if fold]
        held = [row for row, fold in zip(drawn, folds, strict=True) if not fold]
        measured = _measure(train, held, view, seed + number)
        hard_rows += measured.hard_rows
        leads.append(measured.lead)
        for name, figures in measured.parts.items():
            parts.setdefault(name, []).append(figures)
        for name, figures in measured.control.items():
            controls.setdefault(name, []).append(figures)
    return FieldProof(
        len(drawn),
        hard_rows // _SEEDS,
        _change(leads),
        {name: _change(figures) for name, figures in parts.items()},
        {name: _change(figures) for name, figures in controls.items()},
    )


@dataclass(frozen=True)
class _Measured:
    hard_rows: int
    lead: tuple[float, float, float]
    parts: dict[str, tuple[float, float, float]]
    control: dict[str, tuple[float, float, float]]


def _measure(train: Sequence[Example], held: Sequence[Example], view: View, seed: int) -> _Measured:
    """One seed: levels, differences and their errors on each part of the held-out rows."""
    import numpy as np

    labels = [str(row.label) for row in train]
    rows = [row.fields for row in train]
    tested = [row.fields for row in held]
    weights = cell_weights(cross_fit(train, view, seed), labels)
    dealt = weights.copy()
    for label in sorted(set(labels)):
        of_label = [n for n, name in enumerate(labels) if name == label]
        shuffled = list(of_label)
        Random(f"{seed} {label}").shuffle(shuffled)  # noqa: S311 - a draw, not a secret
        dealt[of_label] = weights[shuffled]
    right: dict[str, Flags] = {}
    for name, given in (("as it is", None), ("weights", weights), ("control", dealt)):
        reader = Reader(rows, labels, given, pair_features)
        right[name] = is_right(reader.predict(tested), held)
    blind = is_right(view.train(rows, labels).predict(tested), held)
    other = is_right(view.train_other(rows, labels).predict(tested), held)
    masks = {
        "ordinary": np.ones(len(held), dtype=bool),
        "hard": ~blind,
        "easy": blind,
        "hard for another blind model": ~other,
    }
    truth = np.array([str(row.label) for row in held])

    def figures(first: Flags, second: Flags, mask: Flags) -> tuple[float, float, float]:
        names = list(truth[mask])
        if not names:
            return 0.0, 0.0, 1.0
        change, error = balanced_difference(first[mask], second[mask], names)
        return balanced_accuracy(first[mask], names), change, error

    before = right["as it is"]
    return _Measured(
        int((~blind).sum()),
        figures(blind, before, masks["ordinary"]),
        {name: figures(before, right["weights"], mask) for name, mask in masks.items()},
        {name: figures(before, right["control"], mask) for name, mask in masks.items()},
    )


def _change(figures: Sequence[tuple[float, float, float]]) -> Change:
    """The mean over seeds; its error has the rows' and the seeds' part."""
    import numpy as np

    levels, values, errors = (np.array(column) for column in zip(*figures, strict=True))
    seeds = float(values.var(ddof=1)) if len(values) > 1 else 0.0
    error = sqrt((float((errors**2).mean()) + seeds) / len(values))
    return Change(float(levels.mean()), float(values.mean()), error)


def fix_field(work: Work, blinds: Sequence[Blind]) -> tuple[Sequence[Example], Ending]:
    """Offer weights, and the hard and the easy part; prove what the weights do."""
    blind = blinds[0]
    rows = work.rows
    labels = [str(row.label) for row in work.examples]
    weights = cell_weights(blind, labels)
    proof = prove_weights(work.examples, blind.view, work.settings.seed)
    written = [rows.written(row, row.fields) for row in work.examples]
    files: dict[str, Any] = {}
    for name, is_in in (("hard", ~blind.right), ("easy", blind.right)):
        files[f"{name} part, to test on"] = work.folder / f"{name}.jsonl"
        part = [row for row, inside in zip(written, is_in, strict=True) if inside]
        write_json_lines(work.folder / f"{name}.jsonl", part, default=str)
    weighed = [
        {**row, WEIGHT: round(float(weight), 4)}
        for row, weight in zip(written, weights, strict=True)
    ]
    path = work.folder / "weighted.jsonl"
    write_json_lines(path, weighed, default=str)
    verdict = proof.verdict
    files["train on" if verdict == "leans less" else "weights, in a column"] = path
    chance = 1 / len(rows.labels)
    done = (
        f"{blind.view.title} gives {per_cent(blind.accuracy)} % of the labels (balanced; guessing "
        f"{per_cent(chance)} %). No choice of rows repairs that; weights are offered."
    )
    return work.examples, Ending(
        "field alone",
        verdict,
        _headline(verdict, proof),
        done,
        _table(proof),
        _offers(work),
        _figures(blind, proof),
        files,
    )


def _headline(verdict: Verdict, proof: FieldProof) -> str:
    hard = proof.changes["hard"]
    ordinary = proof.changes["ordinary"]
    gain = shown_points(hard.value, hard.error)
    loss = shown_points(ordinary.value, ordinary.error)
    sentences: dict[str, str] = {
        "leans less": f"Leans less on it, by our own test: {gain} points on the hard part. What "
        "independent tests say is not known.",
        "trade": f"A trade: {gain} points on the hard part, {loss} on ordinary rows.",
        "no help": f"No help: weights do {gain} points on the hard part. Train on the rows as they "
        "are, and report the hard part beside the ordinary score.",
        "harm": f"Harm: {gain} points on the hard part, {loss} on ordinary rows. Do not train with "
        "these weights.",
        "not testable": "Not testable with this classifier: it reads no more than the field alone "
        "says, or the hard part is too small. The hard part tests yours.",
    }
    return sentences[verdict]


def _table(proof: FieldProof) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [("accuracy, %", "as it is", "weights", "dealt at random")]
    for name, change in proof.changes.items():
        control = proof.control[name]
        rows.append(
            (
                name,
                per_cent(change.level),
                shown_points(change.value, change.error),
                shown_points(control.value, control.error),
            )
        )
    return rows


def _offers(work: Work) -> list[str]:
    """Methods that make pairs: a fine-tuned reader gains more by them than by weights."""
    labels = {label.lower() for label in work.rows.labels}
    if labels & {"supports", "refutes", "supported", "refuted"}:
        return ["Made pairs fit fact checks better: augkit run -m coba, or -m symmetric"]
    if labels & {"entailment", "contradiction"}:
        return ["Made pairs fit inference better: augkit run -m coba"]
    return ["A language model can write new pairs: augkit run -m coba --llm MODEL"]


def _figures(blind: Blind, proof: FieldProof) -> dict[str, object]:
    return {
        "view": blind.view.name,
        "blind": blind.accuracy,
        "rows": proof.rows,
        "hard_rows": proof.hard_rows,
        "lead": vars(proof.lead),
        "weights": {name: vars(change) for name, change in proof.changes.items()},
        "control": {name: vars(change) for name, change in proof.control.items()},
    }
