"""Perturb a text that names the word to change.

A user's request ("make *her* in this text a man") is checked and made a task.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from augkit.augmenters.base import keyed_random
from augkit.augmenters.panda.perturbers.protocol import PerturbTask
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.augmenters.panda.references import references
from augkit.augmenters.panda.rules.document import JoinedText
from augkit.core.errors import UserError, nearest
from augkit.core.types import Example, Variant, refused
from augkit.english.parser import SpacyParser
from augkit.lexicons.demographics.axes import check_target, read_axis
from augkit.text.printable import printable
from augkit.text.tokens import word_spans

SEGMENTS = " <SEP> "
"""Stands between the segments of a text: premise and hypothesis, question and answer."""


@dataclass(frozen=True, slots=True)
class PerturbRequest:
    """What to change in a text; without ``word`` the first reference to the axis is taken."""

    text: str
    axis: str
    target: str
    word: str | None = None
    start: int | None = None


def to_task(request: PerturbRequest, rng: Random) -> PerturbTask | Variant:
    """The task of a request; whatever is wrong with the request is a ``UserError``.

    A text without a reference to the axis is no mistake: it is rejected.
    """
    axis = read_axis(request.axis)
    check_target(axis, request.target)
    if not request.text.strip():
        raise UserError("the text is empty: give one with at least a word")
    joined = segments(request.text)
    example = Example(joined.fields)
    if request.word is None and request.start is None:
        stated = references(joined.fields, [request.axis])
        if not stated:
            detail = f"no word of the text states a person's {axis.axis}"
            return refused(example, "no reference", detail)
        first = next((r for r in stated if r.attribute != request.target), stated[0])
        return PerturbTask(example, *first.span, request.axis, request.target, rng)
    word, start = _word_and_start(request)
    span = joined.in_field(start, start + len(word))
    if span is None:
        raise UserError(f"the word at offset {start} is not within one segment")
    return PerturbTask(example, *span, request.axis, request.target, rng, pointed=True)


def segments(text: str) -> JoinedText:
    """A text with its segments as fields, named by their numbers."""
    return JoinedText({str(n): part for n, part in enumerate(text.split(SEGMENTS))}, SEGMENTS)


def join_segments(fields: Mapping[str, str]) -> str:
    """The segments as one text again."""
    return SEGMENTS.join(fields.values())


def _word_and_start(request: PerturbRequest) -> tuple[str, int]:
    """The chosen word and its place: the first whole one where no offset is given."""
    text = request.text
    start = request.start
    spans = list(word_spans(text))
    if start is not None and not 0 <= start < len(text):
        raise UserError(f"offset {start} is outside the text, which has {len(text)} characters")
    word = request.word
    if word is None:
        word = next((text[a:b] for a, b in spans if a == start), "")
    if not word.strip():
        raise UserError(f"no word begins at offset {start}" if start else "the word is empty")
    if start is not None and text.startswith(word, start):
        return word, start  # part of a longer word, "man" in "manhole", is rejected later
    whole = rf"(?<!\w(?=\w)){re.escape(word)}(?!(?<=\w)\w)"
    starts = [match.start() for match in re.finditer(whole, text)]
    if not starts:
        similar = nearest(word, {text[a:b] for a, b in spans})
        hint = f" Did you mean '{printable(similar)}'?" if similar else ""
        raise UserError(f"the word '{printable(word)}' is not in the text.{hint}")
    if start is not None:
        raise UserError(f"'{printable(word)}' is not at offset {start}; it is at {starts[0]}")
    return word, starts[0]


def perturb_one(request: PerturbRequest, seed: int = 0) -> dict[str, Any]:
    """``{output, edits, rejected}`` of one request; offsets of edits are characters of the text."""
    task = to_task(request, keyed_random(seed, request.text, "perturb", 0))
    if isinstance(task, Variant):
        return _row(request.text, task)
    result = RulePerturber(SpacyParser(), full_names=True).perturb([task])[0]
    return _row(request.text, result)


def _row(text: str, result: Variant) -> dict[str, Any]:
    if result.reason:
        why = f"{result.reason}: {result.detail}" if result.detail else result.reason
        return {"output": text, "edits": [], "rejected": why}
    edits = []
    for edit in result.edits or ():
        start = segments(text).starts[edit.field] + edit.start  # in the whole text
        span = {"start": start, "end": start + len(edit.before)}
        edits.append({**span, "before": edit.before, "after": edit.after})
    return {"output": join_segments(result.fields), "edits": edits, "rejected": None}
