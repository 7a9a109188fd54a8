"""What a choice is like before any model sees it: its difficulty, and the lengths of candidates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat
from statistics import fmean
from typing import Literal

from augkit.core.choices import Choice
from augkit.core.results import LengthBin
from augkit.text.features.amounts import FORMAT_AMOUNTS, LENGTHS

Level = Literal["easy", "normal", "hard"]
LEVELS: tuple[Level, ...] = ("easy", "normal", "hard")
_MUCH_LONGER = 1.1
"""Texts whose numbers of words differ by less than this factor are about as long."""
_MARKDOWN = ("list items", "bold phrases", "headings", "table rows", "pieces of code")
_EDGES = (1.0, 1.1, 1.25, 1.5, 2.0, 3.0)


def levels_of(choices: Sequence[Choice]) -> list[Level]:
    """The difficulty of each: the column ``difficulty`` where all have it, or by length and style.

    It is RM-Bench's idea: a choice is easy where the winner is also the fancier one.
    """
    cells = [str(choice.columns.get("difficulty", "")).strip().lower() for choice in choices]
    given = [level for cell in cells for level in LEVELS if level == cell]
    return given if len(given) == len(choices) else [level_of(choice) for choice in choices]


def level_of(choice: Choice) -> Level:
    """How hard a choice is for a model that likes long texts with Markdown.

    The winner's words are compared with those of the losers, and so are its pieces of Markdown
    (list items, bold phrases, headings, table rows, code). It scores 1 where it has a tenth more
    words, -1 where they have a tenth more; and the same for any more pieces. The sum says it:
    above 0 easy, below 0 hard. Of several winners or losers the mean counts.

    >>> level_of(Choice(("It is Lima, by the sea.", "Lima."), (0,)))
    'easy'
    """
    texts = [
        [text for place, text in enumerate(choice.candidates) if (place in choice.winners) is wins]
        for wins in (True, False)
    ]
    won, lost = (fmean(map(LENGTHS["words"], side)) for side in texts)
    fancier, plainer = (fmean(map(markdown_marks, side)) for side in texts)
    longer = (won >= _MUCH_LONGER * max(lost, 1)) - (lost >= _MUCH_LONGER * max(won, 1))
    total = longer + (fancier > plainer) - (fancier < plainer)
    return "normal" if total == 0 else "easy" if total > 0 else "hard"


def markdown_marks(text: str) -> int:
    r"""List items, bold phrases, headings, rows of tables and pieces of code.

    >>> markdown_marks("# Tea\n- boil **water**\n- wait")
    4
    """
    return int(sum(FORMAT_AMOUNTS[name](text) for name in _MARKDOWN))


def length_ratio(choice: Choice) -> float:
    """How many times as long as the shortest candidate the longest is, in characters."""
    lengths = [len(text) for text in choice.candidates]
    return max(lengths) / max(min(lengths), 1)


def longest_share(choice: Choice, places: Iterable[int]) -> float | None:
    """The share of these candidates that are the longest; None where all are as long."""
    lengths = [len(text) for text in choice.candidates]
    if min(lengths) == max(lengths):
        return None
    return fmean(float(lengths[place] == max(lengths)) for place in places)


def winners_by_length(
    choices: Iterable[Choice], weights: Sequence[float] | None = None
) -> tuple[LengthBin, ...]:
    """How often the longest candidate of decided choices wins, by how much longer it is.

    Each choice counts once, or by its weight.
    """
    items = []
    counted = []
    for choice, weight in zip(choices, repeat(1.0) if weights is None else weights, strict=False):
        won = longest_share(choice, choice.winners) if choice.decided else None
        if won is not None and weight > 0:
            items.append((length_ratio(choice), won, None))
            counted.append(weight)
    return length_bins(items, counted)


def length_bins(
    items: Iterable[tuple[float, float, float | None]], weights: Sequence[float] | None = None
) -> tuple[LengthBin, ...]:
    """Bins of items: a ratio of lengths, whether the longest wins, and whether it is picked."""
    bins: list[list[tuple[float, float | None, float]]] = [[] for _ in _EDGES]
    counted = repeat(1.0) if weights is None else weights
    for (ratio, won, picked), weight in zip(items, counted, strict=False):
        bins[sum(ratio >= edge for edge in _EDGES) - 1].append((won, picked, weight))
    limits = (*_EDGES[1:], None)
    return tuple(
        LengthBin(
            least,
            most,
            len(inside),
            sum(won * weight for won, _, weight in inside) / sum(weight for *_, weight in inside),
            fmean(picks) if (picks := [p for _, p, _ in inside if p is not None]) else None,
        )
        for least, most, inside in zip(_EDGES, limits, bins, strict=True)
        if inside
    )
