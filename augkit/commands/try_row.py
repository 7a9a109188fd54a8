"""One row, one method: every exchange with the models, every gate, and what became of the row."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import wrap
from typing import Any

from augkit.augmenters.checks import TextGates
from augkit.augmenters.compose import outcomes_of
from augkit.augmenters.llm_checks.dataset_rows import DatasetRows
from augkit.core.errors import DataError, UserError
from augkit.core.types import Example, Outcome, Pair, example
from augkit.llm.unanswered import noting_unanswered
from augkit.llm.wrappers.logged import Logged
from augkit.runs.artifacts import fit_artifacts
from augkit.runs.manifest import failed_line
from augkit.runs.models import open_models
from augkit.runs.plan import Plan, make_plan
from augkit.runs.row_work import build_step
from augkit.runs.settings import RunSettings
from augkit.text.printable import printable

_WIDTH = 80
_MOST_TRIED = 20
"""Rows that are tried for one with an accepted variant, where no row is named."""


@dataclass(frozen=True)
class RowTrial:
    """A row, the exchanges about it, the verdicts on each text, and the outcomes."""

    row: Example
    outcomes: list[Outcome]
    exchanges: list[dict[str, Any]] = field(default_factory=list)
    verdicts: list[tuple[dict[str, str], list[tuple[str, str]]]] = field(default_factory=list)
    failed_calls: Counter[str] = field(default_factory=Counter)
    """Calls that no model answered, by reason: what became of the row is not known then."""


@dataclass(frozen=True)
class RecordedGates(TextGates):
    """Text gates that record all verdicts on each text."""

    seen: list[tuple[dict[str, str], list[tuple[str, str]]]] = field(default_factory=list)

    def verdicts(
        self, parent: Example, fields: Mapping[str, str], *context: Any
    ) -> Iterator[tuple[str, str]]:
        """All verdicts, recorded."""
        verdicts = list(super().verdicts(parent, fields, *context))
        record = (dict(fields), verdicts)
        if record not in self.seen:
            self.seen.append(record)
        return iter(verdicts)


def try_row(
    settings: RunSettings,
    row: int | None = None,
    texts: Sequence[str] = (),
    label: str | None = None,
) -> RowTrial:
    """Have the method of the settings augment one row of the dataset, or a text of your own.

    Rows are numbered from 1, as in messages. Where none is named, the first one with an accepted
    variant is shown; with a language model, which may cost money, the first one. The method is
    fitted to the dataset as in a run; nothing is written but the shared cache.
    """
    unmeasured = settings.judge.model_copy(update={"rows": 0})
    settings = settings.model_copy(update={"judge": unmeasured, "engine": "local", "workers": 1})
    with ExitStack() as closing:
        plan = closing.enter_context(make_plan(settings))
        chosen = (
            _own_row(plan, texts, label)
            if texts
            else _row_of_dataset(plan, 1 if row is None else row)
        )
        folder = Path(closing.enter_context(TemporaryDirectory()))
        (folder / "work").mkdir()
        models = closing.enter_context(open_models(settings, folder))
        trial = RowTrial(chosen, [])
        tools = models.tools
        if tools.llm is not None:
            tools = replace(tools, llm=Logged(tools.llm, "llm", trial.exchanges.append))
        if tools.judge is not None:
            tools = replace(tools, judge=Logged(tools.judge, "judge", trial.exchanges.append))
        spec = fit_artifacts(plan, tools, folder)
        if spec.text_gates and settings.text_gates.enabled:
            rows = DatasetRows.load(Path(spec.dataset_rows))
            gates = RecordedGates(settings.text_gates, rows, trial.verdicts)
            tools = replace(tools, text_gates=gates)
        step = build_step(spec, tools)
        with noting_unanswered() as unanswered:
            trial.outcomes.extend(outcomes_of(step, [chosen]))
        trial.failed_calls.update(unanswered.by_reason)
        if texts or row is not None or tools.llm is not None or tools.judge is not None:
            return trial
        for number in range(2, min(_MOST_TRIED, len(plan.augmented)) + 1):
            if any(isinstance(outcome, Pair) for outcome in trial.outcomes):
                break
            trial.verdicts.clear()
            chosen = _row_of_dataset(plan, number)
            trial = replace(trial, row=chosen, outcomes=list(outcomes_of(step, [chosen])))
        return trial


def _own_row(plan: Plan, texts: Sequence[str], label: str | None) -> Example:
    names = plan.dataset.schema.fields
    if len(texts) != len(names):
        raise UserError(f"--text: give {len(names)} of them, for {', '.join(names)}")
    labels = sorted(label for label in plan.scan.labels if label is not None)
    needs_label = plan.method.labels_needed or label is not None
    if labels and needs_label and label not in labels:
        raise UserError(f"--label: one of {', '.join(labels)}")
    return example(dict(zip(names, texts, strict=True)), label, dataset=plan.dataset.id_name)


def _row_of_dataset(plan: Plan, number: int) -> Example:
    rows = plan.augmented
    if not 1 <= number <= len(rows):
        raise DataError(
            f"--row {number}: the rows of {plan.dataset.name} are numbered 1 to {len(rows)}"
        )
    return plan.dataset.examples_at([rows[number - 1]], plan.scan.repeats)[0]


def trial_lines(trial: RowTrial) -> Iterator[str]:
    """The lines to print, none wider than a terminal."""
    yield f"ROW (label: {printable(str(trial.row.label))})"
    yield from _fields(trial.row.fields)
    for number, exchange in enumerate(trial.exchanges, 1):
        yield ""
        yield from _exchange(number, exchange)
    for fields, verdicts in trial.verdicts:
        yield ""
        yield "GATES for"
        yield from _fields(fields)
        for reason, what in verdicts:
            if what:
                yield from _block(f"REJECTS {reason}:", what)
        yield from _block("passes:", ", ".join(reason for reason, what in verdicts if not what))
    if trial.failed_calls:
        yield ""
        what = "In a run this row stays open, and a resume asks again"
        yield from wrap(f"OPEN: {failed_line(trial.failed_calls)}. {what}", _WIDTH)
        return
    for outcome in trial.outcomes:
        yield ""
        if isinstance(outcome, Pair):
            yield f"ACCEPTED (label {outcome.provenance.contract}: {outcome.variant.label})"
            yield from _fields(outcome.variant.fields)
        else:
            yield from wrap(f"REJECTED: {printable(outcome.reason)}", _WIDTH)
            if outcome.detail:
                yield from _block("because:", outcome.detail)


def _exchange(number: int, exchange: Mapping[str, Any]) -> Iterator[str]:
    yield f"EXCHANGE {number} ({exchange['tool']}, {exchange['prompt'] or 'no prompt file'})"
    for message in exchange["messages"]:
        yield from _block(f"{message['role']}:", message["content"])
    cost = exchange["cost"]
    source = "from the cache" if exchange["cached"] else "asked now"
    counts = f"{cost['prompt_tokens']} tokens read, {cost['completion_tokens']} written"
    yield from _block("answer:", exchange["reply"])
    yield f"  ({source}; {counts})"
    if exchange["fault"]:
        yield from _block("fault:", f"{exchange['fault']}: {exchange['detail']}")
    if exchange["parsed"] is not None:
        yield from _block("parsed:", json.dumps(exchange["parsed"], ensure_ascii=False, indent=1))
    if exchange["probabilities"]:
        shares = ", ".join(f"{name} {p:.2f}" for name, p in exchange["probabilities"].items())
        yield from _block("probabilities:", shares)


def _fields(fields: Mapping[str, str]) -> Iterator[str]:
    for name, text in fields.items():
        yield from _block(f"{printable(name)}:", text)


def _block(title: str, text: str) -> Iterator[str]:
    """A title, and the text indented under it; on one line where it fits."""
    lines = [
        line for part in text.split("\n") for line in wrap(printable(part), _WIDTH - 4) or [""]
    ]
    if len(lines) == 1 and len(title) + len(lines[0]) + 3 <= _WIDTH:
        yield f"  {title} {lines[0]}"
        return
    yield from (f"  {line}" for line in wrap(title, _WIDTH - 2))
    yield from (f"    {line}" for line in lines)
