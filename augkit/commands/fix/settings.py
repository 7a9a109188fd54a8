"""Settings of ``fix``."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, field_validator

from augkit.commands.fix.parts import SplitSettings
from augkit.core import registry
from augkit.llm.settings import ConnectOptions


class FixSettings(SplitSettings):
    """What is fixed, with which cues, methods and test sets."""

    out: Path | None = Field(None, description="a folder for all files; default: fix-DATA")
    test: str | None = Field(
        None, description="your own test set; default: a part of the rows is held out"
    )
    challenge: str | None = Field(
        None,
        description="your own rows in which the cue points the wrong way; default: they are built "
        "from the held-out rows",
    )
    methods: tuple[str, ...] = Field(
        (), description="a method to try; default: those that fit the data and the cues"
    )
    llm: str = Field(
        "offline",
        description="also try methods with a language model: openai:MODEL, transformers:PATH",
    )
    connection: ConnectOptions = Field(
        default_factory=ConnectOptions, description="the LLM's server, prices, cache and budget"
    )

    @field_validator("methods")
    @classmethod
    def _are_registered(cls, methods: tuple[str, ...]) -> tuple[str, ...]:
        """An unknown name is an error at once, also where nothing would be tried."""
        for name in methods:
            registry.require_name("augmenters", name)
        return methods
