"""Back-translation: a text is translated into another language and back.

Reference: sennrich2016improving, where it makes training data for translation; as augmentation the
round trip is a paraphrase, and the label is kept. Two local sequence-to-sequence models translate
(``forward`` and ``backward``, as Marian's en-fr and fr-en), or a language model does, in two calls:
the second does not see the original. Local models translate sentence by sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from pydantic import BaseModel, Field, model_validator
from typing_extensions import Self

from augkit.augmenters.base import Augmenter
from augkit.augmenters.fields import chosen_field, with_text
from augkit.augmenters.llm_requests import (
    prompt_request,
    request_seed,
    required_llm,
    unanswered,
)
from augkit.core.config import MethodConfig
from augkit.core.model_types import Reply, Request
from augkit.core.types import Draft, Example, Rejection
from augkit.grammars.model.corpus import split_sentences
from augkit.grammars.model.vocabulary import split_words
from augkit.models.language_models.seq2seq import Seq2Seq, load_seq2seq


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
    temperature: float = Field(0.7, ge=0, le=2, description="of a language model")
    max_tokens: int = Field(2048, ge=1, description="longest answer of a language model")
    field: str | None = Field(
        None, description="the field to translate in rows with several; none: the last"
    )

    @model_validator(mode="after")
    def _both_directions(self) -> Self:
        if bool(self.forward) != bool(self.backward):
            raise ValueError("local models translate in pairs: give both 'forward' and 'backward'")
        return self

    @property
    def needs(self) -> frozenset[str]:
        """An LLM, unless two local models translate."""
        return frozenset() if self.forward else frozenset({"llm"})

    @property
    def loads_model(self) -> bool:
        """Whether local models translate."""
        return bool(self.forward)


class Translation(BaseModel):
    """The answer requested from a language model."""

    text: str


class BackTranslation(Augmenter[BackTranslationConfig]):
    """Translate a text into another language and back; the label is kept.

    Local models give one variant of a text, whatever ``copies`` is.
    """

    name = "back-translation"
    Config = BackTranslationConfig
    writing = "paraphrase"

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
            if fault := next((one.fault for one in written if one.fault), ""):
                return Rejection(parent, "not translated", fault)
            parts = [one.text for one in written]
        fields = with_text(parent.fields, self.config.field, rejoin(text, spans, parts))
        return Draft(parent, fields, parent.label)

    def _by_llm(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        llm, source, language = required_llm(self), self.config.source, self.config.language
        pending = [(parent, copy) for parent in batch for copy in range(self.config.copies)]
        texts = [p.fields[chosen_field(p.fields, self.config.field)] for p, _ in pending]
        forward = llm.generate(self._requests(pending, texts, source, language))
        translated = [
            (job, reply.answer.text)
            for job, reply in zip(pending, forward, strict=True)
            if isinstance(reply.answer, Translation)
        ]
        jobs, texts = [job for job, _ in translated], [text for _, text in translated]
        backward = llm.generate(self._requests(jobs, texts, language, source))
        returned = {(p.id, copy): reply for (p, copy), reply in zip(jobs, backward, strict=True)}
        for (parent, copy), reply in zip(pending, forward, strict=True):
            yield self._read(parent, copy, reply, returned.get((parent.id, copy)))

    def _requests(
        self, jobs: Sequence[tuple[Example, int]], texts: Sequence[str], source: str, target: str
    ) -> list[Request]:
        return [
            prompt_request(
                "back_translation/translate",
                Translation,
                self.config,
                request_seed(self, parent, copy),
                text=text,
                source=source,
                target=target,
            )
            for (parent, copy), text in zip(jobs, texts, strict=True)
        ]

    def _read(
        self, parent: Example, copy: int, forward: Reply, backward: Reply | None
    ) -> Draft | Rejection:
        if backward is None:
            return unanswered(parent, copy, forward)
        if not isinstance(backward.answer, Translation):
            return unanswered(parent, copy, backward, forward.cost)
        fields = with_text(parent.fields, self.config.field, backward.answer.text.strip())
        return Draft(parent, fields, parent.label, copy=copy, cost=forward.cost + backward.cost)


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
