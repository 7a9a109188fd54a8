"""Identification by a language model (the paper's ablation): it names W_p and W_s itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.steps import Failed, Words
from augkit.augmenters.coba.talking.asking import question, unusable
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM
from augkit.core.types import Example
from augkit.text.tokens import words as words_of


class Named(BaseModel):
    """The answer asked of the model."""

    principal: list[str]
    spurious: list[str]


@dataclass(frozen=True)
class LLMIdentifier:
    """Asks a language model which words decide the label and which only go with it."""

    llm: LLM
    config: CobaConfig
    labels: Sequence[str]

    def identify(self, parents: Sequence[Example]) -> list[Words | Failed]:
        """The principal and spurious words of each example."""
        requests = [identify_request(parent, self.labels, self.config) for parent in parents]
        replies = self.llm.generate(requests)
        given = frozenset(word.casefold() for word in self.config.spurious_words)
        return [
            read_words(parent, reply, given) for parent, reply in zip(parents, replies, strict=True)
        ]


def identify_request(parent: Example, labels: Sequence[str], config: CobaConfig) -> Request:
    """The question for the words of one example."""
    return question(
        "coba/identify",
        Named,
        config,
        fields=dict(parent.fields),
        label=str(parent.label),
        labels=list(labels),
        most=config.top_k,
    )


def read_words(parent: Example, reply: Reply, given: frozenset[str]) -> Words | Failed:
    """The words of an answer that stand in the example; those of the user are spurious."""
    if not isinstance(reply.answer, Named):
        return unusable("identify", reply)
    there = {word.casefold() for text in parent.fields.values() for word in words_of(text)}
    principal, spurious = (
        frozenset(word.casefold() for phrase in listed for word in words_of(phrase)) & there
        for listed in (reply.answer.principal, reply.answer.spurious)
    )
    return Words(principal - given, (spurious - principal) | (given & there), reply.cost)
