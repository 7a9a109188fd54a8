"""Asking a model to rewrite and to judge, and reading what it answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, create_model

from augkit.augmenters.razor.config import RazorConfig
from augkit.augmenters.razor.rounds import Rewriting
from augkit.core.model_types import Reply, Request
from augkit.core.types import Example
from augkit.prompts.load import load_prompt, render

NO_LABEL = "none"


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


def judge_request(row: Example, labels: Sequence[str]) -> Request:
    """The question which label a row has; it tells neither its label nor how it came to be."""
    prompt = load_prompt("judge/label")
    messages = render(prompt, fields=dict(row.fields), labels=list(labels))
    return Request(messages, answer=_verdict(labels), max_tokens=128, prompt=prompt.name)


def verdict_of(label: str | None, reply: Reply) -> str:
    """Empty where the judge names exactly the label; otherwise the reason for refusing.

    >>> verdict_of("positive", Reply(answer=_verdict(["positive"])(label="none")))
    'judge disagrees'
    """
    said = getattr(reply.answer, "label", None)
    if reply.fault or said is None:
        return f"judge: {reply.fault or 'no verdict'}"
    return "" if said == label else "judge disagrees"


def _verdict(labels: Sequence[str]) -> Any:
    """A model whose label is one of these, letter by letter, or "none"."""
    allowed = tuple(dict.fromkeys([*labels, NO_LABEL]))
    choices: Mapping[str, Any] = {"label": (Literal[allowed], ...)}
    return create_model("Verdict", **choices)


def _plain(text: str) -> str:
    return " ".join(text.split())
