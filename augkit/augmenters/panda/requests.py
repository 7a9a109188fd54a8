"""A wish in words ("make *her* in this text a man") checked and turned into a job."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from augkit.augmenters.panda.jobs import Job, Refused
from augkit.augmenters.panda.sampling import references
from augkit.core.errors import UserError, nearest
from augkit.lexicons.demographics.axes import check_target, read_axis
from augkit.text.printable import printable
from augkit.text.tokens import word_spans

SEGMENTS = " <SEP> "
"""Stands between the segments of a text: premise and hypothesis, question and answer."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What to change in a text; without ``word`` the first reference to the axis is taken."""

    text: str
    axis: str
    target: str
    word: str | None = None
    start: int | None = None


def to_job(wish: Wish, generator: Random) -> Job | Refused:
    """The job that a wish asks for; whatever is wrong with it is a ``UserError``.

    Nothing is wrong with a text that has no reference to the axis: it is refused.
    """
    axis = read_axis(wish.axis)
    check_target(axis, wish.target)
    if not wish.text.strip():
        raise UserError("the text is empty: give one with at least a word")
    fields = {str(n): part for n, part in enumerate(wish.text.split(SEGMENTS))}
    if wish.word is None and wish.start is None:
        first = _first(fields, wish)
        if first is None:
            return Refused("no reference", f"no word of the text says a person's {axis.axis}")
        place = first
    else:
        word, start = _word_and_start(wish)
        place = _in_segment(wish.text, start, len(word))
    return Job(fields, *place, wish.axis, wish.target, generator)


def joined(fields: Mapping[str, str]) -> str:
    """The segments as one text again."""
    return SEGMENTS.join(fields.values())


def shift(text: str, field: str) -> int:
    """Where a segment begins in the whole text."""
    parts = text.split(SEGMENTS)[: int(field)]
    return sum(len(part) + len(SEGMENTS) for part in parts)


def _first(fields: Mapping[str, str], wish: Wish) -> tuple[str, int, int] | None:
    found = references(fields, [wish.axis])
    wanted = [r for r in found if r.attribute != wish.target] or found
    return (wanted[0].field, wanted[0].start, wanted[0].end) if wanted else None


def _word_and_start(wish: Wish) -> tuple[str, int]:
    text, start = wish.text, wish.start
    if start is not None and not 0 <= start < len(text):
        raise UserError(f"offset {start} is outside the text, which has {len(text)} characters")
    if wish.word is None:
        word = next((text[a:b] for a, b in word_spans(text) if a == start), None)
        if word is None:
            raise UserError(f"no word begins at offset {start}: {_near(text, start or 0)}")
        return word, start or 0
    if not wish.word.strip():
        raise UserError("the word is empty: give one of the text, or leave it out")
    places = [m.start() for m in re.finditer(_whole(wish.word), text)]
    if start is not None and start not in places and text.startswith(wish.word, start):
        return wish.word, start  # part of a longer word, "man" in "manhole": it will be refused
    if not places:
        raise UserError(_absent(wish.word, text))
    if start is None:
        return wish.word, places[0]
    if start not in places:
        listed = ", ".join(map(str, places[:5]))
        raise UserError(
            f"'{printable(wish.word)}' does not stand at offset {start} ({_near(text, start)}); "
            f"it stands at {listed}"
        )
    return wish.word, start


def _whole(word: str) -> str:
    """A pattern for a word that is not part of a longer one."""
    before = r"(?<!\w)" if word[0].isalnum() else ""
    after = r"(?!\w)" if word[-1].isalnum() else ""
    return before + re.escape(word) + after


def _near(text: str, start: int) -> str:
    return f"there stands '{printable(text[start : start + 20])}'"


def _absent(word: str, text: str) -> str:
    words = {text[a:b] for a, b in word_spans(text)}
    close = nearest(word, words)
    hint = f" Did you mean '{printable(close)}'?" if close else ""
    return f"the word '{printable(word)}' is not in the text.{hint}"


def _in_segment(text: str, start: int, length: int) -> tuple[str, int, int]:
    place = 0
    for number, part in enumerate(text.split(SEGMENTS)):
        if start < place + len(part):
            if start + length > place + len(part):
                break
            return str(number), start - place, start - place + length
        place += len(part) + len(SEGMENTS)
    raise UserError(f"the word at offset {start} is no word of one segment")
