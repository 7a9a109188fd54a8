"""Settings of ``fix``."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from augkit.core.config import StrictModel
from augkit.datasets.settings import ReadOptions
from augkit.llm.settings import ConnectOptions


class FixSettings(StrictModel):
    """What is fixed, with which cues and test sets."""

    data: str = Field(description="a file, a name or a hub id; NAME:SPLIT selects a split")
    cues: tuple[str, ...] = Field(
        (),
        description="a word or phrase that gives the label away, or what winners have more of "
        "(characters); default: the likely shortcuts",
    )
    out: Path | None = Field(None, description="a folder for all files; default: fix-DATA")
    test: str | None = Field(None, description="your own test set, measured before and after")
    challenge: str | None = Field(
        None, description="your own rows in which the cue points the wrong way, measured as well"
    )
    llm: str = Field(
        "offline",
        description="also write with a language model: openai:MODEL, transformers:PATH",
    )
    connection: ConnectOptions = Field(
        default_factory=ConnectOptions, description="the LLM's server, prices, cache and budget"
    )
    group_column: str | None = Field(
        None, description="rows with one value in this column are held out together"
    )
    seed: int = Field(0, description="the same seed gives the same files")
    reading: ReadOptions = Field(default_factory=ReadOptions, description="how files are read")
