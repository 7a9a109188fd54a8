"""The labelled rows that ``fix`` reads, changes and writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from augkit.commands.label_faults import faults_of, require_classes, require_texts
from augkit.core.edits import LabelledSpan
from augkit.core.errors import DataError
from augkit.core.json_files import write_json_lines
from augkit.core.types import Example
from augkit.datasets.dataset import Dataset
from augkit.datasets.load import Spec, open_dataset, spec_name
from augkit.datasets.readers.blocks import Row
from augkit.datasets.rewriting import no_label_column
from augkit.datasets.scan import scan_dataset
from augkit.datasets.schema import Schema
from augkit.datasets.settings import ReadOptions
from augkit.datasets.shapes.texts import Chat
from augkit.text.diff import SpanTouched, diff, project_spans


@dataclass(frozen=True)
class RowsToFix:
    """Rows with a label and a text, and how they are written."""

    name: str
    """As the user named them."""
    short_name: str
    """For the name of a folder."""
    schema: Schema
    examples: Sequence[Example]
    reading: ReadOptions

    @property
    def labels(self) -> dict[str, int]:
        """Label → its rows, the most frequent first."""
        return dict(Counter(str(row.label) for row in self.examples).most_common())

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the text fields."""
        return tuple(self.schema.fields)

    def written(self, row: Example, fields: Mapping[str, str]) -> Row:
        """A row in the columns of the input, with these texts, and its label by its name.

        ``SpanTouched`` where an answer, a tag or a message would be lost.
        """
        columns: Row = dict(row.columns)
        if fields is not row.fields:
            columns |= self.schema.write_texts(columns, fields, _spans_after(row, fields))
        if self.schema.label is not None and self.schema.label_names:
            columns[self.schema.label] = row.label
        return columns

    def with_fields(self, row: Example, fields: Mapping[str, str]) -> Example | None:
        """The row with other texts; None where its answers, tags or messages cannot follow."""
        if fields == row.fields:
            return row
        try:
            return replace(row, fields=fields, columns=self.written(row, fields), spans=())
        except SpanTouched:
            return None

    def write(self, path: Path, examples: Iterable[Example]) -> Path:
        """Write rows as JSON lines in the columns of the input."""
        write_json_lines(path, [self.written(row, row.fields) for row in examples], default=str)
        return path

    def columns_of(self, path: Path) -> dict[str, Any]:
        """The options with which a written file is read as the input was; few where few do."""
        columns = tuple(self.schema.fields.values())
        has_chat = any(isinstance(shape, Chat) for shape in self.schema.shapes.values())
        options: dict[str, Any] = {}
        for key in ("text_columns", "label_column", "edit_columns", "span_columns"):
            given = getattr(self.reading, key)
            if given:
                options[key] = given
        if has_chat:
            options["edit_roles"] = self.reading.edit_roles
        try:
            schema = open_dataset(path, ReadOptions(**options, augmented=True)).schema
        except DataError:
            schema = Schema({})
        if (tuple(schema.fields.values()), schema.label) == (columns, self.schema.label):
            return options
        return {**options, "text_columns": columns, "label_column": self.schema.label}


def read_labelled(data: Spec, reading: ReadOptions) -> RowsToFix:
    """Read the rows that have a label and a text; an error says what is missing."""
    dataset = open_dataset(data, reading.model_copy(update={"augmented": True}))
    if dataset.schema.label is None:
        raise no_label_column(data, dataset, reading)
    examples = dataset.examples(scan_dataset(dataset).repeats)
    usable = [row for row in examples if _is_usable(row)]
    _require_labels(dataset, examples, usable)
    if reading.is_partial:
        usable = [usable[number] for number in reading.numbers(len(usable))]
    name = spec_name(data, dataset.name)
    short_name = dataset.name.replace(":", "-")
    return RowsToFix(name, short_name, dataset.schema, usable, reading)


def _is_usable(row: Example) -> bool:
    has_text = any(map(str.strip, row.fields.values()))
    return row.label is not None and not row.fault and has_text


def _require_labels(
    dataset: Dataset, examples: Sequence[Example], usable: Sequence[Example]
) -> None:
    """Raise where labels cannot be learned: there are not two of them, or they are no classes."""
    labels = Counter(str(row.label) for row in usable)
    columns = list(dataset.schema.fields.values())
    require_texts(dataset.source, columns, faults_of(examples), set(labels))
    require_classes(dataset.source, dataset.schema.label, labels)
    if len(labels) < 2:
        found = f"only '{next(iter(labels))}'" if labels else "none"
        raise DataError(
            f"{dataset.source}: two different labels are needed, and there is {found} in "
            f"{len(examples):,} rows. Name the column with --label-column, or give a file that "
            "holds all labels"
        )


def _spans_after(row: Example, fields: Mapping[str, str]) -> tuple[LabelledSpan, ...]:
    """Where the answers, tags and messages of a row are in other texts of its fields."""
    edits = diff(row.fields, fields)
    return project_spans(row.spans, edits, row.fields, fields, in_kind=False)
