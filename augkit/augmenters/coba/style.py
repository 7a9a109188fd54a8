"""CoBA for pairs of one content in two styles: normal statements move, the style stays.

Jin et al. (2025), section 4.5: no label is flipped and no word is spurious; the triples that carry
the style keep their places, the others are permuted and thinned, gendered words may be swapped,
and both texts are written anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, Literal

from pydantic import BaseModel, Field, create_model

from augkit.augmenters.base import Augmenter, sign
from augkit.augmenters.coba.gender import swapped
from augkit.augmenters.coba.steps import Decomposed, Failed
from augkit.augmenters.coba.talking.asking import question, shown, unusable, wrong_ids
from augkit.augmenters.coba.talking.decompose import LLMDecomposer
from augkit.augmenters.coba.talking.order import rearranged
from augkit.augmenters.coba.talking.reconstruct import parts_request, read_parts
from augkit.augmenters.gates import length_within
from augkit.core.config import MethodConfig
from augkit.core.errors import MissingTool
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM
from augkit.core.types import FREE, Cost, Draft, Example, Rejection
from augkit.language.triples import Triple


class CobaStyleConfig(MethodConfig):
    """How freely statements move, and how the model writes."""

    permute: bool = Field(default=True, description="shuffle the triples that carry no style")
    delete: float = Field(
        0.1, ge=0, le=1, description="probability that such a triple is left out, in both texts"
    )
    gender: Literal["keep", "swap"] = Field(
        "swap", description="swap: gendered words change, in both texts alike"
    )
    gender_target: str = Field(
        "opposite", description="opposite, or an attribute of the gender axis, such as non-binary"
    )
    temperature: float = Field(0.7, ge=0, le=2, description="of the LLM where it writes")
    max_tokens: int = Field(2048, ge=1, description="longest answer of the LLM, in tokens")
    shortest: float = Field(0.5, ge=0, description="least length, as a multiple of the original's")
    longest: float = Field(2.0, gt=0, description="greatest length, as a multiple of it")


@dataclass
class _Work:
    """A variant in the making."""

    parent: Example
    copy: int
    draw: Random
    triples: tuple[Triple, ...]
    styled: frozenset[int]
    cost: Cost

    @property
    def parts(self) -> list[str]:
        """The texts that have triples."""
        return [name for name in self.parent.fields if any(t.field == name for t in self.triples)]


class CobaStyle(Augmenter[CobaStyleConfig]):
    """Rearrange what two texts of one content say, and leave the style of each."""

    name = "coba-style"
    Config = CobaStyleConfig
    needs = frozenset({"llm"})

    @cached_property
    def _llm(self) -> LLM:
        if self.tools.llm is None:
            raise MissingTool(self.name, "llm")
        return self.tools.llm

    @cached_property
    def _decomposer(self) -> LLMDecomposer:
        return LLMDecomposer(self._llm, self.config)

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """One draft per copy of every example that has two texts."""
        pairs = [parent for parent in batch if len(parent.fields) == 2]
        for parent in batch:
            if len(parent.fields) != 2:
                yield Rejection(parent, "not a pair of texts")
        work: list[_Work] = []
        for parent, found in self._understood(pairs):
            if isinstance(found, Rejection):
                yield found
            else:
                work += self._works(parent, *found)
        replies = self._llm.generate([self._request(each) for each in work]) if work else []
        for each, reply in zip(work, replies, strict=True):
            yield self._proposal(each, reply)

    def _understood(
        self, pairs: Sequence[Example]
    ) -> Iterator[tuple[Example, tuple[Decomposed, frozenset[int], Cost] | Rejection]]:
        """The triples of each pair and which of them carry its style."""
        decomposed = self._decomposer.decompose(pairs) if pairs else []
        good = [found for found in decomposed if isinstance(found, Decomposed)]
        asked = [style_request(found.triples, self.config) for found in good]
        replies = iter(self._llm.generate(asked) if asked else [])
        for parent, found in zip(pairs, decomposed, strict=True):
            if isinstance(found, Failed):
                yield parent, Rejection(parent, found.reason, found.detail, cost=found.cost)
                continue
            styled = read_styled(found.triples, reply := next(replies))
            cost = found.cost + reply.cost
            if isinstance(styled, Failed):
                yield parent, Rejection(parent, styled.reason, styled.detail, cost=cost)
            else:
                yield parent, (found, styled, cost)

    def _works(
        self, parent: Example, found: Decomposed, styled: frozenset[int], cost: Cost
    ) -> Iterator[_Work]:
        for copy in range(self.config.copies):
            draw = self.random(parent, copy)
            yield _Work(parent, copy, draw, found.triples, styled, FREE if copy else cost)

    def _request(self, each: _Work) -> Request:
        free = {triple.id for triple in each.triples} - each.styled
        order = rearranged(each.triples, {}, free, self.config, each.draw)
        return parts_request(each.parent, each.parts, order, [], self.config, each.draw)

    def _proposal(self, each: _Work, reply: Reply) -> Draft | Rejection:
        rebuilt = read_parts(each.parent, each.parts, reply)
        cost = each.cost + reply.cost
        if isinstance(rebuilt, Failed):
            return Rejection(each.parent, rebuilt.reason, rebuilt.detail, each.copy, cost)
        fields = dict(rebuilt.fields)
        if self.config.gender == "swap":
            fields = swapped(fields, self.config.gender_target, each.draw)
        draft = Draft(each.parent, fields, each.parent.label, "kept", each.copy, cost=cost)
        reason = self._refused(draft)
        if reason:
            return Rejection(each.parent, reason, " | ".join(fields.values()), each.copy, cost)
        return draft

    def _refused(self, draft: Draft) -> str | None:
        pair = sign(draft, (), self.name, self._config_digest)
        return length_within(self.config.shortest, self.config.longest)(pair)


def style_request(triples: Sequence[Triple], config: CobaStyleConfig) -> Request:
    """The question which triples carry the style of their text."""
    ids = tuple(triple.id for triple in triples)
    fields: dict[str, Any] = {"ids": (list[Literal[ids]], ...)}  # type: ignore[valid-type] # numbers
    answer: type[BaseModel] = create_model("Styled", **fields)
    return question("coba/style", answer, config, triples=[shown(t) for t in triples])


def read_styled(triples: Sequence[Triple], reply: Reply) -> frozenset[int] | Failed:
    """The numbers of an answer; one that stands there twice is refused."""
    if reply.fault or reply.answer is None:
        return unusable("style", reply)
    given = list(getattr(reply.answer, "ids", ()))
    known = [triple.id for triple in triples]
    if len(set(given)) < len(given) or not set(given) <= set(known):
        return wrong_ids("style", given, known, reply.cost)
    return frozenset(given)
