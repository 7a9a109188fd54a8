"""Data frames of pandas and polars; neither library is imported."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol, TypeGuard

from augkit.datasets.readers.arrow import BYTES, plain_value
from augkit.datasets.readers.blocks import ROWS_AT_ONCE, Block, RowBlock


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
        for first in range(0, len(self.frame), ROWS_AT_ONCE):
            parts = (values[first : first + ROWS_AT_ONCE] for values in columns.values())
            cells = list(zip(*(map(plain_value, part) for part in parts), strict=True))
            yield RowBlock(self.source, start + first, first + 1, tuple(columns), cells)

    def other_types(self) -> dict[str, str]:
        """Column → what it holds, for bytes, dates and the like, by the first values."""
        said = {}
        for name, values in frame_columns(self.frame[:ROWS_AT_ONCE]).items():
            first = next((value for value in values if value is not None), None)
            if isinstance(first, bytes):
                said[name] = BYTES
            elif isinstance(plain_value(first), str) and not isinstance(first, str):
                said[name] = type(first).__name__
        return said

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
