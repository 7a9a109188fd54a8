"""The request that asks a language model for rewrites, and how its answer is read."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from augkit.augmenters.fields import chosen_field
from augkit.augmenters.llm_requests import prompt_request
from augkit.augmenters.razor.config import RazorConfig
from augkit.augmenters.razor.rewrites import Rewrite
from augkit.core.model_types import Reply, Request
from augkit.core.types import Example


class RewriteAnswer(BaseModel):
    """The answer requested from the model."""

    texts: list[str]


def razor_request(row: Example, avoid: Sequence[str], config: RazorConfig, seed: int) -> Request:
    """Ask for rewrites of one field that avoid these words; the other fields are context."""
    others = dict(row.fields)
    text = others.pop(chosen_field(others, config.field))
    return prompt_request(
        "razor/rewrite",
        RewriteAnswer,
        config,
        seed,
        text=text,
        label=row.label,
        others=others,
        avoid=list(avoid),
        count=config.candidates,
    )


def read_rewrites(row: Example, field: str | None, reply: Reply) -> list[Rewrite]:
    """The texts of an answer; one that is empty or equals the original is rejected."""
    if not isinstance(reply.answer, RewriteAnswer):
        return [Rewrite("", rejected=f"llm: {reply.fault}")]
    original = row.fields[chosen_field(row.fields, field)].split()
    found = []
    for text in dict.fromkeys(one.strip() for one in reply.answer.texts):
        rejected = "" if text else "empty variant"
        if text.split() == original:
            rejected = "unchanged"
        found.append(Rewrite(text, "language model", rejected))
    return found
