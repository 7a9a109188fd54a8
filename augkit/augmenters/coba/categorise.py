"""Step 3, categorise: which triples are principal, spurious or normal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any, Literal, Protocol

from pydantic import BaseModel, create_model

from augkit.augmenters.coba.config import Precedence
from augkit.augmenters.coba.decompose import Decomposed
from augkit.augmenters.coba.identify import Words
from augkit.augmenters.coba.requests import build_request, triple_record, unusable_answer, wrong_ids
from augkit.augmenters.llm_requests import SamplingParams
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM
from augkit.core.types import FREE, Cost, Example, Rejection
from augkit.english.triples import Triple
from augkit.text.tokens import words as words_of

Category = Literal["principal", "spurious", "normal"]


@dataclass(frozen=True, slots=True)
class Categorised:
    """The category of every triple of an example, by id."""

    categories: Mapping[int, Category] = dataclass_field(hash=False)
    cost: Cost = FREE


class Categoriser(Protocol):
    """Triples and words → categories."""

    def categorise(
        self, parents: Sequence[Example], decomposed: Sequence[Decomposed], words: Sequence[Words]
    ) -> list[Categorised | Rejection]:
        """The categories of each example's triples."""
        ...


@dataclass(frozen=True)
class WordCategoriser:
    """A triple is principal or spurious by the words that it holds.

    With ``rewrites_triples`` the editor can change nothing but principal triples, so there must be
    some: see ``promote``.
    """

    precedence: Precedence = "principal"
    rewrites_triples: bool = False

    def categorise(
        self, parents: Sequence[Example], decomposed: Sequence[Decomposed], words: Sequence[Words]
    ) -> list[Categorised | Rejection]:
        """The categories of each example's triples."""
        found: list[Categorised | Rejection] = []
        for parent, parts, important in zip(parents, decomposed, words, strict=True):
            categories = categorise(parts.triples, important, self.precedence)
            if self.rewrites_triples and "principal" not in categories.values():
                categories = promote(categories, parent, parts, important)
            found.append(Categorised(categories))
        return found


def categorise(
    triples: Sequence[Triple], words: Words, precedence: Precedence = "principal"
) -> dict[int, Category]:
    """The category of every triple, by id.

    A triple that holds words of both kinds is principal, or, with ``precedence="spurious"`` (the
    paper's order), spurious: it is then left alone, and the label may not flip.

    >>> from augkit.english.triples import Element
    >>> triple = Triple(1, Element("the plot"), Element("bores"), Element("kids"))
    >>> categorise([triple], Words(frozenset({"bores"}), frozenset({"kids"})))
    {1: 'principal'}
    """
    return {triple.id: _category(triple, words, precedence) for triple in triples}


def _category(triple: Triple, words: Words, precedence: Precedence) -> Category:
    held = {word.casefold() for element in triple.elements for word in words_of(element.text)}
    kinds: list[Precedence] = sorted(("principal", "spurious"), key=lambda kind: kind != precedence)
    found = (kind for kind in kinds if not held.isdisjoint(getattr(words, kind)))
    return next(found, "normal")


def promote(
    categories: Mapping[int, Category], parent: Example, decomposed: Decomposed, words: Words
) -> dict[int, Category]:
    """Make normal triples principal, where no triple repeats a principal word.

    These are the triples of a sentence that has a principal word, or all normal ones where no
    principal word is known. A spurious triple never becomes principal.
    """
    promoted = dict(categories)
    for triple in decomposed.triples:
        span = decomposed.sentences[triple.field][triple.sentence]
        held = {word.casefold() for word in words_of(parent.fields[triple.field][slice(*span)])}
        if categories[triple.id] == "normal" and (not words.principal or held & words.principal):
            promoted[triple.id] = "principal"
    return promoted


@dataclass(frozen=True)
class StyleCategoriser:
    """A language model names the triples that carry a style: these are principal, the rest normal.

    The paper's section 4.5: for style transfer no word is spurious.
    """

    llm: LLM
    params: SamplingParams

    def categorise(
        self, parents: Sequence[Example], decomposed: Sequence[Decomposed], words: Sequence[Words]
    ) -> list[Categorised | Rejection]:
        """The categories of each example's triples."""
        _ = words
        replies = self.llm.generate([style_request(p.triples, self.params) for p in decomposed])
        return [
            read_style(parent, parts.triples, reply)
            for parent, parts, reply in zip(parents, decomposed, replies, strict=True)
        ]


def style_request(triples: Sequence[Triple], params: SamplingParams) -> Request:
    """Ask which triples carry the style of their text."""
    ids = tuple(triple.id for triple in triples)
    fields: dict[str, Any] = {"ids": (list[Literal[ids]], ...)}  # type: ignore[valid-type] # numbers
    answer: type[BaseModel] = create_model("StyleTriples", **fields)
    return build_request("coba/style", answer, params, triples=[triple_record(t) for t in triples])


def read_style(parent: Example, triples: Sequence[Triple], reply: Reply) -> Categorised | Rejection:
    """The categories by the ids of an answer; a repeated id is rejected."""
    if reply.fault or reply.answer is None:
        return unusable_answer(parent, "style", reply)
    given = list(getattr(reply.answer, "ids", ()))
    known = [triple.id for triple in triples]
    if len(set(given)) < len(given) or not set(given) <= set(known):
        return wrong_ids(parent, "style", given, known, reply.cost)
    return Categorised({n: "principal" if n in given else "normal" for n in known}, reply.cost)
