"""Antonyms instead of negation: "is dead" for "is not alive", "lacked" for "did not have"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from augkit.core.analysis import Analysis, Token
from augkit.core.config import StrictModel, validate
from augkit.english.morphology import inflect_verb
from augkit.english.negation import DO_TAGS
from augkit.english.rewriting.candidates import Wording
from augkit.english.rewriting.pairs.negations import NEGATORS, base
from augkit.english.rewriting.words import table
from augkit.lexicons.load import antonyms
from augkit.text.articles import refit

_BE = frozenset({"is", "was", "are", "were"})
_PREFIXES = ("un", "in", "im", "ir", "il", "non", "dis")
_HOW = "antonym"


class AntonymTable(StrictModel):
    """The pairs; see ``antonyms.yaml``."""

    complementary: tuple[tuple[str, str], ...]
    verbs: Mapping[str, tuple[str, ...]]
    lacking: tuple[str, ...]
    appearing: tuple[str, ...]
    unfit: tuple[str, ...]


@cache
def antonym_table() -> AntonymTable:
    """The pairs of ``antonyms.yaml``."""
    return validate(AntonymTable, table("pairs/antonyms.yaml"), "antonyms.yaml")


@cache
def complementary_antonyms(word: str) -> tuple[str, ...]:
    """Words that hold wherever this one does not.

    >>> [complementary_antonyms(word) for word in ("alive", "successful", "tall")]
    [('dead',), ('unsuccessful',), ()]
    """
    prefixed = tuple(
        other for other in antonyms().get(("adjective", word), ()) if _negates(word, other)
    )
    listed = (two[1 - two.index(word)] for two in antonym_table().complementary if word in two)
    return (*listed, *prefixed)


def _negates(word: str, other: str) -> bool:
    long, short = sorted((word, other), key=len, reverse=True)
    prefixed = any(long == prefix + short for prefix in _PREFIXES)
    return prefixed and not {word, other} & set(antonym_table().unfit)


def antonym_wordings(analysis: Analysis) -> Iterator[Wording]:
    """Rewrites by an antonym that mean the same."""
    for token in analysis.tokens:
        if token.text.lower() in NEGATORS and token.index > 0:
            yield from _without_negation(analysis, token)


def _without_negation(analysis: Analysis, negator: Token) -> Iterator[Wording]:
    helper = analysis.tokens[negator.index - 1]
    rest = analysis.tokens[negator.index + 1 :]
    if not rest or analysis.children(rest[0], "conj"):
        return
    if helper.text in _BE:
        yield from _quality(analysis, negator, rest)
        if helper.text in {"was", "were"}:  # a country is never "absent from" a continent
            yield from _absent(analysis, helper, rest)
    elif helper.text in DO_TAGS and rest[0].upos in {"VERB", "AUX"}:
        yield from _action(analysis, helper, rest)
    elif helper.text in {"has", "have"} and rest[0].xpos == "VBN":
        verb = rest[0]
        lemma = "be" if verb.text.lower() == "been" else base(verb)
        head, tail = analysis.text[: helper.end], analysis.text[verb.end :]
        yield Wording(f"{head} yet to {lemma}{tail}", _HOW)


def _quality(analysis: Analysis, negator: Token, rest: tuple[Token, ...]) -> Iterator[Wording]:
    """Of "is not alive", "is not a stable nation"."""
    article = rest[0] if rest[0].text in {"a", "an"} else None
    word = rest[1] if article and len(rest) > 1 else rest[0]
    modifiers = analysis.children(word, "advmod", "xcomp")
    if word.upos not in {"ADJ", "ADV"} or any(one.index != negator.index for one in modifiers):
        return
    text = analysis.text
    head = text[: negator.start].rstrip()
    for other in complementary_antonyms(word.text):
        phrase = f"{refit(article.text, word.text, other)} {other}" if article else other
        yield Wording(f"{head} {phrase}{text[word.end :]}", _HOW)


def _absent(analysis: Analysis, helper: Token, rest: tuple[Token, ...]) -> Iterator[Wording]:
    """From "was not in Broken Bridges", "was absent from Broken Bridges"."""
    if rest[0].text == "in" and len(rest) > 1 and rest[1].text[:1].isupper():
        text = analysis.text
        yield Wording(f"{text[: helper.end]} absent from{text[rest[0].end :]}", _HOW)


def _action(analysis: Analysis, helper: Token, rest: tuple[Token, ...]) -> Iterator[Wording]:
    verb, known, text = rest[0], antonym_table(), analysis.text
    lemma, head = base(verb), text[: helper.start]
    others = known.verbs.get(lemma, ())
    if lemma in known.lacking and rest[1:] and rest[1].upos != "NUM":
        others = (*others, "lack")
    for other in others:
        form = inflect_verb(other, DO_TAGS[helper.text])
        yield Wording(f"{head}{form}{text[verb.end :]}", _HOW)
    named = len(rest) > 2 and rest[1].text == "in" and rest[2].text not in {"a", "an"}
    if lemma in known.appearing and named:
        be = {"did": "was", "does": "is", "do": "are"}[helper.text]
        yield Wording(f"{head}{be} absent from{text[rest[1].end :]}", _HOW)
