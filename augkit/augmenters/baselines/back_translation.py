"""Back-translation: a text is translated into another language and back.

Reference: sennrich2016improving, where it makes training data for translation; as augmentation the
round trip is a paraphrase, and the label is kept. Two local sequence-to-sequence models translate
(``forward`` and ``backward``, as Marian's en-fr and fr-en), or a language model does, in two calls:
the second does not see the original. Local models translate sentence by sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

from pydantic import Field, model_validator
from typing_extensions import Self

from augkit.augmenters.base import Augmenter, Traits
from augkit.augmenters.fields import chosen_field, with_text
from augkit.augmenters.llm_checks.form import with_final_mark
from augkit.augmenters.llm_requests import prompt_request, request_seed
from augkit.augmenters.loop import each
from augkit.core.config import ChangedField, MaxTokens, MethodConfig, Temperature
from augkit.core.model_types import Request
from augkit.core.types import Example, Variant, refused
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

    def propose(self, batch: Sequence[Example]) -> Iterable[Variant]:
        """Translate every text, then translate it back."""
        if self.config.forward:
            return map(self._round_trip, batch)
        source = self.config.source
        language = self.config.language
        there = self._translated(map(self._with_text, self.blanks(batch)), source, language)
        back = self._translated(there, language, source)
        return each(back, self._written)

    def _round_trip(self, parent: Example) -> Variant:
        """One text at a time: in a batch the padding of others can change a close choice."""
        text = parent.fields[chosen_field(parent.fields, self.config.field)]
        spans = sentence_spans(text)
        parts = [text[start:end] for start, end in spans]
        for model in self._models:
            written = model.write(parts, self.config.beams, batch_size=1)
            if fault := next((sentence.fault for sentence in written if sentence.fault), ""):
                return refused(parent, "not translated", fault)
            parts = [sentence.text for sentence in written]
        fields = with_text(parent.fields, self.config.field, rejoin(text, spans, parts))
        return Variant(parent, fields, parent.label)

    def _with_text(self, blank: Variant) -> Variant:
        """The variant with its text, which is on its way from now on."""
        return replace(blank, work=self._source_text(blank))

    def _source_text(self, blank: Variant) -> str:
        fields = blank.parent.fields
        return fields[chosen_field(fields, self.config.field)]

    def _translated(self, variants: Iterable[Variant], source: str, target: str) -> list[Variant]:
        """Translate the texts on their way; one that stays in its language is refused."""

        def question(variant: Variant) -> Request:
            seed = request_seed(self, variant.parent, variant.copy)
            return translation_request(variant.work, source, target, self.config, seed)

        def read(variant: Variant, answer: TextAnswer) -> Variant:
            return read_translation(variant, answer, target)

        return self.ask(variants, question, read)

    def _written(self, variant: Variant) -> Variant:
        """The variant with the text that has come back in its field."""
        text = with_final_mark(self._source_text(variant), variant.work)
        fields = with_text(variant.parent.fields, self.config.field, text)
        return replace(variant, fields=fields, work=None)


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


def read_translation(variant: Variant, answer: TextAnswer, target: str) -> Variant:
    """Take the text in its new language; refuse it where it is still in the old one."""
    text = answer.text.strip()
    if not text or shared_words(text, variant.work) >= _TOO_MANY_SHARED:
        return variant.refuse("not translated", f"not in {target}: {text}")
    return replace(variant, work=text)


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
    pieces = []
    last = 0
    for (start, end), part in zip(spans, parts, strict=True):
        pieces += [text[last:start], part]
        last = end
    return "".join([*pieces, text[last:]])
