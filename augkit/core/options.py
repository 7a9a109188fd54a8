"""The options of a multiple-choice row: one text field, with an empty line between two options."""

from __future__ import annotations

from collections.abc import Iterable

BETWEEN = "\n\n"
"""Between the options of a row, and between the messages of a chat."""
_NAMES = frozenset({"options", "choices"})


def options_field(fields: Iterable[str]) -> str | None:
    r"""The field, or the column, that holds the options of a row; None where none has the name.

    >>> options_field({"question": "Who?", "options": "Jane\n\nJoe"})
    'options'
    """
    return next((name for name in fields if name in _NAMES), None)
