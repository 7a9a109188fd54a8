"""Data frames of pandas and polars; neither library is imported."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol, TypeGuard

from augkit.datasets.readers.arrow import BATCH_ROWS, plain_value
from augkit.datasets.readers.blocks import Block, RowBlock


class DataFrame(Protocol):
    """A data frame of pandas or polars, as far as it is used here."""

    @property
    def columns(self) -> Any:
        """The names of its columns."""

    def __len__(self) -> int:
        """The number of its rows."""

    def __getitem__(self, name: Any, /) -> Any:
        """A column."""


@dataclass(frozen=True, slots=True)
class FramePart:
    """A data frame as a part of a dataset."""

    source: str
    frame: DataFrame

    def blocks(self, start: int) -> Iterator[Block]:
        """The rows in blocks."""
        columns = frame_columns(self.frame)
        for first in range(0, len(self.frame), BATCH_ROWS):
            parts = (values[first : first + BATCH_ROWS] for values in columns.values())
            cells = list(zip(*(map(plain_value, part) for part in parts), strict=True))
            yield RowBlock(self.source, start + first, first + 1, tuple(columns), cells)

    def label_names(self) -> dict[str, tuple[str, ...]]:
        """Frames hold the labels themselves."""
        return {}


def is_frame(value: object) -> TypeGuard[DataFrame]:
    """Whether this is a data frame of pandas or polars."""
    kind = type(value)
    return kind.__name__ == "DataFrame" and kind.__module__.partition(".")[0] in _LIBRARIES


def frame_columns(frame: Any) -> dict[str, list[Any]]:
    """Column → its values; what is missing is None."""
    if type(frame).__module__.startswith("pandas"):
        whole = frame.astype(object).where(frame.notna(), None)
        return {str(name): whole[name].tolist() for name in whole.columns}
    return {name: frame[name].to_list() for name in frame.columns}


_LIBRARIES = frozenset({"pandas", "polars"})
