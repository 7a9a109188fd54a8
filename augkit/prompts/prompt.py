"""A prompt as its YAML file holds it: messages with templates, and worked examples."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from augkit.core.config import StrictModel
from augkit.core.types import digest
from augkit.lexicons.label_meanings import Family


class MessageTemplate(StrictModel):
    """One message of a prompt, with a jinja2 template for its content."""

    role: Literal["system", "user", "assistant"]
    content: str


class PromptExample(StrictModel):
    """A worked example: the inputs of a question, and the answer to it."""

    inputs: dict[str, Any] = Field(description="a value for each input of the prompt")
    answer: str | dict[str, Any] = Field(description="a word, or the JSON object asked for")

    @property
    def answer_text(self) -> str:
        """The answer as a model writes it."""
        if isinstance(self.answer, str):
            return self.answer
        return json.dumps(self.answer, ensure_ascii=False)


def _by_family(examples: Any) -> Any:
    return {"other": examples} if isinstance(examples, list | tuple) else examples


Examples = Annotated[dict[Family, tuple[PromptExample, ...]], BeforeValidator(_by_family)]
"""Worked examples by family of tasks; a plain list is for all families."""


class Prompt(StrictModel):
    """A prompt file."""

    id: str = Field(pattern=r"^[a-z0-9_-]+/[a-z0-9_-]+$", description="method/name, as its path")
    version: int = Field(ge=1, description="increased when the wording changes")
    source: str | None = Field(None, description="citation key of the paper it comes from")
    inputs: tuple[str, ...] = Field(description="the variables of its templates")
    messages: tuple[MessageTemplate, ...] = Field(min_length=1)
    examples: Examples = Field(
        default_factory=dict,
        description="worked examples by family of tasks; a plain list is for all families",
    )

    @property
    def name(self) -> str:
        """Id, version and digest of the content, as recorded with each request."""
        return f"{self.id}@{self.version}:{digest(self.model_dump_json())}"

    @property
    def shown(self) -> tuple[PromptExample, ...]:
        """The worked examples of a prompt that was loaded for one family."""
        return self.examples.get("other", ())

    def for_family(self, family: Family) -> Prompt:
        """The prompt with the examples of one family; those of "other" where it has none."""
        return self.with_examples(self.examples.get(family) or self.shown)

    def with_examples(self, examples: tuple[PromptExample, ...]) -> Prompt:
        """The prompt with these examples alone."""
        return self.model_copy(update={"examples": {"other": examples}})


def strings_in(value: object) -> Iterator[str]:
    """The strings in plain values of YAML or JSON, the names of fields included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from strings_in(key)
            yield from strings_in(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from strings_in(item)
