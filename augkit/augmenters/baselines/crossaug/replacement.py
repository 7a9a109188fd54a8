"""Negative claims by a language model: it replaces one name, number or word of a claim.

Which one is decided here, so that the answer is short and everything else stays: first what the
evidence has too, because then the answer can be checked and the evidence changed to match.
"""

from __future__ import annotations

import re

from pydantic import BaseModel, Field

from augkit.augmenters.llm_requests import SamplingParams, prompt_request
from augkit.core.analysis import Analysis, Token
from augkit.core.model_types import Request
from augkit.core.protocols import Parser
from augkit.core.types import Edit, Example
from augkit.english.inference.claim_parts import Replaceable, find_words, has_words
from augkit.text.articles import fit_articles
from augkit.text.casing import match_case

_NOT = re.compile(r"\b(?:not|no|never)\b|n't\b", re.IGNORECASE)
_MORE_WORDS = 2
"""Words that a replacement may have more than what it replaces."""


class ReplacementAnswer(BaseModel):
    """The answer: the kind of thing, what the evidence says it is, then another one."""

    kind: str = Field(max_length=60)
    true: str = Field(max_length=100)
    false: str = Field(max_length=100)


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
    found = find_words(claim, true.strip()) if true.strip() else None
    return span if found is None or not found.start() else Replaceable(span.rank, *found.span())


def problem_of(parent: Example, span: Replaceable, new: str) -> str:
    """Why a replacement does not make the claim false; "" where nothing speaks against it."""
    evidence, claim = (text.casefold() for text in parent.fields.values())
    old, given = claim[span.start : span.end], new.casefold()
    if not given or has_words(given, old):
        return "the same"
    if has_words(evidence, given) or has_words(claim, given):
        return "the evidence or the claim has it"
    if any(map(str.isdigit, old)) and not any(map(str.isdigit, given)):
        return "no number"
    if _NOT.search(given):
        return "a negation"
    return "too long" if len(given.split()) > len(old.split()) + _MORE_WORDS else ""


def kind_problem(parent: Example, span: Replaceable, new: str, parser: Parser) -> str:
    """Why the replacement is not of the same kind: another class of words, or another number."""
    claim = list(parent.fields.values())[-1]
    changed = f"{claim[: span.start]}{new}{claim[span.end :]}"
    before, after = parser.parse([claim, changed])
    old_head = _last_word(before, span.start, span.end)
    new_head = _last_word(after, span.start, span.start + len(new))
    if old_head is None or new_head is None:
        return "no whole word"
    if claim[span.start].isupper() != new[0].isupper():
        return "a name for a word, or a word for a name"
    if _class(old_head) != _class(new_head):
        return f"{new_head.upos} for {old_head.upos}"
    numbers = {one.morph.get("Number") for one in (old_head, new_head) if one.upos == "NOUN"}
    return "another number" if len(numbers) > 1 else ""


def _last_word(analysis: Analysis, start: int, end: int) -> Token | None:
    inside = [token for token in analysis.tokens if start <= token.start and token.end <= end]
    return inside[-1] if inside else None


def _class(token: Token) -> str:
    if any(map(str.isdigit, token.text)):
        return "number"
    return "noun" if token.upos in {"NOUN", "PROPN"} else token.upos


def replacement_edits(parent: Example, span: Replaceable, new: str) -> tuple[Edit, ...]:
    """The edits of the claim, with a or an before the replacement fitted."""
    name = list(parent.fields)[-1]
    claim = parent.fields[name]
    cased = match_case(new, claim[span.start : span.end])
    return tuple(
        Edit(name, start, end, claim[start:end], after)
        for start, end, after in fit_articles(claim, [(span.start, span.end, cased)])
    )
