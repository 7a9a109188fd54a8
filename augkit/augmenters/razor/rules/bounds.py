"""True statements said with a bound: they deny or limit something, and follow from the plain one.

What happened once, in 1994, "did not happen until 1994" and happened "only in 1994" and "no later
than 1994"; who won three awards won "no fewer than three". So the words that give a false text away
enter true ones, and nothing need be known beside the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from augkit.augmenters.razor.rules.alternatives import kinds
from augkit.augmenters.razor.rules.contrasts import ONCE, Candidate
from augkit.augmenters.razor.rules.denials import NEGATORS, denied
from augkit.core.analysis import Analysis, Token
from augkit.language.negation import negation_words

_DENYING = NEGATORS | negation_words("adverb", "determiner", "only")
_COUNTED = frozenset("two three four five six seven eight nine ten eleven twelve".split())
_OF_LIFE = frozenset({"bear", "die", "kill", "marry", "happen", "occur"})
"""What nobody says to have happened "only" then."""
_MEASURES = frozenset(
    "years months weeks days hours minutes seconds miles feet metres meters kilometres kilometers "
    "inches pounds dollars percent degrees times".split()
)


def bounded(analysis: Analysis) -> Iterator[Candidate]:
    """Weaker statements that follow from a text, for texts that are true."""
    if any(token.text.lower() in _DENYING for token in analysis.tokens):
        return
    yield from _dated(analysis)
    yield from _counted(analysis)


def _dated(analysis: Analysis) -> Iterator[Candidate]:
    roots = [token for token in analysis.tokens if token.is_root]
    if len(roots) != 1 or not _happened_once(analysis, roots[0]):
        return
    behind, front = _date_at_end().search(analysis.text), _date_in_front().match(analysis.text)
    if behind is not None and roots[0].end < behind.start():
        yield from _dated_behind(analysis, roots[0], behind)
    elif front is not None:
        yield from _clefts(front["date"], analysis.text[front.end() :])


def _dated_behind(analysis: Analysis, root: Token, found: re.Match[str]) -> Iterator[Candidate]:
    date, stop = found["date"], found["stop"]
    head = analysis.text[: found.start()]
    if root.lemma.lower() not in _OF_LIFE:
        yield Candidate(f"{head}only {found['link']} {date}{stop}", "not earlier")
    for bound in ("no later than", "no earlier than"):
        yield Candidate(f"{head}{bound} {date}{stop}", "a bound")
    ending = f"{found['link']} {date}{stop}"
    for contracted in (False, True):
        text = denied(analysis, contracted=contracted)
        if text and text.endswith(ending):
            start = text[: -len(ending)]
            yield Candidate(f"{start}until {date}{stop}", "not earlier")
            yield Candidate(f"{start}before {date}{stop}", "not earlier")
    yield from _clefts(date, head.rstrip() + stop)


def _clefts(date: str, rest: str) -> Iterator[Candidate]:
    """As "It was not until 1994 that the film was released."."""
    first, _, more = rest.partition(" ")
    said = f"{first.lower()} {more}" if first in _STARTS and more[:1].islower() else rest
    for start in ("It was not until", "It wasn't until"):
        yield Candidate(f"{start} {date} that {said}", "not earlier")


def _happened_once(analysis: Analysis, root: Token) -> bool:
    """Whether the main verb tells of something that happens once."""
    past = root.xpos in {"VBD", "VBN"} and root.upos == "VERB"
    out = any(word.text == "out" for word in analysis.children(root, "compound:prt", "advmod"))
    once = root.lemma.lower() in ONCE or (root.lemma.lower() == "come" and out)
    whole = not analysis.children(root, "conj", "parataxis", "advcl")
    # "released an album in 1997": another may have come before.
    any_of_many = any(
        word.text.lower() in {"a", "an"}
        for thing in analysis.children(root, "obj")
        for word in analysis.children(thing, "det")
    )
    return past and once and whole and not any_of_many


def _counted(analysis: Analysis) -> Iterator[Candidate]:
    """As "won three awards" as "won no fewer than three awards"."""
    for token in analysis.tokens[1:]:
        before, noun = analysis.tokens[token.index - 1], analysis.head(token)
        number = token.text.lower() in _COUNTED or re.fullmatch(r"[1-9]\d{1,2}", token.text)
        after_verb = before.upos in {"VERB", "AUX"} and before.text.lower() not in _BE
        after_verb = after_verb or (before.text in {"in", "for", "with"} and before.upos == "ADP")
        several = noun.xpos in {"NNS", "NNPS"} and noun.text.lower() not in _MEASURES
        if number and token.is_relation("nummod") and after_verb and several:
            text = analysis.text
            said = f"{text[: token.start]}no fewer than {text[token.start :]}"
            yield Candidate(said, "a bound")


_STARTS = frozenset("The A An His Her Its Their".split())
_BE = frozenset({"is", "are", "was", "were", "be", "been"})


@cache
def _date() -> str:
    month = "|".join((*kinds()["months"].drawn, "May"))
    return (
        rf"(?P<date>(?:(?:{month})(?: \d{{1,2}}(?:st|nd|rd|th)?)?,? (?:of )?)?(?:1\d\d\d|20[0-4]\d)"
        r"|the (?:early |late |mid-)?1\d\d0'?s|the \d\dth century)"
    )


@cache
def _date_at_end() -> re.Pattern[str]:
    return re.compile(rf"\b(?P<link>in|on) {_date()}(?P<stop>\.?)$")


@cache
def _date_in_front() -> re.Pattern[str]:
    return re.compile(rf"(?:In|On) {_date()}(?:, | (?=[A-Z]))")
