"""The kinds of surface features: words, n-grams, positions, and the format of a text.

"token", "2-gram" and longer ones, "first word" and "last word" are in lower case. The kinds of a
length are those of ``document_counts``: their bounds depend on all texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from augkit.text.tokens import words

Feature = tuple[str, str]
"""Kind and text."""
TOKEN = "token"  # noqa: S105 - a word, not a secret
FIRST_WORD = "first word"
LAST_WORD = "last word"
FORMAT = "format"
FORM = "form"

# Where a sign must be there, it is searched first: that is many times as fast as the pattern.
LINK = re.compile(r"https?://|\bwww\.", re.IGNORECASE)
CAPITALS = re.compile(r"[A-Z](?<!\w[A-Z])[A-Z]{2,}\b")
"""A word in capitals; what is searched for stands first, which is faster than a boundary."""
_ADDRESS = re.compile(r"\w@\w[\w-]*\.\w")
_TAG = re.compile(r"(?<!\w)[#@]\w")
_MARKUP = re.compile(r"</?[A-Za-z][^<>]*>|&[a-z]+;")


def may_link(text: str) -> bool:
    """Whether a text may have a link, which is quickly said."""
    return "://" in text or "ww." in text.lower()


_FORMATS: dict[str, Callable[[str], object]] = {
    "a word in capitals": CAPITALS.search,
    "a digit": re.compile(r"\d").search,
    "a link": lambda text: may_link(text) and LINK.search(text),
    "an e-mail address": lambda text: "@" in text and _ADDRESS.search(text),
    "a hashtag or mention": lambda text: ("@" in text or "#" in text) and _TAG.search(text),
    "mark-up": lambda text: ("<" in text or "&" in text) and _MARKUP.search(text),
    "a line break": lambda text: "\n" in text or "\r" in text,
    "two spaces": lambda text: "  " in text,
    "space at an end": lambda text: text != text.strip(),
    "a small letter first": re.compile(r"[^\w]*[a-z]").match,
    "a capital first": re.compile(r"[^\w]*[A-Z]").match,
    "a character outside ASCII": lambda text: not text.isascii(),
}
_SIGNS = re.compile(r"([^\w\s])(\1*)")
_FORMS = re.compile(r"</?[a-z][a-z0-9]*|&#?[a-z0-9]+;?|https?://[^\s/]+|www\.[^\s/]+")
_PLAIN_WORDS = re.compile(r"[a-z0-9_]+(?:['.,\-][a-z0-9_]+)*")


class WordFeature(NamedTuple):
    """A feature made of words, and the indices of its first and its last word in the text."""

    kind: str
    text: str
    first: int
    last: int


def lowered_words(text: str) -> list[str]:
    """The words of a text in lower case."""
    # Of ASCII, a word is what a pattern of plain letters finds a third faster.
    return _PLAIN_WORDS.findall(text.lower()) if text.isascii() else words(text.lower())


def ngram_kind(size: int) -> str:
    """The kind of a sequence of so many words."""
    return TOKEN if size == 1 else f"{size}-gram"


def word_ngrams(words: Sequence[str], longest: int) -> Iterator[WordFeature]:
    """Every word and every sequence of up to ``longest`` words.

    >>> [(found.kind, found.text) for found in word_ngrams(["not", "good"], 2)]
    [('token', 'not'), ('token', 'good'), ('2-gram', 'not good')]
    """
    for size in range(1, longest + 1):
        kind = ngram_kind(size)
        for first in range(len(words) - size + 1):
            yield WordFeature(kind, " ".join(words[first : first + size]), first, first + size - 1)


def surface_features(words: Sequence[str], longest: int) -> Iterator[WordFeature]:
    """The n-grams, and the words at both ends."""
    yield from word_ngrams(words, longest)
    if words:
        yield WordFeature(FIRST_WORD, words[0], 0, 0)
        yield WordFeature(LAST_WORD, words[-1], len(words) - 1, len(words) - 1)


def formats(text: str) -> Iterator[str]:
    """The features of the format of a text: capitals, digits, links, mark-up, spaces and signs.

    >>> list(formats("WOW!! 42"))
    ['a word in capitals', 'a digit', 'a capital first', 'sign !!', 'ends with a digit']
    """
    for name, has in _FORMATS.items():
        if has(text):
            yield name
    for sign, repeats in dict.fromkeys(_SIGNS.findall(text)):
        yield f"sign {sign}{repeats[:2]}"
    if text and not text[-1].isalpha() and not text[-1].isspace():
        yield f"ends with {'a digit' if text[-1].isdigit() else text[-1]}"


def forms(text: str) -> list[str]:
    """The tags, character references and hosts in a text, in lower case.

    >>> forms("A &#233; <br /> https://a.org/b")
    ['&#233;', '<br', 'https://a.org']
    """
    if not any(sign in text for sign in "<&:") and "www." not in text:
        return []
    return list(dict.fromkeys(_FORMS.findall(text.lower())))
