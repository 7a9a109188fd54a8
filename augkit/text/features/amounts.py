"""How much of something a text has: length, Markdown, signs, refusals, hedges.

A format (``kinds.formats``) is present or not; an amount is more in one text than in another.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from augkit.text import markdown
from augkit.text.features.kinds import lowered_words

Amount = Callable[[str], float]


def _matches(pattern: str | re.Pattern[str], flags: int = 0) -> Amount:
    compiled = re.compile(pattern, flags)
    return lambda text: len(compiled.findall(text))


LENGTHS: dict[str, Amount] = {
    "characters": len,
    "words": lambda text: len(lowered_words(text)),
    "sentences": _matches(r"[.!?]+(?=\s|$)"),
    "lines": lambda text: text.count("\n") + 1,
}
FORMAT_AMOUNTS: dict[str, Amount] = {
    "list items": _matches(markdown.LIST_ITEM),
    "bold phrases": _matches(markdown.BOLD),
    "headings": _matches(markdown.HEADING),
    "table rows": _matches(markdown.TABLE_ROW),
    "pieces of code": _matches(markdown.CODE),
    "links": _matches(r"https?://|\bwww\.", re.IGNORECASE),
    "quotations": _matches(r"\"[^\"\n]+\"|“[^”\n]+”"),
    "exclamation marks": lambda text: text.count("!"),
    "question marks": lambda text: text.count("?"),
    "digits": _matches(r"\d"),
    "words in capitals": _matches(r"\b[A-Z]{3,}\b"),
    "refusals": _matches(
        r"\b(?:sorry|apologi[sz]e|cannot|can['\u2019]t|won['\u2019]t|unable to|not able to)\b",
        re.IGNORECASE,
    ),
    "hedges": _matches(
        r"\b(?:may|might|could|perhaps|possibly|probably|likely|generally|seems?)\b", re.IGNORECASE
    ),
    "words of the first person": _matches(r"\b(?:I|me|my|mine|we|us|our)\b|\bI['\u2019]"),
}


def shared_with(prompt: str, text: str) -> float:
    """The share of the different words of a text that are in the prompt.

    >>> shared_with("Is it warm?", "It is. Yes.")
    0.6666666666666666
    """
    words = set(lowered_words(text))
    return len(words & set(lowered_words(prompt))) / len(words) if words else 0.0
