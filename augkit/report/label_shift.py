"""Whether a run changed the shares of the labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from augkit.text.printable import printable

_MOST = 0.05
"""Greatest change of a label's share that is not worth a caveat."""
_FEWEST = 100
"""Rows of which a share of labels can be told."""


def label_shift(manifest: Mapping[str, Any]) -> list[str]:
    """A caveat where the share of a label changed by more than five points; else none.

    Of fewer than 100 rows nothing is said.

    >>> label_shift({"mix": "append", "original_labels": {"neg": 400, "pos": 400},
    ...     "result_labels": {"neg": 787, "pos": 575}})[0].partition(":")[0]
    'neg was 50 % of the rows and is 58 %'
    """
    before, after = (manifest.get(f"{name}_labels") or {} for name in ("original", "result"))
    rows, now = sum(before.values()), sum(after.values())
    if rows < _FEWEST or not now:
        return []
    changes = {name: after.get(name, 0) / now - count / rows for name, count in before.items()}
    label = max(changes, key=lambda name: abs(changes[name]))
    if abs(changes[label]) <= _MOST or manifest["mix"] == "balance":
        return []
    shares = before[label] / rows, after.get(label, 0) / now
    was, is_now = (f"{100 * share:.0f} %" for share in shares)
    return [
        f"{printable(label)} was {was} of the rows and is {is_now}: --mix balance evens labels out"
    ]
