"""What an evaluative word is about: the reviewed film, or somebody in its story."""

from __future__ import annotations

from augkit.core.analysis import Analysis, Token
from augkit.english.clauses import subject
from augkit.english.polarity.contexts import context_words
from augkit.lexicons.demographics.person_words import person_nouns
from augkit.lexicons.evaluative import Entry, judged

_EXPERIENCERS = context_words("experiencers")
_NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM"})
_CONDITIONAL = frozenset({"would", "'d", "\u2019d"})


def is_evaluative_here(analysis: Analysis, token: Token, entry: Entry) -> bool:
    """Whether an entry is evaluative in its context, by the rules for its part of speech."""
    if entry.kind == "verb":
        return _is_evaluative_verb(analysis, token, entry)
    if entry.kind == "noun":
        return not entry.conditional or _is_predicated(analysis, token)
    if entry.kind == "adverb":
        return not entry.conditional
    if entry.aspect == "how one feels":
        about = subject(analysis, token)
        return about is not None and _is_experiencer(analysis, about)
    return not entry.conditional or has_judged_target(analysis, token)


def has_judged_target(analysis: Analysis, token: Token) -> bool:
    """Whether a word modifies, or is predicated of, something that reviews judge."""
    head = analysis.head(token)
    if token.is_relation("amod", "compound", "nmod", "acl") and head.upos in _NOMINAL:
        return is_judged(head)
    if token.is_relation("advmod"):
        return True
    about = subject(analysis, token)
    if about is None:
        # "Boring.", "Great fun!": nothing but the judgement.
        return token.is_root or token.is_relation("conj", "parataxis", "appos", "list")
    return is_judged(about)


def describes_person(analysis: Analysis, token: Token) -> bool:
    """Whether a word describes somebody of the story: "a beautiful girl", not "a great actor"."""
    about = analysis.head(token) if token.is_relation("amod") else subject(analysis, token)
    if about is None or is_judged(about):
        return False
    return about.upos == "NOUN" and about.lemma.lower() in person_nouns()


def is_judged(token: Token) -> bool:
    """Whether a word names something that reviews judge, or stands for it."""
    if token.upos == "PROPN":
        return True  # an actor, a film, a shop
    things, word = judged().things, token.text.lower()
    return token.lemma.lower() in things or word in things or word in judged().pronouns


def _is_predicated(analysis: Analysis, token: Token) -> bool:
    """Whether a noun says what something is: "this is a mess", "what a mess"."""
    if analysis.children(token, "cop"):
        about = subject(analysis, token)
        return about is None or is_judged(about)
    if token.is_root or token.is_relation("appos", "parataxis"):
        return True
    return any(t.text.lower() in {"this", "such", "what"} for t in analysis.children(token, "det"))


def _is_evaluative_verb(analysis: Analysis, token: Token, entry: Entry) -> bool:
    about = subject(analysis, token)
    auxiliaries = {child.text.lower() for child in analysis.children(token, "aux")}
    if entry.aspect == "love":
        if token.lemma.lower() in {"like", "love"} and auxiliaries & _CONDITIONAL:
            return False
        return token.xpos != "VBG" if about is None else _is_experiencer(analysis, about)
    if entry.aspect == "entertain":
        if about is not None and is_judged(about) and not entry.conditional:
            return True
        return any(_is_experiencer(analysis, each) for each in analysis.children(token, "obj"))
    return about is None or is_judged(about)


def _is_experiencer(analysis: Analysis, token: Token) -> bool:
    if token.text.lower() in _EXPERIENCERS or token.lemma.lower() in _EXPERIENCERS:
        return True
    return any(t.text.lower() in {"my", "our"} for t in analysis.children(token, "nmod:poss"))
