"""A file as a part of a dataset, whatever its format."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from augkit.datasets.readers.arrow import parquet_label_names, read_parquet
from augkit.datasets.readers.blocks import Block
from augkit.datasets.readers.csv_table import read_table
from augkit.datasets.readers.files import Format, check_file
from augkit.datasets.readers.json_lines import read_lines


@dataclass(frozen=True, slots=True)
class FilePart:
    """A file of rows."""

    path: Path
    format: Format
    quotes: bool = True

    @property
    def source(self) -> str:
        """The path."""
        return str(self.path)

    def blocks(self, start: int) -> Iterator[Block]:
        """The rows in blocks."""
        if self.format == "jsonl":
            return read_lines(self.path, start)
        if self.format == "parquet":
            return read_parquet(self.path, start)
        delimiter = "\t" if self.format == "tsv" else ","
        return read_table(self.path, start, delimiter=delimiter, quotes=self.quotes)

    def label_names(self) -> dict[str, tuple[str, ...]]:
        """Column → label names, for files that hold them."""
        return parquet_label_names(self.path) if self.format == "parquet" else {}


def file_part(path: Path, *, quotes: bool = True) -> FilePart:
    """The file as a part; raises ``DataError`` where it is missing, empty or unsupported."""
    return FilePart(path, check_file(path), quotes)
