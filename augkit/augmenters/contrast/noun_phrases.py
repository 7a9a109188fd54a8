"""Noun phrases of a caption and edits of them: add or remove an adjective, replace the noun."""

from __future__ import annotations

from dataclasses import dataclass

from augkit.core.analysis import Analysis, Token
from augkit.core.types import Edit
from augkit.english.morphology import plural_of, singular_of
from augkit.text.articles import article, refit
from augkit.text.casing import match_case


@dataclass(frozen=True)
class NounPhrase:
    """A noun with its article and its adjectives, in order."""

    noun: Token
    article: Token | None
    adjectives: tuple[Token, ...]
    first: Token
    """The first word after the article: an adjective, a noun of a compound, or the noun."""

    @property
    def name(self) -> str:
        """The noun in lower case, singular."""
        word = self.noun.text.lower()
        return singular_of(word) if self.is_plural else word

    @property
    def is_plural(self) -> bool:
        """Whether the noun is marked as plural."""
        return self.noun.morph.get("Number") == "Plur"


def subject_phrase(analysis: Analysis) -> NounPhrase | None:
    """The subject of the first sentence, or in "A man smoking" the man."""
    for sentence in analysis.sentences[:1]:
        root = next(token for token in sentence if token.is_root)
        subjects = analysis.children(root, "nsubj")
        if subjects and subjects[0].upos == "NOUN":
            return _phrase(analysis, subjects[0])
        if root.upos == "NOUN" and not subjects:
            inner = [t for t in analysis.children(root, "compound") if t.upos == "NOUN"]
            return _phrase(analysis, inner[0] if inner and _is_verb(analysis, root) else root)
    return None


def other_phrases(analysis: Analysis, subject: NounPhrase) -> list[NounPhrase]:
    """The objects and places of the first sentence."""
    return [
        _phrase(analysis, token)
        for token in analysis.sentences[0]
        if token.upos == "NOUN" and token.index > subject.noun.index
        if token.is_relation("obj", "obl", "nmod") and not analysis.children(token, "compound")
    ]


def add_adjective(field: str, analysis: Analysis, phrase: NounPhrase, adjective: str) -> list[Edit]:
    """Edits that insert an adjective before all others; a/an is fitted."""
    first = phrase.first
    if phrase.article is not None:
        edits = _article_edits(field, phrase.article, first.text, adjective)
        return [*edits, Edit(field, first.start, first.start, "", f"{adjective} ")]
    opens = first.index == 0 or analysis.tokens[first.index - 1].sentence != first.sentence
    if not (opens and first.text[:1].isupper() and first.text[1:].islower()):
        return [Edit(field, first.start, first.start, "", f"{adjective} ")]
    letter = first.text[0]
    new = f"{adjective.capitalize()} {letter.lower()}"
    return [Edit(field, first.start, first.start + 1, letter, new)]


def remove_adjective(field: str, analysis: Analysis, phrase: NounPhrase) -> list[Edit]:
    """Edits that remove a phrase's only adjective; a/an is fitted."""
    (adjective,) = phrase.adjectives
    after = analysis.tokens[adjective.index + 1]
    gone = analysis.text[adjective.start : after.start]
    removal = Edit(field, adjective.start, after.start, gone, "")
    if phrase.article is not None:
        return [*_article_edits(field, phrase.article, adjective.text, after.text), removal]
    if adjective.text[:1].isupper() and after.text[:1].islower():
        gone = analysis.text[adjective.start : after.start + 1]
        new = after.text[0].upper()
        return [Edit(field, adjective.start, after.start + 1, gone, new)]
    return [removal]


def replace_noun(field: str, phrase: NounPhrase, name: str) -> list[Edit]:
    """Edits that replace the noun, in the same number."""
    new = plural_of(name) if phrase.is_plural else name
    return replace_word_of(phrase, field, phrase.noun, new)


def replace_word_of(phrase: NounPhrase, field: str, word: Token, other: str) -> list[Edit]:
    """Edits that replace the noun or an adjective; a/an is fitted."""
    new = match_case(other, word.text)
    changed = Edit(field, word.start, word.end, word.text, new)
    if phrase.article is not None and phrase.first is word:
        return [*_article_edits(field, phrase.article, word.text, new), changed]
    return [changed]


def _is_verb(analysis: Analysis, root: Token) -> bool:
    """Whether a noun is really a verb: the parser takes "A man smokes" for several smokes."""
    singular = any(t.text.lower() in {"a", "an"} for t in analysis.children(root, "det"))
    return root.text.lower().endswith("ing") or (singular and root.text.endswith("s"))


def _phrase(analysis: Analysis, noun: Token) -> NounPhrase:
    before = [t for t in analysis.tokens[: noun.index] if t.head == noun.index]
    adjectives = tuple(t for t in before if t.is_relation("amod"))
    own = {t.index for t in before if t.is_relation("amod", "compound")}
    at = noun.index
    while at - 1 in own:
        at -= 1
    # "A man smoking" is parsed as a kind of smoking, and the article hangs on that.
    previous = analysis.tokens[at - 1] if at else None
    has_article = previous is not None and previous.text.lower() in {"a", "an", "the"}
    return NounPhrase(noun, previous if has_article else None, adjectives, analysis.tokens[at])


def _article_edits(field: str, token: Token, before: str, after: str) -> list[Edit]:
    if token.text.lower() not in {"a", "an"}:
        return []
    new = refit(token.text, before, after)
    if new == token.text and token.text.lower() != article(after):
        new = match_case(article(after), token.text)
    return [] if new == token.text else [Edit(field, token.start, token.end, token.text, new)]
