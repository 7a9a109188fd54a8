"""The rows of a dataset as columns: texts, labels, and where each row is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from augkit.commands.check.sampling import AllRows, LowestRanks, RowNames, short_name
from augkit.commands.label_faults import TextFaults, require_classes, require_texts, text_fault
from augkit.core.arrays import Ints
from augkit.core.errors import DataError
from augkit.core.types import Example
from augkit.datasets.choices.load import ChoiceSource, no_group_column
from augkit.datasets.columns import RESERVED
from augkit.datasets.dataset import Dataset
from augkit.datasets.load import Spec, open_dataset
from augkit.datasets.readers.blocks import Block, Row
from augkit.datasets.rewriting import no_label_column
from augkit.datasets.rows import check_labels, content_reader
from augkit.datasets.settings import ReadOptions
from augkit.text.features.document_counts import LabelledTexts
from augkit.text.features.numbering import label_numbers
from augkit.text.same_text import repeat_digest, words_digest

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


class RowsOfDataset:
    """Rows with texts and an outcome, labelled or choices; of very many rows a sample is held."""

    if TYPE_CHECKING:  # what both kinds have, as fields or as properties

        @property
        def dataset(self) -> Dataset | ChoiceSource:
            """What they are read from."""

        @property
        def texts(self) -> Mapping[str, Sequence[str]]:
            """Field → the text of every row that is held."""

        @property
        def labels(self) -> Sequence[str]:
            """The outcome of each, or what names it."""

        @property
        def keys(self) -> Sequence[str]:
            """Names the texts of each, whatever its label, case, spaces and last signs."""

        @property
        def word_keys(self) -> Sequence[str]:
            """Names the words of each, whatever its punctuation; "" for none."""

        @property
        def indices(self) -> Sequence[int]:
            """The place of each in the dataset; rows without an outcome or a text are left out."""

        @property
        def unit(self) -> str:
            """What messages call a row: row or item."""

        @property
        def whole(self) -> AllRows | None:
            """What is known of all rows, where a sample is held."""

    def __len__(self) -> int:
        """The rows that are held."""
        return len(self.indices)

    @property
    def source(self) -> str:
        """Where they come from."""
        return self.dataset.source

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the text fields."""
        return tuple(self.texts)

    @property
    def total(self) -> int:
        """All rows, held or not."""
        return len(self) if self.whole is None else len(self.whole)

    @property
    def numbers(self) -> Sequence[int]:
        """The number of each row that is held, among all."""
        return range(len(self)) if self.whole is None else self.whole.sampled

    @cached_property
    def all_keys(self) -> Ints:
        """What names the texts of every row, held or not: int64[rows]."""
        return _short_names(self.keys) if self.whole is None else self.whole.keys

    @cached_property
    def all_labels(self) -> Ints:
        """What names the outcome of every row: int64[rows]."""
        return label_numbers(self.labels)[1] if self.whole is None else self.whole.labels

    @cached_property
    def all_word_keys(self) -> Ints:
        """What names the words of every row, 0 for none: int64[rows]."""
        return _short_names(self.word_keys) if self.whole is None else self.whole.word_keys

    def read_again(self) -> Iterator[tuple[str, ...]]:
        """The texts of all rows, a row at a time; from the file where a sample is held."""
        if self.whole is None:
            yield from zip(*self.texts.values(), strict=True)
        else:
            yield from self._read_texts()

    def _read_texts(self) -> Iterator[tuple[str, ...]]:
        raise NotImplementedError

    def locations(self, numbers: Iterable[int]) -> dict[int, Location]:
        """Where rows with these numbers are in their files."""
        indices = self.indices if self.whole is None else self.whole.indices
        return locate(self.dataset.blocks(), indices, numbers)


def _short_names(digests: Sequence[str]) -> Ints:
    import numpy as np

    return np.array([short_name(digest) for digest in digests], dtype=np.uint64).view(np.int64)


@dataclass(frozen=True)
class CheckedRows(RowsOfDataset):
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
    whole: AllRows | None = None
    text_faults: TextFaults = field(default_factory=dict)
    """Of the rows that were left out for their texts."""

    @property
    def about(self) -> dict[str, Any]:
        """Counts and columns, for the report."""
        schema = self.dataset.schema
        columns = next(self.dataset.blocks()).rows()[0]
        texts = list(schema.fields.values())
        read = {*texts, schema.label, schema.id_column, *RESERVED}
        return {
            "rows": self.total,
            "left_out": self.left_out,
            "labels": self.label_counts,
            "text_columns": texts,
            "label_column": schema.label,
            "columns_not_read": [name for name in columns if name not in read],
        }

    @cached_property
    def label_counts(self) -> dict[str, int]:
        """Label → its rows, held or not."""
        counts = Counter(self.labels) if self.whole is None else self.whole.counts
        return dict(sorted(counts.items()))

    @cached_property
    def keys(self) -> list[str]:
        """Names the texts of each row, whatever its label, case, spaces and last signs."""
        columns = list(self.texts.values())
        return [repeat_digest(texts) for texts in zip(*columns, strict=True)]

    @cached_property
    def word_keys(self) -> list[str]:
        """Names the words of each row, whatever its punctuation; "" for none."""
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

    def _read_texts(self) -> Iterator[tuple[str, ...]]:
        for _, texts, label, _ in _contents(self.dataset):
            if not isinstance(texts, str) and label is not None:
                yield texts

    @cached_property
    def examples(self) -> list[Example]:
        """The rows that are held."""
        columns = zip(*self.texts.values(), strict=True)
        return [
            Example(dict(zip(self.texts, texts, strict=True)), label)
            for texts, label in zip(columns, self.labels, strict=True)
        ]


def locate(
    blocks: Iterable[Block], indices: Sequence[int] | Ints, numbers: Iterable[int]
) -> dict[int, Location]:
    """Where rows with these numbers are; ``indices`` are their places in the dataset."""
    wanted = sorted((int(indices[number]), number) for number in set(numbers))
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


def load_labelled(
    spec: Spec,
    options: ReadOptions,
    group_column: str | None = None,
    *,
    most: int | None = None,
    name_words: bool = False,
) -> CheckedRows:
    """Read a dataset; columns that a run of augkit added are ignored.

    Args:
        spec: The dataset.
        options: How it is read.
        group_column: Rows with one value in it belong together.
        most: Of more rows, so many are held: those with different texts that a digest of the texts
            chooses. None: all.
        name_words: Whether the words of rows that are not held are named, for leakage.
    """
    dataset = open_dataset(spec, options.model_copy(update={"augmented": True}))
    if dataset.schema.label is None:
        raise no_label_column(spec, dataset, options)
    return _read(dataset, group_column, labelled=True, most=most, name_words=name_words)


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


def _read(
    dataset: Dataset,
    group_column: str | None,
    *,
    labelled: bool,
    most: int | None = None,
    name_words: bool = False,
) -> CheckedRows:
    """The rows with texts, or with texts and a label."""
    sample = LowestRanks[str, tuple[Any, ...]](most)
    names = RowNames()
    codes = dict[str, int]()
    columns = dict[str, None]()
    number = -1
    text_faults = Counter[tuple[str | None, str]]()
    for number, texts, label, row in _contents(dataset):
        if isinstance(texts, str):
            text_faults[label if labelled else None, texts] += 1
        if isinstance(texts, str) or (label is None and labelled):
            continue
        group = ""
        key = ""
        if group_column is not None:
            group = str(row.get(group_column))
            columns |= dict.fromkeys(row)
        if most is not None:
            key = repeat_digest(texts)
            name = label or ""
            names.add(key, codes.setdefault(name, len(codes)), number, name)
            if name_words:
                names.word_keys.append(short_name(words_digest(texts)))
        sample.add(key, (number, label or "", key, group, *texts))
    if group_column is not None and group_column not in columns:
        raise DataError(f"{dataset.source}: {no_group_column(group_column, list(columns))}")
    held, numbers = sample.rows()
    fields = dataset.schema.fields
    indices, labels, keys, groups, *held_texts = (
        [row[place] for row in held] for place in range(4 + len(fields))
    )
    whole = None if most is None else names.all_rows(numbers)
    total = len(held) if whole is None else len(whole)
    rows = CheckedRows(
        dataset,
        dict(zip(fields, held_texts, strict=True)),
        labels,
        indices,
        number + 1 - total,
        groups if group_column is not None else (),
        whole,
        text_faults,
    )
    if most is not None:
        vars(rows)["keys"] = keys  # the cached property, which need not be made anew
    if labelled:
        counts: dict[str | None, int] = dict(rows.label_counts.items())
        check_labels(rows.source, dataset.schema.label, counts)
    return rows


def _contents(
    dataset: Dataset,
) -> Iterator[tuple[int, tuple[str, ...] | str, str | None, Row]]:
    """Every row with its number, its texts or what it has in place of them, and its label."""
    content = content_reader(dataset.schema)
    for block in dataset.blocks():
        for index, row in enumerate(block.rows()):
            try:
                fields, label, fault = content(row)
            except DataError as error:
                raise DataError(f"{block.location(index)}: {error}") from None
            texts = tuple(fields.values())
            is_empty = not any(map(str.strip, texts))
            found = text_fault(fault) if fault or is_empty else texts
            yield block.start + index, found, label, row


def require_two_labels(rows: CheckedRows) -> None:
    """Raise where labels cannot be predicted: there are not two of them, or they are no classes."""
    schema = rows.dataset.schema
    labels = set(rows.label_counts)
    require_texts(rows.source, [*schema.fields.values()], rows.text_faults, labels)
    require_classes(rows.source, schema.label, rows.label_counts)
    if len(rows.label_counts) < 2:
        found = f"only '{rows.labels[0]}'" if rows.labels else "none"
        raise DataError(
            f"{rows.dataset.source}: a check needs two different labels, and there is {found} in "
            f"{rows.total + rows.left_out:,} rows. Name the column with --label-column, or check "
            "a file that holds all labels"
        )
