"""``load_choices``: the rows of a dataset as choices, with the lines of what cannot be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from augkit.core.choices import Choice
from augkit.core.errors import DataError, did_you_mean
from augkit.datasets.choices.shapes import ChoiceShape, find_shape, no_choice
from augkit.datasets.dataset import Part, all_blocks
from augkit.datasets.load import Spec, find_source
from augkit.datasets.readers.blocks import Block, Row
from augkit.datasets.settings import ReadOptions


@dataclass(frozen=True)
class ChoiceDataset:
    """A dataset of choices, and the shape in which its rows hold them."""

    name: str
    source: str
    parts: tuple[Part, ...]
    shape: ChoiceShape
    choices: Sequence[Choice]

    def blocks(self) -> Iterator[Block]:
        """All rows in order, as they are in their files."""
        return all_blocks(self.parts)


def holds_choices(spec: Spec, options: ReadOptions) -> bool:
    """Whether the columns of a dataset are those of choices, and none is named by the user."""
    if options.text_columns or options.label_column:
        return False
    parts = find_source(spec, options).parts
    return all(_first_shape(part) is not None for part in parts)


def load_choices(
    spec: Spec,
    options: ReadOptions | None = None,
    *,
    group_column: str | None = None,
    allow_empty: bool = False,
    prepare: Callable[[Row], Row] | None = None,
) -> ChoiceDataset:
    """Read all rows of a dataset as choices; an error names the line of a row that holds none.

    Args:
        spec: A file, a name, a hub id, a data frame, or a ``datasets.Dataset``.
        options: How it is read, as for ``load_dataset``.
        group_column: Rows with one value in it belong together.
        allow_empty: Whether a candidate may have no text.
        prepare: Changes each row before it is read.
    """
    options = ReadOptions() if options is None else options
    found = find_source(spec, options)
    rows: list[Row] = []
    places: list[tuple[Block, int]] = []
    for block in all_blocks(found.parts):
        content = block.rows()
        rows += content
        places += [(block, index) for index in range(len(content))]
    if prepare is not None:
        rows = [_prepared(prepare, row, *place) for row, place in zip(rows, places, strict=True)]
    shape = _first_shape(found.parts[0])
    columns = list(dict.fromkeys(column for row in rows for column in row))
    if shape is None:
        raise DataError(f"{found.source}: {no_choice(columns)}")
    if group_column is not None and group_column not in columns:
        raise DataError(
            f"{found.source}: no column '{group_column}' (--group-column)."
            f"{did_you_mean(group_column, columns)} Columns: {', '.join(columns)}"
        )
    shape = shape.fit(rows)
    choices = []
    for row, (block, index) in zip(rows, places, strict=True):
        try:
            choice = _read(shape, row, allow_empty=allow_empty)
        except DataError as error:
            raise DataError(f"{block.location(index)}: {error}") from None
        if group_column is not None:
            choice = replace(choice, group=str(row.get(group_column)))
        choices.append(choice)
    return ChoiceDataset(found.name, found.source, found.parts, shape, choices)


def _read(shape: ChoiceShape, row: Row, *, allow_empty: bool) -> Choice:
    choice = shape.read(row)
    for number, text in enumerate(choice.candidates, 1):
        if not text.strip() and not allow_empty:
            raise DataError(f"candidate {number} of {len(choice.candidates)} is empty")
    return choice


def _prepared(prepare: Callable[[Row], Row], row: Row, block: Block, index: int) -> Row:
    try:
        return prepare(row)
    except DataError as error:
        raise DataError(f"{block.location(index)}: {error}") from None


def _first_shape(part: Part) -> ChoiceShape | None:
    block = next(part.blocks(0), None)
    rows = [] if block is None else block.rows()
    return find_shape(list(dict.fromkeys(column for row in rows for column in row)), rows)
