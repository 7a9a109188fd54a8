"""The shortcuts that are known and accepted: written once, read by every later check."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel, ValidationError

from augkit.commands.check.finding import CheckRun, Key
from augkit.core.errors import ConfigError


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
    try:
        known = BaselineFile.model_validate_json(text).shortcuts
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
        before = known.get(finding.key) if finding.is_shortcut else None
        if before is None:
            findings.append(finding)
        elif finding.value <= before + worse_by:
            findings.append(replace(finding, status="known"))
        else:
            message = f"{finding.message}; {before:.2f} in the baseline"
            findings.append(replace(finding, message=message))
    return replace(check, findings=findings)
