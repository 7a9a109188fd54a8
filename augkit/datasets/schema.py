"""The schema of a dataset: which column holds what, and how labels are encoded."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from augkit.core.errors import DataError

LabelEncoding = Literal["text", "json", "digits"]
"""How the input encodes labels: as text, as another JSON value (1, true), or as "1" for 1."""

UNLABELLED = -1
"""The hub's integer label for rows whose label is withheld."""


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

    def read_label(self, raw: Any) -> str | None:
        """The label of a row as text; ``None`` where it is missing.

        >>> schema = Schema({"text": "text"}, "label", ("negative", "positive"), "json")
        >>> schema.read_label(1), schema.read_label(-1)
        ('positive', None)
        """
        if isinstance(raw, str):
            return self._named(raw) if self.encoding == "digits" else raw or None
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
                    f"its labels are {', '.join(self.label_names)}"
                )
            number = self.label_names.index(name)
            return str(number) if self.encoding == "digits" else number
        return _parse_label(name)

    def _named(self, raw: str) -> str | None:
        digits = raw.strip()
        return self._name(int(digits)) if digits.lstrip("-").isdecimal() else raw or None

    def _name(self, raw: Any) -> str | None:
        if raw == UNLABELLED:
            return None
        if raw not in range(len(self.label_names)):
            listed = ", ".join(f"{number} {name}" for number, name in enumerate(self.label_names))
            raise DataError(f"label {raw!r} has no name; known: {listed}")
        return self.label_names[int(raw)]


def _parse_label(name: str) -> Any:
    try:
        return json.loads(name)
    except ValueError:
        raise DataError(
            f"label '{name}' cannot be written: the labels of this dataset are numbers"
        ) from None
