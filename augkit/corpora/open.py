"""``open_dataset``: from what the user wrote to a dataset whose columns are understood."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from augkit.corpora.blocks import Block
from augkit.corpora.columns import Known, ReadOptions, find_schema
from augkit.corpora.dataset import Dataset, Part
from augkit.corpora.files import Format, check_file, plain
from augkit.corpora.lines import read_lines
from augkit.errors import DataError


@dataclass(frozen=True, slots=True)
class FilePart:
    """A file of rows."""

    path: Path
    format: Format

    @property
    def source(self) -> str:
        """The path."""
        return str(self.path)

    def blocks(self, start: int) -> Iterator[Block]:
        """The rows of the file in blocks."""
        return read_lines(self.path, start)


def open_dataset(spec: str, options: ReadOptions | None = None) -> Dataset:
    """Open a dataset and check its columns; nothing but the first block is read."""
    options = ReadOptions() if options is None else options
    path = Path(spec)
    part = FilePart(path, check_file(path))
    return _assemble(plain(path).stem, str(path), (part,), options, Known())


def _assemble(
    name: str, source: str, parts: tuple[Part, ...], options: ReadOptions, known: Known
) -> Dataset:
    first = next(parts[0].blocks(0), None)
    if first is None:
        raise DataError(f"{parts[0].source}: there are no rows in it")
    schema = find_schema(parts[0].source, first.rows(), options, known)
    return Dataset(name, source, schema, parts)
