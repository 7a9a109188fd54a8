"""Negative claims by a language model: it replaces one name, number or word of a claim.

Which one is decided here, so that the answer is short and everything else stays: first what the
evidence has too, because then the answer can be checked and the evidence changed to match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from pydantic import BaseModel, Field

from augkit.augmenters.baselines.crossaug.rules import name_runs
from augkit.augmenters.llm_requests import SamplingParams, prompt_request
from augkit.core.analysis import Analysis
from augkit.core.model_types import Request
from augkit.core.types import Edit, Example
from augkit.text.articles import fit_articles
from augkit.text.casing import match_case

_CONTENT = frozenset({"NOUN", "VERB", "ADJ", "NUM"})
_NOT = re.compile(r"\b(?:not|no|never)\b|n't\b", re.IGNORECASE)
_MORE_WORDS = 2
"""Words that a replacement may have more than what it replaces."""


class ReplacementAnswer(BaseModel):
    """The answer: the kind of thing, what the evidence says it is, then another one."""

    kind: str = Field(max_length=60)
    true: str = Field(max_length=100)
    false: str = Field(max_length=100)


class Replaceable(NamedTuple):
    """A name, a number or a word of a claim; the lower ``rank``, the better it can be checked."""

    rank: int
    start: int
    end: int


def replaceable(claim: Analysis, evidence: str) -> list[Replaceable]:
    """The names, numbers and words of a claim that can be replaced, the best first.

    What the evidence has comes first; then numbers, names, adjectives and other words, each from
    the right: what a claim says of its subject comes late.
    """
    there = evidence.casefold()

    def priority(one: Replaceable) -> tuple[bool, int, int]:
        return not _has(there, claim.text[one.start : one.end]), one.rank, -one.start

    return sorted(_spans(claim), key=priority)


def _spans(claim: Analysis) -> Iterator[Replaceable]:
    named: set[int] = set()
    for run in name_runs(claim):
        named.update(token.index for token in run)
        if run[0].index > 1:
            yield Replaceable(1, run[0].start, run[-1].end)
    for token in claim.tokens:
        digits = any(map(str.isdigit, token.text))
        adjective = token.upos == "ADJ"  # "an American actor": one is exclusive, the other not
        part_of_title = token.text[0].isupper() and not adjective
        usable = token.index > 0 and token.index not in named and not part_of_title
        if usable and token.upos in _CONTENT:
            yield Replaceable(0 if digits else 2 if adjective else 3, token.start, token.end)


def replacement_request(
    parent: Example, span: Replaceable, config: SamplingParams, seed: int
) -> Request:
    """Ask what stands instead of the span, so that the evidence proves the claim wrong."""
    evidence, claim = parent.fields.values()
    marked = f"{claim[: span.start]}[{claim[span.start : span.end]}]{claim[span.end :]}"
    return prompt_request(
        "crossaug/negate", ReplacementAnswer, config, seed, evidence=evidence, claim=marked
    )


def replaced_span(claim: str, span: Replaceable, true: str) -> Replaceable:
    """What the model replaces: the words that it calls true, where the claim has them.

    >>> replaced_span("It is a psychological thriller.", Replaceable(2, 8, 21), "thriller")
    Replaceable(rank=2, start=22, end=30)
    """
    found = _found(claim, true.strip()) if true.strip() else None
    return span if found is None or not found.start() else Replaceable(span.rank, *found.span())


def problem_of(parent: Example, span: Replaceable, new: str) -> str:
    """Why a replacement does not make the claim false; "" where nothing speaks against it."""
    evidence, claim = (text.casefold() for text in parent.fields.values())
    old, given = claim[span.start : span.end], new.casefold()
    if not given or _has(given, old):
        return "the same"
    if _has(evidence, given) or _has(claim, given):
        return "the evidence or the claim has it"
    if any(map(str.isdigit, old)) and not any(map(str.isdigit, given)):
        return "no number"
    if _NOT.search(given):
        return "a negation"
    return "too long" if len(given.split()) > len(old.split()) + _MORE_WORDS else ""


def replacement_edits(parent: Example, span: Replaceable, new: str) -> tuple[Edit, ...]:
    """The edits of the claim, with a or an before the replacement fitted."""
    name = list(parent.fields)[-1]
    claim = parent.fields[name]
    cased = match_case(new, claim[span.start : span.end])
    return tuple(
        Edit(name, start, end, claim[start:end], after)
        for start, end, after in fit_articles(claim, [(span.start, span.end, cased)])
    )


def _has(text: str, words: str) -> bool:
    """Whether a text has these words as whole words."""
    return _found(text, words) is not None


def _found(text: str, words: str) -> re.Match[str] | None:
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text, re.IGNORECASE)
