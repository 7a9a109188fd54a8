"""``Dataset``: name, source and schema of an opened dataset, and its rows in blocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from augkit.datasets.readers.blocks import Block
from augkit.datasets.schema import Schema


class Part(Protocol):
    """One file or hub split of a dataset."""

    @property
    def source(self) -> str:
        """Its name in messages."""
        ...

    def blocks(self, start: int) -> Iterator[Block]:
        """Its rows in blocks; ``start`` numbers the first row."""
        ...

    def label_names(self) -> Mapping[str, tuple[str, ...]]:
        """Column → names of its labels 0, 1, 2 ..., where the data has them."""
        ...


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

    def blocks(self) -> Iterator[Block]:
        """All rows in order, in blocks that other processes can parse."""
        start = 0
        for part in self.parts:
            for block in part.blocks(start):
                yield block
                start = block.start + block.count
