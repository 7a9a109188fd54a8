"""Words that corefer by grammar: apposition, copula, title, "known as the man"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from augkit.core.analysis import Analysis, Token
from augkit.language.clauses import subject
from augkit.language.coreference.mentions import DetectedMention
from augkit.language.negation import negation_words
from augkit.lexicons.demographics.cues import HER, VERBS
from augkit.lexicons.demographics.person_words import person_nouns
from augkit.lexicons.load import word_group

_MAX_GAP = 2
"""Words that may stand between a predicate noun and the word that the parser took for it."""
_RESULT_VERBS = word_group("grammar", "result_verbs")
"""Verbs after which a noun says what their subject then is: "died a happy man"."""


def same_by_grammar(analysis: Analysis, detected: DetectedMention) -> Iterator[Token]:
    """The words with which a noun or name corefers: apposition, copula, title, "as a nurse"."""
    token = detected.token
    if detected.mention.kind == "group":
        return
    if detected.mention.kind == "title":
        yield from (token, analysis.head(token))
    if detected.mention.kind == "name":
        yield from _noun_before_name(analysis, detected)
        yield from _exemplified(analysis, token)
    if token.is_relation("appos", "nmod:desc", "flat"):
        yield from _if_person(detected, (analysis.head(token),))
    others = analysis.children(token, "nmod:desc", "appos")
    yield from _if_person(detected, others)
    shown = detected.mention.gender != "unknown"  # "not the girl she used to be"
    shown = shown and not analysis.children(token, "case")
    if analysis.children(token, "cop") and (shown or not _is_negated(analysis, token)):
        yield from analysis.children(token, "nsubj") or _controlled_subject(analysis, token)
    yield from _misparsed_predicate(analysis, token)
    yield from _described_by_verb(analysis, detected)
    if token.is_relation("nsubj"):
        yield from _fronted_as(analysis, token)


def _misparsed_predicate(analysis: Analysis, token: Token) -> Iterator[Token]:
    """The subject of a misparsed predicate: "was prom *queen*", "is every inch a *gentleman*"."""
    above = analysis.head(token)
    near = 0 < token.index - above.index <= _MAX_GAP and token.is_relation("obj", "parataxis")
    if near and above.upos == "NOUN" and analysis.children(above, "cop"):
        yield from analysis.children(above, "nsubj")


def _fronted_as(analysis: Analysis, subject_token: Token) -> Iterator[Token]:
    """The noun that describes a subject and precedes it: "As a *boy*, David loved trains"."""
    for other in analysis.children(analysis.head(subject_token), "obl"):
        links = {child.text.lower() for child in analysis.children(other, "case")}
        articles = {child.text.lower() for child in analysis.children(other, "det")}
        if other.index < subject_token.index and "as" in links and articles & {"a", "an"}:
            yield other


def _controlled_subject(analysis: Analysis, token: Token) -> Iterator[Token]:
    """The subject of an open complement: "turned out to be a thief"."""
    person = subject(analysis, token) if token.is_relation("xcomp") else None
    if person is not None:
        yield person


def _described_by_verb(analysis: Analysis, detected: DetectedMention) -> Iterator[Token]:
    """The person of "works as a nurse", "becomes one", "seems like a nice guy", "known as"."""
    token, above = detected.token, analysis.head(detected.token)
    links = {c.text.lower() for c in analysis.children(token, "case")}
    noun = detected.mention.kind == "noun"
    if noun and "as" in links and above.lemma in VERBS.taking:
        taken = analysis.children(above, "obj", "nsubj:pass")
        yield from taken or _passive_subject(analysis, above)
        return
    if noun and above.lemma in VERBS.naming and token.is_relation("xcomp", "obj"):
        yield from _appointed(analysis, token, above)
    called = noun and "as" in links and above.lemma in VERBS.serving
    called = called or (noun and "into" in links and above.lemma in VERBS.growing)
    called = called or (noun and "like" in links and above.lemma in {"seem", "look"})
    called = called or (noun and not links and _is_result(analysis, detected))
    if called or (token.is_relation("xcomp", "obj") and above.lemma in {"become", "remain"}):
        person = subject(analysis, above)
        if person is not None:
            yield person


def _appointed(analysis: Analysis, office: Token, verb: Token) -> Iterator[Token]:
    """The person appointed: "crowned *her* queen", "*she* was elected queen"."""
    others = analysis.children(verb, "obj", "nsubj:pass")
    if office.text.lower() in HER.offices:
        others += analysis.children(office, "nmod:poss")
    yield from (other for other in others if other.index < office.index)


def _is_result(analysis: Analysis, detected: DetectedMention) -> bool:
    """Whether a noun is a result: "he died a happy *man*", "she left the court a free *woman*"."""
    token, verb = detected.token, analysis.head(detected.token)
    if detected.article != "indefinite" or token.is_relation("nsubj", "nmod", "appos", "conj"):
        return False
    others = [t for t in analysis.children(verb, "obj") if t.index != token.index]
    return verb.lemma in _RESULT_VERBS or (verb.lemma == "leave" and bool(others))


def _passive_subject(analysis: Analysis, verb: Token) -> Iterator[Token]:
    """The understood subject of a passive: "to avoid being known as"."""
    person = subject(analysis, verb) if analysis.children(verb, "aux:pass") else None
    if person is not None:
        yield person


def _noun_before_name(analysis: Analysis, detected: DetectedMention) -> Iterator[Token]:
    """The noun right before a name, whatever the parse: "her father Peter Lawrence"."""
    before = analysis.token_at(detected.mention.start - 2)
    one_apart = analysis.text[detected.mention.start - 1 : detected.mention.start] == " "
    if before is not None and one_apart and before.upos == "NOUN":
        yield before


def _exemplified(analysis: Analysis, name: Token) -> Iterator[Token]:
    """The noun of which a name is the example: "for a *woman* like Lena, it was hard"."""
    links = {child.text.lower() for child in analysis.children(name, "case")}
    if "like" in links and name.deprel == "nmod":
        yield analysis.head(name)


def _if_person(detected: DetectedMention, others: Sequence[Token]) -> Iterator[Token]:
    """The words beside a mention; an unsure name joins a noun for people only: "the poet Blorf"."""
    yield from (other for other in others if detected.sure or other.lemma.lower() in person_nouns())


def _is_negated(analysis: Analysis, token: Token) -> bool:
    return any(
        c.lemma.lower() in negation_words("particle", "contraction", "adverb")
        for c in analysis.children(token, "advmod")
    )
