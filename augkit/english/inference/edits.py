"""Edits of a parsed text: replace a word, add one, remove some."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from augkit.core.analysis import Analysis, Token
from augkit.core.edits import Edit
from augkit.english.clauses import is_plural, nli_words
from augkit.english.morphology import inflect, plural_of
from augkit.lexicons.taxonomy import taxonomy
from augkit.text.articles import article, fit_articles
from augkit.text.casing import match_case

_SPACES = " \t"
_STOPS = ".!?;, \t\n\"'"


@dataclass(frozen=True, slots=True)
class RelationEdit:
    """Edits that change the relation of a pair, and the rule that made them."""

    edits: tuple[Edit, ...]
    rule: str


def inflected(word: str, like: Token) -> str | None:
    """``word`` in the grammatical form of a token, in its casing; None where there is none.

    Of "pick up" the first word is inflected.
    """
    first, _, particle = word.partition(" ")
    form: str | None = word
    if like.upos == "VERB":
        form = inflect(first, like.xpos)
        form = f"{form} {particle}".strip() if form else None
    elif like.upos in {"NOUN", "PROPN"} and is_plural(like):
        form = None if word in taxonomy().bare else plural_of(word)
    return match_case(form, like.text) if form else None


def may_be_meant(analysis: Analysis, token: Token) -> bool:
    """Whether a gendered pronoun of the text may mean what a noun names: "a man in his car"."""
    if token.upos != "NOUN" or not taxonomy().holds_of("person", token.lemma.lower(), "noun"):
        return False
    pronouns = nli_words("gendered_pronouns")
    return any(other.text.lower() in pronouns for other in analysis.tokens)


def replace_token(
    field: str, analysis: Analysis, token: Token, word: str
) -> tuple[Edit, ...] | None:
    """Replace a token by another word in its form, and fit the article before it."""
    form = inflected(word, token)
    if form is None or form.lower() == token.text.lower():
        return None
    edit = Edit(field, token.start, token.end, token.text, form)
    return (*_article(field, analysis, token, form), edit)


def _article(field: str, analysis: Analysis, token: Token, form: str) -> tuple[Edit, ...]:
    """The article directly before a token, where the new word wants the other one."""
    fitted = fit_articles(analysis.text, [(token.start, token.end, form)])[:-1]
    return tuple(article.in_field(field, analysis.text) for article in fitted)


def insert_before(field: str, analysis: Analysis, token: Token, word: str) -> tuple[Edit, ...]:
    """Insert a word before a token and its modifiers: "a dog" → "a hungry dog"."""
    first = token
    for before in reversed(analysis.tokens[: token.index]):
        if before.head != token.index or not before.is_relation("amod", "compound"):
            break
        first = before
    new = match_case(word, first.text) if first.index == 0 and first.text[0].isupper() else word
    old = first.text
    if first.index == 0 and first.upos != "PROPN" and old[:1].isupper():
        old = old[:1].lower() + old[1:]
    edit = Edit(field, first.start, first.end, first.text, f"{new} {old}")
    return (*_article(field, analysis, first, word), edit)


def append_phrase(field: str, analysis: Analysis, phrase: str) -> tuple[Edit, ...]:
    """Append a phrase to the text, before its final punctuation."""
    end = len(analysis.text.rstrip(_STOPS))
    return (Edit(field, end, end, "", f" {phrase}"),)


def remove_tokens(
    field: str, analysis: Analysis, tokens: Sequence[Token]
) -> tuple[Edit, ...] | None:
    """Remove a run of tokens with the space before it, and fit article and capital."""
    run = sorted(tokens, key=lambda token: token.index)
    if not run or [t.index for t in run] != list(range(run[0].index, run[-1].index + 1)):
        return None
    start = run[0].start
    end = run[-1].end
    text = analysis.text
    after = analysis.tokens[run[-1].index + 1] if run[-1].index + 1 < len(analysis.tokens) else None
    if run[0].index == 0:
        if after is None:
            return None
        old = text[start : after.end]
        return (Edit(field, start, after.end, old, after.text[:1].upper() + after.text[1:]),)
    before = analysis.tokens[run[0].index - 1]
    edits: list[Edit] = []
    if after is not None and before.text.lower() in {"a", "an"}:
        fit = match_case(article(after.text), before.text)
        if fit != before.text:
            edits.append(Edit(field, before.start, before.end, before.text, fit))
    while start > before.end and text[start - 1] in _SPACES:
        start -= 1
    return (*edits, Edit(field, start, end, text[start:end], ""))
