"""Replace a word by another of its kind: a name by a name, a number by a number.

A name is replaced wherever the text has it, by the same other one, in its casing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from random import Random

from augkit.core.analysis import Analysis, Token
from augkit.core.edits import Replacement
from augkit.english.morphology import parts_of_speech
from augkit.english.rewriting.words import judges, table
from augkit.lexicons.demographics.names import first_names, look_up, surnames
from augkit.lexicons.demographics.person_words import titles
from augkit.lexicons.load import closed_classes
from augkit.text.casing import cased

_DRAWN = 3
"""Names drawn for one target."""
_COMMON = 600
"""First names of a gender that are drawn from: the most frequent ones."""
_YEAR = re.compile(r"1[5-9]\d\d|20[0-4]\d")
Edits = tuple[Replacement, ...]


def other_name(analysis: Analysis, target: tuple[int, int], rng: Random) -> Iterator[Edits]:
    """Another person, place or brand; a name of unknown type becomes a surname, which fits most."""
    kinds = [
        (token.text, _type_of(analysis, token))
        for token in _name(analysis, target)
        if token.text.lower() not in closed_classes()
        and token.text.rstrip(".").lower() not in titles()
    ]
    if not kinds or any(kind is None for _, kind in kinds):
        return
    words = {token.text.lower() for token in analysis.tokens}
    for _ in range(_DRAWN):
        replacements: dict[str, str] = {}
        for name, kind in kinds:
            pool = _pool(kind or "")
            candidate = rng.choice(pool)
            if candidate.lower() not in words:
                replacements[name] = candidate
        if len(replacements) == len({name for name, _ in kinds}):
            yield _everywhere(analysis, replacements)


def other_number(analysis: Analysis, target: tuple[int, int], rng: Random) -> Iterator[Edits]:
    """Another year, or another number of as many digits."""
    token = analysis.tokens[target[0]]
    if target[1] - target[0] != 1 or not token.text.isdecimal() or len(token.text) > 9:
        return
    if judges(token.text) or analysis.text[token.end : token.end + 1] in {"/", "%"}:
        return
    number = int(token.text)
    for _ in range(_DRAWN):
        if _YEAR.fullmatch(token.text):
            replacement = number + rng.choice([-9, -7, -6, -5, -4, -3, -2, 2, 3, 4, 5, 6, 7])
        else:
            size = len(token.text)
            replacement = rng.randrange(10 ** (size - 1) if size > 1 else 2, 10**size)
        if replacement != number:
            yield _everywhere(analysis, {token.text: str(replacement)})


def _name(analysis: Analysis, target: tuple[int, int]) -> list[Token]:
    """The tokens of the target that are names, with the names beside them."""
    tokens = analysis.tokens
    first, last = target
    if not any(_is_name(token) for token in tokens[first:last]):
        return []
    while (
        first > 0
        and _is_name(tokens[first - 1])
        and tokens[first - 1].sentence == tokens[first].sentence
    ):
        first -= 1
    while last < len(tokens) and _is_name(tokens[last]):
        last += 1
    return [token for token in tokens[first:last] if _is_name(token)]


def _is_name(token: Token) -> bool:
    listed = token.text in _type_by_name() and token.text[:1].isupper()
    return (token.upos == "PROPN" and token.text[:1].isalpha()) or listed


def _type_of(analysis: Analysis, token: Token) -> str | None:
    """The pool of a name; None where the word is no plain name.

    A person's name is in the lists of names, or stands after a first name or a title. It is
    written as names are in its text, and neither counted nor preceded by an article: a unit, an
    abbreviation, a greeting and the name of a product are none, whatever their tag.
    """
    if not _is_written_as_name(token.text, analysis.text):
        return None
    listed = _type_by_name().get(token.text.title()) or _type_by_name().get(token.text)
    if listed:
        return listed
    if not token.text.isalpha() or len(token.text) < 2:
        return None
    before = analysis.tokens[token.index - 1] if token.index else None
    first_name = look_up(token.text)
    if before is not None and before.sentence == token.sentence:
        if _is_name(before) and look_up(before.text):
            return "surnames"
        if before.text.rstrip(".").lower() in titles():
            return "surnames" if first_name is None else first_name.gender
        if before.upos in {"DET", "NUM"}:
            return None
    common = bool(parts_of_speech(token.text.lower()))
    opens = before is None or before.sentence != token.sentence or not before.text[-1:].isalnum()
    if common and (first_name is None or opens):
        return None  # a common word, whatever its tag, or part of a title
    if first_name is not None:
        return first_name.gender
    return "surnames" if token.text.lower() in surnames() else None


def _is_written_as_name(word: str, text: str) -> bool:
    """Whether a word has the casing of a name; a text in one case says nothing of it.

    >>> [_is_written_as_name(word, "Ann sent 98 MB to bob") for word in ("Ann", "MB", "bob")]
    [True, False, False]
    """
    if text.islower() or text.isupper() or (word[:1].isupper() and word.title() in _type_by_name()):
        return True
    return word[:1].isupper() and (len(word) == 1 or not word.isupper())


@cache
def _type_by_name() -> Mapping[str, str]:
    return {name: kind for kind, names in table("entities.yaml").items() for name in names.split()}


@cache
def _pool(kind: str) -> tuple[str, ...]:
    listed: Mapping[str, str] = table("entities.yaml")
    if kind in listed:
        return tuple(listed[kind].split())
    fitting = [
        name
        for name in first_names().values()
        if name.gender == kind and name.is_clear and name.text.isascii()
    ]
    fitting.sort(key=lambda name: (-name.bearers, name.text))
    return tuple(name.text for name in fitting[:_COMMON] if name.text.isascii())


def _everywhere(analysis: Analysis, replacements: Mapping[str, str]) -> Edits:
    """The edits that give every token of these words another, in the casing it has."""
    lower = {name.lower(): replacement for name, replacement in replacements.items()}
    has_capitals = not analysis.text.islower()
    return tuple(
        Replacement(token.start, token.end, cased(lower[token.text.lower()], token.text))
        for token in analysis.tokens
        if token.text.lower() in lower
        and (token.text[:1].isupper() or not has_capitals)  # "Bill paid the bill"
    )
