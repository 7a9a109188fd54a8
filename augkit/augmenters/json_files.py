"""JSON files of the artifacts that methods keep."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from augkit.core.errors import DataError

T = TypeVar("T")


def save_json(path: Path, record: Mapping[str, Any]) -> None:
    """Write a record on one line."""
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")


def load_json(path: Path, build: Callable[[dict[str, Any]], T]) -> T:
    """What ``build`` makes of the record in a file; raises ``DataError`` where it is damaged."""
    try:
        return build(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(f"{path}: missing or damaged: {error}") from error
