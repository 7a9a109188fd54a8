"""Step 1, decompose: a text as semantic triples, by a dependency parse or a language model."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from itertools import pairwise
from threading import Lock
from typing import Any, NamedTuple, Protocol

from augkit.augmenters.coba.requests import build_request, triples_answer, unusable_answer
from augkit.augmenters.llm_requests import SamplingParams
from augkit.core.analysis import Analysis
from augkit.core.edits import Span
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM, Parser
from augkit.core.types import FREE, Cost, Example, Rejection
from augkit.english.decompose import decompose
from augkit.english.triples import Element, Triple

NO_TRIPLE = "no triple"
_MAX_CACHED = 512
"""Parses kept; a batch has fewer texts."""
_OPENS = re.compile(r"(?<=\S)\s+[\"\u201c(\[]$")
_CLOSES = re.compile(r"[\"\u201d)\]]\s+(?=\S)")
_STOP = r"(?<!\b[A-Z])(?<!\b(?:Mr|Ms|Dr|St|vs))(?<!\bMrs)[.!?]+[\"')\]]*(?=\s+[\"'(\[]*[^\Wa-z_])"
_SENTENCE = re.compile(rf"\S(?:.*?(?:{_STOP}|(?=\n\s*\n))|.*\S|)", re.DOTALL)
"""Up to a full stop before a capital, or to an empty line; the rest is a sentence too."""


@dataclass(frozen=True, slots=True)
class Decomposed:
    """The triples of an example, ids from 1 over all fields, and the sentences of each field.

    ``triple.sentence`` is an index into the sentences of its field.
    """

    triples: tuple[Triple, ...]
    sentences: Mapping[str, Sequence[Span]] = dataclass_field(hash=False)
    cost: Cost = FREE


class Decomposer(Protocol):
    """Text → triples."""

    def decompose(self, parents: Sequence[Example]) -> list[Decomposed | Rejection]:
        """The triples of each example, all its fields together."""
        ...


class CachedParser:
    """A parser that keeps its latest parses, so that all steps share them; safe for threads."""

    def __init__(self, parser: Parser) -> None:
        """Parse with ``parser``."""
        self._parser = parser
        self._known: dict[str, Analysis] = {}
        self._lock = Lock()

    def parse(self, texts: Sequence[str]) -> list[Analysis]:
        """One analysis per text, in order."""
        with self._lock:
            new = list(dict.fromkeys(text for text in texts if text not in self._known))
            if len(self._known) + len(new) > _MAX_CACHED:
                self._known = {text: self._known[text] for text in texts if text in self._known}
            if new:
                self._known.update(zip(new, self._parser.parse(new), strict=True))
            return [self._known[text] for text in texts]


@dataclass(frozen=True)
class ParseDecomposer:
    """Triples from the dependency parse of every field."""

    parser: Parser

    def decompose(self, parents: Sequence[Example]) -> list[Decomposed | Rejection]:
        """The triples of each example; ids run on from field to field."""
        texts = [text for parent in parents for text in parent.fields.values()]
        analyses = iter(self.parser.parse(texts))
        return [
            parsed_triples({field: next(analyses) for field in parent.fields}) for parent in parents
        ]


def parsed_triples(analyses: Mapping[str, Analysis]) -> Decomposed:
    """The triples and sentences of parsed fields."""
    triples: tuple[Triple, ...] = ()
    for field, analysis in analyses.items():
        triples += decompose(analysis, field, len(triples) + 1)
    sentences = {
        field: quoted_sentences(
            analysis.text, [Span(tokens[0].start, tokens[-1].end) for tokens in analysis.sentences]
        )
        for field, analysis in analyses.items()
    }
    return Decomposed(triples, sentences)


def quoted_sentences(text: str, sentences: Sequence[Span]) -> list[Span]:
    """Sentences whose quotation marks and brackets are with the words that they stand at.

    A parser takes an opening mark for the end of the sentence before, and a closing one for the
    start of the next.

    >>> quoted_sentences('Ann came. "It is late."', [Span(0, 11), Span(11, 23)])
    [Span(start=0, end=9), Span(start=10, end=23)]
    """
    found = list(sentences)
    for number, (before, after) in enumerate(pairwise(sentences)):
        if before.end != after.start:
            continue
        opening = _OPENS.search(text, found[number].start, before.end)
        closing = _CLOSES.match(text, after.start, after.end)
        if opening:
            end = len(text[: opening.start()].rstrip())
            found[number : number + 2] = [
                Span(found[number].start, end),
                Span(opening.end() - 1, after.end),
            ]
        elif closing:
            found[number : number + 2] = [
                Span(found[number].start, closing.start() + 1),
                Span(closing.end(), after.end),
            ]
    return found


@dataclass(frozen=True)
class LLMDecomposer:
    """Triples of all fields of an example by a language model, in one call."""

    llm: LLM
    params: SamplingParams

    def decompose(self, parents: Sequence[Example]) -> list[Decomposed | Rejection]:
        """The triples of each example; ids run on from field to field."""
        replies = self.llm.generate([decompose_request(one, self.params) for one in parents])
        return [read_triples(one, reply) for one, reply in zip(parents, replies, strict=True)]


class Sentence(NamedTuple):
    """A sentence of an example; ``number`` counts within its field, from 0."""

    field: str
    number: int
    span: Span
    text: str


def sentences_of(parent: Example) -> list[Sentence]:
    """The sentences of an example by their punctuation.

    A parse would take longer than the rest of a request, and a wrong boundary does no harm here.

    >>> [one.text for one in sentences_of(Example({"text": "Mr. B. is here... Is he? Yes."}))]
    ['Mr. B. is here...', 'Is he?', 'Yes.']
    """
    return [
        Sentence(field, number, Span(*match.span()), match.group())
        for field, text in parent.fields.items()
        for number, match in enumerate(_SENTENCE.finditer(text))
    ]


def decompose_request(parent: Example, params: SamplingParams) -> Request:
    """Ask for the triples of numbered sentences."""
    listed = [
        {"number": number, "part": sentence.field, "text": sentence.text}
        for number, sentence in enumerate(sentences_of(parent), 1)
    ]
    answer = triples_answer("sentence", tuple(range(1, max(1, len(listed)) + 1)))
    return build_request("coba/decompose", answer, params, sentences=listed)


def read_triples(parent: Example, reply: Reply) -> Decomposed | Rejection:
    """The triples of an answer, sorted by their sentences and numbered from 1.

    A sentence without a triple stays as it is: what no triple holds is never changed.
    """
    if reply.fault or reply.answer is None:
        return unusable_answer(parent, "decompose", reply)
    named: list[Any] = [one for one in getattr(reply.answer, "triples", ()) if one.subject.strip()]
    if not named:
        return Rejection(parent, NO_TRIPLE, "decompose: the model found none", cost=reply.cost)
    sentences = sentences_of(parent)
    named.sort(key=lambda one: int(one.sentence))
    triples = tuple(
        _located(id_, one, sentences[one.sentence - 1]) for id_, one in enumerate(named, 1)
    )
    spans: dict[str, list[Span]] = {field: [] for field in parent.fields}
    for sentence in sentences:
        spans[sentence.field].append(sentence.span)
    return Decomposed(triples, spans, reply.cost)


def _located(id_: int, answer: Any, sentence: Sentence) -> Triple:
    """The triple of an answer, with spans where its words are in the sentence letter for letter."""
    elements = []
    for words in (answer.subject.strip(), answer.predicate.strip(), answer.object.strip()):
        offset = sentence.text.casefold().find(words.casefold()) if words else -1
        start = sentence.span.start + offset
        elements.append(Element(words, (Span(start, start + len(words)),) if offset >= 0 else ()))
    subject, predicate, object_ = elements
    return Triple(id_, subject, predicate, object_, sentence.field, sentence.number)
