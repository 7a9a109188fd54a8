"""Verbs coordinated with a subject's own, found by their place where the parse lost them.

In "She works at the mill, *was* trained there and *hopes* to stay" each verb stands right after a
comma or a conjunction, adverbs aside, has no subject of its own, and is a form of the third person
that no other subject around it can have.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from augkit.augmenters.panda.dictionary import word_kinds
from augkit.augmenters.panda.places import HELPERS, LINKS, has_subject_beside, may_be_third
from augkit.language.analysis import Analysis, Token

_OPINIONS = frozenset(
    "suppose think guess believe hope hear imagine know fear gather expect reckon".split()
)
_SPEAKERS = frozenset({"i", "we", "you", "they", "people", "some"})
_PAIRED = {"neither": {"nor"}, "either": {"or"}, "both": {"and"}, "only": {"but"}}
_FIRST_IN_COMPOUNDS = frozenset(
    "sports arms sales savings goods customs women men clothes news series species".split()
)
_NOT_THIRD = frozenset({"i", "you", "we", "they", "these", "those"})
_TIMES = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday day night morning afternoon evening"
    " week weekend month year summer winter spring autumn time".split()
)
_FARTHEST = 25


def coordinated(analysis: Analysis, subject: Token, verbs: Sequence[Token]) -> Iterator[Token]:
    """Further third-person verbs of a subject, whose first ``verbs`` are known."""
    mine = {subject.index, *(verb.index for verb in verbs)}
    first = max(subject.index, min(verb.index for verb in verbs))
    for token in analysis.tokens[first + 1 :]:
        if token.sentence != subject.sentence:
            return
        if token.index in mine or not _is_linked(analysis, token, first):
            continue
        if has_subject_beside(analysis, _clause_of(analysis, token)):
            continue
        follows = token.deprel == "conj" and token.head in mine and token.xpos == "NNS"
        if (
            _is_third(analysis, token) or (follows and _is_bare_verb(analysis, token))
        ) and _is_free(analysis, token, mine):
            mine.add(token.index)
            yield token


def _is_linked(analysis: Analysis, token: Token, first: int) -> bool:
    """Whether a comma or conjunction stands before a word and its adverbs."""
    index = token.index - 1
    while index > first and analysis.tokens[index].upos == "ADV":
        if analysis.tokens[index].text.lower() in LINKS:
            return True
        index -= 1
    said = [t.text.lower() for t in analysis.tokens[max(0, index - 1) : index + 1]]
    if len(said) == 2 and said[0] in _SPEAKERS and said[1] in _OPINIONS:
        index -= 2  # "and, I suppose, still is"
    return index >= first and analysis.tokens[index].text.lower() in LINKS


def _is_third(analysis: Analysis, token: Token) -> bool:
    """Whether a word is a verb in the third person, or a verb taken for a noun or adjective."""
    form = token.text.lower()
    if form in HELPERS:
        return token.upos in {"AUX", "VERB"}
    if token.xpos == "VBZ":
        return True
    return may_be_third(form) and token.upos in {"NOUN", "ADJ", "PROPN"} and _acts(analysis, token)


def _is_bare_verb(analysis: Analysis, token: Token) -> bool:
    """As in "cheats and *steals*": coordinated with a verb, and with nothing of a noun."""
    nominal = analysis.children(token, "det", "amod", "nmod:poss", "nummod", "case")
    return not nominal and "VERB" in word_kinds(token.text.lower())


def _acts(analysis: Analysis, token: Token) -> bool:
    """As in "sings, *dances*", "*washes* up", "*buys* bread": no noun could stand so."""
    if _is_paired(analysis, token) or _is_parallel(analysis, token):
        return True
    if analysis.children(token, "det", "amod", "nmod:poss", "nummod", "case"):
        return False
    head = analysis.head(token)
    before = analysis.tokens[token.index - 1]
    if token.is_relation("obj") and before.text == "," and head.index == token.index - 2:
        return True
    following = analysis.tokens[token.index + 1 : token.index + 2]
    if any(t.upos in {"DET", "PRON"} for t in following):
        return True
    if any(t.upos == "NOUN" for t in following) and token.text.lower() not in _FIRST_IN_COMPOUNDS:
        return True  # "*trades* watches"
    if token.deprel in {"parataxis", "root", "advcl"} or head.xpos in {"VBZ", "VBD"}:
        return token.deprel not in {"obj", "nsubj", "obl"}
    return token.upos == "ADJ"


def _is_free(analysis: Analysis, token: Token, mine: set[int]) -> bool:
    """Whether no other subject that can take the form stands between a verb and ``mine``."""
    step = token
    for _ in range(_FARTHEST):
        said = analysis.children(step, "nsubj", "csubj", "expl")
        if any(s.index in mine for s in said) or step.index in mine:
            return True
        if any(_is_rival(s) for s in said):
            return False
        if step.is_root:
            return True
        step = analysis.head(step)
    return False


def _is_rival(subject: Token) -> bool:
    plural = subject.morph.get("Number") == "Plur" or subject.text.lower() in _NOT_THIRD
    return not plural and subject.lemma.lower() not in _TIMES


def _clause_of(analysis: Analysis, token: Token) -> Token:
    return analysis.head(token) if token.is_relation("aux", "cop") else token


def _is_paired(analysis: Analysis, token: Token) -> bool:
    """As in "neither smokes nor *drinks*": the first verb stands right after its particle."""
    link = analysis.tokens[token.index - 1].text.lower()
    if link == "also":
        link = analysis.tokens[token.index - 2].text.lower()
    for place in range(token.index - 2, max(-1, token.index - 15), -1):
        links = _PAIRED.get(analysis.tokens[place].text.lower(), set())
        if link in links:
            return may_be_third(analysis.tokens[place + 1].text.lower())
    return False


def _is_parallel(analysis: Analysis, token: Token) -> bool:
    """As in "writes *by* day and *paints by* night": the same preposition before and after."""
    after = analysis.tokens[token.index + 1 : token.index + 2]
    before = analysis.tokens[max(0, token.index - 6) : token.index - 1]
    same = [t for t in before if after and t.upos == "ADP" and t.text == after[0].text]
    return bool(same) and token.text.lower() not in _FIRST_IN_COMPOUNDS
