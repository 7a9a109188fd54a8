"""Settings of the checks of what a language model wrote."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from augkit.core.config import StrictModel

Writing = Literal["paraphrase", "edit", "new text"]
"""What a method has a model write: the same in other words, a changed text, or a new one."""


class TextGateSettings(StrictModel):
    """The limits of the text gates. A text that a model wrote must pass all of them."""

    enabled: bool = Field(default=True, description="false: texts of a model are not checked")
    leak_words: int = Field(
        5, ge=3, description="so many words in a row that only the prompt has are a leak of it"
    )
    max_similarity: float = Field(
        0.8, ge=0, le=1, description="a paraphrase more like its source than this is a near copy"
    )
    min_meaning: float = Field(
        0.25, ge=0, le=1, description="least share of content words that a paraphrase has in common"
    )
    shortest: float = Field(0.4, ge=0, description="least length, as a multiple of the source's")
    longest: float = Field(2.5, gt=0, description="greatest length, as a multiple of the source's")
    length_slack: int = Field(
        4, ge=0, description="words by which a short text may go beyond either limit"
    )
    min_known: float = Field(
        0.6,
        ge=0,
        le=1,
        description="least share of English words, as a multiple of the source's share",
    )
