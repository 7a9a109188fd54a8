"""GPT3Mix: a language model writes a new example like a few given ones.

Reference: yoo2021gpt3mix. The paper shows k examples with their labels, lets the model write
another one with its label, and takes the probabilities of the label words as its soft label. Here
all examples of a call have one label, and the new one must have it too: small models mix labels up.
One of the examples shown is the row itself, so that a variant has a parent.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pydantic import Field

from augkit.augmenters.base import Augmenter, Traits
from augkit.augmenters.llm_checks.written import plain_words
from augkit.augmenters.llm_requests import prompt_request
from augkit.core.config import MaxTokens, MethodConfig, Temperature, TopP
from augkit.core.json_files import JsonArtifact
from augkit.core.model_types import Request
from augkit.core.protocols import Artifact, Check
from augkit.core.types import DETAIL_CHARS, Example, Variant, refused
from augkit.english.morphology import function_words
from augkit.labels.fit import sampled_rows
from augkit.lexicons.label_meanings import task_family
from augkit.prompts.answers import NamedTexts, limit_tokens, named_texts

SUBJECT = "subject"
"""The name of the answer's first text: what the new example is about."""
_FEW = 2
"""Words that two texts may have in common by chance."""


class Gpt3MixConfig(MethodConfig):
    """How many examples are shown, and how near to them a new one may be."""

    examples: int = Field(2, ge=1, le=20, description="examples shown, the row itself among them")
    pool: int = Field(1000, ge=1, description="rows of the corpus to sample the others from")
    overlap: float = Field(
        0.6,
        gt=0,
        le=1,
        description="share of its content words that a new example may have in common with a row",
    )
    temperature: Temperature = 1.0
    top_p: TopP = 0.95
    max_tokens: MaxTokens = 1024


@dataclass(frozen=True)
class ShownExample:
    """An example of the corpus that the prompt shows."""

    fields: Mapping[str, str]
    label: str

    @property
    def line(self) -> str:
        """The row as the prompt shows it: its text, or JSON where it has several."""
        first, *further = self.fields.values()
        return json.dumps(dict(self.fields), ensure_ascii=False) if further else first


@dataclass(frozen=True)
class ExamplePool(JsonArtifact):
    """Rows of the corpus to show, and its labels by the names of the fields."""

    file = "examples.json"
    rows: tuple[ShownExample, ...]
    labels: Mapping[str, tuple[str, ...]]

    def like(self, parent: Example) -> list[ShownExample]:
        """The rows with the fields and the label of this one, itself left out."""
        names = list(parent.fields)
        return [
            row
            for row in self.rows
            if row.label == parent.label
            and list(row.fields) == names
            and dict(row.fields) != dict(parent.fields)
        ]

    def nearest(self, fields: Mapping[str, str]) -> tuple[float, str]:
        """The largest share of the content words that a row has too, and this row.

        A few words in common say nothing: the share is 0.
        """
        words = _content_words(fields)
        shared = ((len(words & row_words), text) for row_words, text in self._word_sets)
        most, row = max(shared, default=(0, ""))
        return (most / len(words) if most > _FEW else 0.0), row

    @cached_property
    def _word_sets(self) -> list[tuple[set[str], str]]:
        return [(_content_words(row.fields), " | ".join(row.fields.values())) for row in self.rows]

    def labels_for(self, parent: Example) -> tuple[str, ...]:
        """The labels that rows with these fields have."""
        return self.labels.get(_shape(parent.fields), ())


class Gpt3Mix(Augmenter[Gpt3MixConfig]):
    """Have a language model write a new row like a few others of the same label.

    The variant has the label of its row. One that is too near to a row of the pool is rejected.
    """

    name = "gpt3mix"
    Config = Gpt3MixConfig
    traits = Traits(writing="new text", label_checked=True)
    needs = frozenset({"llm"})
    labels_needed = 2
    learns = ExamplePool

    def prepare(self, examples: Sequence[Example]) -> Artifact:
        """Sample the rows to show, by their ids, and collect the labels."""
        usable = [row for row in examples if row.label is not None and not row.fault]
        labels: dict[str, set[str]] = {}
        for row in usable:
            labels.setdefault(_shape(row.fields), set()).add(str(row.label))
        sample = sampled_rows(usable, self.config.pool, "anchor")
        rows = tuple(ShownExample(dict(row.fields), str(row.label)) for row in sample)
        return ExamplePool(rows, {name: tuple(sorted(names)) for name, names in labels.items()})

    def propose(self, batch: Sequence[Example]) -> Iterator[Variant]:
        """Request every copy of every labelled example at once."""
        labelled = []
        for parent in batch:
            if parent.label in self.artifact.labels_for(parent):
                labelled.append(parent)
            else:
                yield refused(parent, "label not in the corpus", str(parent.label))
        yield from self.ask(self.blanks(labelled), self.question, read_row)

    @property
    def checks(self) -> Sequence[Check[Variant]]:
        """A new example is not near a row of the pool."""
        return [Check("near a row", self._near_row)]

    def _near_row(self, variant: Variant) -> str:
        share, row = self.artifact.nearest(variant.fields)
        if share <= self.config.overlap:
            return ""
        return f"{' | '.join(variant.fields.values())}: {share:.0%} of it in: {row}"[:DETAIL_CHARS]

    def question(self, blank: Variant) -> Request:
        """Show the row among others of its label, and ask for one more."""
        parent = blank.parent
        rng = self.random(parent, blank.copy)
        alike = self.artifact.like(parent)
        chosen = rng.sample(alike, min(self.config.examples - 1, len(alike)))
        shown = [*chosen, ShownExample(parent.fields, str(parent.label))]
        rng.shuffle(shown)
        names = list(parent.fields)
        request = prompt_request(
            "gpt3mix/mix",
            named_texts(tuple(dict.fromkeys([SUBJECT, *names]))),
            self.config,
            rng.randrange(2**31),
            task_family([parent.label], names),
            label=parent.label,
            names=", ".join(names),
            rows="\n".join(row.line for row in shown),
        )
        longest = max(sum(map(len, row.fields.values())) for row in shown)
        return limit_tokens(request, [" " * longest])


def read_row(blank: Variant, answer: NamedTexts) -> Variant:
    """Take the texts of the new row."""
    texts = answer.by_name
    return replace(blank, fields={name: texts[name].strip() for name in blank.parent.fields})


def _content_words(fields: Mapping[str, str]) -> set[str]:
    return {word for text in fields.values() for word in plain_words(text)} - function_words()


def _shape(fields: Mapping[str, str]) -> str:
    return "|".join(fields)
