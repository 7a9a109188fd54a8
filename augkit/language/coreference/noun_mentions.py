"""Mentions that are nouns for people: "the doctor", "a female sitting at a table"."""

from __future__ import annotations

from collections.abc import Iterator

from augkit.core.analysis import Analysis, Token
from augkit.language.coreference.mentions import Article, DetectedMention, Mention
from augkit.lexicons.demographics.cues import PEOPLE
from augkit.lexicons.demographics.person_words import gendered_nouns, person_nouns
from augkit.lexicons.load import word_group

_DEFINITE = word_group("grammar", "definite_determiners")
_COUNTING = word_group("grammar", "counting_nouns")


def person_noun(analysis: Analysis, token: Token) -> Iterator[DetectedMention]:
    """The mention that a noun heads, if it refers to people."""
    lemma = token.lemma.lower()
    gender = gendered_nouns().get(token.text.lower(), gendered_nouns().get(lemma, "unknown"))
    person = gender != "unknown" or lemma in person_nouns()
    single = lemma in PEOPLE.plural_only and token.morph.get("Number") != "Plur"
    if (single or not person) and not has_who_clause(analysis, token):
        return
    if gender == "unknown" and _is_speaker(analysis, token):
        return
    plural = token.morph.get("Number") == "Plur" or lemma in PEOPLE.groups
    if gender != "unknown" and _has_singular_article(analysis, token):
        plural = False
    article = _article(analysis, token)
    mention = Mention(token.start, token.end, token.index, "noun", gender, plural)
    yield DetectedMention(mention, token, (lemma,), sure=True, article=article)


def _is_speaker(analysis: Analysis, token: Token) -> bool:
    """Whether a noun describes the speaker or addressee: "I am a Steve Martin *fan*"."""
    said = {t.text.lower() for t in analysis.children(token, "nsubj")}
    return bool(analysis.children(token, "cop")) and not said.isdisjoint({"i", "we", "you"})


def _has_singular_article(analysis: Analysis, token: Token) -> bool:
    """Whether a/an stands before it, whatever the noun's ending: "*A women* does her hair"."""
    articles = [child.text.lower() for child in analysis.children(token, "det")]
    before = analysis.tokens[token.index - 1].text.lower() if token.index else ""
    return articles[:1] in (["a"], ["an"]) and before not in _COUNTING


def has_who_clause(analysis: Analysis, token: Token) -> bool:
    """Whether a relative clause with "who" follows: "the Joneses, *who* left"."""
    return any(
        part.text.lower() in {"who", "whom"}
        for clause in analysis.children(token, "acl:relcl")
        for part in analysis.children(clause)
    )


def _article(analysis: Analysis, token: Token) -> Article:
    if analysis.children(token, "nmod:poss"):
        return "possessive"
    words = {child.text.lower() for child in analysis.children(token, "det")}
    if words & _DEFINITE:
        return "definite"
    return "indefinite" if words or analysis.children(token, "nummod") else "bare"
