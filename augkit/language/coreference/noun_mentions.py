"""Nouns that are mentions of people: "the doctor", "a female sitting at a table"."""

from __future__ import annotations

from collections.abc import Iterator

from augkit.core.analysis import Analysis, Token
from augkit.language.coreference.mentions import Article, Mention, Sighting
from augkit.lexicons.demographics.person_words import gendered_nouns, people_words, person_nouns

_DEFINITE = frozenset({"the", "this", "that", "these", "those", "both"})
_COUNTING = frozenset("few dozen couple hundred thousand million great many good".split())


def person_noun(analysis: Analysis, token: Token) -> Iterator[Sighting]:
    """The mention that a noun is, if it is a person or several."""
    lemma = token.lemma.lower()
    gender = gendered_nouns().get(token.text.lower(), gendered_nouns().get(lemma, "unknown"))
    person = gender != "unknown" or lemma in person_nouns()
    single = lemma in people_words("plural_only") and token.morph.get("Number") != "Plur"
    if (single or not person) and not has_who(analysis, token):
        return
    if gender == "unknown" and _is_speaker(analysis, token):
        return
    plural = token.morph.get("Number") == "Plur" or lemma in people_words("groups")
    if gender != "unknown" and _is_counted_as_one(analysis, token):
        plural = False
    article = _article(analysis, token)
    mention = Mention(token.start, token.end, token.index, "noun", gender, plural)
    yield Sighting(mention, token, (lemma,), sure=True, article=article)


def _is_speaker(analysis: Analysis, token: Token) -> bool:
    """As in "I am a Steve Martin *fan*": whoever speaks is no third person."""
    said = {t.text.lower() for t in analysis.children(token, "nsubj")}
    return bool(analysis.children(token, "cop")) and not said.isdisjoint({"i", "we", "you"})


def _is_counted_as_one(analysis: Analysis, token: Token) -> bool:
    """As in "*A women* does her hair": an article for one, whatever the noun's ending."""
    articles = [child.text.lower() for child in analysis.children(token, "det")]
    before = analysis.tokens[token.index - 1].text.lower() if token.index else ""
    return articles[:1] in (["a"], ["an"]) and before not in _COUNTING


def has_who(analysis: Analysis, token: Token) -> bool:
    """As in "the Joneses, *who* left": only people are "who"."""
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
