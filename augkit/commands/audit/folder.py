"""The folder of an audit: named by what shapes the result, never written over by another one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from augkit.commands.audit.settings import AuditSettings
from augkit.core.json_files import load_json
from augkit.core.types import digest
from augkit.report.page.templates import NAME as PAGE
from augkit.runs.folder import folder_exists


def shaping_settings(settings: AuditSettings, files: Sequence[Path]) -> dict[str, Any]:
    """What shapes the result: the settings, and the content of the files that they name.

    Settings for judges count where a judge is audited.
    """
    left_out = {"out", "connection", *(() if settings.judge else ("judge", "limit"))}
    return {
        **settings.model_dump(mode="json", exclude=left_out),
        "content": digest(*(path.read_bytes().hex() for path in files)),
    }


def check_folder(folder: Path, shaping: Mapping[str, Any], record: str, *others: str) -> None:
    """A repeated audit goes on; the result of anything else is never overwritten.

    ``record`` is the file with the settings, ``others`` are files that an audit writes too.
    """
    if any((folder / name).exists() for name in (record, *others, PAGE)):
        path = folder / record
        before = None
        if path.exists():
            before = load_json(path, _settings, "Remove the folder, or choose another with --out")
        if before != shaping:
            raise folder_exists(folder)


def _settings(record: Any) -> Any:
    if not isinstance(record, dict):
        raise ValueError("not the record of an audit")  # noqa: TRY004 - the file is damaged
    return record.get("settings")
