"""Removing a negation, with the verb form that fits without it: "didn't work" → "worked"."""

from __future__ import annotations

from functools import partial

from augkit.core.analysis import Analysis, Token
from augkit.language.morphology import inflect
from augkit.language.negation import negation_words
from augkit.lexicons.load import word_group
from augkit.text.articles import Replacement
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
_words = partial(word_group, "polarity_contexts")
_TAILS = tuple(tuple(phrase.split("_")) for phrase in sorted(_words("negation_tails")))


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
        changes = [_replaced(analysis, negator, match_case(_AFFIRMATIVE[form], negator.text))]
    elif form == "no":
        changes = _replace_no(analysis, negator)
    else:
        return None
    return None if changes is None else changes + _tails(analysis, word)


def _depends_on_negation(analysis: Analysis, negator: Token, word: Token) -> bool:
    following = analysis.tokens[negator.index + 1 : word.index + 8]
    between = analysis.tokens[negator.index + 1 : word.index]
    if any(t.text.lower() == "one" for t in between):
        return True  # "not one good scene"
    return any(
        t.text.lower() in _words("negative_polarity")
        for t in following
        if t.sentence == word.sentence
    )


def _remove_not(analysis: Analysis, negator: Token) -> list[Replacement] | None:
    before = analysis.tokens[negator.index - 1] if negator.index else None
    start = negator.start
    changes = []
    if before is not None and before.text.lower() in _words("do_forms"):
        return _remove_do(analysis, before, negator)
    if before is not None and before.text.lower() in _AUXILIARIES and before.end == negator.start:
        changes.append(
            Replacement(
                before.start, before.end, match_case(_AUXILIARIES[before.text.lower()], before.text)
            )
        )
    end = negator.end
    following = analysis.tokens[negator.index + 1 : negator.index + 3]
    if (
        following
        and following[0].text.lower() in _words("not_degrees")
        and following[0].text.lower() != "even"
    ):
        last = (
            following[1]
            if len(following) == 2
            and following[1].text.lower() in {"that", "so"}
            and following[0].text.lower() == "all"
            else following[0]
        )
        return [
            *changes,
            Replacement(*_with_space(analysis, start, negator.end, before)),
            Replacement(following[0].start, last.end, "very"),
        ]
    if following and following[0].text.lower() in {"even", "really"}:
        end = following[0].end
    return [*changes, Replacement(*_with_space(analysis, start, end, before))]


def _with_space(
    analysis: Analysis, start: int, end: int, before: Token | None
) -> tuple[int, int, str]:
    """The span with the space before it, or, at a sentence's start, after it."""
    text = analysis.text
    if start and text[start - 1] == " ":
        return start - 1, end, ""
    if before is not None and before.end == start:
        return start, end, ""
    if end < len(text) and text[end] == " ":
        return start, end + 1, ""
    return start, end, ""


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
    start = auxiliary.start
    follows = analysis.tokens[negator.index + 1]
    if follows.index != verb.index and follows.text.lower() in {
        "even",
        "really",
        "particularly",
        "exactly",
    }:
        follows = verb
    cut = Replacement(start, follows.start, "")
    written = match_case(form, auxiliary.text) if follows.index == verb.index else form
    return [cut, Replacement(verb.start, verb.end, written)]


def _replace_no(analysis: Analysis, negator: Token) -> list[Replacement] | None:
    head = analysis.head(negator)
    if head.index < negator.index or head.upos not in {"NOUN", "PROPN"}:
        return None
    if analysis.tokens[negator.index + 1].text.lower() in {"such", "other", "more", "less"}:
        return None
    written = "real"
    if head.morph.get("Number") == "Plur":
        written = "many"
    elif analysis.children(head, "amod"):
        written = "some"
    return [Replacement(negator.start, negator.end, match_case(written, negator.text))]


def _replaced(analysis: Analysis, negator: Token, after: str) -> Replacement:
    if after:
        return Replacement(negator.start, negator.end, after)
    before = analysis.tokens[negator.index - 1] if negator.index else None
    return Replacement(*_with_space(analysis, negator.start, negator.end, before))


def _tails(analysis: Analysis, word: Token) -> list[Replacement]:
    """A phrase that only goes with a negation is removed with it: "at all"."""
    for index in range(word.index + 1, min(word.index + 7, len(analysis.tokens))):
        for tail in _TAILS:
            run = analysis.tokens[index : index + len(tail)]
            if tuple(t.text.lower() for t in run) == tail and run[-1].sentence == word.sentence:
                return [Replacement(*_with_space(analysis, run[0].start, run[-1].end, None))]
    return []
