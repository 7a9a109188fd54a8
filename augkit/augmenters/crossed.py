"""The three pairs that two changed texts of a pair make: each alone, and both together.

Each second text then has both labels beside some first text, and gives none away by itself.
"""

from __future__ import annotations

from typing import NamedTuple

from augkit.core.types import Contract, Example, Variant


class CrossedPairs(NamedTuple):
    """The variants of a pair, named by which of its texts changed."""

    second: Variant
    first: Variant
    both: Variant


def crossed(row: Example, first: str, second: str, other_label: str) -> CrossedPairs:
    """Make the three pairs of a row and of its two changed texts.

    One changed text gives the pair the other label. Both together keep that of the row.

    Args:
        row: A pair of texts.
        first: Its first text, changed.
        second: Its second text, changed in the same way.
        other_label: The label of a pair in which one text is changed.

    >>> row = Example({"evidence": "Built in 1979.", "claim": "From 1979."}, "true")
    >>> pairs = crossed(row, "Built in 1983.", "From 1983.", "false")
    >>> [(*pair.fields.values(), pair.label) for pair in (pairs.first, pairs.both)]
    [('Built in 1983.', 'From 1979.', 'false'), ('Built in 1983.', 'From 1983.', 'true')]
    """
    old_first, old_second = row.fields.values()

    def pair(texts: tuple[str, str], label: str | None, contract: Contract) -> Variant:
        return Variant(row, dict(zip(row.fields, texts, strict=True)), label, contract)

    return CrossedPairs(
        second=pair((old_first, second), other_label, "flipped"),
        first=pair((first, old_second), other_label, "flipped"),
        both=pair((first, second), row.label, "kept"),
    )
