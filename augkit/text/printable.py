"""Text for terminals and pages: that of a dataset made safe, counts with their nouns, p-values."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Mapping

# C0 and C1 controls (escape sequences among them), line separators, the characters that change the
# direction, and halves of characters.
_BEYOND_ASCII = "\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
_CONTROL = re.compile(f"[\x00-\x1f{_BEYOND_ASCII}]")
_CONTROL_IN_A_LINE = re.compile(f"[\x00-\x09\x0b-\x1f{_BEYOND_ASCII}]")


def printable(text: str) -> str:
    r"""The text with control and direction characters written out.

    >>> printable("red\x1b[31m")
    'red\\x1b[31m'
    """
    return _CONTROL.sub(_escape, text)


def harmless(text: str) -> str:
    r"""The lines of a text with control and direction characters written out.

    Terminals and pages show what this gives: nothing in it moves or turns what stands around it.

    >>> harmless("two\nlines\x1b[2J")
    'two\nlines\\x1b[2J'
    """
    return _CONTROL_IN_A_LINE.sub(_escape, text)


def _escape(character: re.Match[str]) -> str:
    return character.group().encode("unicode_escape").decode()


def shell_line(words: Iterable[str]) -> str:
    r"""Words as a line for the shell, to be copied.

    >>> shell_line(["augkit", "check", "my data.csv"]), shell_line(["it's \x1b[2J.csv"])
    ("augkit check 'my data.csv'", "$'it\\'s \\x1b[2J.csv'")
    """
    return " ".join(map(_shell_word, words))


def _shell_word(word: str) -> str:
    """A word quoted for the shell; control characters are escapes that bash and zsh read."""
    if printable(word) == word:
        return shlex.quote(word)
    escaped = word.replace("\\", "\\\\").replace("'", "\\'")
    return f"$'{printable(escaped)}'"


def options_line(options: Mapping[str, object]) -> str:
    """Settings as ``--set`` takes them.

    >>> options_line({"copies": 2, "steps": ["swap", {"method": "eda"}]})
    'copies=2 steps=["swap", {"method": "eda"}]'
    """
    return " ".join(
        f"{key}={json.dumps(value, ensure_ascii=False, default=str)}"
        for key, value in options.items()
    )


def counted(number: float, noun: str) -> str:
    """A count with its noun, in the plural where it is not 1.

    >>> counted(1, "call"), counted(1200, "call")
    ('1 call', '1,200 calls')
    """
    return f"{number:,.0f} {noun}{'' if number == 1 else 's'}"


_NUMBER = re.compile(r"[+-]?[\d.]+")


def shown_labels(labels: Mapping[str, int], *, noun: str = "row", most: int = 6) -> str:
    """How many rows have which label; labels that are numbers are in quotation marks.

    >>> shown_labels({"5": 1512, "4": 205}), shown_labels({"a": 1, "b": 2, "c": 3}, noun="", most=2)
    ("'5': 1,512 rows, '4': 205", 'a: 1, b: 2 and 1 more label')
    """
    shown = [
        f"'{name}': {count:,}" if _NUMBER.fullmatch(name) else f"{name}: {count:,}"
        for name, count in list(labels.items())[:most]
    ]
    if shown and noun:
        shown[0] = f"{shown[0]} {noun}{'' if next(iter(labels.values())) == 1 else 's'}"
    left = len(labels) - len(shown)
    return ", ".join(shown) + (f" and {counted(left, 'more label')}" if left else "")


def shown_p(p: float) -> str:
    """A p-value in words that people read.

    >>> shown_p(0.0312), shown_p(1.4e-11), shown_p(1.0)
    ('p = 0.031', 'p < 0.001', 'p = 1.000')
    """
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
