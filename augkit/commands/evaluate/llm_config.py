"""Settings of an LLM that is evaluated as a classifier."""

from __future__ import annotations

from pydantic import Field

from augkit.commands.tested_llm import LLMUnderTest


class LLMClassifierConfig(LLMUnderTest):
    """Which LLM classifies, and how it is asked."""

    labels: tuple[str, ...] = Field((), description="the labels; default: those of the test sets")
    descriptions: dict[str, str] = Field(
        default_factory=dict, description="what a label means, for the prompt: label → description"
    )
