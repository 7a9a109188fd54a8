"""Mentions of people: pronouns, names, titles, nouns for people, and groups of these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from augkit.core.analysis import Token
from augkit.lexicons.demographics.person_words import Gender
from augkit.lexicons.load import word_group

Kind = Literal["pronoun", "relative", "name", "title", "noun", "group"]
Article = Literal["definite", "indefinite", "possessive", "bare"]

PRONOUNS: dict[str, Gender] = {
    **dict.fromkeys(word_group("grammar", "masculine_pronouns"), "man"),
    **dict.fromkeys(word_group("grammar", "feminine_pronouns"), "woman"),
    **dict.fromkeys(word_group("grammar", "plural_pronouns"), "unknown"),
}
"""Third-person pronouns that refer to people, and the gender each shows."""

INDEFINITE = word_group("grammar", "indefinite_pronouns")


@dataclass(frozen=True, slots=True)
class Mention:
    """A word or phrase that refers to a person or to several: ``analysis.text[start:end]``.

    The characters are those one would edit: a pronoun, all words of a name, the head of a noun
    phrase, a title. A ``relative`` is a "who" or "that"; a ``group`` is a coordination such as
    "Anna and her brother", whose members have mentions of their own. ``head`` is the index of the
    head token, and ``gender`` what the form itself shows.
    """

    start: int
    end: int
    head: int
    kind: Kind
    gender: Gender
    plural: bool


@dataclass(frozen=True, slots=True)
class DetectedMention:
    """A mention with the features that resolution needs.

    ``words`` are those of a name or the lemma of a noun, in lower case; ``sure`` is false for a
    name that may not be a person's.
    """

    mention: Mention
    token: Token
    words: tuple[str, ...]
    sure: bool
    article: Article = "definite"
    quoted: bool = False


def detected_mention(
    run: tuple[Token, ...], token: Token, kind: Kind, gender: Gender, *, sure: bool = True
) -> DetectedMention:
    """The mention that a run of words with the head ``token`` makes."""
    mention = Mention(run[0].start, run[-1].end, token.index, kind, gender, _is_plural(token))
    return DetectedMention(mention, token, tuple(t.text.lower() for t in run), sure)


def _is_plural(token: Token) -> bool:
    form = token.text.lower()
    if form in PRONOUNS:
        return PRONOUNS[form] == "unknown" and form != "themself"
    return token.morph.get("Number") == "Plur" and token.upos != "PRON"


def is_reflexive(token: Token) -> bool:
    """Whether it is "himself", "herself" or "themselves"."""
    return token.text.lower().endswith(("self", "selves"))


def is_possessive(token: Token) -> bool:
    """Whether a pronoun is possessive: "her keys", "lost hers", not "saw her"."""
    owns = token.deprel == "nmod:poss" or token.xpos == "PRP$"
    return owns or token.text.lower() in word_group("grammar", "possessive_pronouns")
