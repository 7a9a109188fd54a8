"""A shortcut in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_POSITIONS = {"first word", "last word"}


def shortcut_name(row: Mapping[str, Any], *, several: bool) -> str:
    """The feature of a row of a survey; with its field where the texts have several.

    >>> shortcut_name({"kind": "first word", "feature": "not", "field": "claim"}, several=True)
    "first word 'not' in claim"
    """
    kind = f"{row['kind']} " if row.get("kind") in _POSITIONS else ""
    where = f" in {row['field']}" if several else ""
    return f"{kind}'{row['feature']}'{where}"
