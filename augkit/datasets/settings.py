"""Settings of a dataset: which of its rows and columns are used, and how its file is read."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nsmallest
from pathlib import Path
from random import Random
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator, Field

from augkit.core.config import StrictModel
from augkit.datasets.shapes.texts import EVERY_ROLE

A = TypeVar("A")
RUN_ROLES = ("user",)
"""The roles of a chat whose messages a run reads and changes, unless it is told others."""


class RowSelection(StrictModel):
    """The first ``limit`` rows, and of these ``sample`` rows drawn by the seed."""

    limit: int | None = Field(None, ge=1, description="use only the first N rows")
    sample: int | None = Field(
        None, ge=1, description="use only N rows, drawn by the seed; after the limit"
    )
    seed: int = Field(0, description="draws the sample")

    @property
    def is_partial(self) -> bool:
        """Whether rows may be left out."""
        return self.limit is not None or self.sample is not None

    def numbers(self, total: int) -> Sequence[int]:
        """The numbers of the rows among ``total``, in order; a larger sample holds a smaller one.

        >>> RowSelection(limit=2).numbers(5)
        range(0, 2)
        >>> RowSelection(sample=2).numbers(5)
        [2, 3]
        """
        first = range(total if self.limit is None else min(self.limit, total))
        if self.sample is None or self.sample >= len(first):
            return first
        rng = Random(self.seed)  # noqa: S311 - a sample, not a secret
        drawn = nsmallest(self.sample, ((rng.random(), number) for number in first))
        return sorted(number for _, number in drawn)

    def of(self, rows: Sequence[A]) -> Sequence[A]:
        """The selected ones of all rows."""
        return [rows[number] for number in self.numbers(len(rows))] if self.is_partial else rows


def _split(names: Any) -> Any:
    """``"1,2,3"`` and ``[1, 2, 3]`` are both a list of names."""
    parts = names.split(",") if isinstance(names, str) else names
    return [str(part).strip() for part in parts] if isinstance(parts, list | tuple) else parts


Names = Annotated[tuple[str, ...], BeforeValidator(_split)]
"""Names in a list, or in one text with commas between them."""
DeclaredOrder = Annotated[
    Names,
    Field(
        description='the labels from lowest to highest, as "1,2,3,4,5": a flip goes to the other '
        "side of the middle; none: recognised by their names, or by numbers and texts"
    ),
]
"""The setting ``label_order`` of a run and of the methods that flip labels."""


class TextOptions(StrictModel):
    """Which columns hold texts, which refer to them, and what may change."""

    text_columns: tuple[str, ...] = Field((), description="columns of the texts")
    edit_columns: tuple[str, ...] = Field(
        (), description="text columns that may change; default: all"
    )
    edit_roles: tuple[str, ...] = Field(
        RUN_ROLES,
        min_length=1,
        description="roles of a chat whose messages may change; all: every role, as panda does",
    )
    span_columns: tuple[str, ...] = Field(
        (),
        description="columns of offsets, SQuAD answers or token tags that must stay true; "
        "COLUMN=TEXT names its text",
    )
    answer_columns: tuple[str, ...] = Field(
        (), description="columns of strings that occur in a text"
    )
    tag_names: Names = Field(
        (), description="names of the tags 0, 1, 2 ..., as O,B-PER,I-PER, where tags are numbers"
    )


class DatasetColumns(TextOptions):
    """Which columns of a dataset are used, and how its file is read."""

    label_column: str | None = Field(None, description="the column of the label")
    id_column: str | None = Field(None, description="a column with a unique id for each row")
    subset: str | None = Field(None, description="the configuration of a dataset on the hub")
    quotes: bool = Field(
        default=True, description='whether " quotes the cells of a CSV or TSV file'
    )


class ReadOptions(DatasetColumns, RowSelection):
    """How a dataset is read; the defaults fit most files."""

    data_folder: Path | None = Field(
        None,
        description="the data folder, with NAME/SPLIT.jsonl[.gz]; default: AUGKIT_DATA",
    )
    hub_cache: Path | None = Field(None, description="the hub's local cache, if not the usual one")
    augmented: bool = Field(
        default=False,
        description="whether columns of augkit may be present; they are ignored",
    )
    choices: bool = Field(
        default=False,
        description="whether rows are choices: a prompt, candidates, and which of them won",
    )
    edit_roles: tuple[str, ...] = Field(
        (EVERY_ROLE,),
        min_length=1,
        description="roles of a chat whose messages are read; all: every role",
    )
