"""Verbs coordinated with a subject's own, found by their place where the parse lost them.

In "She works at the mill, *was* trained there and *hopes* to stay" each verb stands right after a
comma or a conjunction, adverbs aside, has no subject of its own, and is a form of the third person
that no other subject around it can have. Many such forms may be nouns as well ("cleans *offices*
and *smiles*"): what follows tells, then whether the rest of the list is one of verbs, and where
nothing else does, what the word mostly is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from augkit.augmenters.panda.grammar.verb_position import (
    AUXILIARIES,
    LINKS,
    has_subject_beside,
    may_be_third_person,
)
from augkit.core.analysis import Analysis, Token
from augkit.language.morphology import agree, parts_of_speech
from augkit.lexicons.demographics.cues import VERBS
from augkit.lexicons.load import word_set

_PAIRED = {"neither": {"nor"}, "either": {"or"}, "both": {"and"}, "only": {"but"}}
_NOT_ADVERBS = (LINKS | VERBS.not_before_verbs) - {"then"}
_FARTHEST = 25


def coordinated(analysis: Analysis, subject: Token, verbs: Sequence[Token]) -> Iterator[Token]:
    """Further third-person verbs of a subject, whose first ``verbs`` are known."""
    mine = {verb.index for verb in verbs}
    first = max(subject.index, min(mine))
    found = list(_candidates(analysis, subject, first))
    are_verbs = _which_are_verbs(analysis, found, mine)
    for token in (t for t in found if t.index not in mine):
        is_verb = are_verbs[token.index]
        if is_verb is None:
            is_verb = _mostly(analysis, token, mine)
        if is_verb and _is_free(analysis, token, (first, subject.index)):
            mine.add(token.index)
            yield token


def _which_are_verbs(
    analysis: Analysis, found: Sequence[Token], mine: set[int]
) -> dict[int, bool | None]:
    """Which words are verbs, by themselves, or by a verb that ends the list they stand in."""
    are_verbs: dict[int, bool | None] = {}
    is_last_verb: bool | None = None
    for token in reversed(found):
        by_itself = True if token.index in mine else _is_verb(analysis, token)
        if by_itself is None and is_last_verb and analysis.tokens[token.index - 1].text == ",":
            by_itself = True
        are_verbs[token.index] = is_last_verb = by_itself
    return are_verbs


def _candidates(analysis: Analysis, subject: Token, first: int) -> Iterator[Token]:
    """The words of the sentence that a comma or conjunction links, and that may be verbs."""
    for token in analysis.tokens[first + 1 :]:
        if token.sentence != subject.sentence:
            return
        if not may_be_third_person(token.text.lower()) or token.upos in {
            "ADP",
            "DET",
            "PRON",
            "SCONJ",
        }:
            continue
        clause = analysis.head(token) if token.is_relation("aux", "cop") else token
        if _is_linked(analysis, token, first) and not has_subject_beside(analysis, clause):
            yield token


def _is_linked(analysis: Analysis, token: Token, first: int) -> bool:
    """Whether a comma or conjunction stands before a word and its adverbs."""
    index = _before_adverbs(analysis, token, first)
    clause = [t.text.lower() for t in analysis.tokens[max(0, index - 1) : index + 1]]
    if len(clause) == 2 and clause[0] in VERBS.speakers and clause[1] in VERBS.opinions:
        index -= 2  # "and, I suppose, still is"
    return index >= first and analysis.tokens[index].text.lower() in LINKS


def _before_adverbs(analysis: Analysis, token: Token, first: int) -> int:
    index = token.index - 1
    while index > first and analysis.tokens[index].upos == "ADV":
        if analysis.tokens[index].text.lower() in LINKS:
            break
        index -= 1
    return index


def _is_verb(analysis: Analysis, token: Token) -> bool | None:
    """Whether a word is a verb, by itself and its neighbours; None where they do not tell."""
    form = token.text.lower()
    if form in AUXILIARIES:
        return token.upos in {"AUX", "VERB"}
    if parts_of_speech(form) == {"VERB"} or _is_paired(analysis, token):
        return True
    before = analysis.tokens[token.index - 1]
    if before.upos == "ADV" and before.text.lower() not in _NOT_ADVERBS:
        return True
    return _by_what_follows(analysis, token)


def _by_what_follows(analysis: Analysis, token: Token) -> bool | None:
    following = analysis.tokens[token.index + 1 : token.index + 2]
    if not following or following[0].sentence != token.sentence:
        return None
    after = following[0]
    lower = after.text.lower()
    if after.upos in VERBS.after_verbs and lower not in VERBS.not_before_verbs:
        return True
    if lower in VERBS.particles or _is_parallel(analysis, token, lower):
        return True
    if after.upos in {"NOUN", "PROPN", "NUM"}:
        return token.text.lower() not in VERBS.first_in_compounds
    if lower == "of" and token.xpos != "VBZ":
        return agree(token.text.lower(), plural=True) in VERBS.with_of
    return None


def _mostly(analysis: Analysis, token: Token, verbs: set[int]) -> bool:
    """Where nothing tells: a verb, unless a noun without an article stands before; then the usual.

    "But" and "yet" hardly link nouns.
    """
    link = analysis.tokens[token.index - 1].text.lower()
    if token.xpos == "VBZ" or link in {"but", "yet"}:
        return True
    index = token.index - 1
    while index > 0 and analysis.tokens[index].text.lower() in LINKS:
        index -= 1
    before = analysis.tokens[index]
    if before.index in verbs:
        return True
    bare = before.upos in {"NOUN", "PROPN"} and not analysis.children(before, "det", "nmod:poss")
    return not bare or agree(token.text.lower(), plural=True) in word_set("verbs_first")


def _is_paired(analysis: Analysis, token: Token) -> bool:
    """As in "neither smokes nor *drinks*": the first verb stands right after its particle."""
    link = analysis.tokens[token.index - 1].text.lower()
    if link == "also":
        link = analysis.tokens[token.index - 2].text.lower()
    for index in range(token.index - 2, max(-1, token.index - 15), -1):
        links = _PAIRED.get(analysis.tokens[index].text.lower(), set())
        if link in links:
            return may_be_third_person(analysis.tokens[index + 1].text.lower())
    return False


def _is_parallel(analysis: Analysis, token: Token, after: str) -> bool:
    """As in "writes *by* day and *paints by* night": the same preposition before and after."""
    before = analysis.tokens[max(0, token.index - 6) : token.index - 1]
    return any(t.upos == "ADP" and t.text.lower() == after for t in before)


def _is_free(analysis: Analysis, token: Token, span: tuple[int, int]) -> bool:
    """Whether no other subject that can take the form stands between the first verb and a word."""
    first, subject = span
    if _has_other_subject(analysis, first, token):
        return False
    step = token
    for _ in range(_FARTHEST):
        subjects = analysis.children(step, "nsubj", "csubj", "expl")
        if step.index == first or any(s.index == subject for s in subjects):
            return True
        if any(first < s.index < token.index and _is_rival(analysis, s) for s in subjects):
            return False
        if step.is_root:
            return True
        step = analysis.head(step)
    return False


def _has_other_subject(analysis: Analysis, first: int, token: Token) -> bool:
    """As in "he whistles, *the dog runs* and hides": a phrase and its verb stand between."""
    for noun in analysis.tokens[first + 2 : token.index - 1]:
        before, after = analysis.tokens[noun.index - 1], analysis.tokens[noun.index + 1]
        phrase = before.upos == "DET" or before.text.lower() in VERBS.owners
        if phrase and noun.upos == "NOUN" and may_be_third_person(after.text.lower()):
            return bool(noun.morph.get("Number") != "Plur")
    return False


def _is_rival(analysis: Analysis, subject: Token) -> bool:
    """Whether a subject can have a verb of the third person; no comma or "and" stands after one."""
    after = analysis.tokens[subject.index + 1 : subject.index + 2]
    if subject.text.lower() == "whose" or (after and after[0].text.lower() in LINKS):
        return False
    plural = subject.morph.get("Number") == "Plur" or subject.text.lower() in VERBS.not_third
    return not plural and subject.lemma.lower() not in VERBS.times
