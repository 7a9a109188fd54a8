"""Paraphrase: a language model rewords a text, one call per paraphrase.

A control for methods that rewrite with a purpose; ``auggpt`` asks for several in one call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from augkit.augmenters.base import Augmenter, Traits
from augkit.augmenters.fields import chosen_field, with_text
from augkit.augmenters.llm_checks.form import with_final_mark
from augkit.augmenters.llm_checks.meaning import reworded_fault
from augkit.augmenters.llm_requests import prompt_request, request_seed
from augkit.core.config import ChangedField, MaxTokens, MethodConfig, Temperature, TopP
from augkit.core.json_files import JsonArtifact
from augkit.core.model_types import Request
from augkit.core.protocols import Artifact, Tools
from augkit.core.types import Example, Variant
from augkit.labels.check import MeasuredJudge
from augkit.labels.judge import LLMJudge, Verdict, judged_by, refuse_label
from augkit.lexicons.label_meanings import task_family
from augkit.prompts.answers import RewordedText, limit_tokens


class ParaphraseConfig(MethodConfig):
    """Which field is paraphrased, and how freely."""

    temperature: Temperature = 0.3
    top_p: TopP = 1.0
    max_tokens: MaxTokens = 1024
    field: ChangedField = None


@dataclass(frozen=True)
class LabelSet(JsonArtifact):
    """The labels of a dataset, which the judge chooses from."""

    file = "labels.json"
    labels: tuple[str, ...]


class Paraphrase(Augmenter[ParaphraseConfig]):
    """Have a language model paraphrase one field; the label is kept.

    With a judge a second request, without the label, asks which of the dataset's labels the new
    text has; any answer but the label rejects it. Rows without a label are not judged.
    """

    name = "paraphrase"
    Config = ParaphraseConfig
    traits = Traits(writing="paraphrase", label_checked=True)
    needs = frozenset({"llm"})
    learns = LabelSet

    def __init__(self, config: ParaphraseConfig, tools: Tools | None = None) -> None:
        """Without a judge there is nothing to learn, and no need to call ``fit``."""
        super().__init__(config, tools)
        if not self.asks_judge:
            self._artifact = LabelSet(())

    def prepare(self, examples: Sequence[Example]) -> Artifact:
        """Collect the labels."""
        return LabelSet(tuple(sorted({row.label for row in examples if row.label is not None})))

    def propose(self, batch: Sequence[Example]) -> list[Variant]:
        """Ask for every copy of every example at once."""
        return self.ask(self.blanks(batch), self.question, self.read)

    def question(self, blank: Variant) -> Request:
        """Ask for a paraphrase of one field. It has the same meaning, so nothing else is shown."""
        parent = blank.parent
        config = self.config
        text = parent.fields[chosen_field(parent.fields, config.field)]
        family = task_family([parent.label], parent.fields)
        seed = request_seed(self, parent, blank.copy)
        request = prompt_request(
            "paraphrase/rewrite", RewordedText, config, seed, family, text=text
        )
        return limit_tokens(request, [text] * 3)  # words, what takes their place, and the text

    def read(self, blank: Variant, answer: RewordedText) -> Variant:
        """Put the new text into its field."""
        return reworded(blank, answer, self.config.field, checked=self.gates.enabled)

    def judged(self, variants: Sequence[Variant]) -> list[Variant]:
        """Refuse the variants in which the judge does not find their label."""
        if self.tools.judge is None:
            return super().judged(variants)
        judge = LLMJudge(self.tools.judge, self.artifact.labels)
        return judged_by(MeasuredJudge(judge, self.tools.label_check), variants, doubt_label)

    @property
    def asks_judge(self) -> bool:
        """Whether a second model judges."""
        return self.tools.judge is not None


def reworded(blank: Variant, answer: RewordedText, field: str | None, *, checked: bool) -> Variant:
    """Put a new text in; ``checked``: unless it changes what the answer did not name."""
    before = blank.parent.fields[chosen_field(blank.parent.fields, field)]
    after = with_final_mark(before, answer.text)
    if checked and answer.words and after and after != before:
        fault = reworded_fault(before, after, answer.words)
        if fault:
            return blank.refuse("meaning changed", f"{fault}: {after}")
    return replace(blank, fields=with_text(blank.parent.fields, field, after))


def doubt_label(variant: Variant, verdict: Verdict) -> Variant:
    """The variant, refused unless the judge names exactly its label."""
    if not verdict.label:
        return variant.refuse(f"llm: {verdict.fault}", "judge")
    if not verdict.agrees:
        return refuse_label(variant, f"'{verdict.label}' instead of '{variant.label}' for")
    return variant
