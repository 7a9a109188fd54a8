"""Back-translation: a text goes into another language and comes back in other words.

Reference: sennrich2016improving, where it makes training data for translation; as augmentation the
way there and back is a paraphrase, and the label is kept. Two local sequence-to-sequence models
translate (``there`` and ``back``, as Marian's en-fr and fr-en), or a language model does, in two
calls: the second does not see the original. Long texts are translated sentence by sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from pydantic import BaseModel, Field, model_validator
from typing_extensions import Self

from augkit.augmenters.base import Augmenter
from augkit.augmenters.fields import chosen_field
from augkit.augmenters.llm_rejections import unanswered
from augkit.core.config import MethodConfig
from augkit.core.errors import MissingTool
from augkit.core.model_types import Reply, Request
from augkit.core.types import Draft, Example, Rejection
from augkit.grammars.model.sentences import split_sentences
from augkit.grammars.model.vocabulary import split_words
from augkit.models.language_models.seq2seq import Seq2Seq, load_seq2seq
from augkit.prompts.load import load_prompt, render


class BackTranslationConfig(MethodConfig):
    """Which way the text goes, and who translates."""

    there: str = Field("", description="a local model into the other language: a folder or hub id")
    back: str = Field("", description="a local model back from it: a folder or hub id")
    language: str = Field("German", min_length=1, description="the language a language model uses")
    source: str = Field("English", min_length=1, description="the language of the texts")
    beams: int = Field(4, ge=1, description="of local models: 1 is greedy")
    temperature: float = Field(0.7, ge=0, le=2, description="of a language model")
    max_tokens: int = Field(2048, ge=1, description="longest answer of a language model")
    field: str | None = Field(
        None, description="the field to translate, of a row that has several; none: the last"
    )

    @model_validator(mode="after")
    def _both_ways(self) -> Self:
        if bool(self.there) != bool(self.back):
            raise ValueError("a way there needs a way back: give both models, 'there' and 'back'")
        return self

    @property
    def needs(self) -> frozenset[str]:
        """An LLM, unless two local models translate."""
        return frozenset() if self.there else frozenset({"llm"})

    @property
    def loads_model(self) -> bool:
        """Whether local models translate."""
        return bool(self.there)


class Translation(BaseModel):
    """The answer asked of a language model."""

    text: str


class BackTranslation(Augmenter[BackTranslationConfig]):
    """Translate a text into another language and back; the label is kept.

    Local models give one variant of a text, whatever ``copies`` is.
    """

    name = "back-translation"
    Config = BackTranslationConfig

    @cached_property
    def _models(self) -> tuple[Seq2Seq, Seq2Seq]:
        return load_seq2seq(self.config.there), load_seq2seq(self.config.back)

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """Every text there, then every text back."""
        return self._by_models(batch) if self.config.there else self._by_llm(batch)

    def _by_models(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        for parent in batch:
            name = chosen_field(parent.fields, self.config.field)
            answer = self._there_and_back(parent.fields[name])
            if isinstance(answer, str):
                yield Draft(parent, {**parent.fields, name: answer}, parent.label)
            else:
                yield Rejection(parent, "not translated", answer[0])

    def _there_and_back(self, text: str) -> str | tuple[str]:
        """The text come back, or the fault of a model in a tuple.

        One text at a time: in a batch the padding of others can change a close choice of words.
        """
        spans = sentence_spans(text)
        parts = [text[start:end] for start, end in spans]
        for model in self._models:
            written = model.write(parts, self.config.beams, batch_size=1)
            fault = next((one.fault for one in written if one.fault), "")
            if fault:
                return (fault,)
            parts = [one.text for one in written]
        return rejoined(text, spans, parts)

    def _by_llm(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        llm, config = self.tools.llm, self.config
        if llm is None:
            raise MissingTool(self.name, "llm")
        asked = [(parent, copy) for parent in batch for copy in range(config.copies)]
        texts = {row.id: row.fields[chosen_field(row.fields, config.field)] for row in batch}
        there = llm.generate(
            [
                translate_request(
                    texts[parent.id],
                    (config.source, config.language),
                    config,
                    self._seed(parent, copy),
                )
                for parent, copy in asked
            ]
        )
        answered = [
            (*one, reply, reply.answer.text)
            for one, reply in zip(asked, there, strict=True)
            if isinstance(reply.answer, Translation)
        ]
        back = llm.generate(
            [
                translate_request(
                    text, (config.language, config.source), config, self._seed(parent, copy)
                )
                for parent, copy, _, text in answered
            ]
        )
        returned = {
            (p.id, copy): last for (p, copy, _, _), last in zip(answered, back, strict=True)
        }
        for (parent, copy), reply in zip(asked, there, strict=True):
            yield self._read(parent, copy, reply, returned)

    def _read(
        self,
        parent: Example,
        copy: int,
        there: Reply,
        returned: Mapping[tuple[str, int], Reply],
    ) -> Draft | Rejection:
        back = returned.get((parent.id, copy))
        if back is None:
            return unanswered(parent, copy, there)
        if not isinstance(back.answer, Translation):
            return unanswered(parent, copy, back, there.cost)
        name = chosen_field(parent.fields, self.config.field)
        fields = {**parent.fields, name: back.answer.text.strip()}
        return Draft(parent, fields, parent.label, copy=copy, cost=there.cost + back.cost)

    def _seed(self, parent: Example, copy: int) -> int:
        return self.random(parent, copy).randrange(2**31)


def translate_request(
    text: str, way: tuple[str, str], config: BackTranslationConfig, seed: int
) -> Request:
    """The question for a translation of a text."""
    prompt = load_prompt("back_translation/translate")
    return Request(
        render(prompt, text=text, source=way[0], target=way[1]),
        answer=Translation,
        temperature=config.temperature,
        max_tokens=config.max_tokens,
        seed=seed,
        prompt=prompt.name,
    )


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Where the sentences of a text stand; one span where it has no words.

    >>> sentence_spans("It rains. We stay.")
    [(0, 9), (10, 18)]
    """
    runs = split_sentences(split_words(text), text)
    return [(run[0].start, run[-1].end) for run in runs] or [(0, len(text))]


def rejoined(text: str, spans: Sequence[tuple[int, int]], parts: Sequence[str]) -> str:
    """The parts in the places of the sentences; what stood between them stays.

    >>> rejoined("It rains.  We stay.", [(0, 9), (11, 19)], ["Rain.", "Here."])
    'Rain.  Here.'
    """
    pieces, last = [], 0
    for (start, end), part in zip(spans, parts, strict=True):
        pieces += [text[last:start], part]
        last = end
    return "".join([*pieces, text[last:]])
