"""What a judging word is said of: the film, or somebody in it."""

from __future__ import annotations

from augkit.core.analysis import Analysis, Token
from augkit.language.clauses import subject
from augkit.lexicons.demographics.person_words import person_nouns
from augkit.lexicons.evaluative import Entry, judged

_WHO_FEELS = frozenset(
    "i we you me us one everyone everybody anyone anybody someone people viewer viewers audience "
    "audiences fan fans kid kids family wife husband son daughter friend friends critic critics "
    "customer customers who nobody buff buffs lover lovers reader readers child children adult "
    "adults person guest guests listener listeners moviegoer moviegoers watcher watchers".split()
)
"""Who loves or hates what a review is about; "he loves her" is the story."""
_FEELING = frozenset({"love", "how one feels"})
_NOT_FEELING = frozenset({"would", "'d", "\u2019d"})


def counts_here(analysis: Analysis, token: Token, entry: Entry) -> bool:
    """Whether an entry is a judgement where it stands, by what its kind asks for."""
    if entry.kind == "verb":
        return _verb_counts(analysis, token, entry)
    if entry.kind == "noun":
        return not entry.conditional or _is_predicated(analysis, token)
    if entry.kind == "adverb":
        return not entry.conditional
    if entry.aspect == "how one feels":
        return _somebody_feels(analysis, token)
    return not entry.conditional or is_said_of_judged(analysis, token)


def is_said_of_judged(analysis: Analysis, token: Token) -> bool:
    """Whether a word modifies, or is predicated of, something that reviews judge."""
    head = analysis.head(token)
    if token.is_relation("amod", "compound", "nmod", "acl") and head.upos in {
        "NOUN",
        "PROPN",
        "PRON",
        "NUM",
    }:
        return is_judged(head)
    if token.is_relation("advmod"):
        return True
    about = subject(analysis, token)
    if about is None:
        # "Boring.", "Great fun!": nothing but the judgement.
        return token.is_root or token.is_relation("conj", "parataxis", "appos", "list")
    return is_judged(about)


def is_said_of_person(analysis: Analysis, token: Token) -> bool:
    """Whether a word describes somebody of the story: "a beautiful girl", not "a great actor"."""
    about = analysis.head(token) if token.is_relation("amod") else subject(analysis, token)
    if about is None or is_judged(about):
        return False
    return about.upos == "NOUN" and about.lemma.lower() in person_nouns()


def is_judged(token: Token) -> bool:
    """Whether a word names something that reviews judge, or stands for it."""
    if token.upos == "PROPN":
        return True  # an actor, a film, a shop
    small = token.text.lower()
    return (
        token.lemma.lower() in judged().things
        or small in judged().things
        or small in judged().pronouns
    )


def _is_predicated(analysis: Analysis, token: Token) -> bool:
    """Whether a noun says what something is: "this is a mess", "what a mess"."""
    if analysis.children(token, "cop"):
        about = subject(analysis, token)
        return about is None or is_judged(about)
    if token.is_root or token.is_relation("appos", "parataxis"):
        return True
    return any(
        child.text.lower() in {"this", "such", "what"} for child in analysis.children(token, "det")
    )


def _verb_counts(analysis: Analysis, token: Token, entry: Entry) -> bool:
    about = subject(analysis, token)
    auxiliaries = {child.text.lower() for child in analysis.children(token, "aux")}
    if entry.aspect == "love":
        if token.lemma.lower() in {"like", "love"} and auxiliaries & _NOT_FEELING:
            return False
        return (about is None and token.xpos != "VBG") or (
            about is not None and _feels(analysis, about)
        )
    if entry.aspect == "entertain":
        objects = analysis.children(token, "obj")
        said_of = about is not None and is_judged(about)
        return (said_of and not entry.conditional) or any(
            _feels(analysis, each) for each in objects
        )
    return about is None or is_judged(about)


def _somebody_feels(analysis: Analysis, token: Token) -> bool:
    about = subject(analysis, token)
    return about is not None and _feels(analysis, about)


def _feels(analysis: Analysis, token: Token) -> bool:
    if token.text.lower() in _WHO_FEELS or token.lemma.lower() in _WHO_FEELS:
        return True
    return any(
        child.text.lower() in {"my", "our"} for child in analysis.children(token, "nmod:poss")
    )
