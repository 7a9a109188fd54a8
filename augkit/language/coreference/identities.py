"""Which words grammar says to be the same person: apposition, copula, title, "known as the man"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from augkit.core.analysis import Analysis, Token
from augkit.language.clauses import subject
from augkit.language.coreference.mentions import Sighting
from augkit.language.negation import negation_words
from augkit.lexicons.demographics.cues import cues
from augkit.lexicons.demographics.person_words import person_nouns

_TORN = 2
"""Words that may stand between a noun and what a parse took for the noun that is said."""
_ENDING = frozenset("die return emerge retire wake".split())
"""Verbs beside which a noun says what their subject is then."""


def same_by_grammar(analysis: Analysis, seen: Sighting) -> Iterator[Token]:
    """The words whose person a noun or name is too: apposition, copula, title, "as a nurse"."""
    token = seen.token
    if seen.mention.kind == "group":
        return
    if seen.mention.kind == "title":
        yield from (token, analysis.head(token))
    if seen.mention.kind == "name":
        yield from _described(analysis, seen)
        yield from _likened(analysis, token)
    if token.is_relation("appos", "nmod:desc", "flat"):
        yield from _unless_both_unknown(seen, (analysis.head(token),))
    others = analysis.children(token, "nmod:desc", "appos")
    yield from _unless_both_unknown(seen, others)
    shown = seen.mention.gender != "unknown"  # "not the girl she used to be"
    shown = shown and not analysis.children(token, "case")
    if analysis.children(token, "cop") and (shown or not _is_denied(analysis, token)):
        yield from analysis.children(token, "nsubj") or _understood(analysis, token)
    yield from _torn_off(analysis, token)
    yield from _said_of(analysis, seen)
    if token.is_relation("nsubj"):
        yield from _once(analysis, token)


def _torn_off(analysis: Analysis, token: Token) -> Iterator[Token]:
    """Who is what a parse took apart: "was prom *queen*", "is every inch a *gentleman*"."""
    above = analysis.head(token)
    near = 0 < token.index - above.index <= _TORN and token.is_relation("obj", "parataxis")
    if near and above.upos == "NOUN" and analysis.children(above, "cop"):
        yield from analysis.children(above, "nsubj")


def _once(analysis: Analysis, who: Token) -> Iterator[Token]:
    """What a subject is or was, said before it: "As a *boy*, David loved trains"."""
    for other in analysis.children(analysis.head(who), "obl"):
        links = {child.text.lower() for child in analysis.children(other, "case")}
        articles = {child.text.lower() for child in analysis.children(other, "det")}
        if other.index < who.index and "as" in links and articles & {"a", "an"}:
            yield other


def _understood(analysis: Analysis, token: Token) -> Iterator[Token]:
    """Who turned out to be something: the subject of the verb above."""
    who = subject(analysis, token) if token.is_relation("xcomp") else None
    if who is not None:
        yield who


def _said_of(analysis: Analysis, seen: Sighting) -> Iterator[Token]:
    """Who works "as a nurse", becomes one, "seems like a nice guy", is "known as the man"."""
    token, above = seen.token, analysis.head(seen.token)
    links = {c.text.lower() for c in analysis.children(token, "case")}
    noun = seen.mention.kind == "noun"
    if noun and "as" in links and above.lemma in cues("verbs", "taking"):
        taken = analysis.children(above, "obj", "nsubj:pass")
        yield from taken or _passive(analysis, above)
        return
    if noun and above.lemma in cues("verbs", "naming") and token.is_relation("xcomp", "obj"):
        yield from _named(analysis, token, above)
    called = noun and "as" in links and above.lemma in cues("verbs", "serving")
    called = called or (noun and "into" in links and above.lemma in cues("verbs", "growing"))
    called = called or (noun and "like" in links and above.lemma in {"seem", "look"})
    called = called or (noun and not links and _is_left_as(analysis, seen))
    if called or (token.is_relation("xcomp", "obj") and above.lemma in {"become", "remain"}):
        who = subject(analysis, above)
        if who is not None:
            yield who


def _named(analysis: Analysis, office: Token, verb: Token) -> Iterator[Token]:
    """Who is crowned or elected: "crowned *her* queen", "*she* was elected queen"."""
    others = analysis.children(verb, "obj", "nsubj:pass")
    if office.text.lower() in cues("her", "offices"):
        others += analysis.children(office, "nmod:poss")
    yield from (other for other in others if other.index < office.index)


def _is_left_as(analysis: Analysis, seen: Sighting) -> bool:
    """As in "he died a happy *man*" and "she left the court a free *woman*"."""
    token, verb = seen.token, analysis.head(seen.token)
    if seen.article != "indefinite" or token.is_relation("nsubj", "nmod", "appos", "conj"):
        return False
    others = [t for t in analysis.children(verb, "obj") if t.index != token.index]
    return verb.lemma in _ENDING or (verb.lemma == "leave" and bool(others))


def _passive(analysis: Analysis, verb: Token) -> Iterator[Token]:
    """Whom a participle is said of, where it is in the passive: "to avoid being known as"."""
    who = subject(analysis, verb) if analysis.children(verb, "aux:pass") else None
    if who is not None:
        yield who


def _described(analysis: Analysis, seen: Sighting) -> Iterator[Token]:
    """The noun right before a name, whatever the parse: "her father Peter Lawrence"."""
    before = analysis.token_at(seen.mention.start - 2)
    one_apart = analysis.text[seen.mention.start - 1 : seen.mention.start] == " "
    if before is not None and one_apart and before.upos == "NOUN":
        yield before


def _likened(analysis: Analysis, name: Token) -> Iterator[Token]:
    """As in "for a *woman* like Lena, it was hard": the example stands for herself."""
    links = {child.text.lower() for child in analysis.children(name, "case")}
    if "like" in links and name.deprel == "nmod":
        yield analysis.head(name)


def _unless_both_unknown(seen: Sighting, others: Sequence[Token]) -> Iterator[Token]:
    """Words beside a mention; a name that may be anything's only joins a noun: "the poet Blorf"."""
    yield from (other for other in others if seen.sure or other.lemma.lower() in person_nouns())


def _is_denied(analysis: Analysis, token: Token) -> bool:
    return any(
        c.lemma.lower() in negation_words("particle", "contraction", "adverb")
        for c in analysis.children(token, "advmod")
    )
