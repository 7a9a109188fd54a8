"""Bounds that follow from a true statement, with words of negation.

An event of 1994 "did not happen until 1994" and happened "only in 1994" and "no later than 1994"; a
winner of three awards won "no fewer than three". So the words that give a false text away enter
true texts, without knowledge beyond the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from augkit.augmenters.razor.rewrites import Rewrite
from augkit.augmenters.razor.rules.alternatives import categories
from augkit.augmenters.razor.rules.negation import NEGATORS, negate
from augkit.augmenters.razor.rules.paired_text import only_root
from augkit.augmenters.razor.rules.word_lists import phrase_list, word_set
from augkit.core.analysis import Analysis, Token
from augkit.language.negation import negation_words

_DENYING = NEGATORS | negation_words("adverb", "determiner", "only")


def bounded_statements(analysis: Analysis) -> Iterator[Rewrite]:
    """Weaker statements that follow from a true text."""
    if any(token.text.lower() in _DENYING for token in analysis.tokens):
        return
    yield from _dated(analysis)
    yield from _counted(analysis)


def _dated(analysis: Analysis) -> Iterator[Rewrite]:
    root = only_root(analysis)
    if root is None or not _happened_once(analysis, root):
        return
    behind, front = _date_at_end().search(analysis.text), _date_in_front().match(analysis.text)
    if behind is not None and root.end < behind.start():
        yield from _dated_behind(analysis, root, behind)
    elif front is not None:
        yield from _clefts(front["date"], analysis.text[front.end() :])


def _dated_behind(analysis: Analysis, root: Token, found: re.Match[str]) -> Iterator[Rewrite]:
    date, stop = found["date"], found["stop"]
    head = analysis.text[: found.start()]
    if root.lemma.lower() not in word_set("never_only_verbs"):
        yield Rewrite(f"{head}only {found['link']} {date}{stop}", "not earlier")
    for bound in ("no later than", "no earlier than"):
        yield Rewrite(f"{head}{bound} {date}{stop}", "bound")
    ending = f"{found['link']} {date}{stop}"
    for contracted in (False, True):
        text = negate(analysis, contracted=contracted)
        if text and text.endswith(ending):
            start = text[: -len(ending)]
            yield Rewrite(f"{start}until {date}{stop}", "not earlier")
            yield Rewrite(f"{start}before {date}{stop}", "not earlier")
    yield from _clefts(date, head.rstrip() + stop)


def _clefts(date: str, rest: str) -> Iterator[Rewrite]:
    """For example "It was not until 1994 that the film was released."."""
    first, _, more = rest.partition(" ")
    lower = first in word_set("articles_and_possessives") and more[:1].islower()
    clause = f"{first.lower()} {more}" if lower else rest
    for start in ("It was not until", "It wasn't until"):
        yield Rewrite(f"{start} {date} that {clause}", "not earlier")


def _happened_once(analysis: Analysis, root: Token) -> bool:
    """Whether the main verb is of an event that happens once."""
    past = root.xpos in {"VBD", "VBN"} and root.upos == "VERB"
    out = any(word.text == "out" for word in analysis.children(root, "compound:prt", "advmod"))
    once = root.lemma.lower() in word_set("once_verbs") or (root.lemma.lower() == "come" and out)
    whole = not analysis.children(root, "conj", "parataxis", "advcl")
    # "released an album in 1997": another may have come before.
    any_of_many = any(
        word.text.lower() in {"a", "an"}
        for thing in analysis.children(root, "obj")
        for word in analysis.children(thing, "det")
    )
    return past and once and whole and not any_of_many


def _counted(analysis: Analysis) -> Iterator[Rewrite]:
    """From "won three awards", "won no fewer than three awards"."""
    for token in analysis.tokens[1:]:
        before, noun = analysis.tokens[token.index - 1], analysis.head(token)
        digits = re.fullmatch(r"[1-9]\d{1,2}", token.text)
        number = digits or token.text.lower() in phrase_list("numbers")
        after_verb = before.upos in {"VERB", "AUX"} and before.text.lower() not in _BE
        after_verb = after_verb or (before.text in {"in", "for", "with"} and before.upos == "ADP")
        several = noun.xpos in {"NNS", "NNPS"} and noun.text.lower() not in word_set("measures")
        if number and token.is_relation("nummod") and after_verb and several:
            text = analysis.text
            yield Rewrite(f"{text[: token.start]}no fewer than {text[token.start :]}", "bound")


_BE = frozenset({"is", "are", "was", "were", "be", "been"})


@cache
def _date() -> str:
    month = "|".join((*categories()["months"].inserted, "May"))
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
