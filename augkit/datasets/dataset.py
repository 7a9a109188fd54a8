"""``Dataset``: name, source and schema of an opened dataset, and its rows in blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from augkit.core.types import Example
from augkit.datasets.readers.arrow import parquet_label_names, parquet_types, read_parquet
from augkit.datasets.readers.blocks import Block, places, read_lines
from augkit.datasets.readers.csv import read_table
from augkit.datasets.readers.files import Format, check_file
from augkit.datasets.readers.xlsx import read_workbook
from augkit.datasets.rows import read_block
from augkit.datasets.schema import Schema


class Part(Protocol):
    """One file or hub split of a dataset."""

    @property
    def source(self) -> str:
        """Its name in messages."""

    def blocks(self, start: int) -> Iterator[Block]:
        """Its rows in blocks; ``start`` numbers the first row."""

    def label_names(self) -> Mapping[str, tuple[str, ...]]:
        """Column → names of its labels 0, 1, 2 ..., where the data has them."""

    def other_types(self) -> Mapping[str, str]:
        """Column → what it holds, where its values become texts and were none."""


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
        if self.format == "xlsx":
            return read_workbook(self.path, start)
        return read_table(self.path, start, tabs=self.format == "tsv", quotes=self.quotes)

    def label_names(self) -> dict[str, tuple[str, ...]]:
        """Column → label names, for files that hold them."""
        return parquet_label_names(self.path) if self.format == "parquet" else {}

    def other_types(self) -> dict[str, str]:
        """Column → what it holds, for bytes, dates and the like in a file with types."""
        return parquet_types(self.path) if self.format == "parquet" else {}


def file_part(path: Path, *, quotes: bool = True) -> FilePart:
    """The file as a part; raises ``DataError`` where it is missing, empty or unsupported."""
    return FilePart(path, check_file(path), quotes)


def all_blocks(parts: Iterable[Part]) -> Iterator[Block]:
    """The rows of all parts in order, numbered through."""
    start = 0
    for part in parts:
        for block in part.blocks(start):
            yield block
            start = block.start + block.count


@dataclass(frozen=True, slots=True)
class Dataset:
    """Rows that can be read repeatedly, a block at a time."""

    name: str
    """``sst2:train`` for a named dataset; a file's name without its extension."""
    source: str
    """Where the rows come from: a path, ``bundled`` or ``hub ORG/NAME@REVISION``."""
    schema: Schema
    parts: tuple[Part, ...]
    task: str = ""

    @property
    def id_name(self) -> str:
        """The name that ids are made with: of named datasets, NAME:SPLIT.

        Files and rows in memory have none, so that equal rows have equal ids whatever the file is
        called, and in a data frame too.
        """
        return self.name if ":" in self.name else ""

    def blocks(self) -> Iterator[Block]:
        """All rows in order, in blocks that other processes can parse."""
        return all_blocks(self.parts)

    def examples(self, repeats: Mapping[int, int]) -> list[Example]:
        """All rows as examples; ``repeats`` comes from the scan."""
        return [
            example
            for block in self.blocks()
            for example in read_block(self.id_name, self.schema, block, repeats)
        ]

    def examples_at(self, numbers: Sequence[int], repeats: Mapping[int, int]) -> list[Example]:
        """The rows with these numbers, which are in order, as examples."""
        examples: list[Example] = []
        for block in self.blocks():
            if indexes := places(block, numbers):
                rows = read_block(self.id_name, self.schema, block, repeats)
                examples += [rows[index] for index in indexes]
            if len(examples) == len(numbers):
                break
        return examples
