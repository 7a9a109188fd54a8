"""How rows name the winner: by a place (0, 1, A, model_b), by its text, or not at all (a tie)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isnan
from string import ascii_lowercase, ascii_uppercase
from typing import Any, Protocol

from augkit.core.errors import DataError, listed

_NO_WINNER = frozenset(
    "tie ties tied both neither equal same draw none bothbad both_bad null -1".split()
) | {"", "tie (bothbad)", "tie (both bad)", "both bad", "no preference", "1.5"}
_MOST = 100
"""Candidates of a row that have names."""


class WinnerNames(Protocol):
    """How a column names the winner among the candidates of its row."""

    def decode(self, name: str, candidates: Sequence[str]) -> int | None:
        """The place of the winner; None where the name is none of theirs."""

    def encode(self, place: int, candidates: Sequence[str]) -> str:
        """The name of a place."""


@dataclass(frozen=True, slots=True)
class Places:
    """A name for each place: A, B, C; 0, 1, 2; model_a, model_b."""

    names: tuple[str, ...]

    def decode(self, name: str, candidates: Sequence[str]) -> int | None:
        """The place of the winner; None where there is no such place in the row."""
        names = self.names[: len(candidates)]
        return names.index(name) if name in names else None

    def encode(self, place: int, candidates: Sequence[str]) -> str:
        """The name of a place."""
        del candidates
        if place >= len(self.names):
            raise DataError(f"candidate {place + 1} has no name; there are {len(self.names)} names")
        return self.names[place]


@dataclass(frozen=True, slots=True)
class WinningText:
    """The winner is named by its text."""

    def decode(self, name: str, candidates: Sequence[str]) -> int | None:
        """The place of the text; None where no candidate has it."""
        texts = [str(text).strip() for text in candidates]
        return texts.index(name) if name in texts else None

    def encode(self, place: int, candidates: Sequence[str]) -> str:
        """The text at a place."""
        return candidates[place]


def written_names(value: Any) -> list[str]:
    """The names of the winners in a cell; none for a tie or an empty cell.

    >>> written_names(1.0), written_names("B "), written_names([0, 2]), written_names("tie")
    (['1'], ['B'], ['0', '2'], [])
    """
    if isinstance(value, list | tuple):
        return [name for part in value for name in written_names(part)]
    if value is None or (isinstance(value, float) and isnan(value)):
        return []
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    name = str(value).strip()
    return [] if name.lower() in _NO_WINNER else [name]


def find_names(
    cells: Iterable[tuple[Any, Sequence[str]]], columns: Sequence[str] = ()
) -> WinnerNames:
    """The names that fit the most cells; each cell comes with the candidates of its row.

    ``columns`` are those of the candidates, where each has its own: they, and what they end with,
    may name the winner.
    """
    ways = [*_column_names(columns), Places(tuple(ascii_uppercase)), Places(tuple(ascii_lowercase))]
    by_text = len(ways)
    ways += [WinningText()]
    ways += [Places(tuple(map(str, range(first, first + _MOST)))) for first in (0, 1)]
    fits = [0] * len(ways)
    has_text = False
    for cell, texts in cells:
        has_text = has_text or isinstance(cell, str)
        for name in written_names(cell):
            for number, way in enumerate(ways):
                fits[number] += way.decode(name, texts) is not None
    if not has_text:  # a number is a place, though a text may look like it
        fits[by_text] = 0
    return ways[fits.index(max(fits))] if any(fits) else ways[-2]


def decode_winners(names: WinnerNames, cell: Any, candidates: Sequence[str]) -> tuple[int, ...]:
    """The places of the winners that a cell names; an error where a name fits no candidate."""
    places = []
    for name in written_names(cell):
        place = names.decode(name, candidates)
        if place is None:
            named = len(names.names) if isinstance(names, Places) else len(candidates)
            places_named = range(min(named, len(candidates)))
            known = [names.encode(number, candidates)[:40] for number in places_named]
            raise DataError(
                f"the winner '{name[:40]}' is none of the {len(candidates)} candidates: "
                f"{listed(known)}"
            )
        places.append(place)
    return tuple(sorted(set(places)))


def encode_winners(
    names: WinnerNames, winners: Sequence[int], candidates: Sequence[str], cell: Any
) -> Any:
    """The cell that names these winners, of the type that it had."""
    written: list[Any] = [names.encode(place, candidates) for place in winners]
    sample = cell[0] if isinstance(cell, list) and cell else cell
    if isinstance(sample, int | float):
        written = [type(sample)(int(name)) for name in written]
    if isinstance(cell, list):
        return written
    return written[0] if written else cell


def _column_names(columns: Sequence[str]) -> list[WinnerNames]:
    """The names that the columns of the candidates give: response_a, model_a, a, A, first."""
    if not columns:
        return []
    ends = [column.rpartition("_")[2] for column in columns]
    families = [tuple(columns), tuple(f"model_{end}" for end in ends)]
    if len(columns) == 2:
        families += [("first", "second"), ("left", "right")]
    return [Places(names) for names in families]
