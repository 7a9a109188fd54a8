"""Asking a model to rewrite and to judge, and reading what it answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pydantic import BaseModel

from augkit.augmenters.judge import named_label
from augkit.augmenters.razor.config import RazorConfig
from augkit.augmenters.razor.rounds import Rewriting
from augkit.core.model_types import Reply, Request
from augkit.core.types import Example
from augkit.prompts.load import load_prompt, render


class Rewritings(BaseModel):
    """The answer asked of the model that rewrites."""

    texts: list[str]


class Asked(NamedTuple):
    """A row, the field to be rewritten, and words that give its label away."""

    row: Example
    field: str
    avoid: Sequence[str]


def rewrite_request(asked: Asked, config: RazorConfig, seed: int) -> Request:
    """The question for rewritings of one field; the other fields are shown beside it."""
    prompt = load_prompt("razor/rewrite")
    fields = dict(asked.row.fields)
    text = fields.pop(asked.field)
    messages = render(
        prompt,
        text=text,
        label=asked.row.label,
        others=fields,
        avoid=list(asked.avoid),
        count=config.candidates,
    )
    return Request(
        messages,
        answer=Rewritings,
        temperature=config.temperature,
        top_p=config.top_p,
        max_tokens=config.max_tokens,
        seed=seed,
        prompt=prompt.name,
    )


def candidates_of(asked: Asked, reply: Reply) -> list[Rewriting]:
    """The texts of an answer, whole; one that is empty or equals the original is refused."""
    if not isinstance(reply.answer, Rewritings):
        return [Rewriting("", refused=f"llm: {reply.fault}")]
    original = _plain(asked.row.fields[asked.field])
    found = []
    for text in dict.fromkeys(one.strip() for one in reply.answer.texts):
        refused = "" if text else "empty variant"
        if _plain(text) == original:
            refused = "unchanged"
        found.append(Rewriting(text, "a model", refused))
    return found


def verdict_of(label: str | None, reply: Reply) -> str:
    """Empty where the judge names exactly the label; otherwise the reason for refusing.

    >>> from augkit.augmenters.judge import label_answer
    >>> verdict_of("positive", Reply(answer=label_answer(("positive",))(label="none")))
    'judge disagrees'
    """
    named = named_label(reply)
    if named is None:
        return f"judge: {reply.fault or 'no verdict'}"
    return "" if named == label else "judge disagrees"


def _plain(text: str) -> str:
    return " ".join(text.split())
