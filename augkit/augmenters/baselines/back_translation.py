"""Back-translation: a text is translated into another language and back.

Reference: sennrich2016improving, where it makes training data for translation; as augmentation the
round trip is a paraphrase, and the label is kept. Two local sequence-to-sequence models translate
(``forward`` and ``backward``, as Marian's en-fr and fr-en), or a language model does, in two calls:
the second does not see the original. Local models translate sentence by sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pydantic import Field, model_validator
from typing_extensions import Self

from augkit.augmenters.base import Augmenter, Traits
from augkit.augmenters.fields import chosen_field, with_text
from augkit.augmenters.llm_checks.form import with_final_mark
from augkit.augmenters.llm_requests import (
    prompt_request,
    request_seed,
    required_llm,
    unanswered,
)
from augkit.core.config import ChangedField, MaxTokens, MethodConfig, Temperature
from augkit.core.model_types import Reply, Request
from augkit.core.types import DETAIL_CHARS, FREE, Cost, Draft, Example, Rejection
from augkit.grammars.model.corpus import split_sentences, split_words
from augkit.models.language_models.seq2seq import Seq2Seq, load_seq2seq
from augkit.prompts.answers import TextAnswer, limit_tokens
from augkit.text.tokens import words

_TOO_MANY_SHARED = 0.5
"""Share of its words that a translation has in common with the text: it is none."""


class BackTranslationConfig(MethodConfig):
    """The languages, and the models that translate."""

    forward: str = Field(
        "", description="a local model into the other language: a folder or hub id"
    )
    backward: str = Field("", description="a local model back from it: a folder or hub id")
    language: str = Field(
        "German", min_length=1, description="the other language, for a language model"
    )
    source: str = Field("English", min_length=1, description="the language of the texts")
    beams: int = Field(4, ge=1, description="of local models: 1 is greedy")
    temperature: Temperature = 0.7
    max_tokens: MaxTokens = 2048
    field: ChangedField = None

    @model_validator(mode="after")
    def _both_directions(self) -> Self:
        if bool(self.forward) != bool(self.backward):
            raise ValueError("local models translate in pairs: give both 'forward' and 'backward'")
        return self

    @property
    def needs(self) -> frozenset[str]:
        """A language model (--llm), unless local ones translate (settings forward, backward)."""
        return frozenset() if self.forward else frozenset({"llm"})

    @property
    def loads_model(self) -> bool:
        """Whether local models translate."""
        return bool(self.forward)


class BackTranslation(Augmenter[BackTranslationConfig]):
    """Translate a text into another language and back; the label is kept.

    Local models give one variant of a text, whatever ``copies`` is.
    """

    name = "back-translation"
    Config = BackTranslationConfig
    traits = Traits(
        writing="paraphrase",
        label_checked=True,
        unseen_fault="small models translate wrongly, in fluent sentences that pass all checks",
    )

    @cached_property
    def _models(self) -> tuple[Seq2Seq, Seq2Seq]:
        return load_seq2seq(self.config.forward), load_seq2seq(self.config.backward)

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """Translate every text, then translate it back."""
        return map(self._round_trip, batch) if self.config.forward else self._by_llm(batch)

    def _round_trip(self, parent: Example) -> Draft | Rejection:
        """One text at a time: in a batch the padding of others can change a close choice."""
        text = parent.fields[chosen_field(parent.fields, self.config.field)]
        spans = sentence_spans(text)
        parts = [text[start:end] for start, end in spans]
        for model in self._models:
            written = model.write(parts, self.config.beams, batch_size=1)
            if fault := next((sentence.fault for sentence in written if sentence.fault), ""):
                return Rejection(parent, "not translated", fault)
            parts = [sentence.text for sentence in written]
        fields = with_text(parent.fields, self.config.field, rejoin(text, spans, parts))
        return Draft(parent, fields, parent.label)

    def _by_llm(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """Into the other language; what is still in the first one is not translated back."""
        source, language = self.config.source, self.config.language
        jobs = [
            Translated(parent, copy, parent.fields[chosen_field(parent.fields, self.config.field)])
            for parent in batch
            for copy in range(self.config.copies)
        ]
        there = self._translate(jobs, source, language)
        yield from (job for job in there if isinstance(job, Rejection))
        translated = [job for job in there if isinstance(job, Translated)]
        back = self._translate(translated, language, source)
        for job in back:
            if isinstance(job, Rejection):
                yield job
                continue
            field = self.config.field
            before = job.parent.fields[chosen_field(job.parent.fields, field)]
            fields = with_text(job.parent.fields, field, with_final_mark(before, job.text))
            yield Draft(job.parent, fields, job.parent.label, copy=job.copy, cost=job.cost)

    def _translate(
        self, jobs: Sequence[Translated], source: str, target: str
    ) -> list[Translated | Rejection]:
        requests = [
            translation_request(
                job.text, source, target, self.config, request_seed(self, job.parent, job.copy)
            )
            for job in jobs
        ]
        replies = required_llm(self).generate(requests)
        return [
            read_translation(job, reply, target) for job, reply in zip(jobs, replies, strict=True)
        ]


@dataclass(frozen=True)
class Translated:
    """A text on its way, and what it cost so far."""

    parent: Example
    copy: int
    text: str
    cost: Cost = FREE


def translation_request(
    text: str, source: str, target: str, config: BackTranslationConfig, seed: int
) -> Request:
    """Ask for the text in the target language."""
    request = prompt_request(
        "back_translation/translate",
        TextAnswer,
        config,
        seed,
        text=text,
        source=source,
        target=target,
    )
    return limit_tokens(request, [text])


def read_translation(job: Translated, reply: Reply, target: str) -> Translated | Rejection:
    """The text in its new language; a rejection where it is still in the old one."""
    if not isinstance(reply.answer, TextAnswer):
        return unanswered(job.parent, job.copy, reply, job.cost)
    text, cost = reply.answer.text.strip(), job.cost + reply.cost
    if not text or shared_words(text, job.text) >= _TOO_MANY_SHARED:
        detail = f"not in {target}: {text}"[:DETAIL_CHARS]
        return Rejection(job.parent, "not translated", detail, job.copy, cost)
    return replace(job, text=text, cost=cost)


def shared_words(text: str, reference: str) -> float:
    """The share of the words of a text, names aside, that the reference has too.

    >>> shared_words("Anna liebt diesen Film.", "Anna loves this film.")
    0.0
    """
    plain = [word for word in words(text)[1:] if word.islower()]
    there = set(words(reference))
    return sum(word in there for word in plain) / max(1, len(plain))


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """The spans of the sentences of a text; the whole text where it has no words.

    >>> sentence_spans("It rains. We stay.")
    [(0, 9), (10, 18)]
    """
    runs = split_sentences(split_words(text), text)
    return [(run[0].start, run[-1].end) for run in runs] or [(0, len(text))]


def rejoin(text: str, spans: Sequence[tuple[int, int]], parts: Sequence[str]) -> str:
    """The text with these parts instead of its sentences; what is between them stays.

    >>> rejoin("It rains.  We stay.", [(0, 9), (11, 19)], ["Rain.", "Here."])
    'Rain.  Here.'
    """
    pieces, last = [], 0
    for (start, end), part in zip(spans, parts, strict=True):
        pieces += [text[last:start], part]
        last = end
    return "".join([*pieces, text[last:]])
