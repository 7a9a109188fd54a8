"""What a language model writes in one call: the changes first, then the text with them."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from augkit.prompts.answers import WordChange

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
    """What changes in the second text of a pair, and the changed text."""

    old: str
    new: str
    text: str


class SceneAnswer(BaseModel):
    """The same, after what the first text says about the matter."""

    fact: str
    old: str
    new: str
    text: str


JointAnswer = CandidatesAnswer | PairAnswer | SceneAnswer


def changes_of(answer: JointAnswer) -> list[WordChange]:
    """What an answer changes."""
    if isinstance(answer, CandidatesAnswer):
        return answer.changes
    return [WordChange(old=answer.old, new=answer.new)]


def texts_of(answer: JointAnswer) -> list[str]:
    """The texts that an answer offers."""
    texts = answer.texts if isinstance(answer, CandidatesAnswer) else [answer.text]
    return [text.strip() for text in texts]
