"""What a language model writes in one call: the changes first, then the text with them."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Annotated

from pydantic import BaseModel, Field

from augkit.prompts.answers import WordChange
from augkit.text.tokens import words as words_of

_MAX_CHANGES = 4
CANDIDATES = 3
"""Texts that are asked for: the prompt is paid once, and free checks choose among them."""


class CandidatesAnswer(BaseModel):
    """What changes in a single text, and the changed text in several ways."""

    changes: Annotated[
        list[WordChange], Field(min_length=1, json_schema_extra={"maxItems": _MAX_CHANGES})
    ]
    texts: Annotated[
        list[str],
        Field(min_length=1, json_schema_extra={"minItems": CANDIDATES, "maxItems": CANDIDATES}),
    ]


class PairAnswer(BaseModel):
    """The changed second text of a pair."""

    text: str


class SceneAnswer(BaseModel):
    """The same, after what the first text says about the matter and what changes."""

    fact: str
    old: str
    new: str
    text: str


JointAnswer = CandidatesAnswer | PairAnswer | SceneAnswer


def changes_of(answer: JointAnswer, source: str, text: str) -> list[WordChange]:
    """What the chosen text changes in its source.

    These are the changes that the answer names and the text has; else the differences of both.
    """
    named: list[WordChange] = []
    if isinstance(answer, CandidatesAnswer):
        named = answer.changes
    elif isinstance(answer, SceneAnswer):
        named = [WordChange(old=answer.old, new=answer.new)]
    made = [one for one in named if _is_made(one, text)]
    return made or [WordChange(old=old, new=new) for old, new in _differences(source, text)]


def _is_made(change: WordChange, text: str) -> bool:
    """Whether the text has the new words; where there are none, whether the old ones are gone."""
    old, new, found = _folded(change.old), _folded(change.new), f" {_folded(text)} "
    return old != new and (f" {new} " in found if new else f" {old} " not in found)


def _folded(text: str) -> str:
    return " ".join(words_of(text)).casefold()


def _differences(before: str, after: str) -> list[tuple[str, str]]:
    old, new = words_of(before), words_of(after)
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [
        (" ".join(old[a:b]), " ".join(new[c:d])) for tag, a, b, c, d in blocks if tag != "equal"
    ]


def texts_of(answer: JointAnswer) -> list[str]:
    """The texts that an answer offers."""
    texts = answer.texts if isinstance(answer, CandidatesAnswer) else [answer.text]
    return [text.strip() for text in texts]
