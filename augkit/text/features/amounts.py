"""How much of something a text has: length, Markdown, signs, refusals, hedges.

A format (``kinds.formats``) is present or not; an amount is more in one text than in another.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from augkit.text import markdown
from augkit.text.features.kinds import CAPITALS, LINK, lowered_words, may_link

Amount = Callable[[str], float]


@dataclass(frozen=True)
class WordAmount:
    """How often words of a list occur; of texts whose words are numbered it need not read them."""

    words: frozenset[str]

    def __call__(self, text: str) -> float:
        """The words of a text that are in the list."""
        return sum(map(self.words.__contains__, lowered_words(text)))


def _matches(pattern: str | re.Pattern[str], signs: str = "") -> Amount:
    """How often a pattern occurs; a text with none of the signs has none, which is quickly said."""
    compiled = re.compile(pattern)
    if not signs:
        return lambda text: len(compiled.findall(text))
    return lambda text: len(compiled.findall(text)) if any(map(text.__contains__, signs)) else 0


def _words(text: str) -> WordAmount:
    """Words between spaces; those with an apostrophe also with a typographic one."""
    listed = text.split()
    return WordAmount(frozenset(listed) | {word.replace("'", "\u2019") for word in listed})


LENGTHS: dict[str, Amount] = {
    "characters": len,
    "words": lambda text: len(lowered_words(text)),
    "sentences": _matches(r"[.!?](?=\s|$)"),
    "lines": lambda text: text.count("\n") + 1,
}
FORMAT_AMOUNTS: dict[str, Amount] = {
    "list items": _matches(markdown.LIST_ITEM),
    "bold phrases": _matches(markdown.BOLD, signs="*_"),
    "headings": _matches(markdown.HEADING, signs="#"),
    "table rows": _matches(markdown.TABLE_ROW, signs="|"),
    "pieces of code": _matches(markdown.CODE, signs="`"),
    "links": lambda text: len(LINK.findall(text)) if may_link(text) else 0,
    "quotations": _matches(r"\"[^\"\n]+\"|“[^”\n]+”", signs='"“'),
    "exclamation marks": lambda text: text.count("!"),
    "question marks": lambda text: text.count("?"),
    "digits": _matches(r"\d"),
    "words in capitals": lambda text: len(CAPITALS.findall(text)),
    "refusals": _words("sorry apologize apologise apologies cannot can't won't unable"),
    "hedges": _words("may might could perhaps possibly probably likely generally seem seems"),
    "words of the first person": _words(
        "i me my mine we us our ours i'm i've i'll i'd we're we've we'll we'd"
    ),
}
