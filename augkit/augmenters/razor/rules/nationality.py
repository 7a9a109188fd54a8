"""False texts without negation: they give the wrong nationality.

Where the context says that Lee is "an American actor", "Lee is a Danish actor" is as false as "Lee
is not an actor", and "the Danish actor Lee sang" as "Lee did not sing". None of the words gives the
label away: a reader must compare the two texts.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from functools import cache

from augkit.augmenters.razor.rules.alternatives import categories, holds, mentioned
from augkit.core.analysis import Analysis, Token
from augkit.text.articles import article

_CATEGORY = "nationalities"
_CALLED = ("professions", "works")
_STEM = 4
"""Letters that a nationality shares with its country: Sweden, Swedish."""
_CLASSING = re.compile(r"(?:al|ic|ive|ed|ary|ing|-\w+)$")
"""Adjectives that follow one of nationality: "a Danish professional wrestler"."""


def other_nationality(
    statement: Analysis, context: str, rng: random.Random, limit: int
) -> Iterator[str]:
    """The statement with a nationality that contradicts the context."""
    root = next((token for token in statement.tokens if token.is_root), None)
    if root is None or mentioned(statement.text).get(_CATEGORY):
        return
    description = _description_of_subject(statement, root, context)
    pool = [word for word in categories()[_CATEGORY].inserted if word[:_STEM] not in context]
    others = rng.sample(pool, min(limit, len(pool))) if description else []
    first = _article(statement, root)
    called = _first_called(description)
    if first is not None:
        named = others if holds(description, root.text) else ()
        yield from (_with_origin(statement, first, root, other) for other in named)
    elif called and statement.children(root, "nsubj")[0].upos == "PROPN":
        yield from (f"The {other} {called} {statement.text}" for other in others)


def _description_of_subject(statement: Analysis, root: Token, context: str) -> str:
    """What the context calls the subject, after the nationality; "" if nothing.

    The sentence of the context must begin with the subject and hold all its words.
    """
    subjects = statement.children(root, "nsubj")
    name = statement.subtree(subjects[0]) if len(subjects) == 1 else ()
    if not name or name[0].index or name[-1].index >= root.index or not _is_name(name):
        return ""
    for found in _nationality_phrase().finditer(context):
        before = context[: found.start()].rpartition(". ")[2].strip()
        same = before.startswith(name[0].text) and "'s " not in before
        if same and all(holds(before, token.text) for token in name):
            return found["rest"]
    return ""


def _is_name(words: Sequence[Token]) -> bool:
    """Whether words are a bare name: no bracket, no possessive, no list."""
    return all(word.text[:1].isalnum() and word.upos in {"PROPN", "NOUN", "NUM"} for word in words)


def _article(statement: Analysis, noun: Token) -> Token | None:
    """The article of "is an actor", "has been a rock band"."""
    if noun.upos != "NOUN" or not statement.children(noun, "cop"):
        return None
    found = statement.children(noun, "det")
    return next((word for word in found if word.text in {"a", "an"}), None)


@cache
def _nationality_phrase() -> re.Pattern[str]:
    words = "|".join(categories()[_CATEGORY].words)
    return re.compile(
        rf"\b(?:is|was|are|were) (?:an?|the) (?:[\w-]+ ){{0,3}}?(?:{words})\b(?P<rest>[^.]*)"
    )


def _first_called(description: str) -> str:
    """The first profession in a description, or else the first kind of work."""
    words = re.findall(r"[a-z]+", description)
    known = [categories()[name].words for name in _CALLED]
    return next((word for some in known for word in words if word in some), "")


def _with_origin(statement: Analysis, first: Token, noun: Token, other: str) -> str:
    """Insert the nationality before the noun and its classifying words, after other adjectives."""
    index = first.index + 1
    while index < noun.index and _is_quality(statement.tokens[index], noun):
        index += 1
    start = statement.tokens[index].start
    rest = f"{statement.text[first.end : start]}{other} {statement.text[start:]}"
    fitted = article(other) if index == first.index + 1 else first.text
    return f"{statement.text[: first.start]}{fitted}{rest}"


def _is_quality(token: Token, noun: Token) -> bool:
    adjective = token.is_relation("amod") and token.head == noun.index
    return adjective and not _CLASSING.search(token.text)
