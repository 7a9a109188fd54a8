"""GPT3Mix: a language model writes a new example like a few given ones, with a soft label.

Reference: yoo2021gpt3mix. The paper shows k examples with their labels, lets the model write
another one, and takes the probabilities of the label words as its soft label. Here the model states
those probabilities in its answer, because chat interfaces do not show them; they are scaled to sum
to 1. One of the examples shown is the row itself, so that a variant has a parent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, create_model

from augkit.augmenters.base import Augmenter
from augkit.augmenters.json_files import JsonArtifact
from augkit.augmenters.llm_requests import (
    DETAIL_CHARS,
    prompt_request,
    required_llm,
    unanswered,
)
from augkit.core.config import MethodConfig
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import Artifact
from augkit.core.types import Draft, Example, Rejection, digest

SOFT = "p/"
"""Before a label: the name of its probability among a variant's scores."""


class Gpt3MixConfig(MethodConfig):
    """How many examples are shown, and how the soft label is used."""

    examples: int = Field(2, ge=1, le=20, description="examples shown, the row itself among them")
    pool: int = Field(1000, ge=1, description="rows of the corpus to sample the others from")
    label: Literal["likeliest", "sampled"] = Field(
        "likeliest",
        description="the label of a variant: the likeliest, or one sampled from the soft label, so "
        "that many rows together weigh as the soft labels would",
    )
    confidence: float = Field(
        0.0, ge=0, le=1, description="a variant whose likeliest label has less is rejected"
    )
    temperature: float = Field(1.0, ge=0, le=2, description="0: always the likeliest words")
    top_p: float = Field(1.0, gt=0, le=1, description="nucleus sampling: probability mass kept")
    max_tokens: int = Field(1024, ge=1, description="longest answer, in tokens")


@dataclass(frozen=True)
class ShownExample:
    """An example of the corpus that the prompt shows."""

    fields: Mapping[str, str]
    label: str


@dataclass(frozen=True)
class ExamplePool(JsonArtifact):
    """Rows of the corpus to show, and its labels by the names of the fields."""

    file = "examples.json"
    rows: tuple[ShownExample, ...]
    labels: Mapping[str, tuple[str, ...]]

    def like(self, parent: Example) -> list[ShownExample]:
        """The rows with the fields of this one, itself left out."""
        names = list(parent.fields)
        return [
            row
            for row in self.rows
            if list(row.fields) == names and dict(row.fields) != dict(parent.fields)
        ]

    def labels_for(self, parent: Example) -> tuple[str, ...]:
        """The labels that rows with these fields have."""
        return self.labels.get(_shape(parent.fields), ())


class Gpt3Mix(Augmenter[Gpt3MixConfig]):
    """Have a language model write a new example like a few of the corpus, with a soft label.

    The variant's label is the likeliest (or a sampled) one, so its contract is kept or flipped; its
    scores hold the soft label, as ``p/positive``.
    """

    name = "gpt3mix"
    Config = Gpt3MixConfig
    writing = "new text"
    needs = frozenset({"llm"})
    labels_needed = 2
    learns = ExamplePool

    def prepare(self, examples: Sequence[Example]) -> Artifact:
        """Sample the rows to show, by their ids, and collect the labels."""
        usable = [row for row in examples if row.label is not None and not row.fault]
        labels: dict[str, set[str]] = {}
        for row in usable:
            labels.setdefault(_shape(row.fields), set()).add(str(row.label))
        sample = sorted(usable, key=lambda row: digest("anchor", row.id))[: self.config.pool]
        rows = tuple(ShownExample(dict(row.fields), str(row.label)) for row in sample)
        return ExamplePool(rows, {name: tuple(sorted(some)) for name, some in labels.items()})

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """Request every copy of every labelled example at once."""
        pending: list[tuple[Example, int, Request, Random]] = []
        for parent in batch:
            if parent.label not in self.artifact.labels_for(parent):
                yield Rejection(parent, "label not in the corpus", str(parent.label))
                continue
            for copy in range(self.config.copies):
                rng = self.random(parent, copy)
                pending.append((parent, copy, self._request(parent, rng), rng))
        replies = required_llm(self).generate([request for _, _, request, _ in pending])
        for (parent, copy, _, rng), reply in zip(pending, replies, strict=True):
            yield self._read(parent, copy, reply, rng)

    def _request(self, parent: Example, rng: Random) -> Request:
        others = self.artifact.like(parent)
        chosen = rng.sample(others, min(self.config.examples - 1, len(others)))
        shown = [*chosen, ShownExample(parent.fields, str(parent.label))]
        rng.shuffle(shown)
        names, labels = list(parent.fields), list(self.artifact.labels_for(parent))
        return prompt_request(
            "gpt3mix/mix",
            mixed_answer(len(names), len(labels)),
            self.config,
            rng.randrange(2**31),
            examples=[{**row.fields, "label": row.label} for row in shown],
            labels=labels,
            names=names,
        )

    def _read(self, parent: Example, copy: int, reply: Reply, rng: Random) -> Draft | Rejection:
        labels = self.artifact.labels_for(parent)
        if not isinstance(reply.answer, Mixed):
            return unanswered(parent, copy, reply)
        soft = soft_label(reply.answer.probabilities, labels)
        if soft is None:
            detail = f"{reply.answer.probabilities} for {', '.join(labels)}"[:DETAIL_CHARS]
            return Rejection(parent, "no soft label", detail, copy, reply.cost)
        if max(soft.values()) < self.config.confidence:
            return Rejection(parent, "low confidence", str(soft), copy, reply.cost)
        if self.config.label == "sampled":
            (label,) = rng.choices(list(soft), list(soft.values()))
        else:
            label = max(soft, key=lambda name: soft[name])
        fields = dict(zip(parent.fields, map(str.strip, reply.answer.texts), strict=True))
        contract: Literal["kept", "flipped"] = "kept" if label == parent.label else "flipped"
        scores = {f"{SOFT}{name}": round(p, 4) for name, p in soft.items()}
        return Draft(parent, fields, label, contract, copy, cost=reply.cost, scores=scores)


class Mixed(BaseModel):
    """The answer requested: a text for each field, a probability for each label."""

    texts: list[str]
    probabilities: list[float]


@lru_cache(maxsize=64)
def mixed_answer(fields: int, labels: int) -> type[Mixed]:
    """The answer with exactly so many texts and probabilities."""

    def exactly(count: int, kind: type) -> Any:
        return (Annotated[list[kind], Field(min_length=count, max_length=count)], ...)  # type: ignore[valid-type] # made at run time

    answer: type[Mixed] = create_model(
        "Mixed", __base__=Mixed, texts=exactly(fields, str), probabilities=exactly(labels, float)
    )
    return answer


def soft_label(probabilities: Sequence[float], labels: Sequence[str]) -> dict[str, float] | None:
    """The probabilities by label, scaled to sum to 1; None where that cannot be done.

    >>> soft_label([3, 1], ["neg", "pos"])
    {'neg': 0.75, 'pos': 0.25}
    """
    total = sum(probabilities)
    if len(probabilities) != len(labels) or min(probabilities) < 0 or not 0 < total < float("inf"):
        return None
    return {label: p / total for label, p in zip(labels, probabilities, strict=True)}


def _shape(fields: Mapping[str, str]) -> str:
    return "|".join(fields)
