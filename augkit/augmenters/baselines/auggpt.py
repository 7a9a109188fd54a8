"""AugGPT: a chat model rephrases a text several times in one answer.

Reference: dai2023auggpt. The paper has ChatGPT rephrase every sentence of a few-shot dataset six
times in one conversation and trains a classifier on all of them. Here the rephrasings come as one
structured answer, the label is shown as something that must stay, and a rephrasing that repeats
another, or the text itself, is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import BaseModel, Field

from augkit.augmenters.base import Augmenter
from augkit.augmenters.fields import chosen_field
from augkit.augmenters.llm_rejections import unanswered
from augkit.core.config import MethodConfig
from augkit.core.errors import MissingTool
from augkit.core.model_types import Reply, Request
from augkit.core.types import FREE, Draft, Example, Rejection
from augkit.prompts.load import load_prompt, render


class AugGptConfig(MethodConfig):
    """How many rephrasings are asked for at once, and how freely."""

    copies: int = Field(
        6, ge=1, le=50, description="rephrasings asked for in one call; the paper's number"
    )
    temperature: float = Field(1.0, ge=0, le=2, description="0: the likeliest words, always")
    top_p: float = Field(1.0, gt=0, le=1, description="share of likely words to draw from")
    max_tokens: int = Field(4096, ge=1, description="longest answer, in tokens")
    field: str | None = Field(
        None, description="the field to rephrase, of a row that has several; none: the last"
    )


class Rephrasings(BaseModel):
    """The answer asked of the model."""

    texts: list[str]


class AugGpt(Augmenter[AugGptConfig]):
    """Have a language model rephrase one field several times in one call; the label is kept.

    The call's cost stands with the first of its rephrasings.
    """

    name = "auggpt"
    Config = AugGptConfig
    needs = frozenset({"llm"})

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """One call per example, ``copies`` drafts of it."""
        if self.tools.llm is None:
            raise MissingTool(self.name, "llm")
        requests = [
            rephrase_request(parent, self.config, self.random(parent).randrange(2**31))
            for parent in batch
        ]
        for parent, reply in zip(batch, self.tools.llm.generate(requests), strict=True):
            yield from read_rephrasings(parent, reply, self.config)


def rephrase_request(parent: Example, config: AugGptConfig, seed: int) -> Request:
    """The question for several rephrasings of one field; the other fields are shown beside it."""
    name = chosen_field(parent.fields, config.field)
    prompt = load_prompt("auggpt/rephrase")
    others = {other: text for other, text in parent.fields.items() if other != name}
    messages = render(
        prompt,
        text=parent.fields[name],
        label=parent.label,
        others=others,
        count=config.copies,
    )
    return Request(
        messages,
        answer=Rephrasings,
        temperature=config.temperature,
        top_p=config.top_p,
        max_tokens=config.max_tokens,
        seed=seed,
        prompt=prompt.name,
    )


def read_rephrasings(
    parent: Example, reply: Reply, config: AugGptConfig
) -> Iterator[Draft | Rejection]:
    """A draft for each rephrasing, and a rejection for each that is missing."""
    if not isinstance(reply.answer, Rephrasings):
        yield unanswered(parent, 0, reply)
        return
    name = chosen_field(parent.fields, config.field)
    texts = reply.answer.texts
    for copy in range(config.copies):
        cost = FREE if copy else reply.cost
        if copy < len(texts):
            fields = {**parent.fields, name: texts[copy].strip()}
            yield Draft(parent, fields, parent.label, copy=copy, cost=cost)
        else:
            told = f"{len(texts)} of {config.copies}"
            yield Rejection(parent, "too few rephrasings", told, copy, cost)
