"""``load_choices``: the rows of a dataset as choices, with the lines of what cannot be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from augkit.core.choices import Choice
from augkit.core.errors import DataError, did_you_mean, listed
from augkit.core.types import NoItems
from augkit.datasets.choices.shapes import ChoiceShape, find_shape, no_choice
from augkit.datasets.dataset import Part, all_blocks
from augkit.datasets.load import Spec, find_source, no_rows, refuse_other_types
from augkit.datasets.readers.blocks import Block, Row
from augkit.datasets.settings import ReadOptions


@dataclass(frozen=True)
class ChoiceSource:
    """A dataset of choices that is read a block at a time, and the shape of its rows."""

    name: str
    source: str
    parts: tuple[Part, ...]
    shape: ChoiceShape
    prepare: Callable[[Row], Row] | None = None
    """Changes each row before it is read."""

    def blocks(self) -> Iterator[Block]:
        """All rows in order, as they are in their files."""
        return all_blocks(self.parts)

    def rows(self) -> Iterator[tuple[Row, Block, int]]:
        """Every row with its block and its place in it."""
        for block in self.blocks():
            for index, row in enumerate(block.rows()):
                yield (self._prepared(row, block, index) if self.prepare else row), block, index

    def read(
        self, group_column: str | None, *, allow_empty: bool = False, keep_columns: bool = True
    ) -> Iterator[Choice]:
        """Every row as a choice; choices that keep their row can be written, and take memory."""
        grouped = False
        columns = dict[str, None]()
        for row, block, index in self.rows():
            choice = self._choice(row, block, index, allow_empty=allow_empty)
            if group_column is not None:
                grouped = grouped or group_column in row
                columns |= dict.fromkeys(row)
                choice = replace(choice, group=str(row.get(group_column)))
            yield choice if keep_columns else replace(choice, columns=NoItems())
        if group_column is not None and not grouped:
            raise DataError(f"{self.source}: {no_group_column(group_column, list(columns))}")

    def _prepared(self, row: Row, block: Block, index: int) -> Row:
        try:
            return row if self.prepare is None else self.prepare(row)
        except DataError as error:
            raise DataError(f"{block.location(index)}: {error}") from None

    def _choice(self, row: Row, block: Block, index: int, *, allow_empty: bool) -> Choice:
        try:
            choice = self.shape.read(row)
        except DataError as error:
            raise DataError(f"{block.location(index)}: {error}") from None
        for number, text in enumerate(choice.candidates, 1):
            if not allow_empty and not text.strip():
                which = f"candidate {number} of {len(choice.candidates)}"
                raise DataError(f"{block.location(index)}: {which} is empty")
        return choice


@dataclass(frozen=True)
class ChoiceDataset(ChoiceSource):
    """The same with all of its choices."""

    choices: Sequence[Choice] = ()


def holds_choices(spec: Spec, options: ReadOptions) -> bool:
    """Whether the columns of a dataset are those of choices, and none is named by the user."""
    if options.text_columns or options.label_column:
        return False
    parts = find_source(spec, options).parts
    return all(_first_shape(part) is not None for part in parts)


def no_group_column(name: str, columns: Sequence[str]) -> str:
    """What is said where no row has the column."""
    near = did_you_mean(name, columns)
    return f"no column '{name}' (--group-column).{near} Columns: {listed(columns)}"


def open_choices(
    spec: Spec, options: ReadOptions, prepare: Callable[[Row], Row] | None = None
) -> ChoiceSource:
    """Find the shape of the rows, and how they name the winner; an error where there is none."""
    found = find_source(spec, options)
    shape = _first_shape(found.parts[0])
    if shape is None:
        block = next(all_blocks(found.parts), None)
        if block is None:
            raise no_rows(found.source)
        columns = list(dict.fromkeys(column for row in block.rows() for column in row))
        raise DataError(f"{found.source}: {no_choice(columns)}")
    for part in found.parts:
        refuse_other_types(part, shape.text_columns)
    opened = ChoiceSource(found.name, found.source, found.parts, shape, prepare)
    return replace(opened, shape=shape.fit(row for row, _, _ in opened.rows()))


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
    opened = open_choices(spec, ReadOptions() if options is None else options, prepare)
    choices = list(opened.read(group_column, allow_empty=allow_empty))
    return ChoiceDataset(**vars(opened), choices=choices)


def _first_shape(part: Part) -> ChoiceShape | None:
    block = next(part.blocks(0), None)
    rows = [] if block is None else block.rows()
    return find_shape(list(dict.fromkeys(column for row in rows for column in row)), rows)
