"""How variants join the originals: append, replace, or balance the labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeVar

Mix = Literal["append", "replace", "balance"]
Row = TypeVar("Row")


def mixed(original: Row, variants: Sequence[Row], mix: Mix, *, stays: bool = False) -> list[Row]:
    """The output rows of one original. ``balance`` starts as append and is thinned later.

    With ``stays`` the original is kept among its replacements.

    >>> mixed("a", ["b"], "append"), mixed("a", ["b"], "replace"), mixed("a", [], "replace")
    (['a', 'b'], ['b'], ['a'])
    >>> mixed("a", ["b"], "replace", stays=True)
    ['a', 'b']
    """
    if mix == "replace" and variants and not stays:
        return list(variants)
    return [original, *variants]


def quotas(originals: Mapping[str, int], variants: Mapping[str, int]) -> dict[str, int]:
    """How many variants of each label make the labels equally frequent, with the most rows.

    Originals are never left out: where a label cannot reach the most frequent one, all its
    variants are taken.

    >>> quotas({"pos": 5, "neg": 2}, {"pos": 4, "neg": 2})
    {'pos': 0, 'neg': 2}
    >>> quotas({"pos": 5, "neg": 5}, {"pos": 2, "neg": 4})
    {'pos': 2, 'neg': 2}
    """
    labels = {*originals, *variants}
    reachable = [originals.get(label, 0) + variants.get(label, 0) for label in labels]
    level = max([min(reachable, default=0), *originals.values()])
    return {
        label: min(available, level - originals.get(label, 0))
        for label, available in variants.items()
    }


def surplus(
    variants: Iterable[tuple[str | None, str]], quota: Mapping[str, int], seed: int
) -> set[str]:
    """The ids of the variants beyond the quota of their label, chosen by the seed.

    Args:
        variants: Label and id of every variant.
        quota: Label → how many of its variants are taken.
        seed: The seed of the run.
    """
    from augkit.core.types import digest

    by_label: dict[str, list[tuple[str, str]]] = {}
    for label, key in variants:
        by_label.setdefault(label or "", []).append((digest(str(seed), key), key))
    return {
        key for label, keys in by_label.items() for _, key in sorted(keys)[quota.get(label, 0) :]
    }
