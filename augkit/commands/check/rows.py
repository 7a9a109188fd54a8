"""The rows of a dataset as columns: texts, labels, and where each row is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from augkit.core.errors import DataError
from augkit.datasets.choices.load import no_group_column
from augkit.datasets.dataset import Dataset
from augkit.datasets.load import Spec, open_dataset
from augkit.datasets.readers.blocks import Block
from augkit.datasets.rows import content_reader
from augkit.datasets.settings import ReadOptions
from augkit.text.features.document_counts import LabelledTexts
from augkit.text.features.numbering import label_numbers
from augkit.text.same_text import content_digest, words_digest

_LOCATION = re.compile(r"(?P<source>.*), (?P<unit>line|row) (?P<number>\d+)")


@dataclass(frozen=True)
class Location:
    """A row in a file: its line, where rows are lines; otherwise its number."""

    source: str
    unit: str
    number: int

    def __str__(self) -> str:
        """As in messages."""
        return f"{self.source}, {self.unit} {self.number}"


@dataclass(frozen=True)
class FieldTexts(LabelledTexts):
    """One text field of the distinct rows."""

    name: str


class TextRows(Protocol):
    """Rows with texts and an outcome, labelled or choices, as the checks of content need them."""

    @property
    def source(self) -> str:
        """Where they come from."""

    @property
    def unit(self) -> str:
        """What messages call one of them: row or item."""

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the text fields."""

    @property
    def texts(self) -> dict[str, list[str]]:
        """Field → the text of every row."""

    @property
    def labels(self) -> list[str]:
        """The outcome of each row."""

    @property
    def keys(self) -> list[str]:
        """Names the texts of each row."""

    @property
    def word_keys(self) -> list[str]:
        """Names the words of each row."""

    def __len__(self) -> int:
        """The number of rows."""


@dataclass(frozen=True)
class CheckedRows:
    """Labelled rows of a dataset, column by column."""

    dataset: Dataset
    texts: dict[str, list[str]]
    """Field → the text of every row."""
    labels: list[str]
    indices: list[int]
    """The index of each row in the dataset: rows without a label or a text are left out."""
    left_out: int
    unit = "row"
    groups: Sequence[str] = ()
    """The value of each row in the group column, where one is named."""

    def __len__(self) -> int:
        """Rows with a label and texts."""
        return len(self.labels)

    @property
    def source(self) -> str:
        """Where they come from."""
        return self.dataset.source

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the text fields."""
        return tuple(self.texts)

    @property
    def about(self) -> dict[str, Any]:
        """Counts, for the report."""
        labels = dict(sorted(Counter(self.labels).items()))
        return {"rows": len(self), "left_out": self.left_out, "labels": labels}

    @cached_property
    def keys(self) -> list[str]:
        """Names the texts of each row, whatever its label, its case and its spaces."""
        columns = list(self.texts.values())
        return [content_digest(texts) for texts in zip(*columns, strict=True)]

    @cached_property
    def word_keys(self) -> list[str]:
        """Names the words of each row, whatever its punctuation and digits; "" for none."""
        columns = list(self.texts.values())
        return [words_digest(texts) for texts in zip(*columns, strict=True)]

    @cached_property
    def distinct(self) -> list[int]:
        """The first row of each text: repeated texts count once in tests, whatever their labels."""
        first: dict[str, int] = {}
        for number, key in enumerate(self.keys):
            first.setdefault(key, number)
        return list(first.values())

    @cached_property
    def label_names(self) -> tuple[str, ...]:
        """The labels of the distinct rows, in the order of their numbers."""
        return tuple(sorted({self.labels[number] for number in self.distinct}))

    @cached_property
    def columns(self) -> dict[str, FieldTexts]:
        """The distinct rows, field by field."""
        import numpy as np

        names, numbers = label_numbers([self.labels[number] for number in self.distinct])
        totals = np.bincount(numbers, minlength=len(names))
        return {
            field: FieldTexts([texts[number] for number in self.distinct], numbers, totals, field)
            for field, texts in self.texts.items()
        }

    def locations(self, numbers: Iterable[int]) -> dict[int, Location]:
        """Where these rows are in their files."""
        return locate(self.dataset.blocks(), self.indices, numbers)


def locate(
    blocks: Iterable[Block], indices: Sequence[int], numbers: Iterable[int]
) -> dict[int, Location]:
    """Where rows with these numbers are; ``indices`` are their places in the dataset."""
    wanted = sorted((indices[number], number) for number in set(numbers))
    places: dict[int, Location] = {}
    for block in blocks if wanted else ():
        for index, number in wanted:
            if block.start <= index < block.start + block.count:
                match = _LOCATION.fullmatch(block.location(index - block.start))
                if match:
                    line = int(match["number"])
                    places[number] = Location(match["source"], match["unit"], line)
        if wanted[-1][0] < block.start + block.count:
            break
    return places


def load_labelled(spec: Spec, options: ReadOptions, group_column: str | None = None) -> CheckedRows:
    """Read a dataset; columns that a run of augkit added are ignored."""
    dataset = open_dataset(spec, options.model_copy(update={"augmented": True}))
    if dataset.schema.label is None:
        raise DataError(
            f"{dataset.source}: there is no label column. Name it with --label-column NAME"
        )
    return _read(dataset, group_column, labelled=True)


def load_test_texts(spec: Spec, options: ReadOptions) -> CheckedRows:
    """Read a test set, of which only the texts are compared: it needs no labels."""
    options = options.model_copy(update={"augmented": True})
    try:
        dataset = open_dataset(spec, options)
    except DataError:
        if options.label_column is None:
            raise
        dataset = open_dataset(spec, options.model_copy(update={"label_column": None}))
    return _read(dataset, None, labelled=False)


def _read(dataset: Dataset, group_column: str | None, *, labelled: bool) -> CheckedRows:
    """The rows with texts, or with texts and a label."""
    content = content_reader(dataset.schema)
    texts: dict[str, list[str]] = {field: [] for field in dataset.schema.fields}
    labels, indices, groups, number = [], [], list[str](), -1
    columns: dict[str, None] = {}
    for block in dataset.blocks():
        for number, row in enumerate(block.rows(), block.start):
            fields, label, fault = content(row)
            if not fault and (label is not None or not labelled):
                for field, text in fields.items():
                    texts[field].append(text)
                labels.append(label or "")
                indices.append(number)
                if group_column is not None:
                    groups.append(str(row.get(group_column)))
                    columns |= dict.fromkeys(row)
    if group_column is not None and group_column not in columns:
        raise DataError(f"{dataset.source}: {no_group_column(group_column, list(columns))}")
    return CheckedRows(dataset, texts, labels, indices, number + 1 - len(labels), groups)


def require_two_labels(rows: CheckedRows) -> None:
    """Raise where labels cannot be predicted because there are not two of them."""
    if len(set(rows.labels)) < 2:
        found = f"only '{rows.labels[0]}'" if rows.labels else "none"
        raise DataError(
            f"{rows.dataset.source}: a check needs two different labels, and there is {found} in "
            f"{len(rows) + rows.left_out:,} rows. Name the column with --label-column, or check "
            "a file that holds all labels"
        )
