"""False texts that affirm what they denied, and are wrong about where something comes from.

Where the other text says that Lee is "an American actor", "Lee is a Danish actor" is as false as
"Lee is not an actor", and "the Danish actor Lee sang" as "Lee did not sing". None of the words
tells: whoever reads it must compare the two.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from functools import cache

from augkit.augmenters.razor.rules.alternatives import holds, kinds, mentioned
from augkit.core.analysis import Analysis, Token
from augkit.text.articles import article

_KIND = "nationalities"
_CALLED = ("professions", "works")
_STEM = 4
"""Letters that a nationality shares with its country: Sweden, Swedish."""
_CLASSING = re.compile(r"(?:al|ic|ive|ed|ary|ing|-\w+)$")
"""Adjectives that stand after one of origin: "a Danish professional wrestler"."""


def of_other_origin(
    statement: Analysis, context: str, draw: random.Random, most: int
) -> Iterator[str]:
    """The statement with a nationality that the context, which gives another, rules out."""
    root = next((token for token in statement.tokens if token.is_root), None)
    if root is None or mentioned(statement.text).get(_KIND):
        return
    told = _told_of_subject(statement, root, context)
    pool = [word for word in kinds()[_KIND].drawn if word[:_STEM] not in context]
    others = draw.sample(pool, min(most, len(pool))) if told else []
    first = _article(statement, root)
    called = _first_called(told)
    if first is not None:
        named = others if holds(told, root.text) else ()
        yield from (_with_origin(statement, first, root, other) for other in named)
    elif called and statement.children(root, "nsubj")[0].upos == "PROPN":
        yield from (f"The {other} {called} {statement.text}" for other in others)


def _told_of_subject(statement: Analysis, root: Token, context: str) -> str:
    """What the context says its subject is, after the nationality; nothing if it does not.

    It must say it in a sentence that begins with the subject, all of whose words it holds.
    """
    subjects = statement.children(root, "nsubj")
    name = statement.subtree(subjects[0]) if len(subjects) == 1 else ()
    if not name or name[0].index or name[-1].index >= root.index or not _is_name(name):
        return ""
    for found in _origin().finditer(context):
        before = context[: found.start()].rpartition(". ")[2].strip()
        same = before.startswith(name[0].text) and "'s " not in before
        if same and all(holds(before, token.text) for token in name):
            return found["rest"]
    return ""


def _is_name(words: Sequence[Token]) -> bool:
    """Whether words are a name and no more: no bracket, no possessive, no list."""
    return all(word.text[:1].isalnum() and word.upos in {"PROPN", "NOUN", "NUM"} for word in words)


def _article(statement: Analysis, noun: Token) -> Token | None:
    """The article of "is an actor", "has been a rock band"."""
    if noun.upos != "NOUN" or not statement.children(noun, "cop"):
        return None
    found = statement.children(noun, "det")
    return next((word for word in found if word.text in {"a", "an"}), None)


@cache
def _origin() -> re.Pattern[str]:
    words = "|".join((*kinds()[_KIND].drawn, *kinds()[_KIND].known))
    return re.compile(
        rf"\b(?:is|was|are|were) (?:an?|the) (?:[\w-]+ ){{0,3}}?(?:{words})\b(?P<rest>[^.]*)"
    )


def _first_called(told: str) -> str:
    """The first noun that says what somebody is, or else what something is."""
    words = re.findall(r"[a-z]+", told)
    known = [{*kinds()[kind].drawn, *kinds()[kind].known} for kind in _CALLED]
    return next((word for some in known for word in words if word in some), "")


def _with_origin(statement: Analysis, first: Token, noun: Token, other: str) -> str:
    """The word put before the noun and what classes it, after other adjectives."""
    place = first.index + 1
    while place < noun.index and _is_quality(statement.tokens[place], noun):
        place += 1
    start = statement.tokens[place].start
    told = f"{statement.text[first.end : start]}{other} {statement.text[start:]}"
    fitted = article(other) if place == first.index + 1 else first.text
    return f"{statement.text[: first.start]}{fitted}{told}"


def _is_quality(token: Token, noun: Token) -> bool:
    adjective = token.is_relation("amod") and token.head == noun.index
    return adjective and not _CLASSING.search(token.text)
