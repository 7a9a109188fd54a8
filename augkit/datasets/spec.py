"""Dataset specifications: a path, a name or a hub id, with splits."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from augkit.core.errors import DataError
from augkit.datasets.readers.files import format_of

_NAME = re.compile(r"[\w.-]+(?P<hub>/[\w.-]+)?")
_SPLIT = re.compile(r"[\w.-]+")
_PATH_LIKE = re.compile(r"[./~]|[A-Za-z]:[\\/]|.*\\|.*/.*/")


@dataclass(frozen=True, slots=True)
class NameSpec:
    """``NAME``, ``NAME:SPLIT`` or ``NAME:A+B``."""

    name: str
    splits: tuple[str, ...]

    @property
    def is_hub_id(self) -> bool:
        """Whether the name has the form of a hub id, ORG/NAME."""
        match = _NAME.fullmatch(self.name)
        return match is not None and match["hub"] is not None


def parse_spec(spec: str) -> Path | NameSpec:
    r"""Parse a specification; a colon in a path does not select a split.

    >>> parse_spec("sst2:train+dev")
    NameSpec(name='sst2', splits=('train', 'dev'))
    >>> isinstance(parse_spec("C:\\data\\rows.jsonl"), Path)
    True
    """
    path = _path(spec)
    if path.is_file() or format_of(path) or _PATH_LIKE.match(spec):
        _check_no_split(path)
        return path
    name, colon, splits = spec.partition(":")
    if format_of(Path(name)):
        _check_no_split(path)
    if not colon and "." in name and "/" not in name:
        return path
    found = NameSpec(name, tuple(splits.split("+")) if colon else ("train",))
    if not _NAME.fullmatch(name) or not all(map(_SPLIT.fullmatch, found.splits)):
        raise DataError(
            f"'{spec}' is not a dataset: expected a file, NAME, NAME:SPLIT, NAME:SPLIT+SPLIT, "
            "or a hub id ORG/NAME"
        )
    return found


def _path(spec: str) -> Path:
    try:
        path = Path(spec).expanduser()
        path.is_file()
    except (OSError, ValueError, RuntimeError) as error:
        raise DataError(f"'{spec[:80]}' is neither a dataset nor a path: {error}") from None
    return path


def _check_no_split(path: Path) -> None:
    name, colon, split = path.name.rpartition(":")
    if colon and not path.exists() and format_of(Path(name)):
        raise DataError(
            f"{path}: a file has no splits. Leave out ':{split}', or give the file of that split"
        )
