"""AugGPT: a language model writes several paraphrases of a text in one answer.

Reference: dai2023auggpt. The paper has ChatGPT rephrase every sentence of a few-shot dataset six
times in one conversation and trains a classifier on all of them. Here the paraphrases come as one
structured answer, and a paraphrase that repeats another or the text itself is rejected.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import Field

from augkit.augmenters.base import Augmenter, Traits
from augkit.augmenters.baselines.paraphrase import reworded
from augkit.augmenters.fields import chosen_field
from augkit.augmenters.llm_requests import prompt_request, request_seed
from augkit.augmenters.loop import blank_variant, copies_of
from augkit.core.config import ChangedField, MaxTokens, MethodConfig, Temperature, TopP
from augkit.core.model_types import Request
from augkit.core.types import Example, Variant
from augkit.lexicons.label_meanings import task_family
from augkit.prompts.answers import RewordedTexts, exactly, limit_tokens


class AugGptConfig(MethodConfig):
    """How many paraphrases one call gives, and how freely."""

    copies: int = Field(
        6, ge=1, le=50, description="paraphrases per call; the default is the paper's"
    )
    temperature: Temperature = 0.7
    top_p: TopP = 1.0
    max_tokens: MaxTokens = 4096
    field: ChangedField = None


class AugGpt(Augmenter[AugGptConfig]):
    """Have a language model paraphrase one field several times in one call; the label is kept.

    The first paraphrase carries the cost of the call.
    """

    name = "auggpt"
    Config = AugGptConfig
    traits = Traits(writing="paraphrase", label_checked=True)
    needs = frozenset({"llm"})

    def propose(self, batch: Sequence[Example]) -> Iterator[Variant]:
        """Make one call per example, for ``copies`` variants of it."""
        rows = [blank_variant(parent) for parent in batch]
        for of_row in self.ask.several(rows, self.question, self.read):
            yield from of_row

    def question(self, blank: Variant) -> Request:
        """Ask for several paraphrases of one field."""
        return auggpt_request(blank.parent, self.config, request_seed(self, blank.parent))

    def read(self, blank: Variant, answer: RewordedTexts) -> Iterator[Variant]:
        """Make a variant of each paraphrase; the first carries the cost of the call."""
        for variant, version in zip(
            copies_of(blank, self.config.copies), answer.versions, strict=True
        ):
            yield reworded(variant, version, self.config.field, checked=self.gates.enabled)


def auggpt_request(parent: Example, config: AugGptConfig, seed: int) -> Request:
    """Ask for several paraphrases of one field."""
    text = parent.fields[chosen_field(parent.fields, config.field)]
    request = prompt_request(
        "auggpt/rephrase",
        exactly(config.copies, RewordedTexts),
        config,
        seed,
        task_family([parent.label], parent.fields),
        text=text,
        count=config.copies,
    )
    return limit_tokens(request, [text] * 3 * config.copies)
