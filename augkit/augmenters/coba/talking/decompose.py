"""Decomposition by a language model: numbered sentences in, triples with their sentence out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, create_model

from augkit.augmenters.coba.steps import Decomposed, Failed
from augkit.augmenters.coba.talking.asking import Voice, question, unusable
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM
from augkit.core.types import Example
from augkit.language.triples import Element, Span, Triple

_STOP = r"(?<!\b[A-Z])(?<!\b(?:Mr|Ms|Dr|St|vs))(?<!\bMrs)[.!?]+[\"')\]]*(?=\s+[\"'(\[]*[^\Wa-z_])"
_SENTENCE = re.compile(rf"\S(?:.*?(?:{_STOP}|(?=\n\s*\n))|.*\S|)", re.DOTALL)
"""Up to a stop before a capital, or to an empty line; the rest is a sentence too."""


class Sentence(NamedTuple):
    """A sentence of an example; ``number`` counts within its field, from 0."""

    field: str
    number: int
    span: Span
    text: str


@dataclass(frozen=True)
class LLMDecomposer:
    """Has a language model take all fields of an example apart, in one call."""

    llm: LLM
    config: Voice

    def decompose(self, parents: Sequence[Example]) -> list[Decomposed | Failed]:
        """The triples of each example; ids run on from field to field."""
        sentences = [sentences_of(parent) for parent in parents]
        replies = self.llm.generate([decompose_request(some, self.config) for some in sentences])
        return [read_triples(some, r) for some, r in zip(sentences, replies, strict=True)]


def sentences_of(parent: Example) -> list[Sentence]:
    """The sentences of an example by their signs, with their places.

    A parse would cost more than all else of a request, and a wrong cut does no harm here.

    >>> [one.text for one in sentences_of(Example({"text": "Mr. B. is here... Is he? Yes."}))]
    ['Mr. B. is here...', 'Is he?', 'Yes.']
    """
    return [
        Sentence(field, number, Span(*match.span()), match.group())
        for field, text in parent.fields.items()
        for number, match in enumerate(_SENTENCE.finditer(text))
    ]


def decompose_request(sentences: Sequence[Sentence], config: Voice) -> Request:
    """The question for the triples of numbered sentences."""
    listed = [
        {"number": number, "part": sentence.field, "text": sentence.text}
        for number, sentence in enumerate(sentences, 1)
    ]
    return question("coba/decompose", _answer(max(1, len(listed))), config, sentences=listed)


def read_triples(sentences: Sequence[Sentence], reply: Reply) -> Decomposed | Failed:
    """The triples of an answer, sorted by their sentences and numbered from 1.

    A sentence without a triple stays as it is: what no triple holds is never changed.
    """
    if reply.fault or reply.answer is None:
        return unusable("decompose", reply)
    stated: list[Any] = [one for one in getattr(reply.answer, "triples", ()) if one.subject.strip()]
    if not stated:
        return Failed("no triple", "decompose: the model named none", reply.cost)
    stated.sort(key=lambda one: int(one.sentence))
    triples = tuple(
        _placed(number, one, sentences[one.sentence - 1]) for number, one in enumerate(stated, 1)
    )
    return Decomposed(triples, reply.cost)


def _placed(number: int, one: Any, sentence: Sentence) -> Triple:
    subject, predicate, thing = (
        Element(text.strip(), _spans(text, sentence))
        for text in (one.subject, one.predicate, one.object)
    )
    return Triple(number, subject, predicate, thing, sentence.field, sentence.number)


def _spans(text: str, sentence: Sentence) -> tuple[Span, ...]:
    """Where an element's words stand in its sentence, if they do letter for letter."""
    place = sentence.text.casefold().find(text.strip().casefold()) if text.strip() else -1
    if place < 0:
        return ()
    start = sentence.span.start + place
    return (Span(start, start + len(text.strip())),)


@lru_cache(maxsize=256)  # making a model takes as long as all else of a request
def _answer(sentences: int) -> type[BaseModel]:
    """A model whose triples can name these sentences only."""
    numbers = tuple(range(1, sentences + 1))
    fields: dict[str, Any] = {
        "sentence": (Literal[numbers], ...),
        "subject": (str, ...),
        "predicate": (str, ...),
        "object": (str, ...),
    }
    statement = create_model("Statement", **fields)
    listed: dict[str, Any] = {"triples": (list[statement], ...)}
    return create_model("Statements", **listed)
