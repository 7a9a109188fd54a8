"""Counterexamples to a negation that gives false texts away: true texts that hold it as well.

"It was not released until 1973" says what "it was released in 1973" says, and "is not only an actor
but also a singer" what "is an actor and a singer" says. With "not" and "only" in true texts too,
they tell true texts from false ones no longer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from augkit.augmenters.relations import relation_of
from augkit.augmenters.rewriting.candidates import SpanEdit, Wording, apply_edits
from augkit.augmenters.rewriting.pairs.negations import base
from augkit.augmenters.rewriting.words import negates_or_compares, phrases, word_list
from augkit.core.analysis import Analysis, Token
from augkit.text.articles import article

_BE = frozenset({"is", "was", "are", "were"})


class _Tail(NamedTuple):
    """The date that ends a text, and the verbs that it limits."""

    pattern: re.Pattern[str]
    verbs: str
    only: bool


_YEAR = re.compile(
    r" in (?P<end>(?:the (?:early |late |mid-)?)?(?:[A-Z][a-z]+ )?\d{4}(?:'?s)?)(?=[.!]?$)"
)
_DAY = re.compile(r" (?:on )?(?P<end>[A-Z][a-z]+ \d{1,2}(?:st|nd|rd|th)?,? \d{4})(?=[.!]?$)")
_TAILS = (
    _Tail(_YEAR, "single_events", only=True),
    _Tail(_YEAR, "life_events", only=False),
    _Tail(_DAY, "single_events", only=True),
    _Tail(_DAY, "life_events", only=False),
)
"""The time at which something happened once."""
_ADDED = frozenset({"conj", "advcl", "xcomp", "ccomp", "obj", "parataxis"})
"""What an event must not have beside it: then the date may belong to something else."""
_HIGHEST = 3
"""Steps in the tree from a date to its verb."""
_LINKS = frozenset({"and", "or", "both", "also"})
_JOINED = re.compile(r" and ")
_LONGEST = 6
"""Words between an event and its date."""


def may_take_negation(text: str, label: str | None) -> bool:
    """Whether a second text is true and has a date or an "and".

    >>> may_take_negation("It opened in 1990.", "SUPPORTS"), may_take_negation("It is a film.", "1")
    (True, False)
    """
    patterns = (_JOINED, *(tail.pattern for tail in _TAILS))
    found = any(pattern.search(text) for pattern in patterns)
    return found and relation_of(label) == "entailment"


def counterexample_wordings(analysis: Analysis) -> Iterator[Wording]:
    """Rewrites of a true text with a negation or "only" that mean the same."""
    roots = [token for token in analysis.tokens if token.is_root]
    negated = any(negates_or_compares(token.text.lower()) for token in analysis.tokens)
    if len(roots) == 1 and not negated:
        for tail in _TAILS:
            yield from _limited(analysis, tail)
        yield from _not_only(analysis, roots[0])


def _limited(analysis: Analysis, tail: _Tail) -> Iterator[Wording]:
    """From "was released in 1973", "was not released until 1973" and "only in 1973"."""
    text, found = analysis.text, tail.pattern.search(analysis.text)
    verb = _verb_of(analysis, found.start("end")) if found else None
    if found is None or verb is None or verb.lemma.lower() not in word_list(tail.verbs):
        return
    middle = text[verb.end : found.start()]
    longest = _LONGEST if tail.only else 0  # nobody says "was not born in Ohio until 1990"
    if analysis.children(verb, *_ADDED) or len(middle.split()) > longest:
        return
    head, passive = text[: verb.start], _is_passive(analysis, verb)
    if passive:
        negated = f"{head}not {verb.text}{middle}"
    elif verb.xpos == "VBD" and not analysis.children(verb, "advmod"):
        negated = f"{head}did not {base(verb)}{middle}"
    else:
        return
    yield Wording(f"{negated} until {text[found.start('end') :]}", "limit")
    if tail.only and not middle:
        yield Wording(f"{text[: found.start()]} only{text[found.start() :]}", "limit")
        if passive:
            yield Wording(f"{head}only {text[verb.start :]}", "limit")


def _verb_of(analysis: Analysis, offset: int) -> Token | None:
    """The verb whose date begins at a character."""
    token = analysis.token_at(offset)
    for _ in range(_HIGHEST):
        if token is None or token.upos == "VERB":
            break
        token = analysis.head(token)
    return token if token is not None and token.end < offset else None


def _is_passive(analysis: Analysis, verb: Token) -> bool:
    before = analysis.tokens[verb.index - 1].text if verb.index else ""
    return verb.xpos == "VBN" and before in _BE


def _not_only(analysis: Analysis, root: Token) -> Iterator[Wording]:
    """From "is an actor and a singer", "is not only an actor but also a singer"."""
    for first in (root, *analysis.children(root, "obj", "obl")):
        joined = _joined(analysis, first)
        if joined is None:
            continue
        for start, also in _limits(analysis, root, first, joined[1]):
            link = analysis.tokens[joined[0].index - 1]
            end = link.start if link.text == "," else link.end
            for word in phrases("not_only"):
                edits = [
                    SpanEdit(start, start, f"not {word} "),
                    SpanEdit(end, joined[0].end, f" but also{also}"),
                ]
                yield Wording(apply_edits(analysis.text, edits), "not only")


def _joined(analysis: Analysis, first: Token) -> tuple[Token, Token] | None:
    """The "and" and the second of two words of a kind, if they are two and no name."""
    others = analysis.children(first, "conj")
    links = [token for token in analysis.tokens if token.text.lower() in _LINKS]
    if len(others) != 1 or len(links) != 1 or links[0].text != "and":
        return None
    second, link = others[0], links[0]
    clause = analysis.children(second, "nsubj", "cop", "aux")
    alike = second.xpos == first.xpos and analysis.head(link) in {first, second}
    return (link, second) if alike and not clause else None


def _limits(
    analysis: Analysis, root: Token, first: Token, second: Token
) -> Iterator[tuple[int, str]]:
    """Where "not only" goes, and what "but also" needs behind it."""
    tokens = analysis.tokens
    start, other = analysis.subtree(first)[0], _start(analysis, second)
    if first is root and first.upos == "VERB":
        if second.index == first.index + 2 and not analysis.children(first, "advmod"):
            yield first.start, ""  # "not only written but also directed"
    elif first is root:
        verbs = analysis.children(first, "cop")
        verbs = () if analysis.children(first, "case") else verbs  # "is about a man and his dog"
        if len(verbs) == 1 and verbs[0].index + 1 < len(tokens):
            after = tokens[verbs[0].index + 1]
            yield after.start, _article(after, other)
    elif first.upos == "PROPN":
        named = len(analysis.children(first, "flat", "compound")) and second.index > other.index
        if named and start.text == "by":
            yield start.start, " by"
    elif first.is_relation("obj") and start.index == root.index + 1 and not _article(start, other):
        yield start.start, ""  # "an actress and producer" may be one person


def _start(analysis: Analysis, second: Token) -> Token:
    """The first word of the second part, behind "and"."""
    return next(t for t in analysis.subtree(second) if t.text not in {"and", ","})


def _article(first: Token, other: Token) -> str:
    """The article that the second part needs, where the two shared one."""
    if first.upos != "DET" or other.upos in {"DET", "PROPN", "PRON", "NUM"} or other.xpos == "NNS":
        return ""
    shared = first.text.lower()
    return f" {article(other.text) if shared in {'a', 'an'} else shared}"
