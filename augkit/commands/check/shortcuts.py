"""What gives the labels of rows away, as findings: likely shortcuts, and fields alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from augkit.commands.check.contract import (
    CheckContract,
    FieldAccuracySection,
    ShortcutsSection,
    fields_to_check,
)
from augkit.commands.check.finding import CheckRun, Finding
from augkit.commands.check.rows import CheckedRows
from augkit.shortcuts.association import ALPHA, LEAST_GAIN, LEAST_PHI
from augkit.shortcuts.cues import Cue, FieldAlone, Findings
from augkit.shortcuts.features import RowText, is_amount
from augkit.shortcuts.find import find_shortcuts
from augkit.shortcuts.names import cue_name, stable_name
from augkit.text.printable import counted

SHORTCUTS = "shortcuts"
FIELD_ACCURACY = "field_accuracy"
_SHOWN_ROWS = 3
_CERTAIN_SHARE = 0.9
_CERTAIN_ROWS = 0.01
"""A word of one of two fields fails by itself where it is so pure, and in so many of the texts."""


def find_in_rows(rows: CheckedRows, contract: CheckContract) -> Findings:
    """Find what gives the labels away."""
    alpha = min(ALPHA, contract.alpha_of_rows)
    return find_shortcuts(rows.examples, alpha=alpha, groups=rows.groups)


def check_shortcuts(rows: CheckedRows, found: Findings, section: ShortcutsSection) -> CheckRun:
    """Report the likely shortcuts; of two fields those words that are a rule by themselves."""
    fields = fields_to_check(SHORTCUTS, section.fields, rows.fields)
    allowed = {name.lower() for name in section.allow}
    failing = [
        cue
        for cue in found.shortcuts
        if _fails(cue, found) and cue.feature.field in fields and not allowed & _names(cue)
    ]
    held, covered = _rows_with(rows, failing)
    findings = [
        _cue_finding(rows, cue, numbers) for cue, numbers in zip(failing, held, strict=True)
    ]
    if found.least_rows is None and not findings:
        return CheckRun(SHORTCUTS, not_testable(found), skipped=True)
    summary = (
        f"{found.tested:,} features tested; a cue in {found.least_rows or found.needed:,} rows "
        "would be seen"
    )
    return CheckRun(SHORTCUTS, summary, findings, count=covered)


def check_field_accuracy(found: Findings, section: FieldAccuracySection, alpha: float) -> CheckRun:
    """Report the fields that give the label away alone, with the words that do it."""
    if not found.fields:
        return CheckRun(FIELD_ACCURACY, "the rows have one text field", skipped=True)
    names = tuple(field.field for field in found.fields)
    fields = fields_to_check(FIELD_ACCURACY, section.fields, names)
    tested = [field for field in found.fields if field.field in fields]
    if not any(field.rows for field in tested):
        summary = f"not testable: {found.rows:,} rows are too few to train on"
        return CheckRun(FIELD_ACCURACY, summary, skipped=True)
    shown = [f"{field.field} {field.accuracy:.1%}" for field in tested]
    guessing = max(field.guessing for field in tested)
    summary = f"{', '.join(shown)} of the labels (guessing {guessing:.1%})"
    failing = [field for field in tested if field.gain > section.limit and field.p <= alpha]
    return CheckRun(
        FIELD_ACCURACY, summary, [_field_finding(field, section.limit) for field in failing]
    )


def not_testable(found: Findings) -> str:
    """Say why nothing was tested.

    >>> from augkit.shortcuts.cues import Findings
    >>> not_testable(Findings(60, {}, "content", (), (), (), 9, None, 24))
    'not testable: 60 rows; a cue would need 24 of 24 rows of one label'
    """
    needed = f"{found.needed:,} of {found.needed:,} rows of one label"
    return f"not testable: {found.rows:,} rows; a cue would need {needed}"


def words_under(field: FieldAlone) -> str:
    """Write the words that give a label away, label by label: "to, for → neutral; no → …"."""
    by_label: dict[str, list[str]] = {}
    for word in field.words:
        by_label.setdefault(word.label, []).append(word.word)
    return "; ".join(f"{', '.join(words)} → {label}" for label, words in by_label.items())


def _fails(cue: Cue, found: Findings) -> bool:
    """Whether it fails by itself: of two fields, a field alone decides, unless a word is a rule."""
    if found.task != "relation":
        return True
    is_frequent = cue.rows >= _CERTAIN_ROWS * found.rows
    return cue.share >= _CERTAIN_SHARE and is_frequent and bool(cue.feature.words)


def _names(cue: Cue) -> set[str]:
    return {cue.feature.name.lower(), " ".join(cue.phrase).lower()}


def _cue_finding(rows: CheckedRows, cue: Cue, numbers: Sequence[int]) -> Finding:
    share = cue.rows / max(len(rows), 1)
    where = f"{cue.feature.field}: " if len(rows.fields) > 1 else ""
    message = (
        f"{where}{cue_name(cue)} goes with '{cue.label}': {cue.of_label:,} of "
        f"{counted(cue.rows, 'row')} ({share:.1%}), base {cue.base:.0%}; {cue.reason}"
    )
    is_length = is_amount(cue.feature.kind)
    finding = Finding(
        SHORTCUTS,
        message,
        cue.phi if is_length else cue.gain,
        LEAST_PHI if is_length else LEAST_GAIN,
        cue.feature.field,
        stable_name(cue.feature),
        cue.label,
        cue.p,
        tuple(numbers),
        cue=cue,
    )
    return replace(finding, also=tuple(map(stable_name, cue.also)))


def _rows_with(rows: CheckedRows, cues: Sequence[Cue]) -> tuple[list[list[int]], int]:
    """The first rows with each cue and its label, and how many rows have any cue."""
    shown: list[list[int]] = [[] for _ in cues]
    covered = 0
    for number, row in enumerate(rows.examples if cues else ()):
        text = RowText(row.fields)
        has_any = False
        for cue, numbers in zip(cues, shown, strict=True):
            if text.has(cue.feature):
                has_any = True
                if row.label == cue.label and len(numbers) < _SHOWN_ROWS:
                    numbers.append(number)
        covered += has_any
    return shown, covered


def _field_finding(field: FieldAlone, limit: float) -> Finding:
    message = (
        f"{field.field} alone gives {field.accuracy:.1%} of {field.rows:,} labels (guessing "
        f"{field.guessing:.1%}); words that do it: {words_under(field)}"
    )
    return Finding(FIELD_ACCURACY, message, field.gain, limit, field.field, p=field.p)
