"""The best method of a study on each test set, in lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from augkit.text.printable import shown_p

_ALPHA = 0.05
NOTE = (
    "Best: compared row by row, in the mean over seeds; p-values are corrected (Holm) for all "
    "pairs of lines on the test set, since the best is chosen after the fact"
)


class Best(NamedTuple):
    """The best line of a test set and how sure that is, its caveats, and the other lines."""

    title: str
    caveats: list[str]
    others: list[str]


def best_methods(comparisons: Sequence[Mapping[str, Any]]) -> Iterator[Best]:
    """The best line of each test set."""
    for one in comparisons:
        trained = "" if one["test"].startswith(one["dataset"]) else f", trained on {one['dataset']}"
        others = one["others"]
        clear = sum(map(_is_clear, others))
        certainty, its = _certainty(clear, len(others)), "but its" if clear else "its"
        if "weak_test" in one:
            certainty = f"not decided: {'; '.join(one['weak_test'])}"
        yield Best(
            f"Best {one['metric']} on {one['test']} ({one['rows']:,} rows){trained}: "
            f"{one['best']} {one['value']:.3f}, {certainty}",
            [f"{its} result {caveat}" for caveat in one["shortcuts"]],
            [_line(other) for other in others],
        )


def best_lines(comparisons: Sequence[Mapping[str, Any]], most: int) -> Iterator[str]:
    """For each test set the best line, its caveats, and at most so many of the others."""
    for one in best_methods(comparisons):
        yield one.title
        yield from (f"  {line}" for line in (*one.caveats, *one.others[:most]))
        if (left := len(one.others) - most) > 0:
            yield f"  and {left} more: comparisons.json"


def _certainty(clear: int, others: int) -> str:
    """How many of the others are clearly worse.

    >>> _certainty(0, 3), _certainty(2, 3), _certainty(1, 1)
    ('but not clearly better than any other', 'clearly better than 2 of 3', 'clearly the best')
    """
    if not clear:
        return "but not clearly better than any other"
    return "clearly the best" if clear == others else f"clearly better than {clear} of {others}"


def _line(other: Mapping[str, Any]) -> str:
    outcome = "clear" if _is_clear(other) else "not clear"
    if outcome == "not clear" and _excludes_zero(other):
        outcome = "clear alone, not after Holm's correction"
    low, high = (f"{100 * other[end]:+.1f}" for end in ("low", "high"))
    return (
        f"against {other['method']} {other['value']:.3f}: {100 * other['difference']:+.1f} points "
        f"(95 % interval {low} to {high}), {outcome} ({shown_p(other['p_corrected'])})"
    )


def _is_clear(other: Mapping[str, Any]) -> bool:
    return _excludes_zero(other) and other["p_corrected"] <= _ALPHA


def _excludes_zero(other: Mapping[str, Any]) -> bool:
    return not other["low"] <= 0 <= other["high"]
