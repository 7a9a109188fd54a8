"""JSON files of the artifacts that methods keep, and files that are written in one step."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from pydantic import TypeAdapter
from typing_extensions import Self

from augkit.core.errors import DataError

T = TypeVar("T")


class JsonArtifact:
    """A dataclass that is saved as one JSON file; sets are written as sorted lists."""

    file: ClassVar[str]

    def save(self, folder: Path) -> None:
        """Write the file."""
        save_json(folder / self.file, asdict(self))  # type: ignore[call-overload] # a dataclass

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read it back."""
        return load_json(folder / cls.file, TypeAdapter(cls).validate_python)


def save_json(path: Path, record: Mapping[str, Any]) -> None:
    """Write a record on one line."""
    path.write_text(json.dumps(record, default=sorted) + "\n", encoding="utf-8")


def load_json(path: Path, build: Callable[[dict[str, Any]], T]) -> T:
    """What ``build`` makes of the record in a file; raises ``DataError`` where it is damaged."""
    try:
        return build(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise DataError(f"{path}: missing or damaged: {error}") from error


def write_atomically(path: Path, text: str) -> None:
    """Write a small file in one step, so that a kill or a full disk never leaves half of it."""
    draft = path.with_name(path.name + ".new")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)
