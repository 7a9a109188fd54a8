"""AugGPT: a language model writes several paraphrases of a text in one answer.

Reference: dai2023auggpt. The paper has ChatGPT rephrase every sentence of a few-shot dataset six
times in one conversation and trains a classifier on all of them. Here the paraphrases come as one
structured answer, and a paraphrase that repeats another or the text itself is rejected.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import Field

from augkit.augmenters.base import Augmenter, Traits
from augkit.augmenters.baselines.paraphrase import reworded
from augkit.augmenters.fields import chosen_field
from augkit.augmenters.llm_requests import (
    prompt_request,
    request_seed,
    required_llm,
    unanswered,
)
from augkit.core.config import ChangedField, MaxTokens, MethodConfig, Temperature, TopP
from augkit.core.model_types import Reply, Request
from augkit.core.types import FREE, Draft, Example, Rejection
from augkit.lexicons.label_meanings import task_family
from augkit.prompts.answers import RewordedTexts, exactly, limit_tokens


class AugGptConfig(MethodConfig):
    """How many paraphrases one call gives, and how freely."""

    copies: int = Field(
        6, ge=1, le=50, description="paraphrases per call; the default is the paper's"
    )
    temperature: Temperature = 0.7
    top_p: TopP = 1.0
    max_tokens: MaxTokens = 4096
    field: ChangedField = None


class AugGpt(Augmenter[AugGptConfig]):
    """Have a language model paraphrase one field several times in one call; the label is kept.

    The first paraphrase carries the cost of the call.
    """

    name = "auggpt"
    Config = AugGptConfig
    traits = Traits(writing="paraphrase", label_checked=True)
    needs = frozenset({"llm"})

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """One call per example, ``copies`` drafts of it."""
        requests = [
            auggpt_request(parent, self.config, request_seed(self, parent)) for parent in batch
        ]
        for parent, reply in zip(batch, required_llm(self).generate(requests), strict=True):
            yield from read_paraphrases(parent, reply, self.config, checked=self.gates.enabled)


def auggpt_request(parent: Example, config: AugGptConfig, seed: int) -> Request:
    """Ask for several paraphrases of one field."""
    text = parent.fields[chosen_field(parent.fields, config.field)]
    request = prompt_request(
        "auggpt/rephrase",
        exactly(config.copies, RewordedTexts),
        config,
        seed,
        task_family([parent.label], parent.fields),
        text=text,
        count=config.copies,
    )
    return limit_tokens(request, [text] * 3 * config.copies)


def read_paraphrases(
    parent: Example, reply: Reply, config: AugGptConfig, *, checked: bool = True
) -> Iterator[Draft | Rejection]:
    """A draft for each paraphrase; the first carries the cost of the call."""
    if not isinstance(reply.answer, RewordedTexts):
        yield unanswered(parent, 0, reply)
        return
    for copy, version in enumerate(reply.answer.versions):
        cost = FREE if copy else reply.cost
        draft = Draft(parent, parent.fields, parent.label, copy=copy, cost=cost)
        yield reworded(draft, version, config.field, checked=checked)
