"""Titles of films, books, songs and the like, in quotation marks or after what they are."""

from __future__ import annotations

from augkit.augmenters.panda.document import Document
from augkit.lexicons.demographics.cues import WORKS, WORKS_RE
from augkit.lexicons.demographics.find_references import Hit


def is_in_title(doc: Document, hit: Hit) -> bool:
    """Whether a reference stands within the title of a work."""
    field = doc.field_at(hit.start)
    text, shift = doc.fields[field], doc.starts[field]
    start, end = hit.start - shift, hit.end - shift
    if not text[start].isupper() or text.isupper():
        return False
    for match in WORKS_RE.quoted.finditer(text):
        inside = match.start() < start and end < match.end()
        quoted = next(part for part in match.groups() if part is not None) if inside else ""
        if inside and _is_title(quoted) and not _is_spoken(text, match.start(), match.end()):
            return True
    if any(m.start(1) <= start and end <= m.end(1) for m in WORKS_RE.after_kind.finditer(text)):
        return True
    if hit.pos != "pronoun" and WORKS_RE.said_to_be.match(text, end):
        return True
    return _is_capital_inside(text, start, hit)


def _is_spoken(text: str, start: int, end: int) -> bool:
    """As in '"Ask Kevin," *she said*': the words before or after say that somebody speaks."""
    return bool(
        WORKS_RE.saying.match(text, end) or WORKS_RE.said.search(text, max(0, start - 20), start)
    )


def _is_capital_inside(text: str, start: int, hit: Hit) -> bool:
    """As in "We saw *She's* Gotta Have It" and "Whistler's *Mother*": a capital and no reason."""
    kind, after = hit.pos, text[start + hit.end - hit.start :]
    if kind == "name" or is_headline(text):
        return False
    if WORKS_RE.of_a.search(text, max(0, start - 40), start):
        return True
    if kind == "pronoun":
        return bool(
            WORKS_RE.inside.search(text, max(0, start - 2), start) and WORKS_RE.titled.match(after)
        )
    owned = text[max(0, start - 3) : start] in {"'s ", "\u2019s "}
    return owned and kind in {"noun", "title"} and not after[1:2].isupper()


def is_in_body(doc: Document, hit: Hit) -> bool:
    """As in "the National Association of *Black* Journalists", "the League of *Women* Voters"."""
    if not doc.text[hit.start].isupper():
        return False
    return WORKS_RE.body.search(doc.text, max(0, hit.start - 80), hit.start) is not None


def _is_title(quoted: str) -> bool:
    """Whether quoted words are written as a title: all but the small ones with a capital.

    >>> _is_title("Brown Eyed Girl"), _is_title("She left me."), _is_title("Stop!")
    (True, False, False)
    """
    words = WORKS_RE.word.findall(quoted)
    if quoted[-1:] in "?.!," and not {"is", "are", "was", "am"}.isdisjoint(words):
        return False  # "Where is Tim?"
    without = WORKS.small
    large = [word for word in words if word not in without]
    return len(words) > 1 and len(large) > 1 and all(word[0].isupper() for word in large)


def is_headline(text: str) -> bool:
    """Whether nearly all words of a text have capitals, so that one says nothing."""
    words = WORKS_RE.words.findall(text)
    rest = words[1:]  # the first has one in any case
    without = WORKS.small
    long = [word for word in rest if len(word) > 2 and word.lower() not in without]
    lower = [word for word in long if word[0].islower()]
    is_dialogue = "? " in text and text[-1:] == "."  # question and answer
    return len(long) > 1 and len(lower) <= len(long) / 10 and not is_dialogue
