"""The edits between two texts, and their application."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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


def apply(fields: Mapping[str, str], edits: Iterable[Edit]) -> dict[str, str]:
    """The fields after the edits, whose offsets all refer to the given texts.

    >>> apply({"text": "a bad film"}, [Edit("text", 2, 5, "bad", "good")])
    {'text': 'a good film'}
    """
    changed = dict(fields)
    # From the right, so that the offsets of the remaining edits stay valid.
    for edit in sorted(edits, key=_START, reverse=True):
        text = changed[edit.field]
        changed[edit.field] = text[: edit.start] + edit.after + text[edit.end :]
    return changed


def reproduces(before: Mapping[str, str], edits: Sequence[Edit], after: Mapping[str, str]) -> bool:
    """Whether the edits turn ``before`` into ``after``: ``apply(before, edits) == after``.

    >>> edits = [Edit("text", 2, 5, "bad", "good")]
    >>> reproduces({"text": "a bad film"}, edits, {"text": "a good film"})
    True
    """
    if len(before) != 1 or len(after) != 1:
        return apply(before, edits) == dict(after)
    made, last, previous, name = "", 0, -1, next(iter(before))
    text = before[name]
    for edit in edits:
        start, end = edit.start, edit.end
        if not previous < start >= last or not start <= end <= len(text) or edit.field != name:
            return apply(before, edits) == dict(after)  # out of order, or out of the text
        made += text[last:start] + edit.after
        previous, last = start, end
    return after.get(name) == made + text[last:]


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


def undo(fields: Mapping[str, str], edits: Iterable[Edit]) -> dict[str, str]:
    """The original of a variant: the inverse of ``apply``.

    >>> undo({"text": "a good film"}, [Edit("text", 2, 5, "bad", "good")])
    {'text': 'a bad film'}
    """
    restored = dict(fields)
    for edit in sorted(edits, key=lambda edit: edit.start):
        # Edits are undone from the left, so all before this one is the original again and its
        # original offset is right.
        text = restored[edit.field]
        rest = text[edit.start + len(edit.after) :]
        restored[edit.field] = text[: edit.start] + edit.before + rest
    return restored
