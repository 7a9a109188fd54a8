"""Leave out a short sentence of a longer text, if no other goes on from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from augkit.core.analysis import Analysis, Token
from augkit.core.edits import Replacement
from augkit.english.rewriting.candidates import removal
from augkit.english.rewriting.leave_out import QUOTES, Range, judges_nothing
from augkit.lexicons.load import closed_classes

_LONGEST = 14
"""Words of the longest sentence that is left out."""
_NEAR = 7
"""Tokens at the start of a sentence in which a pronoun refers to the one before."""
_LINKS = frozenset({"determiner-one", "determiner-more", "neuter", "object", "possessive"})
"""Classes of words that may refer to the sentence before."""


def sentence(analysis: Analysis, target: Range) -> Iterator[Replacement]:
    """A short sentence of a longer text that judges nothing.

    A sentence all of whose words are the target is a formula that many texts share: it may go
    whatever follows, since they do not go on from it.
    """
    own = _without_odd_quote(analysis.sentences[analysis.tokens[target[0]].sentence])
    found = (own[0].index, own[-1].index + 1)
    words = [token.index for token in own if token.upos != "PUNCT"]
    others = sum(token.upos != "PUNCT" for token in analysis.tokens) - len(words)
    if target[1] > found[1] or len(words) > _LONGEST or not judges_nothing(own, target):
        return
    formula = set(words) <= set(range(*target)) and others > 0
    stands_alone = others >= max(len(words), 3) and not _is_linked(analysis, own[0].sentence)
    if formula or stands_alone:
        before = analysis.tokens[found[0] - 1].end if found[0] else 0
        if found[0] and analysis.text[before : own[0].start].isspace():
            yield Replacement(before, own[-1].end)
        elif found[1] < len(analysis.tokens):  # a new paragraph begins here
            yield removal(analysis, *found)


def _without_odd_quote(own: Sequence[Token]) -> Sequence[Token]:
    """The tokens of a sentence without a quotation mark of the sentence before or after."""
    if sum(token.text in QUOTES for token in own) % 2 and len(own) > 1:
        if own[-1].text in QUOTES:
            return own[:-1]
        if own[0].text in QUOTES:
            return own[1:]
    return own


def _is_linked(analysis: Analysis, number: int) -> bool:
    """Whether a sentence is part of an enumeration, asks, or the next one goes on from it."""
    own = analysis.sentences[number]
    near = analysis.sentences[max(number - 1, 0) : number + 2]
    kinds = [closed_classes().get(some[0].text.lower(), "") for some in near]
    if "order" in kinds or any(some[0].text[:1].isdecimal() for some in near):
        return True
    if own[-1].text == "?":
        return True
    after = analysis.sentences[number + 1 : number + 2]
    return any(_refers(some, own) for some in after)


def _refers(sentence: Sequence[Token], before: Sequence[Token]) -> bool:
    """Whether a sentence takes up the one before: by a pronoun near its start or a noun of it."""
    words = {closed_classes().get(one.text.lower(), "") for one in sentence[:_NEAR]}
    nouns = {one.lemma.lower() for one in before if one.upos in {"NOUN", "PROPN"}}
    shared = any(one.lemma.lower() in nouns for one in sentence)
    return shared or not _LINKS.isdisjoint(words) or sentence[0].upos == "CCONJ"
