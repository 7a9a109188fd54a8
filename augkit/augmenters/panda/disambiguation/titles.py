"""Titles of films, books, songs and the like, in quotation marks or after what they are."""

from __future__ import annotations

import re
from functools import cache

from augkit.augmenters.panda.document import Document
from augkit.lexicons.demographics.cues import cues, either
from augkit.lexicons.demographics.find_references import Hit

_QUOTED = re.compile(
    r"\"([^\"\n]{2,80})\"|\u201c([^\u201d\n]{2,80})\u201d|(?<!\w)'([^'\n]{2,80})'(?!\w)"
    r"|(?<!\w)\u2018([^\u2019\n]{2,80})\u2019(?!\w)|(?<!\w)[*_]([^*_\n]{2,80})[*_](?!\w)"
)
_TITLE = (
    r"(?:[A-Z][\w'\u2019-]*,?)"
    r"(?: (?:(?:of|the|and|in|a|an|to|on|for|with|at|from|as) )*[A-Z][\w'\u2019-]*)+"
)
_INSIDE = re.compile(r"[a-z,] $")
_WORDS = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_][\w'\u2019-]*")


def is_in_title(doc: Document, hit: Hit) -> bool:
    """Whether a reference stands within the title of a work."""
    field = doc.field_at(hit.start)
    text, shift = doc.fields[field], doc.starts[field]
    start, end = hit.start - shift, hit.end - shift
    if not text[start].isupper() or text.isupper():
        return False
    for match in _QUOTED.finditer(text):
        inside = match.start() < start and end < match.end()
        said = next(part for part in match.groups() if part is not None) if inside else ""
        if inside and _is_title(said) and not _is_spoken(text, match.start(), match.end()):
            return True
    if any(m.start(1) <= start and end <= m.end(1) for m in _after_kind().finditer(text)):
        return True
    if hit.readings[0].pos != "pronoun" and _said_to_be().match(text, end):
        return True
    return _is_capital_inside(text, start, hit)


def _is_spoken(text: str, start: int, end: int) -> bool:
    """As in '"Ask Kevin," *she said*': the words before or after say that somebody speaks."""
    return bool(_saying().match(text, end) or _said().search(text, max(0, start - 20), start))


def _is_capital_inside(text: str, start: int, hit: Hit) -> bool:
    """As in "We saw *She's* Gotta Have It" and "Whistler's *Mother*": a capital and no reason."""
    kind, after = hit.readings[0].pos, text[start + hit.end - hit.start :]
    if kind == "name" or is_headline(text):
        return False
    if _of_a().search(text, max(0, start - 40), start):
        return True
    if kind == "pronoun":
        return bool(_INSIDE.search(text, max(0, start - 2), start) and _titled().match(after))
    owned = text[max(0, start - 3) : start] in {"'s ", "\u2019s "}
    return owned and kind in {"noun", "title"} and not after[1:2].isupper()


def is_in_body(doc: Document, hit: Hit) -> bool:
    """As in "the National Association of *Black* Journalists", "the League of *Women* Voters"."""
    if not doc.text[hit.start].isupper():
        return False
    return _body().search(doc.text, max(0, hit.start - 80), hit.start) is not None


def _is_title(said: str) -> bool:
    """Whether quoted words are written as a title: all but the small ones with a capital.

    >>> _is_title("Brown Eyed Girl"), _is_title("She left me."), _is_title("Stop!")
    (True, False, False)
    """
    words = _WORD.findall(said)
    if said[-1:] in "?.!," and not {"is", "are", "was", "am"}.isdisjoint(words):
        return False  # "Where is Tim?"
    without = cues("works", "small")
    large = [word for word in words if word not in without]
    return len(words) > 1 and len(large) > 1 and all(word[0].isupper() for word in large)


def is_headline(text: str) -> bool:
    """Whether nearly all words of a text have capitals, so that one says nothing."""
    words = _WORDS.findall(text)
    rest = words[1:]  # the first has one in any case
    without = cues("works", "small")
    long = [word for word in rest if len(word) > 2 and word.lower() not in without]
    small = [word for word in long if word[0].islower()]
    asked = "? " in text and text[-1:] == "."  # question and answer
    return len(long) > 1 and len(small) <= len(long) / 10 and not asked


@cache
def _after_kind() -> re.Pattern[str]:
    """Titles that the word before them shows: "the film *Brown Girl*"."""
    return re.compile(
        rf"\b(?:{either('works', 'before_titles')})"
        rf"(?: called| named| titled| entitled)? ({_TITLE}"
        rf"(?:,? (?:and |or )?(?:then |later )?{_TITLE})*)"
    )


@cache
def _said_to_be() -> re.Pattern[str]:
    """What follows a title: "(1972)", "is a play by"."""
    return re.compile(
        r"(?:['\u2019]s)?(?:[ ,:]+(?:[A-Z][\w'\u2019]*|of|the|and|in|on|her|his|a|to)){0,9}"
        r"(?: (?:\(|-LRB- )(?:19|20)\d\d(?: film| novel)?(?:\)| -RRB-)"
        rf"|,? (?:is|was) an? (?:[\w-]+ ){{0,5}}(?:{either('works', 'kinds')})"
        rf"(?=[.,;]|$| (?:{either('works', 'after_kinds')})\b))"
    )


@cache
def _saying() -> re.Pattern[str]:
    return re.compile(rf"[ ,]*(?:(?:[a-z]+ )?[A-Za-z]+ )?(?:{either('works', 'speaking')})\b")


@cache
def _said() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{either('works', 'speaking_before')})[,:] $")


@cache
def _body() -> re.Pattern[str]:
    return re.compile(
        rf"\b(?:{either('works', 'bodies')})"
        r"(?: of| for| on| against| to)(?: the)?(?: [A-Z][a-z]+| and)* $"
    )


@cache
def _of_a() -> re.Pattern[str]:
    return re.compile(
        rf"\b(?:{either('works', 'before_of_a')})"
        r"s? (?:of|from|to|for|with|in) (?:an?|the)(?: [A-Z][a-z]+)? $"
    )


@cache
def _titled() -> re.Pattern[str]:
    """The rest of a title after its pronoun: "*She*'s Gotta Have It", but "*Her* Majesty"."""
    return re.compile(
        rf"(?:['\u2019](?:s|d|ll))? (?!{either('works', 'styles')})"
        r"(?:(?:the|a|an|of|not|just|all) )*[A-Z][a-z]+"
    )
