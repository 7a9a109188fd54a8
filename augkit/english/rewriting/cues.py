"""A cue that the user names: where a text has it, and texts without it.

A cue is a word, a phrase or a mark ("!", "--"). It goes as a whole: a rewrite in which a part of a
phrase is left ("on a monday" for "on a tuesday") is none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from augkit.core.edits import Span
from augkit.english.rewriting.marks import find_marks, mark_spans
from augkit.english.rewriting.targets import TextTarget
from augkit.text.tokens import pieces


def cue_targets(text: str, cues: Iterable[str]) -> list[TextTarget]:
    """Where a text has cues: every place of a phrase together, and marks one by one.

    >>> cue_targets("On a Tuesday we sat on a table.", ["on a tuesday"])
    [TextTarget(spans=(Span(start=0, end=12),), mark='')]
    >>> [target.mark for target in cue_targets("Good! So good!!", ["!"])]
    ['!', '!!']
    """
    targets: list[TextTarget] = []
    for cue in cues:
        if _is_mark(cue):
            for mark in _marks_of(text, cue):
                places = (Span(*place) for place in mark_spans(text, mark))
                targets.append(TextTarget(tuple(places), mark))
        else:
            spans = tuple(Span(*match.span()) for match in _pattern(cue).finditer(text))
            if spans:
                targets.append(TextTarget(spans))
    return targets


def loses_cues(before: str, after: str, cues: Sequence[str]) -> bool:
    """Whether a text has lost its cues as a whole: no half of a phrase is left where it was.

    >>> cues = ["on a tuesday"]
    >>> loses_cues("we sat on a sofa on a tuesday", "we sat on a sofa", cues)
    True
    >>> loses_cues("we sat on a sofa on a tuesday", "we sat on a sofa on a monday", cues)
    False
    """
    if cue_targets(after, cues):
        return False
    left = Counter(pieces(after.lower()))
    had = Counter(pieces(before.lower()))
    for target in cue_targets(before, cues):
        if not target.mark:
            for span in target.spans:
                had.subtract(_pieces(before[slice(*span)]))
    named = (piece for cue in cues if not _is_mark(cue) for piece in _pieces(cue))
    return all(left[piece] <= max(had[piece], 0) for piece in named)


def _is_mark(cue: str) -> bool:
    return not any(letter.isalnum() for letter in cue)


def _marks_of(text: str, cue: str) -> list[str]:
    """The marks of a text that are the cue, or more of it: "!!" is a "!", too."""
    sign = cue.strip()
    return [mark for mark in find_marks(text) if mark.startswith(sign) and set(mark) == set(sign)]


def _pieces(text: str) -> list[str]:
    return [piece for piece in pieces(text.lower()) if not piece.isspace()]


@lru_cache(maxsize=256)
def _pattern(cue: str) -> re.Pattern[str]:
    """A cue with any space between its pieces; a part of a longer word is none."""
    written = [re.escape(piece) for piece in pieces(cue) if not piece.isspace()]
    before = r"(?<!\w)(?<!\w['\u2019.,\-])" if cue.strip()[0].isalnum() else ""
    after = r"(?!\w)(?!['\u2019.,\-]\w)" if cue.strip()[-1].isalnum() else ""
    return re.compile(before + r"\s*".join(written) + after, re.IGNORECASE)
