"""Marks: features of a text that are no words, and edits that remove them.

Repeated or rare punctuation, emoji, hashtags, addresses, digits, and capitals. ``find_marks`` names
those of a text, ``mark_spans`` says where one is, ``unmarked`` gives the edits without it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from augkit.core.edits import Replacement
from augkit.english.morphology import is_english

MARK = "mark"
"""The kind of these features."""
_URL = r"(?:https?://|www\.)\S*[^\s.,;:!?)\]\"]"
_HASHTAG = r"(?<!\w)#\w+"
_USER = r"(?<![\w.])@\w+"
# RFC 5321 allows 64 characters before the @; without a limit a line of hyphens would take long.
_MAIL = r"(?<![\w.])[\w.+\-]{1,64}@[\w\-]+\.[\w.\-]*\w"
_REPEATED = r"([^\w\s])\1+"
_SIGN = r"[^\w\s.,'\u2019\-]"
_CAPITALS = r"(?<![\w'])[A-Z]{2,}(?![\w'])"
_KINDS = {
    "URL": re.compile(_URL),
    "hashtag": re.compile(_HASHTAG),
    "@name": re.compile(_USER),
    "e-mail": re.compile(_MAIL),
    "digits": re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?!\w|[.,]\d)"),
    "word in capitals": re.compile(_CAPITALS),
}
WHOLE_MARKS = frozenset({"URL", "hashtag", "@name", "e-mail"})
"""Marks that are words of their own, to be left out whole."""
_UNUSUAL = re.compile(r"[^A-Za-z\s.,'\u2019\-]")
_DOUBLED = ("..", ",,", "--", "''", "\u2019\u2019")
_TWO_CAPITALS = re.compile(r"[A-Z]{2}")
"""What a mark begins with or holds: most texts have none of it and are done at once."""
_ONE_SIGN = re.compile(_SIGN)
_HINTS = {"URL": ("://", "www."), "hashtag": ("#",), "@name": ("@",), "e-mail": ("@",)}
"""What a text must have before a slower pattern is tried."""
_SIGNS = re.compile(rf"{_URL}|[:;=]-?[()DPp](?!\w)|{_REPEATED}|{_SIGN}")
_LOWER = "all in lower case"
_CASES = ("all in capitals", _LOWER, "Title Case")
_PAIRS = {'"': '"', "(": ")", "\u201c": "\u201d", "[": "]", "*": "*", "_": "_", "'": "'"} | {
    "``": "''"
}
_NEEDED = frozenset({"digits", "?", "--", "%", "$", "&", "/", "\u2014", "\u2013"})
"""Signs that stand for a word or join parts of a sentence, and numbers."""
_LEAST_WORDS = 3
"""Words of a text whose casing is a pattern."""


def find_marks(text: str) -> Sequence[str]:
    """The marks of a text, in order.

    >>> find_marks("Wow!! See www.a.org #fun 3 TIMES"), find_marks("It is well-made.")
    (['!!', '#', 'URL', 'digits', 'hashtag', 'word in capitals'], ())
    """
    case = _casing(text)
    doubled = any(map(text.__contains__, _DOUBLED))
    plain = not doubled and not _UNUSUAL.search(text)
    if plain and (case == _LOWER or not _TWO_CAPITALS.search(text)) and "www." not in text:
        return (case,) if case else ()
    marks = set()
    if doubled or _ONE_SIGN.search(text):
        signs = (match[0] for match in _SIGNS.finditer(text))
        marks = {sign for sign in signs if not sign.startswith(("http", "www"))}
    for name, pattern in _KINDS.items():
        if any(map(text.__contains__, _HINTS.get(name, ("",)))) and pattern.search(text):
            marks.add(name)
    return sorted(marks | {case} if case else marks)


def _casing(text: str) -> str:
    if text.islower():
        case = _LOWER
    elif text.isupper():
        case = _CASES[0]
    elif text.istitle():
        case = _CASES[2]
    else:
        return ""
    return case if text.count(" ") >= _LEAST_WORDS - 1 else ""


def mark_spans(text: str, mark: str) -> list[tuple[int, int]]:
    """Where a mark is in the text."""
    if mark in _KINDS:
        return [match.span() for match in _KINDS[mark].finditer(text)]
    if mark in _CASES:
        return [(0, len(text))]
    return [match.span() for match in _SIGNS.finditer(text) if match[0] == mark]


def unmarked(text: str, mark: str) -> Iterator[tuple[str, tuple[Replacement, ...]]]:
    """Ways to remove a mark from the whole text: the name of the operation and its edits."""
    spans = mark_spans(text, mark)
    if mark in _CASES:
        yield "plain casing", (Replacement(0, len(text), _plain_case(text, mark)),)
    elif mark == "word in capitals":
        words = [span for span in spans if is_english(text[slice(*span)].lower())]  # no PDF
        if words:
            yield "no capitals", tuple(Replacement(a, b, _small(text, a, b)) for a, b in words)
    elif mark in {"#", "hashtag"}:
        yield "no hashtag", _cut_all(text, mark_spans(text, "hashtag"))
        yield (
            "hashtag as a word",
            tuple(Replacement(a, a + 1) for a, _ in mark_spans(text, "hashtag")),
        )
    elif mark in WHOLE_MARKS:
        yield f"no {mark}", _cut_all(text, spans)
    elif mark not in _NEEDED:
        yield "plain punctuation", _plain_signs(text, mark, spans)
        if len(mark) > 1 and mark[0] == "!":
            yield "plain punctuation", tuple(Replacement(a, b, ".") for a, b in spans)


def _plain_signs(text: str, mark: str, spans: list[tuple[int, int]]) -> tuple[Replacement, ...]:
    """A repeated sign once, an exclamation mark as a full stop, a pair of quotes or a sign gone."""
    if len(mark) > 1 and mark[0] in "!?.,;:":
        return tuple(Replacement(a, b, mark[0]) for a, b in spans)
    if mark == "!":
        return tuple(Replacement(a, b, ".") for a, b in spans)
    if mark in ":;":
        return tuple(Replacement(a, b, ",") for a, b in spans)
    if mark in _PAIRS or mark in _PAIRS.values():
        closing = _PAIRS.get(mark, mark)
        opening = next((a for a, b in _PAIRS.items() if b == closing), mark)
        quotes = {*mark_spans(text, opening), *mark_spans(text, closing)}
        return _cut_all(text, sorted(quotes))
    return _cut_all(text, spans)


def _cut_all(text: str, spans: Iterable[tuple[int, int]]) -> tuple[Replacement, ...]:
    """Leave out spans, each with one of the spaces around it if it has them on both sides.

    A space between two goes with the first.
    """
    edits: list[Replacement] = []
    for start, end in spans:
        before = start > 0 and text[start - 1].isspace()
        after = end == len(text) or text[end].isspace() or text[end] in ".,!?"
        edit = Replacement(start, end)
        if before and after:
            edit = Replacement(start - 1, end)
        elif start == 0 and end < len(text) and text[end].isspace():
            edit = Replacement(start, end + 1)
        last = edits[-1].end if edits else 0
        edits.append(edit._replace(start=max(edit.start, last)))
    return tuple(edits)


def _small(text: str, start: int, end: int) -> str:
    """A word in capitals as others are written: with one where its sentence begins."""
    before = text[:start].rstrip()
    first = not before or before[-1] in ".!?"
    word = text[start:end]
    return word.capitalize() if first else word.lower()


def _plain_case(text: str, mark: str) -> str:
    """The text with a capital only where sentences begin, or with all sentences begun by one."""
    small = text if mark == _LOWER else text.lower()
    small = re.sub(r"\bi\b", "I", small)
    return re.sub(r"(^\W*|[.!?]\s+)([^\W\d_])", lambda match: match[1] + match[2].upper(), small)
