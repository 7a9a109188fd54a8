"""Saying by an opposite what is denied: "is not alive" as "is dead", "did not have" as "lacked"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from augkit.augmenters.razor.rules.alternatives import holds
from augkit.augmenters.razor.rules.bundled import bundled
from augkit.augmenters.razor.rules.contrasts import Candidate, Pairing
from augkit.augmenters.razor.rules.denials import NEGATORS, base
from augkit.core.analysis import Analysis, Token
from augkit.core.config import StrictModel
from augkit.language.morphology import inflect_verb
from augkit.language.negation import negation_words
from augkit.lexicons.antonyms import antonyms
from augkit.text.articles import refit

_DENYING = NEGATORS | negation_words("adverb", "determiner")
_BE = frozenset({"is", "was", "are", "were"})
_DO = {"did": "VBD", "does": "VBZ", "do": "VBP"}
_PREFIXES = ("un", "in", "im", "ir", "il", "non", "dis")
_HOW = "an opposite"


class Opposites(StrictModel):
    """The bundled pairs."""

    complementary: tuple[tuple[str, str], ...]
    contrary: tuple[tuple[str, str], ...]
    verbs: Mapping[str, tuple[str, ...]]
    lacking: tuple[str, ...]
    appearing: tuple[str, ...]
    unfit: tuple[str, ...]


@cache
def opposites() -> Opposites:
    """The pairs of ``opposites.yaml``."""
    return bundled(Opposites, "opposites.yaml")


@cache
def exact_opposites(word: str) -> tuple[str, ...]:
    """Words that hold wherever this one does not.

    >>> exact_opposites("alive"), exact_opposites("successful"), exact_opposites("tall")
    (('dead',), ('unsuccessful',), ())
    """
    prefixed = tuple(
        other for other in antonyms().get(("adjective", word), ()) if _negates(word, other)
    )
    return _partners(opposites().complementary, word) + prefixed


@cache
def all_opposites(word: str) -> tuple[str, ...]:
    """Words that cannot hold where this one does.

    >>> all_opposites("tall"), all_opposites("dead")
    (('short',), ('alive',))
    """
    return exact_opposites(word) + _partners(opposites().contrary, word)


def _partners(pairs: tuple[tuple[str, str], ...], word: str) -> tuple[str, ...]:
    return tuple(two[1 - two.index(word)] for two in pairs if word in two)


def _negates(word: str, other: str) -> bool:
    long, short = sorted((word, other), key=len, reverse=True)
    prefixed = any(long == prefix + short for prefix in _PREFIXES)
    return prefixed and not {word, other} & set(opposites().unfit)


def opposed(pair: Pairing) -> Iterator[Candidate]:
    """Rewritings by an opposite that say the same, or for which the pair's relation is enough.

    A denial goes out of any text by an exact opposite, and out of a false one by any, where the
    other text holds the word that was denied. Into a true text one goes by any opposite.
    """
    for token in pair.analysis.tokens:
        if token.text.lower() in NEGATORS and token.index > 0:
            yield from _without_denial(pair, token)
    if pair.relation == "entailment":
        yield from _with_denial(pair.analysis)


def _without_denial(pair: Pairing, negator: Token) -> Iterator[Candidate]:
    analysis = pair.analysis
    helper = analysis.tokens[negator.index - 1]
    rest = analysis.tokens[negator.index + 1 :]
    small = helper.text
    if not rest or analysis.children(rest[0], "conj"):
        return
    if small in _BE:
        yield from _quality(pair, negator, rest)
        yield from _absent(analysis, helper, rest)
    elif small in _DO and rest[0].upos in {"VERB", "AUX"}:
        yield from _action(analysis, helper, rest)
    elif small in {"has", "have"} and rest[0].xpos == "VBN":
        verb = rest[0]
        lemma = "be" if verb.text.lower() == "been" else base(verb)
        head, tail = analysis.text[: helper.end], analysis.text[verb.end :]
        yield Candidate(f"{head} yet to {lemma}{tail}", _HOW)


def _quality(pair: Pairing, negator: Token, rest: tuple[Token, ...]) -> Iterator[Candidate]:
    """As "is not alive", "is not a stable nation"."""
    article = rest[0] if rest[0].text in {"a", "an"} else None
    word = rest[1] if article and len(rest) > 1 else rest[0]
    modifiers = pair.analysis.children(word, "advmod", "xcomp")
    if word.upos not in {"ADJ", "ADV"} or any(one.index != negator.index for one in modifiers):
        return
    sure = pair.relation == "contradiction" and holds(pair.context, word.text)
    text = pair.analysis.text
    head = text[: negator.start].rstrip()
    for other in all_opposites(word.text) if sure else exact_opposites(word.text):
        said = f"{refit(article.text, word.text, other)} {other}" if article else other
        yield Candidate(f"{head} {said}{text[word.end :]}", _HOW)


def _absent(analysis: Analysis, helper: Token, rest: tuple[Token, ...]) -> Iterator[Candidate]:
    """As "was not in Broken Bridges": "was absent from Broken Bridges"."""
    if rest[0].text == "in" and len(rest) > 1 and rest[1].text[:1].isupper():
        text = analysis.text
        yield Candidate(f"{text[: helper.end]} absent from{text[rest[0].end :]}", _HOW)


def _action(analysis: Analysis, helper: Token, rest: tuple[Token, ...]) -> Iterator[Candidate]:
    verb, known, text = rest[0], opposites(), analysis.text
    lemma, head = base(verb), text[: helper.start]
    others = known.verbs.get(lemma, ())
    if lemma in known.lacking and rest[1:] and rest[1].upos != "NUM":
        others = (*others, "lack")
    for other in others:
        form = inflect_verb(other, _DO[helper.text])
        yield Candidate(f"{head}{form}{text[verb.end :]}", _HOW)
    if lemma in known.appearing and len(rest) > 1 and rest[1].text == "in":
        be = {"did": "was", "does": "is", "do": "are"}[helper.text]
        yield Candidate(f"{head}{be} absent from{text[rest[1].end :]}", _HOW)


def _with_denial(analysis: Analysis) -> Iterator[Candidate]:
    """As "is alive": "is not dead"."""
    if any(token.text.lower() in _DENYING for token in analysis.tokens):
        return
    for token in analysis.tokens[1:]:
        helper = analysis.tokens[token.index - 1]
        alone = not analysis.children(token, "advmod", "conj", "obl", "xcomp", "ccomp", "advcl")
        if token.upos != "ADJ" or helper.text not in _BE or not alone or not _ends(analysis, token):
            continue
        for other in all_opposites(token.text):
            text = analysis.text
            yield Candidate(f"{text[: token.start]}not {other}{text[token.end :]}", _HOW)


def _ends(analysis: Analysis, token: Token) -> bool:
    return analysis.text[token.end : token.end + 1] in {"", ".", ",", ";", "!"}
