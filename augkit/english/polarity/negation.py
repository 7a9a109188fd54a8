"""Removing a negation, with the verb form that fits without it: "didn't work" → "worked"."""

from __future__ import annotations

from augkit.core.analysis import Analysis, Token
from augkit.core.edits import Replacement
from augkit.english.morphology import inflect
from augkit.english.negation import negation_words
from augkit.english.polarity.contexts import context_words, word_at
from augkit.text.casing import match_case

_AUXILIARIES = {"ca": "can", "wo": "will", "sha": "shall"}
"""An auxiliary before n't, and without it."""
_AFFIRMATIVE = {
    "never": "always",
    "hardly": "",
    "barely": "",
    "scarcely": "",
    "without": "with",
    "cannot": "can",
    "nothing": "something",
}
_GOING_WITH_NOT = frozenset({"even", "really", "particularly", "exactly"})
_TAILS = tuple(tuple(phrase.split("_")) for phrase in sorted(context_words("negation_tails")))


def remove_negation(analysis: Analysis, negator: Token, word: Token) -> list[Replacement] | None:
    """The replacements that remove ``negator`` from before ``word``; None where none is right."""
    if _depends_on_negation(analysis, negator, word):
        return None
    form = negator.text.lower().replace("\u2019", "'")
    if negator.text[:1].isupper() and form == "never":
        return None  # "Never have I been": the order of words goes with it
    if form in negation_words("particle", "contraction", "informal"):
        changes = _remove_not(analysis, negator)
    elif form in _AFFIRMATIVE:
        after = match_case(_AFFIRMATIVE[form], negator.text)
        whole = Replacement(negator.start, negator.end, after)
        changes = [whole if after else _removed(analysis, negator.start, negator.end)]
    elif form == "no":
        changes = _replace_no(analysis, negator)
    else:
        return None
    return None if changes is None else changes + _tails(analysis, word)


def _depends_on_negation(analysis: Analysis, negator: Token, word: Token) -> bool:
    following = analysis.tokens[negator.index + 1 : word.index + 8]
    if any(t.text.lower() == "one" for t in following if t.index < word.index):
        return True  # "not one good scene"
    own = {t.text.lower() for t in following if t.sentence == word.sentence}
    return not own.isdisjoint(context_words("negative_polarity"))


def _remove_not(analysis: Analysis, negator: Token) -> list[Replacement] | None:
    before = word_at(analysis, negator.index - 1)
    if before in context_words("do_forms"):
        return _remove_do(analysis, analysis.tokens[negator.index - 1], negator)
    changes = []
    if before in _AUXILIARIES and analysis.token_at(negator.start - 1) is not None:
        auxiliary = analysis.tokens[negator.index - 1]
        full = match_case(_AUXILIARIES[before], auxiliary.text)
        changes.append(Replacement(auxiliary.start, auxiliary.end, full))
    following = word_at(analysis, negator.index + 1)
    if following in context_words("not_degrees") and following != "even":
        is_double = following == "all" and word_at(analysis, negator.index + 2) in {"that", "so"}
        first, last = negator.index + 1, negator.index + 1 + is_double
        very = Replacement(analysis.tokens[first].start, analysis.tokens[last].end, "very")
        return [*changes, _removed(analysis, negator.start, negator.end), very]
    ends = negator.index + (following in {"even", "really"})
    return [*changes, _removed(analysis, negator.start, analysis.tokens[ends].end)]


def _removed(analysis: Analysis, start: int, end: int) -> Replacement:
    """A span goes with the space before it, or, at a sentence's start, after it."""
    text = analysis.text
    if start and text[start - 1] == " ":
        return Replacement(start - 1, end, "")
    is_joined = start > 0 and analysis.token_at(start - 1) is not None
    return Replacement(start, end + (text[end : end + 1] == " " and not is_joined), "")


def _remove_do(analysis: Analysis, auxiliary: Token, negator: Token) -> list[Replacement] | None:
    """The verb takes over tense and person: "did not work" → "worked"."""
    verb = analysis.head(negator)
    between = [t for t in analysis.tokens[negator.index + 1 : verb.index] if t.upos != "ADV"]
    if verb.xpos != "VB" or verb.index < negator.index or between:
        return None
    tag = {"did": "VBD", "does": "VBZ"}.get(auxiliary.text.lower(), "VBP")
    form = inflect(verb.lemma.lower(), tag)
    if form is None:
        return None
    follows = analysis.tokens[negator.index + 1]
    if follows.text.lower() in _GOING_WITH_NOT:
        follows = verb
    cut = Replacement(auxiliary.start, follows.start, "")
    written = match_case(form, auxiliary.text) if follows == verb else form
    return [cut, Replacement(verb.start, verb.end, written)]


def _replace_no(analysis: Analysis, negator: Token) -> list[Replacement] | None:
    head = analysis.head(negator)
    if head.index < negator.index or head.upos not in {"NOUN", "PROPN"}:
        return None
    if word_at(analysis, negator.index + 1) in {"such", "other", "more", "less"}:
        return None
    written = "some" if analysis.children(head, "amod") else "real"
    if head.morph.get("Number") == "Plur":
        written = "many"
    return [Replacement(negator.start, negator.end, match_case(written, negator.text))]


def _tails(analysis: Analysis, word: Token) -> list[Replacement]:
    """A phrase that only goes with a negation is removed with it: "at all"."""
    for index in range(word.index + 1, min(word.index + 7, len(analysis.tokens))):
        for tail in _TAILS:
            run = analysis.tokens[index : index + len(tail)]
            if tuple(t.text.lower() for t in run) == tail and run[-1].sentence == word.sentence:
                return [_removed(analysis, run[0].start, run[-1].end)]
    return []
