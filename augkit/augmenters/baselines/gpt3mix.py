"""GPT3Mix: a language model writes a new example in the manner of a few, with a soft label.

Reference: yoo2021gpt3mix. The paper shows k examples with their labels, lets the model write
another one, and takes the probabilities of the label words as its soft label. Here the model says
those probabilities in its answer, because chat interfaces do not show them; they are scaled to sum
to 1. One of the examples shown is the row itself, so that a variant has a parent.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, create_model
from typing_extensions import Self

from augkit.augmenters.base import Augmenter
from augkit.augmenters.llm_rejections import DETAIL_CHARS, unanswered
from augkit.core.config import MethodConfig
from augkit.core.errors import DataError, MissingTool
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import Artifact
from augkit.core.types import Draft, Example, Rejection, digest
from augkit.prompts.load import load_prompt, render

SOFT = "p/"
"""Before a label: the name of its probability among a variant's scores."""


class Gpt3MixConfig(MethodConfig):
    """How many examples are mixed, and what becomes of the soft label."""

    examples: int = Field(2, ge=1, le=20, description="examples shown, the row itself among them")
    pool: int = Field(1000, ge=1, description="rows of the corpus that the others are drawn from")
    label: Literal["likeliest", "drawn"] = Field(
        "likeliest",
        description="the label written: the likeliest, or one drawn with the soft label's "
        "probabilities, so that many rows together weigh as the soft labels would",
    )
    confidence: float = Field(
        0.0, ge=0, le=1, description="a variant whose likeliest label has less is refused"
    )
    temperature: float = Field(1.0, ge=0, le=2, description="0: the likeliest words, always")
    top_p: float = Field(1.0, gt=0, le=1, description="share of likely words to draw from")
    max_tokens: int = Field(1024, ge=1, description="longest answer, in tokens")


@dataclass(frozen=True)
class Anchor:
    """An example of the corpus, as it is shown."""

    fields: Mapping[str, str]
    label: str


@dataclass(frozen=True)
class Anchors:
    """Rows of the corpus to show, and its labels by the names of the fields; an ``Artifact``."""

    rows: tuple[Anchor, ...]
    labels: Mapping[str, tuple[str, ...]]

    def like(self, parent: Example) -> list[Anchor]:
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

    def save(self, folder: Path) -> None:
        """Write ``anchors.json``."""
        rows = [[dict(row.fields), row.label] for row in self.rows]
        told = json.dumps({"rows": rows, "labels": self.labels})
        (folder / "anchors.json").write_text(told + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read it back."""
        path = folder / "anchors.json"
        try:
            told = json.loads(path.read_text(encoding="utf-8"))
            rows = tuple(Anchor(fields, label) for fields, label in told["rows"])
            return cls(rows, {name: tuple(some) for name, some in told["labels"].items()})
        except (OSError, ValueError, KeyError) as error:
            raise DataError(f"{path}: missing or damaged: {error}") from error


class Gpt3Mix(Augmenter[Gpt3MixConfig]):
    """Have a language model write a new example like a few of the corpus, and weigh its labels.

    The variant's label is the likeliest (or a drawn) one, so its contract is kept or flipped; the
    soft label stands in its scores, as ``p/positive``.
    """

    name = "gpt3mix"
    Config = Gpt3MixConfig
    needs = frozenset({"llm"})
    labels_needed = 2
    learns = Anchors

    def prepare(self, examples: Sequence[Example]) -> Artifact:
        """Draw the rows to show, by their ids, and collect the labels."""
        usable = [row for row in examples if row.label is not None and not row.fault]
        labels: dict[str, set[str]] = {}
        for row in usable:
            labels.setdefault(_shape(row.fields), set()).add(str(row.label))
        drawn = sorted(usable, key=lambda row: digest("anchor", row.id))[: self.config.pool]
        rows = tuple(Anchor(dict(row.fields), str(row.label)) for row in drawn)
        return Anchors(rows, {name: tuple(sorted(some)) for name, some in labels.items()})

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """Ask for every copy of every labelled example at once."""
        if self.tools.llm is None:
            raise MissingTool(self.name, "llm")
        asked: list[tuple[Example, int, Request, Random]] = []
        for parent in batch:
            if parent.label not in self.artifact.labels_for(parent):
                yield Rejection(parent, "no label of the corpus", str(parent.label))
                continue
            for copy in range(self.config.copies):
                draw = self.random(parent, copy)
                asked.append((parent, copy, self._request(parent, draw), draw))
        replies = self.tools.llm.generate([request for _, _, request, _ in asked])
        for (parent, copy, _, draw), reply in zip(asked, replies, strict=True):
            yield self._read(parent, copy, reply, draw)

    def _request(self, parent: Example, draw: Random) -> Request:
        others = self.artifact.like(parent)
        chosen = draw.sample(others, min(self.config.examples - 1, len(others)))
        shown = [*chosen, Anchor(parent.fields, str(parent.label))]
        draw.shuffle(shown)
        return mix_request(shown, self.artifact.labels_for(parent), self.config, draw)

    def _read(self, parent: Example, copy: int, reply: Reply, draw: Random) -> Draft | Rejection:
        labels = self.artifact.labels_for(parent)
        if not isinstance(reply.answer, Mixed):
            return unanswered(parent, copy, reply)
        soft = soft_label(reply.answer.probabilities, labels)
        if soft is None:
            told = f"{reply.answer.probabilities} for {', '.join(labels)}"[:DETAIL_CHARS]
            return Rejection(parent, "no soft label", told, copy, reply.cost)
        if max(soft.values()) < self.config.confidence:
            return Rejection(parent, "unsure of the label", str(soft), copy, reply.cost)
        if self.config.label == "drawn":
            (label,) = draw.choices(list(soft), list(soft.values()))
        else:
            label = max(soft, key=lambda name: soft[name])
        fields = dict(zip(parent.fields, map(str.strip, reply.answer.texts), strict=True))
        contract: Literal["kept", "flipped"] = "kept" if label == parent.label else "flipped"
        scores = {f"{SOFT}{name}": round(p, 4) for name, p in soft.items()}
        return Draft(parent, fields, label, contract, copy, cost=reply.cost, scores=scores)


class Mixed(BaseModel):
    """The answer asked of the model: a text for each field, a probability for each label."""

    texts: list[str]
    probabilities: list[float]


@lru_cache(maxsize=64)
def mixed_answer(fields: int, labels: int) -> type[Mixed]:
    """The answer with so many texts and so many probabilities, no fewer and no more."""

    def exactly(count: int, kind: type) -> Any:
        return (Annotated[list[kind], Field(min_length=count, max_length=count)], ...)  # type: ignore[valid-type] # made at run time

    answer: type[Mixed] = create_model(
        "Mixed", __base__=Mixed, texts=exactly(fields, str), probabilities=exactly(labels, float)
    )
    return answer


def mix_request(
    shown: Sequence[Anchor], labels: Sequence[str], config: Gpt3MixConfig, draw: Random
) -> Request:
    """The question for a new example like those shown."""
    prompt = load_prompt("gpt3mix/mix")
    examples = [{**row.fields, "label": row.label} for row in shown]
    names = list(shown[0].fields)
    return Request(
        render(prompt, examples=examples, labels=list(labels), names=names),
        answer=mixed_answer(len(names), len(labels)),
        temperature=config.temperature,
        top_p=config.top_p,
        max_tokens=config.max_tokens,
        seed=draw.randrange(2**31),
        prompt=prompt.name,
    )


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
