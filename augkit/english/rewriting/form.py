"""The form of a rewritten text: its marks must stand as those of the original do.

A rewrite with a flaw of form is ugly, and all such rewrites of one label are a new shortcut.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

MISPLACED = "punctuation out of place"
"""The reason for which a rewrite with a flaw of form is rejected."""
_STOPS = ".,;:!?"
_OPENING, _CLOSING = "([{\u201c\u00ab", ")]}\u201d\u00bb"
_QUOTE = '"'
_BRACKETS = (*zip(_OPENING, _CLOSING, strict=True), ("``", "''"))
_TOGETHER = re.compile(
    rf"(?=([{re.escape(_STOPS + _OPENING)}\-\u2013\u2014]\s*[{re.escape(_STOPS + _CLOSING)}]"
    rf'|"\s*"))'
)
"""Marks that seldom stand side by side."""
_MARKS = re.compile(rf"[{re.escape(_STOPS + _CLOSING)}]")
_SPACE, _SPACED = re.compile(rf"\s{_MARKS.pattern}"), "space before a mark"
_LETTER = re.compile(r"[^\W\d_]")
_BEHIND_END = " \t\n'\u2019" + _QUOTE + _CLOSING


def is_well_formed(text: str, original: str) -> bool:
    """Whether a text has no flaw of form that its original has not.

    It does not begin with a mark that closes or ends something, or in lower case; it ends with a
    mark of a sentence; no two marks have come together; quotation marks and brackets match. Spaces
    before marks are a flaw if the original has marks without them.

    >>> is_well_formed(". Dull!", "Ann came. Dull!"), is_well_formed("Dull!", "Ann came. Dull!")
    (False, True)
    """
    letter = _LETTER.search(original)
    if text[:1].islower() and letter and letter[0].isupper():
        return False
    flaws = _flaws(text)
    if flaws and not _MARKS.search(original):
        flaws.discard(_SPACED)
    return not flaws or flaws <= _flaws(original)


def misplaced_rejection(fields: Mapping[str, str], original: Mapping[str, str]) -> str | None:
    """The reason to reject rewritten fields whose marks are out of place, else None."""
    fine = all(is_well_formed(fields[name], text) for name, text in original.items())
    return None if fine else MISPLACED


def _flaws(text: str) -> set[str]:
    text = text.strip()
    flaws = {"together: " + "".join(match[1].split()) for match in _TOGETHER.finditer(text)}
    first, last = text[:1], text.rstrip(_BEHIND_END)[-1:]
    if first and first in _STOPS + _CLOSING and not text.startswith("..."):
        flaws.add(f"first: {first}")
    if _SPACE.search(text):
        flaws.add(_SPACED)
    if last not in _STOPS:
        flaws.add("no last mark")
    if text.count(_QUOTE) % 2:
        flaws.add(f"odd: {_QUOTE}")
    return flaws | {f"odd: {a}" for a, b in _BRACKETS if not _match(text, a, b)}


def _match(text: str, opening: str, closing: str) -> bool:
    depth = 0
    for mark in re.findall(f"{re.escape(opening)}|{re.escape(closing)}", text):
        depth += 1 if mark == opening else -1
        if depth < 0:
            return False
    return not depth
