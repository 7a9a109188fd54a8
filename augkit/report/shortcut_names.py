"""A shortcut in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_POSITIONS = {"first word", "last word"}


def shortcut_name(row: Mapping[str, Any], *, several: bool) -> str:
    """The feature of a row of a survey; with its field where the texts have several.

    >>> shortcut_name({"kind": "first word", "feature": "not", "field": "claim"}, several=True)
    "first word 'not' in claim"
    >>> shortcut_name({"kind": "length", "feature": "9-16 words", "field": "text"}, several=False)
    'length of 9-16 words'
    >>> shortcut_name({"feature": "word in capitals"}, several=False)  # of a finder of your own
    'word in capitals'
    """
    kind = f"{row['kind']} " if row.get("kind") in _POSITIONS else ""
    where = f" in {row['field']}" if several else ""
    feature = f"'{row['feature']}'" if "kind" in row else row["feature"]
    if row.get("kind") == "length":
        feature = f"length of {row['feature']}"
    return f"{kind}{feature}{where}"
