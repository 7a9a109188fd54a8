"""The work on some consecutive rows: examples in, lines of the run's files out."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import orjson

from augkit.augmenters.base import Augmenter
from augkit.augmenters.checks import NO_GATES, TextGates
from augkit.augmenters.compose import Composition, gated, outcomes_of
from augkit.augmenters.llm_checks.dataset_rows import DatasetRows
from augkit.augmenters.llm_checks.written import TextGateSettings
from augkit.augmenters.mix import Mix, mixed
from augkit.core import registry
from augkit.core.json_files import naming_damage
from augkit.core.protocols import RegisteredFinder, Step, Tools
from augkit.core.types import FREE, Cost, Example, Outcome, Pair, Variant
from augkit.datasets.readers.blocks import Block
from augkit.datasets.rows import original_row, read_block, variant_row
from augkit.datasets.schema import Schema
from augkit.labels.check import LabelCheck
from augkit.llm.unanswered import noting_unanswered
from augkit.prompts.load import BUNDLED, PromptSet
from augkit.runs.ledger import Chunk, Counts

_REPORT_EVERY = 0.5
"""Seconds between two reports of the rows that are done."""


@dataclass(frozen=True)
class StepSpec:
    """How any process builds the step: names, settings as JSON, and folders."""

    method: str
    config: str
    gates: tuple[str, ...] = ()
    finder: str = ""
    artifact: str = ""
    """The folder of the method's artifact."""
    fitted_finder: str = ""
    """The folder of the fitted finder."""
    classifier: str = ""
    """The folder of a classifier for the method."""
    prompts: PromptSet = BUNDLED
    text_gates: str = ""
    """The limits of the text gates; "": no language model writes."""
    dataset_rows: str = ""
    """The folder with what a language model should not copy."""
    label_check: str = ""
    """The folder of the label check."""


@dataclass(frozen=True)
class RowLayout:
    """How rows become lines of ``dataset.jsonl``."""

    schema: Schema
    mix: Mix
    per_row: int
    """Most variants of one row."""
    weight_column: str = ""
    """The column for what a row counts; "": the method weighs no rows."""


class TaskRows(NamedTuple):
    """Rows that go into the dataset, and those of them that are augmented."""

    all: list[Example]
    numbers: list[int]
    """The number of each of them in the dataset, from 1."""
    augmented: list[Example]


@dataclass(frozen=True)
class Task:
    """Rows of a block: those that go into the dataset, and which of them are augmented."""

    dataset: str
    block: Block
    repeats: dict[int, int]
    layout: RowLayout
    indexes: Sequence[int]
    """The places in the block of the rows to process."""
    augmented: frozenset[int] | None = None
    """The places of those that are augmented; None: all of them."""

    def examples(self) -> TaskRows:
        """The rows to process."""
        rows = read_block(self.dataset, self.layout.schema, self.block, self.repeats)
        chosen = self.indexes
        if self.augmented is not None:
            chosen = [index for index in chosen if index in self.augmented]
        return TaskRows(
            [rows[index] for index in self.indexes],
            [self.block.start + index + 1 for index in self.indexes],
            [rows[index] for index in chosen],
        )


REFIT = "Delete this folder and resume the run: it is fitted again"


def build_step(spec: StepSpec, tools: Tools) -> Step:
    """The augmenter with its artifact, followed by the gates."""
    augmenter = build_augmenter(spec, tools)
    if not spec.gates:
        return augmenter
    return gated(augmenter, *(registry.find("gates", name)() for name in spec.gates))


def build_augmenter(spec: StepSpec, tools: Tools) -> Augmenter[Any]:
    """The augmenter alone, with its finder, classifier and artifact where it has them."""
    method: type[Augmenter[Any]] = registry.find("augmenters", spec.method)
    if spec.finder:
        finder: type[RegisteredFinder] = registry.find("finders", spec.finder)
        with naming_damage(spec.fitted_finder, REFIT):
            tools = replace(tools, finder=finder.load(Path(spec.fitted_finder)))
    if spec.classifier:
        from augkit.models.saved import load_classifier

        tools = replace(tools, classifier=load_classifier(Path(spec.classifier)))
    tools = replace(tools, prompts=spec.prompts)
    if spec.text_gates and tools.text_gates is None:
        settings = TextGateSettings.model_validate_json(spec.text_gates)
        with naming_damage(spec.dataset_rows, REFIT):
            rows = DatasetRows.load(Path(spec.dataset_rows)) if spec.dataset_rows else None
        gates = TextGates(settings, rows) if settings.enabled else NO_GATES
        tools = replace(tools, text_gates=gates)
    if spec.label_check:
        with naming_damage(spec.label_check, REFIT):
            check = LabelCheck.load(Path(spec.label_check))
        tools = replace(tools, label_check=check.bound(tools.judge or tools.llm))
    augmenter = method(method.Config.model_validate_json(spec.config), tools)
    if method.learns is None or not spec.artifact:
        return augmenter
    with naming_damage(spec.artifact, REFIT):
        artifact = method.learns.load(Path(spec.artifact))
    return augmenter.with_artifact(artifact)


def augmenter_of(step: Step) -> Augmenter[Any] | None:
    """The augmenter of a step, with or without gates; None for a plain function."""
    first = step.steps[0] if isinstance(step, Composition) else step
    return first if isinstance(first, Augmenter) else None


@lru_cache(maxsize=1)
def offline_step(spec: StepSpec) -> Step:
    """The step of a worker process, built once."""
    return build_step(spec, Tools())


_PARTS = frozenset({"sentence", "clause", "twin"})
"""What a method calls the unit of a variant that is a part of its row."""


def process_rows(
    step: Step,
    layout: RowLayout,
    task_rows: TaskRows,
    report: Callable[[int], None] | None = None,
) -> Chunk:
    """Augment some of the rows; all of them go into the dataset.

    A row with a call that no model answered stays open: it goes into the dataset as it is, and has
    neither variants nor rejections. ``report`` is told from time to time how many rows are done.
    """
    examples, numbers, augmented = task_rows
    work = _outcomes_of_answered(step, augmented, report)
    pairs: list[Pair] = []
    rejections: list[Variant] = []
    pairs_of: dict[str, list[Pair]] = {}
    weights: dict[str, float] = {}
    for outcome in work.outcomes:
        if isinstance(outcome, Pair):
            pairs.append(outcome)
            pairs_of.setdefault(outcome.original.id, []).append(outcome)
        elif outcome.weight:
            weights[outcome.parent.id] = outcome.weight
        else:
            rejections.append(outcome)
    counts = Counts(
        read=len(examples),
        selected=len(augmented),
        accepted=len(pairs),
        rejected=len(rejections),
        parts=sum(pair.provenance.about.get("unit") in _PARTS for pair in pairs),
        reasons=Counter([rejection.reason for rejection in rejections]),
        open=work.open_rows,
        failed_calls=work.failed_calls,
    )
    counts.before.update(example.label or "" for example in examples)
    written = {key: of_row[: layout.per_row] for key, of_row in pairs_of.items()}
    counts.labels.update(pair.variant.label or "" for of_row in written.values() for pair in of_row)
    staying = {rejection.parent.id for rejection in rejections if rejection.stays}
    left_out = {rejection.parent.id for rejection in rejections if rejection.weight == 0}
    in_dataset = [example for example in examples if example.id not in left_out]
    counts.originals.update(
        example.label or ""
        for example in in_dataset
        if layout.mix != "replace" or example.id not in written or example.id in staying
    )
    added = {key: {layout.weight_column: weight} for key, weight in weights.items()}
    rows = (
        row | added[example.id] if layout.weight_column and example.id in added else row
        for example in in_dataset
        for row in _rows(layout, example, written.get(example.id), stays=example.id in staying)
    )
    number_of = {example.id: number for example, number in zip(examples, numbers, strict=True)}
    rejected_rows = (
        rejected_record(rejection, number_of[rejection.parent.id], layout.schema)
        for rejection in rejections
    )
    records = map(variant_record, pairs), rejected_rows, rows
    variants, rejected, dataset = (b"".join(map(line, lines)) for lines in records)
    return Chunk((variants, rejected, dataset), counts)


class _AnsweredWork(NamedTuple):
    """What came of the rows whose calls were all answered, and how many others there are."""

    outcomes: list[Outcome]
    open_rows: int
    failed_calls: Counter[str]
    """The calls of the open rows that failed, by reason."""


def _outcomes_of_answered(
    step: Step, rows: Sequence[Example], report: Callable[[int], None] | None = None
) -> _AnsweredWork:
    """The outcomes of the rows, without those that a failed call leaves open."""
    with noting_unanswered() as unanswered:
        outcomes: Iterable[Outcome] = outcomes_of(step, rows)
        found = list(outcomes if report is None else _counted(outcomes, report))
    if not unanswered.by_reason:
        return _AnsweredWork(found, 0, Counter())
    augmenter = augmenter_of(step)
    needs_all = augmenter is not None and augmenter.scope == "corpus"
    if needs_all or len(rows) == 1:
        return _AnsweredWork([], len(rows), unanswered.by_reason)
    # One by one the rows show which of them it was. Answers that are there come from the store.
    each = [_outcomes_of_answered(step, [row]) for row in rows]
    return _AnsweredWork(
        [outcome for work in each for outcome in work.outcomes],
        sum(work.open_rows for work in each),
        sum((work.failed_calls for work in each), Counter()),
    )


def _counted(outcomes: Iterable[Outcome], report: Callable[[int], None]) -> Iterator[Outcome]:
    """The outcomes; how many rows are done is reported twice a second."""
    started = 0
    reported = monotonic()
    last = ""
    for outcome in outcomes:
        row = outcome.original.id if isinstance(outcome, Pair) else outcome.parent.id
        if row != last:
            started = started + 1
            last = row
            if monotonic() - reported > _REPORT_EVERY:
                report(started - 1)
                reported = monotonic()
        yield outcome


def variant_record(pair: Pair) -> dict[str, Any]:
    """One line of ``variants.jsonl``."""
    provenance = pair.provenance
    variant = pair.variant
    record: dict[str, Any] = {
        "id": variant.id,
        "fields": variant.fields,
        "label": variant.label,
        "parents": provenance.parents,
        "method": provenance.method,
        "config": provenance.config,
        "copy": provenance.copy,
        # Written out, because it is done a million times: ``asdict`` takes twenty times as long.
        "edits": [
            {
                "field": edit.field,
                "start": edit.start,
                "end": edit.end,
                "before": edit.before,
                "after": edit.after,
            }
            for edit in provenance.edits
        ],
        "contract": provenance.contract,
        "cost": _cost_record(provenance.cost),
    }
    if provenance.scores:
        record["scores"] = provenance.scores
    if provenance.about:
        record["about"] = provenance.about
    return record


def rejected_record(rejection: Variant, number: int, schema: Schema) -> dict[str, Any]:
    """One line of ``rejected.jsonl``; ``number`` counts the rows of the dataset from 1."""
    parent = rejection.parent
    user_id = {"row_id": parent.columns.get(schema.id_column)} if schema.id_column else {}
    left_out = {} if rejection.weight is None else {"weight": rejection.weight}
    return {
        "row": number,
        **user_id,
        **left_out,
        "fields": parent.fields,
        "label": parent.label,
        "parents": [parent.id],
        "reason": rejection.reason,
        "detail": rejection.detail,
        "method": rejection.method,
        "copy": rejection.copy,
        "cost": _cost_record(rejection.cost),
    }


_FREE = asdict(FREE)


def _cost_record(cost: Cost) -> dict[str, Any]:
    return _FREE if cost is FREE else asdict(cost)


def line(record: Mapping[str, Any]) -> bytes:
    """One line of JSON."""
    try:
        return orjson.dumps(record, dict, orjson.OPT_APPEND_NEWLINE)
    except TypeError:
        # Numbers over 64 bits and lone surrogates, which UTF-8 cannot hold: written as escapes.
        return (json.dumps(record, default=dict) + "\n").encode()


def _rows(
    layout: RowLayout, example: Example, pairs: list[Pair] | None, *, stays: bool
) -> list[dict[str, Any]]:
    if pairs is None:
        return [original_row(example)]
    variants = [variant_row(pair, layout.schema) for pair in pairs]
    return mixed(original_row(example), variants, layout.mix, stays=stays)
