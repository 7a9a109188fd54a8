"""Text for a terminal: that of a dataset made safe, counts with their nouns, p-values."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

# C0 and C1 controls (escape sequences among them) and the characters that change the direction.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    r"""The text with control and direction characters written out.

    >>> printable("red\x1b[31m")
    'red\\x1b[31m'
    """
    return _CONTROL.sub(lambda match: match.group().encode("unicode_escape").decode(), text)


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


def shown_p(p: float) -> str:
    """A p-value in words that people read.

    >>> shown_p(0.0312), shown_p(1.4e-11), shown_p(1.0)
    ('p = 0.031', 'p < 0.001', 'p = 1.000')
    """
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
