"""How much of something a text has: length, Markdown, signs, citations, refusals, hedges.

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
    """How often listed words and phrases occur; texts whose words are numbered are not read."""

    words: frozenset[str]
    phrases: frozenset[tuple[str, ...]] = frozenset()
    """Of two words or more."""

    def __call__(self, text: str) -> float:
        """The words and phrases of a text that are listed."""
        words = lowered_words(text)
        count = sum(map(self.words.__contains__, words))
        for size in {len(phrase) for phrase in self.phrases}:
            parts = zip(*(words[first:] for first in range(size)), strict=False)
            count += sum(map(self.phrases.__contains__, parts))
        return count


def _matches(pattern: str | re.Pattern[str], signs: str = "") -> Amount:
    """How often a pattern occurs; a text with none of the signs has none, which is quickly said."""
    compiled = re.compile(pattern)
    if not signs:
        return lambda text: len(compiled.findall(text))
    return lambda text: len(compiled.findall(text)) if any(map(text.__contains__, signs)) else 0


def _words(text: str) -> WordAmount:
    """Words and phrases between commas; those with an apostrophe also with a typographic one."""
    spelt = {tuple(t.split()) for t in (*text.split(","), *text.replace("'", "\u2019").split(","))}
    words = frozenset(text[0] for text in spelt if len(text) == 1)
    return WordAmount(words, frozenset(text for text in spelt if len(text) > 1))


# Adverbs and phrases after Hyland's Metadiscourse (2005). Left out are words that often hedge
# nothing (about, quite, possible); modal verbs, many times as frequent, are an amount of their own.
_HEDGES = """apparently, approximately, arguably, broadly, essentially, fairly, frequently,
generally, largely, likely, mainly, maybe, mostly, often, partly, perhaps, possibly, presumably,
probably, relatively, roughly, seem, seems, seemed, seemingly, sometimes, somewhat, supposedly,
typically, unlikely, usually, tend, tends, it appears, i think, i believe, i guess, i suppose,
i suspect, i assume, i would say, i would guess, i'm not sure, i am not sure, if i remember,
if i recall, as far as i know, as far as i can tell, to my knowledge, in my opinion, in my view,
in my experience, in general, in most cases, in most instances, on the whole, for the most part,
more or less, to some extent, to a certain extent, as a rule, may be wrong, could be wrong"""

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
    # The last of several opening marks counts: from each of them to the end would take long.
    "quotations": _matches(r"\"[^\"\n]+\"|“[^“”\n]+”", signs='"“'),
    "exclamation marks": lambda text: text.count("!"),
    "question marks": lambda text: text.count("?"),
    "digits": _matches(r"\d"),
    "words in capitals": lambda text: len(CAPITALS.findall(text)),
    "citations": _matches(
        r"\([^()\n]{0,60}[A-Z][^()\n]{0,60}\b(?:1[5-9]|20)\d\d[a-z]?\)"
        r"|\bet al\.? \((?:1[5-9]|20)\d\d"
        r"|(?<=[\s.,;\"'\u201d)])\[\d{1,3}(?:[,-] ?\d{1,3})*\](?!\()",
        signs="([",
    ),
    "refusals": _words("sorry, apologize, apologise, apologies, cannot, can't, won't, unable"),
    "hedges": _words(_HEDGES),
    "modal verbs": _words("may, might, could, would, should"),
    "words of the first person": _words(
        "i, me, my, mine, we, us, our, ours, i'm, i've, i'll, i'd, we're, we've, we'll, we'd"
    ),
}
