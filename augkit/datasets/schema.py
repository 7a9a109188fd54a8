"""The schema of a dataset: which column holds what, and how labels are encoded."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from augkit.core.edits import LabelledSpan
from augkit.core.errors import DataError, beginning, listed
from augkit.datasets.choices.shapes import ChoiceShape
from augkit.datasets.readers.blocks import Row

LabelEncoding = Literal["text", "json", "digits"]
"""How the input encodes labels: as text, as another JSON value (1, true), or as "1" for 1."""

UNLABELLED = -1
"""The hub's integer label for rows whose label is withheld."""


class TextShape(Protocol):
    """How a value that is no string is read as a text, and a text written as such a value."""

    def read(self, value: Any) -> tuple[str, str]:
        """The text, and why the row cannot be augmented; "" where it can."""

    def boundaries(self, field: str, value: Any) -> list[LabelledSpan]:
        """The parts of the text that must not change."""

    def write(self, value: Any, text: str, boundaries: Sequence[LabelledSpan]) -> Any:
        """The value of a variant with this text."""


class SpanColumn(Protocol):
    """A column that refers to parts of the texts."""

    @property
    def column(self) -> str:
        """Its name."""

    def read(self, row: Row, fields: Mapping[str, str]) -> list[LabelledSpan]:
        """The spans of a row; ``DataError`` where they do not fit its texts."""

    def write(self, row: Row, spans: Sequence[LabelledSpan], fields: Mapping[str, str]) -> Any:
        """The value of a variant with these spans and texts; ``row`` is the original."""


@dataclass(frozen=True, slots=True)
class Schema:
    """Columns of the input and what they mean; cheap to send to another process."""

    fields: Mapping[str, str]
    """Field of the examples (``text``, ``premise`` ...) → column of the input."""
    label: str | None = None
    """Column of the label."""
    label_names: tuple[str, ...] = ()
    """Names of the labels 0, 1, 2 ..., where they are known."""
    encoding: LabelEncoding = "text"
    id_column: str | None = None
    augmented: bool = False
    """Whether the input may be the dataset of a run; augkit's own columns are then ignored."""
    shapes: Mapping[str, TextShape] = field(default_factory=dict)
    """Field → how its values are read, where they are no strings."""
    span_columns: tuple[SpanColumn, ...] = ()
    locked: frozenset[str] = frozenset()
    """Fields that must not change."""
    choice: ChoiceShape | None = None
    """How a row holds a choice, where rows are read as such; ``fields`` are then its columns."""

    @property
    def annotated(self) -> bool:
        """Whether rows have spans."""
        return bool(self.shapes or self.span_columns)

    def read_spans(self, row: Row, fields: Mapping[str, str]) -> tuple[LabelledSpan, ...]:
        """The parts of the texts that must stay true."""
        spans: list[LabelledSpan] = []
        for name, shape in self.shapes.items():
            value = row.get(self.fields[name])
            spans += [] if isinstance(value, str) else shape.boundaries(name, value)
        for column in self.span_columns:
            spans += column.read(row, fields)
        return tuple(spans)

    def write_texts(
        self, row: Row, fields: Mapping[str, str], spans: Sequence[LabelledSpan]
    ) -> Row:
        """The columns of a variant that hold texts, or refer to them; ``row`` is the original."""
        written: Row = {}
        for name, text in fields.items():
            column = self.fields[name]
            shape = self.shapes.get(name)
            if shape is None or isinstance(row[column], str):
                written[column] = text
            else:
                limits = [span for span in spans if span.kind == "boundary" and span.field == name]
                written[column] = shape.write(row[column], text, limits)
        for held in self.span_columns:
            of_column = [span for span in spans if span.column == held.column]
            written[held.column] = held.write(row, of_column, fields)
        return written

    def read_label(self, raw: Any) -> str | None:
        """The label of a row as text; ``None`` where it is missing.

        >>> schema = Schema({"text": "text"}, "label", ("negative", "positive"), "json")
        >>> schema.read_label(1), schema.read_label(-1)
        ('positive', None)
        """
        if isinstance(raw, str):
            digits = raw.strip()
            if self.encoding == "digits" and digits.lstrip("-").isdecimal():
                return self._name(int(digits))
            return raw or None
        if raw is None or raw != raw:  # noqa: PLR0124 - NaN, as tables write a missing number
            return None
        if self.label_names:
            return self._name(raw)
        return json.dumps(raw, ensure_ascii=False)

    def encode_label(self, name: str | None) -> Any:
        """A label as the input encodes it: ``read_label(encode_label(name)) == name``.

        >>> schema = Schema({"text": "text"}, "label", ("negative", "positive"), "json")
        >>> schema.encode_label("positive")
        1
        """
        if name is None or self.encoding == "text":
            return name
        if self.label_names:
            if name not in self.label_names:
                raise DataError(
                    f"label '{name}' has no number in this dataset; "
                    f"its labels are {listed(self.label_names)}"
                )
            number = self.label_names.index(name)
            return str(number) if self.encoding == "digits" else number
        try:
            return json.loads(name)
        except ValueError:
            raise DataError(
                f"label '{name}' cannot be written: the labels of this dataset are numbers"
            ) from None

    def _name(self, raw: Any) -> str | None:
        if raw == UNLABELLED:
            return None
        if raw not in range(len(self.label_names)):
            known = listed(f"{number} {name}" for number, name in enumerate(self.label_names))
            raise DataError(f"label {beginning(repr(raw))} has no name; known: {known}")
        return self.label_names[int(raw)]
