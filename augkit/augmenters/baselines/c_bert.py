"""C-BERT: a label-conditional masked language model replaces words.

Reference: wu2019conditional. A BERT is fine-tuned on the dataset with the label instead of its
segment embedding. Then some words of a text are masked and sampled from its predictions under the
text's own label, so that a replacement fits the label and not only the sentence. The model is
yours: a folder or a name on the hub. Only whole words of letters are masked and inserted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from pydantic import Field, field_validator

from augkit.augmenters.base import Augmenter
from augkit.core.config import MethodConfig
from augkit.core.edits import Edit, apply
from augkit.core.protocols import Artifact
from augkit.core.types import Example, Variant, refused
from augkit.models.language_models.conditional_lm import (
    ConditionalLM,
    ConditionalTraining,
    train_conditional,
)
from augkit.text.casing import match_case
from augkit.text.tokens import plain_word_spans


class CBertConfig(MethodConfig):
    """Which model, how it is trained, and how much it changes."""

    model: str = Field(
        "", validate_default=True, description="a masked language model: a folder, or a hub id"
    )
    share: float = Field(0.15, gt=0, le=1, description="share of the words replaced, at least one")
    top: int = Field(10, ge=1, le=50, description="likeliest words to sample from")
    training: ConditionalTraining = Field(
        default_factory=ConditionalTraining, description="how the model is trained on the labels"
    )

    @field_validator("model")
    @classmethod
    def _has_model(cls, model: str) -> str:
        if not model:
            raise ValueError(
                "a masked language model is needed, and none is bundled: --set model=FOLDER with a "
                "saved one (bert-base-uncased, say), or its name on the hub"
            )
        return model

    @property
    def loads_model(self) -> bool:
        """Always."""
        return True


class CBert(Augmenter[CBertConfig]):
    """Replace some words by what a masked model predicts for the label, which is kept."""

    name = "c-bert"
    Config = CBertConfig
    labels_needed = 1
    learns = ConditionalLM

    def prepare(self, examples: Sequence[Example]) -> Artifact:
        """Fine-tune the model on the corpus."""
        usable = [row for row in examples if row.label is not None and not row.fault]
        return train_conditional(usable, self.config.model, self.config.training, self.config.seed)

    def propose(self, batch: Sequence[Example]) -> Iterator[Variant]:
        """``copies`` drafts per labelled example."""
        for parent in batch:
            if parent.label not in self.artifact.labels:
                yield refused(parent, "label not in the corpus", str(parent.label))
                continue
            for copy in range(self.config.copies):
                yield self._variant(parent, copy)

    def _variant(self, parent: Example, copy: int) -> Variant:
        rng = self.random(parent, copy)
        edits: list[Edit] = []
        for name, text in parent.fields.items():
            spans = plain_word_spans(text)
            count = min(len(spans), max(1, int(self.config.share * len(spans))))
            gaps = sorted(rng.sample(spans, count))
            candidates = self.artifact.fill(text, gaps, str(parent.label)) if gaps else []
            for (start, end), words in zip(gaps, candidates, strict=True):
                if word := sample_word(words[: self.config.top], rng):
                    before = text[start:end]
                    edits.append(Edit(name, start, end, before, match_case(word, before)))
        if not edits:
            return refused(parent, "no word to replace", copy=copy)
        fields = apply(parent.fields, edits)
        return Variant(parent, fields, parent.label, copy=copy, edits=tuple(edits))


def sample_word(words: Sequence[tuple[str, float]], rng: Random) -> str:
    """A word sampled by its probability; "" where there is none."""
    if not words:
        return ""
    (word,) = rng.choices([word for word, _ in words], [p for _, p in words])
    return word
