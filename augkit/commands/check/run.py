"""All checks of a contract on one dataset."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from pydantic import BaseModel, ValidationError

from augkit.commands.check.blind_accuracy import check_blind_accuracy
from augkit.commands.check.choice_features import check_item_features
from augkit.commands.check.choice_rows import CheckedChoices, load_checked_choices
from augkit.commands.check.content import (
    check_balance,
    check_conflicts,
    check_duplicates,
    check_empty,
    check_equal,
    check_language,
    check_leakage,
    check_words,
)
from augkit.commands.check.contract import CheckContract
from augkit.commands.check.finding import CheckReport, CheckRun, Key
from augkit.commands.check.predictions import check_fairscore
from augkit.commands.check.rows import (
    CheckedRows,
    RowsOfDataset,
    load_labelled,
    load_test_texts,
    require_two_labels,
)
from augkit.commands.check.shortcuts import (
    SHORTCUTS,
    check_field_accuracy,
    check_shortcuts,
    find_in_rows,
)
from augkit.core.errors import ConfigError, listed
from augkit.core.json_files import parse_json
from augkit.datasets.choices.load import holds_choices
from augkit.datasets.likely_columns import suggesting_columns
from augkit.datasets.load import Spec, spec_name
from augkit.datasets.settings import ReadOptions
from augkit.shortcuts.cues import Findings


def check_files(
    data: Sequence[str], contract: CheckContract, reading: ReadOptions, baseline: Path | None
) -> list[CheckReport]:
    """Check several datasets by one contract; a new baseline is that of one dataset."""
    if baseline is not None and len(data) > 1:
        raise ConfigError("--write-baseline: a baseline is of one dataset. Give one at a time")
    return [check_data(dataset, contract, reading, write_baseline_to=baseline) for dataset in data]


def check_data(
    data: Spec,
    contract: CheckContract | None = None,
    reading: ReadOptions | None = None,
    *,
    write_baseline_to: Path | None = None,
) -> CheckReport:
    """Check a dataset; what is known in the baseline passes.

    With ``write_baseline_to`` every shortcut that is found becomes known.
    """
    contract = CheckContract() if contract is None else contract
    reading = ReadOptions() if reading is None else reading
    path = contract.no_new_shortcuts
    known = {} if path is None or write_baseline_to else read_baseline(path)
    test = contract.leakage and contract.leakage.test
    rows: CheckedRows | CheckedChoices
    found: Findings | None = None
    most = contract.max_rows
    words = bool(test)
    if holds_choices(data, reading):
        test_items = load_checked_choices(test, reading, None) if test else None
        rows = load_checked_choices(
            data, reading, contract.group_column, most=most, name_words=words
        )
        checks = list(run_choice_checks(rows, contract, test_items))
    else:
        held_out = load_test_texts(test, reading) if test else None
        with suggesting_columns(data, reading):
            rows = load_labelled(data, reading, contract.group_column, most=most, name_words=words)
        require_two_labels(rows)
        _require_new_names(contract, known)
        found = find_in_rows(rows, contract)
        checks = list(run_checks(rows, contract, found, held_out))
    if write_baseline_to is not None:
        write_baseline(write_baseline_to, checks)
        known = read_baseline(write_baseline_to)
    checks = [accept_known(check, known, contract.worse_by) for check in checks]
    shown = {row for check in checks for finding in check.findings for row in finding.rows}
    sampled = {} if rows.whole is None else {"sampled": len(rows)}
    about = {"augkit": version("augkit"), **rows.about, **sampled, "alpha": contract.alpha}
    source = rows.dataset.parts[0].source
    name = spec_name(data, rows.dataset.name)
    return CheckReport(name, source, about, checks, rows.locations(shown), found)


def run_checks(
    rows: CheckedRows,
    contract: CheckContract,
    found: Findings,
    test: CheckedRows | None = None,
) -> Iterator[CheckRun]:
    """Every check of the contract that is on; those that test share ``alpha`` equally."""
    alpha = contract.alpha_of_rows
    if contract.shortcuts:
        yield _of_all(check_shortcuts(rows, found, contract.shortcuts), rows.numbers)
    if contract.field_accuracy:
        yield check_field_accuracy(found, contract.field_accuracy, alpha)
    if contract.fairscore:
        yield _of_all(check_fairscore(rows, contract.fairscore, alpha), rows.numbers)
    yield from _content_checks(rows, contract, test)


def run_choice_checks(
    rows: CheckedChoices, contract: CheckContract, test: CheckedChoices | None = None
) -> Iterator[CheckRun]:
    """The same for choices, everything within the item."""
    alpha = contract.alpha_of_choices(places_matter=rows.places_matter)
    rulers = []
    tested, origins = rows.compared
    for check, section in contract.choice_associations.items():
        run, ruler = check_item_features(check, tested, section, alpha)
        rulers += [ruler] if ruler else []
        yield _of_all(run, [rows.numbers[origin] for origin in origins])
    if contract.blind_accuracy:
        ruler = max(rulers, key=lambda feature: feature.ranked.accuracy, default=None)
        yield check_blind_accuracy(tested, contract.blind_accuracy, alpha, ruler)
    if contract.equal_candidates:
        yield check_equal(rows, contract.equal_candidates)
    if contract.empty_candidates:
        yield check_empty(rows, contract.empty_candidates)
    yield from _content_checks(rows, contract, test)


def _require_new_names(contract: CheckContract, known: Mapping[Key, float]) -> None:
    """Raise where a contract or a baseline speaks of checks that labelled rows have no more."""
    before = ("tokens", "ngrams", "position", "length", "format")
    named = [name for name in before if name in contract.model_fields_set]
    if named:
        raise ConfigError(
            f"contract: {listed(named)}: of labelled rows, words, places, lengths and formats are "
            f"one check now. Write '{SHORTCUTS}: {{allow: [...]}}' in place of them, or "
            f"'{SHORTCUTS}: false'"
        )
    if any(check in before for check, *_ in known):
        raise ConfigError(
            f"{contract.no_new_shortcuts}: this baseline was written by an earlier augkit, which "
            "tested words otherwise. Write it anew with --write-baseline"
        )


def _of_all(run: CheckRun, numbers: Sequence[int]) -> CheckRun:
    """The check with the numbers of rows among all in place of those of what was tested."""
    findings = [
        replace(finding, rows=tuple(dict.fromkeys(numbers[row] for row in finding.rows)))
        for finding in run.findings
    ]
    return replace(run, findings=findings)


def _content_checks(
    rows: RowsOfDataset, contract: CheckContract, test: RowsOfDataset | None
) -> Iterator[CheckRun]:
    if contract.duplicates:
        yield check_duplicates(rows, contract.duplicates)
    if contract.conflicting_labels:
        yield check_conflicts(rows, contract.conflicting_labels)
    if contract.leakage and test is not None:
        yield check_leakage(rows, contract.leakage, test)
    if contract.forbidden_words:
        yield check_words(rows, contract.forbidden_words)
    if contract.label_balance and isinstance(rows, CheckedRows):
        yield check_balance(rows, contract.label_balance)
    if contract.language:
        yield check_language(rows, contract.language)


class KnownShortcut(BaseModel, extra="forbid"):
    """One line of a baseline."""

    check: str
    field: str
    feature: str
    label: str
    value: float


class BaselineFile(BaseModel, extra="forbid"):
    """The content of a baseline."""

    version: int = 1
    shortcuts: list[KnownShortcut]


def write_baseline(path: Path, checks: Iterable[CheckRun]) -> int:
    """Write every shortcut that was found; their number."""
    shortcuts = sorted(
        (finding for check in checks for finding in check.findings if finding.is_shortcut),
        key=lambda finding: finding.key,
    )
    names = ("check", "field", "feature", "label")
    records = [
        {**dict(zip(names, shortcut.key, strict=True)), "value": round(shortcut.value, 4)}
        for shortcut in shortcuts
    ]
    lines = ",\n".join("  " + json.dumps(record, ensure_ascii=False) for record in records)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = f'{{"version": 1, "shortcuts": [\n{lines}\n]}}\n'
    path.write_text(text, encoding="utf-8")
    return len(records)


def read_baseline(path: Path) -> dict[Key, float]:
    """The association of every known shortcut, by its key."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ConfigError(
            f"{path}: there is no such baseline. Write it: augkit check DATA --write-baseline "
            f"{path}"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read as UTF-8 text: {error}") from error
    content = parse_json(text, str(path), ConfigError)
    try:
        known = BaselineFile.model_validate(content).shortcuts
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise ConfigError(
            f"{path}: this is not a baseline of augkit check: {where or 'the file'}: "
            f"{first['msg']}. Write it anew with --write-baseline"
        ) from None
    return {
        (shortcut.check, shortcut.field, shortcut.feature, shortcut.label): shortcut.value
        for shortcut in known
    }


def accept_known(check: CheckRun, known: Mapping[Key, float], worse_by: float) -> CheckRun:
    """The same check, its known shortcuts marked; one that became stronger still fails."""
    findings = []
    for finding in check.findings:
        values = [known[key] for key in finding.keys if key in known]
        before = max(values, default=None) if finding.is_shortcut else None
        if before is None:
            findings.append(finding)
        elif finding.value <= before + worse_by:
            findings.append(replace(finding, status="known"))
        else:
            message = f"{finding.message}; {before:.2f} in the baseline"
            findings.append(replace(finding, message=message))
    return replace(check, findings=findings)
