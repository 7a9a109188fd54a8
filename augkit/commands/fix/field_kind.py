"""The kind "field alone": one of two texts, or their overlap, tells the label without the other.

Nothing here repairs it. What is offered stands in ``offers_of``: weights under which a blind model
says nothing, fewer rows, pairs that a method makes; and always the rows that the blind model gets
wrong (hard) and right (easy) as tests. Each offer is proved (``field_proof``), and the simplest
that helps is recommended.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from pathlib import Path
from typing import Any

from augkit.commands.fix.blind import Blind, blind_cells, cell_weights, cross_fit, filter_rows
from augkit.commands.fix.endings import Ending, Verdict, per_cent, shown_points
from augkit.commands.fix.field_proof import (
    EASY,
    FOLDS,
    HARD,
    LEAST_HARD,
    ORDINARY,
    PARTS,
    Choose,
    FieldProof,
    ProofRows,
    Trained,
    prove_offers,
)
from augkit.commands.fix.linear_rows import CodedRows
from augkit.commands.fix.made_rows import MadeRows, NotMade, make_rows
from augkit.commands.fix.pair_views import View, views_of
from augkit.commands.fix.settings import FixSettings
from augkit.commands.fix.work import WEIGHT, Work
from augkit.core.arrays import Ints
from augkit.core.progress import report_progress
from augkit.core.types import Example, digest
from augkit.models.folds import assign_folds

_LEAST_GAIN = 0.05
"""How far over guessing a field alone is a shortcut, in balanced accuracy."""
_SURE = 3.0
"""And by how many standard errors: several views are asked."""
_PROVED = 4_000
"""Rows of the proof, at most; what is offered is made of all rows."""
_ROUNDS = 12
_LEAST_MADE = 0.05
"""Of the rows, so many must be made for pairs to be an offer."""


def pair_methods(settings: FixSettings) -> tuple[str, ...]:
    """What makes pairs, the simplest first; crossaug where a language model writes."""
    # By rules crossaug costs a fine-tuned reader of FEVER 1.7 points on ordinary claims.
    by_rules = ("symmetric", "coba")
    return by_rules if settings.llm == "offline" else (*by_rules, "crossaug")


@dataclass(frozen=True)
class TellingView:
    """A view that tells the label, and what a model that sees nothing else says of each row."""

    view: View
    blind: Blind


def telling_views(work: Work) -> list[TellingView]:
    """The view that gives the label away most, where one does; cross-fitted by groups."""
    if not work.is_pair or len(work.examples) < 2 * LEAST_HARD:
        return []
    report_progress("training on each text alone")
    rows = work.examples
    numbers, folds = _folds(rows, work.settings.seed)
    labels = [str(row.label) for row in rows]
    found = []
    for view in _views(work):
        coded = CodedRows([row.fields for row in rows], labels, view.features)
        found.append(TellingView(view, cross_fit(coded, numbers, folds)))
    best = max(found, key=lambda telling: telling.blind.accuracy)
    chance = 1 / len(work.rows.labels)
    least = max(_LEAST_GAIN, _SURE * sqrt(chance * (1 - chance) / len(rows)))
    return [best] if best.blind.accuracy >= chance + least else []


def _folds(rows: Sequence[Example], seed: int) -> tuple[Ints, Ints]:
    """The number of each row, and its fold."""
    import numpy as np

    return np.arange(len(rows)), np.array(assign_folds(rows, FOLDS, seed, None))


def _views(work: Work) -> list[View]:
    """All views, or that of the field which a named cue is in."""
    views = views_of(work.rows.fields)
    if work.is_named:
        fields = {cue.feature.field for cue in work.chosen}
        views = [view for view in views if view.name in fields] or views
    return views


@dataclass(frozen=True)
class Offer:
    """What somebody may train on in place of the rows.

    Attributes:
        name: As the table has it.
        choose: What it trains on of the rows of a proof.
        examples: What it trains on of all rows.
        file: The same as a file.
        command: What repeats it; "": nothing but ``fix``.
    """

    name: str
    choose: Choose
    examples: Sequence[Example]
    file: Path
    command: str = ""


def fix_field(work: Work, found: Sequence[TellingView]) -> tuple[Sequence[Example], Ending]:
    """Make each offer, prove it, and recommend the simplest that helps; write the tests."""
    telling = found[0]
    made = {method: make_rows(work, method) for method in pair_methods(work.settings)}
    offers = {offer.name: offer for offer in _offers_of(work, telling, made)}
    proof = _prove(work, telling.view, offers, made)
    best = proof.recommended
    files: dict[str, Path] = {}
    for name, is_in in ((HARD, ~telling.blind.right), (EASY, telling.blind.right)):
        part = [row for row, inside in zip(work.examples, is_in, strict=True) if inside]
        path = work.folder / f"{name.partition(' ')[0]}.jsonl"
        files[f"{name}, to test on"] = work.rows.write(path, part)
    for name, offer in offers.items():
        files["train on" if name == best else name] = offer.file
    ending = Ending(
        "field alone",
        proof.verdict,
        _headline(proof),
        _what_was_done(work, telling),
        _table(proof, offers),
        list(_details(proof, made)),
        _figures(telling, proof, offers),
        files,
        {f"repeat {name}": offer.command for name, offer in offers.items() if offer.command},
        max(
            (result.exit_code for result in made.values() if isinstance(result, NotMade)), default=0
        ),
    )
    return work.examples if best is None else offers[best].examples, ending


def _offers_of(
    work: Work, telling: TellingView, made: Mapping[str, MadeRows | NotMade]
) -> Iterator[Offer]:
    """Everything that is offered, the simplest first."""
    rows = work.examples
    labels = [str(row.label) for row in rows]
    coded = CodedRows([row.fields for row in rows], labels, telling.view.features)
    weights = cell_weights(blind_cells(telling.blind), coded.labels)
    weighed = [
        replace(row, columns={**row.columns, WEIGHT: round(float(weight), 4)})
        for row, weight in zip(rows, weights, strict=True)
    ]
    path = work.rows.write(work.folder / "weighted.jsonl", weighed)
    yield Offer("weights", weigh, weighed, path)
    numbers, _ = _folds(rows, work.settings.seed)
    report_progress("leaving out rows that a field tells")
    stay = filter_rows(coded, numbers, _rounds(rows, work.settings.seed))
    if len(stay) < len(rows):
        fewer = [rows[number] for number in stay]
        yield Offer(
            "AFLite", leave_out, fewer, work.rows.write(work.folder / "aflite.jsonl", fewer)
        )
    for method, result in made.items():
        if isinstance(result, MadeRows) and len(result.variants) >= _LEAST_MADE * len(rows):
            more = [variant for _, variant in result.variants]
            yield Offer(method, _adding(method), [*rows, *more], result.file, result.command)


def weigh(rows: ProofRows, train: Ints, seed: int) -> Trained:
    """All rows, with weights under which the blind model says nothing."""
    import numpy as np

    examples = [rows.examples[number] for number in train]
    folds = np.array(assign_folds(examples, FOLDS, seed, None))
    blind = cross_fit(rows.alone, train, folds)
    return Trained(train, cell_weights(blind_cells(blind), rows.alone.labels[train]))


def leave_out(rows: ProofRows, train: Ints, seed: int) -> Trained:
    """The rows that AFLite keeps."""
    examples = [rows.examples[number] for number in train]
    return Trained(filter_rows(rows.alone, train, _rounds(examples, seed)))


def _rounds(examples: Sequence[Example], seed: int) -> list[Any]:
    """New folds for each round of AFLite."""
    return [_folds(examples, FOLDS * seed + number)[1] for number in range(_ROUNDS)]


def _adding(method: str) -> Choose:
    """The rows, and what a method made of them."""

    def add(rows: ProofRows, train: Ints, seed: int) -> Trained:
        import numpy as np

        del seed
        numbers, parents = rows.made[method]
        return Trained(np.concatenate([train, numbers[np.isin(parents, train)]]))

    return add


def _prove(
    work: Work,
    view: View,
    offers: Mapping[str, Offer],
    made: Mapping[str, MadeRows | NotMade],
) -> FieldProof:
    """Prove the offers on so many of the rows, chosen by their content."""
    seed = work.settings.seed
    order = sorted(
        range(len(work.examples)), key=lambda n: digest(str(seed), "proof", work.examples[n].id)
    )
    place_of = {number: place for place, number in enumerate(order[:_PROVED])}
    of_method = {}
    for method, result in made.items():
        if isinstance(result, MadeRows) and method in offers:
            of_method[method] = [
                (place_of[number], row) for number, row in result.variants if number in place_of
            ]
    drawn = [work.examples[number] for number in place_of]
    rows = ProofRows(drawn, of_method, view)
    return prove_offers(rows, {name: offer.choose for name, offer in offers.items()}, seed)


def _what_was_done(work: Work, telling: TellingView) -> str:
    chance = 1 / len(work.rows.labels)
    return (
        f"{telling.view.title} gives {per_cent(telling.blind.accuracy)} % of the labels (balanced, "
        f"held-out rows; guessing {per_cent(chance)} %). Nothing repairs that. What is offered was "
        "tried on a reader of both texts:"
    )


def _headline(proof: FieldProof) -> str:
    verdict = proof.verdict
    sentences: dict[Verdict, str] = {
        "not testable": "Not testable with this classifier: it reads no more than the field alone "
        "says, or the hard part is too small. Train on the rows as they are; the hard part tests "
        "your own classifier.",
        "no help": "No help. Train on the rows as they are, and report the hard part beside the "
        "ordinary score.",
        "harm": "Harm: do not train on what is offered. Report the hard part beside the ordinary "
        "score.",
    }
    if verdict in sentences:
        return sentences[verdict]
    name = proof.recommended or _best_trade(proof)
    changes = proof.offers[name].changes
    gain = shown_points(changes[HARD].value, changes[HARD].error)
    loss = shown_points(changes[ORDINARY].value, changes[ORDINARY].error)
    if verdict == "trade":
        return (
            f"A trade: with {name} {gain} points on the hard part, {loss} on ordinary rows. Train "
            "on the rows as they are, unless the hard part is what counts."
        )
    return (
        f"Leans less on it, by our own test, with {name}: {gain} points on the hard part, {loss} "
        "on ordinary rows. What independent tests say of your data is not known."
    )


def _best_trade(proof: FieldProof) -> str:
    trades = [name for name in proof.offers if proof.verdict_of(name) == "trade"]
    return max(trades, key=lambda name: proof.offers[name].changes[HARD].value)


def _details(proof: FieldProof, made: Mapping[str, MadeRows | NotMade]) -> Iterator[str]:
    best = proof.recommended
    if best is not None:
        gain = proof.offers[best].changes[HARD].value
        others = [name for name in proof.leaning if proof.offers[name].changes[HARD].value > gain]
        if others:
            yield f"{' and '.join(others)} gain more, but not clearly: {best} is simpler."
    for method, result in made.items():
        if isinstance(result, NotMade) and result.exit_code:
            yield f"{method} stopped: {result.reason}. The same command continues."
    if not any(isinstance(result, MadeRows) for result in made.values()):
        yield "No rule makes pairs for these labels; a language model can: --llm MODEL"


def _table(proof: FieldProof, offers: Mapping[str, Offer]) -> list[tuple[str, ...]]:
    """A column for each offer; under the hard part what its control does there."""
    rows: list[tuple[str, ...]] = [("accuracy, %", "as it is", *offers)]
    for part in PARTS:
        changes = [proof.offers[name].changes[part] for name in offers]
        shown = [shown_points(change.value, change.error) for change in changes]
        rows.append((part, per_cent(changes[0].level), *shown))
        if part == HARD:
            controls = [proof.offers[name].control[part] for name in offers]
            shown = [shown_points(change.value, change.error) for change in controls]
            rows.append(("  by chance alike", "", *shown))
    sizes = [f"{len(offer.examples):,}" for offer in offers.values()]
    rows.append(("rows to train on", f"{len(offers['weights'].examples):,}", *sizes))
    rows.append(("the end", "", *map(proof.verdict_of, offers)))
    return rows


def _figures(
    telling: TellingView, proof: FieldProof, offers: Mapping[str, Offer]
) -> dict[str, object]:
    shown = {}
    for name, offer in proof.offers.items():
        shown[name] = {
            "verdict": proof.verdict_of(name),
            "rows": len(offers[name].examples),
            "file": str(offers[name].file),
            "changes": {part: vars(change) for part, change in offer.changes.items()},
            "control": {part: vars(change) for part, change in offer.control.items()},
        }
    return {
        "view": telling.view.name,
        "blind": telling.blind.accuracy,
        "rows": proof.rows,
        "hard_rows": proof.hard_rows,
        "lead": vars(proof.lead),
        "recommended": proof.recommended,
        "offers": shown,
    }
