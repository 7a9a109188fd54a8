"""Take a negation away, with the auxiliary that is right without it: "didn't work" → "worked"."""

from __future__ import annotations

from dataclasses import dataclass

from augkit.core.analysis import Analysis, Token
from augkit.language.morphology import inflect
from augkit.language.negation import negation_words
from augkit.text.casing import match_case

_WHOLE = {"ca": "can", "wo": "will", "sha": "shall"}
"""What is left of an auxiliary when n't is taken off, and the auxiliary."""
_PLAIN = {
    "never": "always",
    "hardly": "",
    "barely": "",
    "scarcely": "",
    "without": "with",
    "cannot": "can",
    "nothing": "something",
}
_DEGREES = frozenset(
    {
        "half",
        "that",
        "so",
        "too",
        "very",
        "really",
        "particularly",
        "all",
        "terribly",
        "exactly",
        "even",
        "especially",
        "overly",
    }
)
"""Words after "not" that go with it: "not that good" → "very good"."""
_AFTERWARDS = (
    ("at", "all"),
    ("whatsoever",),
    ("in", "the", "least"),
    ("one", "bit"),
    ("in", "any", "way"),
    ("by", "any", "means"),
    ("to", "speak", "of"),
)
_NEEDING = frozenset(
    "any anything anyone anybody either ever yet much anywhere nor neither slightest single".split()
)
"""Words that can hardly stand without a negation before them."""
_DO = frozenset({"do", "does", "did", "dont", "doesnt", "didnt"})


@dataclass(frozen=True, slots=True)
class Change:
    """Text to put in the place of ``text[start:end]``."""

    start: int
    end: int
    after: str


def without(analysis: Analysis, negator: Token, word: Token) -> list[Change] | None:
    """The changes that take ``negator`` from before ``word``; None where none is good English."""
    if _needs_negation(analysis, negator, word):
        return None
    small = negator.text.lower().replace("\u2019", "'")
    if negator.text[:1].isupper() and small == "never":
        return None  # "Never have I been": the order of words goes with it
    if small in negation_words("particle", "contraction", "informal"):
        changes = _without_not(analysis, negator)
    elif small in _PLAIN:
        changes = [_replaced(analysis, negator, match_case(_PLAIN[small], negator.text))]
    elif small == "no":
        changes = _without_no(analysis, negator)
    else:
        return None
    return None if changes is None else changes + _tails(analysis, word)


def _needs_negation(analysis: Analysis, negator: Token, word: Token) -> bool:
    following = analysis.tokens[negator.index + 1 : word.index + 8]
    between = analysis.tokens[negator.index + 1 : word.index]
    if any(t.text.lower() == "one" for t in between):
        return True  # "not one good scene"
    return any(t.text.lower() in _NEEDING for t in following if t.sentence == word.sentence)


def _without_not(analysis: Analysis, negator: Token) -> list[Change] | None:
    before = analysis.tokens[negator.index - 1] if negator.index else None
    start = negator.start
    changes = []
    if before is not None and before.text.lower() in _DO:
        return _without_do(analysis, before, negator)
    if before is not None and before.text.lower() in _WHOLE and before.end == negator.start:
        changes.append(
            Change(before.start, before.end, match_case(_WHOLE[before.text.lower()], before.text))
        )
    end = negator.end
    following = analysis.tokens[negator.index + 1 : negator.index + 3]
    if following and following[0].text.lower() in _DEGREES and following[0].text.lower() != "even":
        last = (
            following[1]
            if len(following) == 2
            and following[1].text.lower() in {"that", "so"}
            and following[0].text.lower() == "all"
            else following[0]
        )
        return [
            *changes,
            Change(*_with_space(analysis, start, negator.end, before)),
            Change(following[0].start, last.end, "very"),
        ]
    if following and following[0].text.lower() in {"even", "really"}:
        end = following[0].end
    return [*changes, Change(*_with_space(analysis, start, end, before))]


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


def _without_do(analysis: Analysis, auxiliary: Token, negator: Token) -> list[Change] | None:
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
    cut = Change(start, follows.start, "")
    written = match_case(form, auxiliary.text) if follows.index == verb.index else form
    return [cut, Change(verb.start, verb.end, written)]


def _without_no(analysis: Analysis, negator: Token) -> list[Change] | None:
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
    return [Change(negator.start, negator.end, match_case(written, negator.text))]


def _replaced(analysis: Analysis, negator: Token, after: str) -> Change:
    if after:
        return Change(negator.start, negator.end, after)
    before = analysis.tokens[negator.index - 1] if negator.index else None
    return Change(*_with_space(analysis, negator.start, negator.end, before))


def _tails(analysis: Analysis, word: Token) -> list[Change]:
    """What goes with the negation goes with it: "at all"."""
    for place in range(word.index + 1, min(word.index + 7, len(analysis.tokens))):
        for tail in _AFTERWARDS:
            run = analysis.tokens[place : place + len(tail)]
            if tuple(t.text.lower() for t in run) == tail and run[-1].sentence == word.sentence:
                return [Change(*_with_space(analysis, run[0].start, run[-1].end, None))]
    return []
