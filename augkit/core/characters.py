"""Characters that do harm: halves of characters, and those that nobody sees."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from pathlib import PurePath
from typing import Any

_SURROGATE = re.compile("[\ud800-\udfff]")
# What Unicode calls "default ignorable", and control characters that are no white space. The tags
# that spell the flags of England or Wales are left out: such flags look different.
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e001f\U000e0080-\U000e0fff]"
)


def surrogate_in(text: str) -> str:
    r"""The first lone surrogate of a text as an escape; "" where there is none.

    >>> surrogate_in("fine"), surrogate_in("cut \ud83d off")
    ('', '\\ud83d')
    """
    found = None if text.isascii() else _SURROGATE.search(text)
    return escaped(found.group()) if found else ""


def find_surrogate(value: Any, name: str = "") -> tuple[str, str] | None:
    r"""Name the first value with a lone surrogate inside of ``value``, and the surrogate.

    >>> find_surrogate({"text": "fine", "turns": [{"content": "\ud83d"}]})
    ('turns.0.content', '\\ud83d')
    """
    if isinstance(value, PurePath):
        value = str(value)
    if isinstance(value, str):
        surrogate = surrogate_in(value)
        return (name, surrogate) if surrogate else None
    parts: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, Mapping):
        parts = value.items()
    elif isinstance(value, list | tuple):
        parts = enumerate(value)
    for key, part in parts:
        inner = f"{name}.{key}" if name else str(key)
        # A key is a text too, of which only the escape can be shown.
        found = find_surrogate(key, printed(inner)) or find_surrogate(part, printed(inner))
        if found:
            return found
    return None


def half_a_character(name: str, surrogate: str) -> str:
    """Say that ``name`` holds a lone surrogate, why that is refused, and what to do."""
    return (
        f"'{name}' has half of a character ({surrogate}, a lone surrogate), which no file can hold "
        "as UTF-8. A text was cut within an emoji, perhaps: write it again, or leave that half out"
    )


def printed(text: str) -> str:
    """The text with its lone surrogates as escapes, so that it can be printed."""
    return _SURROGATE.sub(lambda found: escaped(found.group()), text)


def visible_form(name: str) -> str:
    r"""What people see of a name: names of one form look the same.

    Canonically equivalent characters are one, white space is one space, and what nobody sees is
    left out. Characters that only resemble each other (a ligature, a wide letter) stay different.

    >>> visible_form("cafe\u0301\u200b\xa0") == visible_form("caf\xe9")
    True
    """
    if name.isascii() and name.isprintable() and "  " not in name and name == name.strip():
        return name
    seen = " ".join(_UNSEEN.sub("", name).split())
    return unicodedata.normalize("NFC", seen)


def escaped(name: str) -> str:
    r"""The name with an escape for all that can look like something else, or like nothing.

    >>> escaped("cafe\u0301\u200b"), escaped("caf\xe9"), escaped("\u6771\u4eac")
    ('cafe\\u0301\\u200b', 'caf\\xe9', '東京')
    """
    return "".join(
        letter.encode("unicode_escape").decode() if _needs_escape(letter) else letter
        for letter in name
    )


def _needs_escape(letter: str) -> bool:
    if letter.isascii():
        return not letter.isprintable()
    if not letter.isprintable() or _UNSEEN.match(letter) or unicodedata.combining(letter):
        return True
    return unicodedata.normalize("NFD", letter) != letter


def look_alikes(names: Iterable[str]) -> list[str]:
    r"""The first names that look the same and are different texts; none where all differ.

    >>> look_alikes(["good", "bad", "good\u200b"])
    ['good', 'good\u200b']
    """
    by_form: dict[str, list[str]] = {}
    for name in names:
        by_form.setdefault(visible_form(name), []).append(name)
    return next((same for same in by_form.values() if len(same) > 1), [])


def look_alike(name: str, names: Iterable[str]) -> str | None:
    """The first of ``names`` that looks like ``name`` and is another text."""
    form = visible_form(name)
    return next((other for other in names if other != name and visible_form(other) == form), None)


def other_spelling(given: Iterable[str], known: Collection[str]) -> str:
    r"""Say which of the names ``given`` only looks like one of the ``known``; "" where none does.

    >>> other_spelling(["good\xa0"], ["good", "bad"])
    "'good\\xa0' looks like 'good' and is written differently. Copy the name from the data"
    """
    for name in given:
        same = None if name in known else look_alike(name, known)
        if same is not None:
            return (
                f"'{escaped(name)}' looks like '{escaped(same)}' and is written differently. Copy "
                "the name from the data"
            )
    return ""
