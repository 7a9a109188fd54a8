"""The edits between two texts, and their application."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from operator import attrgetter

from augkit.core.types import Edit, new_edit
from augkit.text.tokens import pieces

_START = attrgetter("start")
_FULL_DIFF_PIECES = 2_000
"""With more pieces the matcher is too slow; everything that differs is then one edit."""


def diff(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[Edit, ...]:
    """Edits from ``before`` to ``after``, whole words at a time, field by field."""
    edits: list[Edit] = []
    for name, text in before.items():
        if after[name] != text:
            edits.extend(_diff_text(name, text, after[name]))
    return tuple(edits)


def _diff_text(name: str, before: str, after: str) -> list[Edit]:
    old, new = pieces(before), pieces(after)
    head = _common_prefix(old, new)
    tail = _common_prefix(old[head:][::-1], new[head:][::-1])
    old_middle, new_middle = old[head : len(old) - tail], new[head : len(new) - tail]
    starts = list(accumulate(map(len, old), initial=0))
    edits = []
    for i, j, k, m in _changes(old_middle, new_middle):
        start, end = starts[head + i], starts[head + j]
        edits.append(new_edit(name, start, end, before[start:end], "".join(new_middle[k:m])))
    return edits


def _changes(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, int, int]]:
    if max(len(old), len(new)) > _FULL_DIFF_PIECES:
        return [(0, len(old), 0, len(new))]
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    changes = [(i, j, k, m) for tag, i, j, k, m in matcher.get_opcodes() if tag != "equal"]
    return _join_over_spaces(changes, old)


def _join_over_spaces(
    changes: Sequence[tuple[int, int, int, int]], old: Sequence[str]
) -> list[tuple[int, int, int, int]]:
    """One edit for neighbouring words: people read "very bad → quite good", not two halves."""
    joined: list[tuple[int, int, int, int]] = []
    for i, j, k, m in changes:
        if joined and all(piece.isspace() for piece in old[joined[-1][1] : i]):
            joined[-1] = (joined[-1][0], j, joined[-1][2], m)
        else:
            joined.append((i, j, k, m))
    return joined


def _common_prefix(first: Sequence[str], second: Sequence[str]) -> int:
    length = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        length += 1
    return length
