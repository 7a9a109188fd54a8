"""The screen of ``augkit fix``: what was found, what was done, and what to train on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from augkit.commands.fix.endings import Ending
from augkit.commands.fix.mark_proof import shown_cue
from augkit.commands.fix.results import Fixed
from augkit.shortcuts.association import ALPHA
from augkit.shortcuts.cues import Cue, FieldAlone, Findings
from augkit.text.printable import counted, printable, shown_labels

_WIDTH = 79
_NO_BREAK = "\u00a0"
MOST_CUES = 8
_MOST_WORDS = 6
_LEAST_GAIN = 0.05
"""How far over guessing a field alone is shown."""


def fix_lines(result: Fixed) -> Iterator[str]:
    """The whole screen."""
    yield from found_lines(result)
    yield from choice_lines(result)
    yield from result_lines(result)


def found_lines(result: Fixed) -> Iterator[str]:
    """What was read, and what gives the label away in it."""
    yield from wrapped(f"{result.data}: {counted(result.rows, result.unit)}")
    texts = (" and " if result.label_column else ", ").join(map(repr, result.fields))
    label = f"; label: '{result.label_column}'" if result.label_column else ""
    yield from wrapped(f"{'text' if label else 'columns'}: {texts}{label}", indent="  ")
    yield from wrapped(shown_labels(result.labels, noun=result.unit), indent="  ")
    yield ""
    for line in result.found:
        yield from wrapped(line, indent="  " if line[:1].isdigit() else "")


def choice_lines(result: Fixed) -> Iterator[str]:
    """What is fixed, and why."""
    for note in result.note.splitlines():
        yield from wrapped(note)
    if result.chosen:
        names = ", ".join(result.chosen)
        yield from wrapped(f"Fixing: {names} ({result.why_chosen}). Others: --cue NAME")


def result_lines(result: Fixed) -> Iterator[str]:
    """What was done and measured, and what to do now."""
    for ending in result.endings:
        yield ""
        yield from ending_lines(ending)
    if result.own_tests:
        yield ""
        yield from table_lines(result.own_tests)
    if not result.endings:
        yield f"Nothing to fix. Train on: {result.data} as it is"
        return
    yield ""
    yield from wrapped(train_line(result))
    for line in result.left:
        yield from wrapped(line)
    if result.folder is not None:
        yield f"Page: {result.folder / 'report.html'}"
    yield ""
    yield "Repeat each step:"
    for step, command in result.commands.items():
        yield f"  # {step}"
        yield f"  {command}"


def train_line(result: Fixed) -> str:
    """The file to train on."""
    if result.train_on is None:
        return f"Train on: {result.data} as it is"
    return f"Train on: {result.train_on} ({counted(result.trained_rows, result.unit)})"


def ending_lines(ending: Ending) -> Iterator[str]:
    """One kind: what was done, the figures, the ending."""
    if ending.done:
        yield from wrapped(ending.done[:1].upper() + ending.done[1:])
    if ending.table:
        yield from table_lines(ending.table)
    yield from wrapped(ending.headline)
    for line in ending.details:
        yield from wrapped(line, indent="  ")
    for name, path in ending.files.items():
        yield f"  {name}: {path}"
    for step, command in ending.commands.items():
        yield f"  {step}: {command}"


def table_lines(table: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table whose first column is wide, and whose last row is no wider than the screen."""
    widths = [max(len(row[place]) for row in table) for place in range(1, len(table[0]))]
    room = _WIDTH - sum(widths) - 2 * len(widths)
    first = min(room, max(len(row[0]) for row in table))
    for row in table:
        name = printable(row[0])
        name = name if len(name) <= first else f"{name[: first - 1]}…"
        cells = [f"{cell:>{width}}" for cell, width in zip(row[1:], widths, strict=True)]
        yield "  ".join([f"{name:<{first}}", *cells]).rstrip()


def wrapped(text: str, indent: str = "") -> list[str]:
    """A text in lines of at most 79 characters; what continues is indented."""
    lines = wrap(
        printable(text).replace(" %", f"{_NO_BREAK}%"),
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + "  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(_NO_BREAK, " ") for line in lines]


def findings_lines(findings: Findings, listed: Sequence[Cue]) -> list[str]:
    """What gives the label away: a field alone, likely shortcuts by number, words of the task."""
    labels = len(findings.labels)
    lines = [field_line(field, labels) for field in findings.fields if tells(field, labels)]
    if listed:
        lines.append("Likely shortcuts:")
        lines += [f"{number}. {cue_line(cue)}" for number, cue in enumerate(listed, 1)]
    elif findings.least_rows is None:
        lines.append(
            f"Not testable: {counted(findings.rows, 'row')}; a cue would need {findings.needed} "
            f"of {findings.needed} rows of one label."
        )
    elif not lines:
        lines.append(
            f"No likely shortcut ({findings.tested:,} features tested; a cue in "
            f"{counted(findings.least_rows, 'row')} would be seen)."
        )
    more = len(findings.shortcuts) - len(listed)
    if more > 0 and findings.fields:
        lines.append(f"{counted(more, 'cue')} of one field alone (augkit check)")
    elif more > 0:
        lines.append(f"{more} more, weaker ones (augkit shortcuts)")
    if findings.task_words:
        words = ", ".join(cue.feature.name for cue in findings.task_words[:_MOST_WORDS])
        lines.append(f"Words of the task, which stay: {words}")
    return lines


def tells(field: FieldAlone, labels: int) -> bool:
    """Whether a field alone tells clearly more than guessing."""
    return field.balanced >= 1 / labels + _LEAST_GAIN and field.p <= ALPHA


def field_line(field: FieldAlone, labels: int) -> str:
    """How well a field alone tells the label, and by which words."""
    words = ", ".join(f"{word.word} → {word.label}" for word in field.words[:_MOST_WORDS])
    return (
        f"'{field.field}' alone gives {100 * field.balanced:.1f} % of the labels (balanced; "
        f"guessing: {100 / labels:.1f} %), by: {words}"
    )


def cue_line(cue: Cue) -> str:
    """A cue with its figures and why it is called a shortcut."""
    return (
        f"{shown_cue(cue)} → '{cue.label}': {cue.of_label:,} of {counted(cue.rows, 'row')} "
        f"(base {100 * cue.base:.0f} %); {cue.reason}"
    )
