"""The settings of RAZOR."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field, field_validator, model_validator

from augkit.augmenters.razor.paper_score import Exponent, PositionalEncoding
from augkit.core.config import MethodConfig
from augkit.core.types import Example
from augkit.english.rewriting.candidates import PROMISES, Promise
from augkit.lexicons.label_meanings import relation_of

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "paper": {
        "score": "paper",
        "top": 50,
        "top_of": "dataset",
        "requests": "separate",
        "loop": "paper",
        "epsilon": 0.0,
        "ceiling": None,
    }
}
"""Settings by the preset that sets them, unless they are given."""
_LATER = ("requests", "keeps", "avoid", "top_of", "loop", "cues")
"""Settings that razor did without once: ids of variants do not depend on their defaults."""


class RazorConfig(MethodConfig):
    """Which rows are rewritten, how, and when the loop ends."""

    main_settings: ClassVar[tuple[str, ...]] = (
        "copies",
        "seed",
        "cues",
        "preset",
        "score",
        "top",
        "rounds",
        "keeps",
        "candidates",
        "ceiling",
        "verify",
        "allow",
    )
    preset: Literal["paper"] | None = Field(
        None,
        description="paper: Algorithm 1: score=paper, top_of=dataset, top=50, requests=separate, "
        "loop=paper, epsilon=0, no ceiling; settings of yours come first",
    )
    score: Literal["paper", "token", "released"] = Field(
        "token",
        description="paper: Eq. 12; token: words and positions associated with the label; "
        "released: that of the authors' program, which ranks short texts first",
    )
    space: Literal["surface", "embedding"] = Field(
        "surface", description="embedding: Eq. 12 over sentence embeddings, the paper's ablation"
    )
    objective: Literal["cosine", "kl"] = Field(
        "cosine", description="Eq. 14 as at AAAI (cosine) or as on arXiv (kl); for score: paper"
    )
    encoder: str = Field(
        "lsa", description="of the embedding space: lsa (no download) or a transformers path"
    )
    dimensions: int = Field(8, ge=1, le=1024, description="length of the positional encoding")
    exponent: Exponent = Field("paper", description="of Eq. 9: paper 2k/λ, usual 2⌊k/2⌋/λ")
    cues: tuple[str, ...] = Field(
        (),
        description="words, phrases or signs to remove, each as a whole; none: razor finds the "
        "giveaways itself",
    )
    field: str | None = Field(
        None, description="the field that is scored and rewritten; none: the last of a pair"
    )
    top: int | None = Field(
        None,
        ge=1,
        description="rows of each label rewritten in a round; none: 50 with a language model, all "
        "offline",
    )
    top_of: Literal["label", "dataset"] = Field(
        "label", description="whether top counts rows of each label or of the dataset (the paper)"
    )
    loop: Literal["once", "paper"] = Field(
        "once",
        description="once: each row is rewritten once, and a round that does not help is undone; "
        "paper: rows may be rewritten again, and the last round stays",
    )
    rounds: int = Field(60, ge=1, description="most rounds; the loop ends earlier by itself")
    epsilon: float = Field(
        0.002,
        ge=0,
        lt=1,
        description="relative improvement of the objective that a round must reach",
    )
    candidates: int = Field(
        2, ge=1, le=20, description="rewrites requested from a language model for each row"
    )
    requests: Literal["together", "separate"] = Field(
        "together",
        description="whether a language model gives all candidates of a row in one answer, or each "
        "in an answer of its own (the paper)",
    )
    keeps: Literal["label", "meaning"] = Field(
        "label",
        description="what a language model's rewrite must keep: label: it may be a new text that "
        "has the label (the paper); meaning: the same in other words",
    )
    avoid: Literal["none", "shortcuts"] = Field(
        "none",
        description="words that a language model is asked to avoid: none (the paper), or those of "
        "the text that go with its label most; with a finder, its targets",
    )
    keep_original: bool = Field(
        default=False, description="whether the original competes with its rewrites"
    )
    ceiling: float | None = Field(
        4.0,
        gt=0,
        description="a rewrite that brings in a word or 2-gram is rejected if its association with "
        "the label would have a z above this, a new shortcut; none: never",
    )
    verify: bool = Field(
        default=True, description="whether a judge must find the label in a rewrite (Eq. 13)"
    )
    tolerance: float = Field(
        0.1,
        ge=0,
        le=1,
        description="offline: probability of the label that a rewrite may lose where the judge is "
        "wrong about the original already",
    )
    alpha: float = Field(
        0.01,
        gt=0,
        le=1,
        description="offline, score: token: significance (Bonferroni) at which a word, 2-gram or "
        "position is a giveaway; only rows with one are rewritten, and must lose it",
    )
    allow: Literal["auto", "same", "weaker", "other-entity"] = Field(
        "auto",
        description="offline: same: the meaning stays; weaker: phrases may go; other-entity: names "
        "and numbers may change; auto: other-entity for single texts, same for pairs",
    )
    temperature: float = Field(0.7, ge=0, le=2, description="of the language model that rewrites")
    top_p: float = Field(0.9, gt=0, le=1, description="nucleus sampling: probability mass kept")
    max_tokens: int = Field(1024, ge=1, description="longest answer, in tokens")

    @model_validator(mode="before")
    @classmethod
    def _with_preset(cls, values: Any) -> Any:
        if not isinstance(values, dict):
            return values
        if "symmetric_pairs" in values:
            raise ValueError("symmetric_pairs: these pairs are a method of their own, 'symmetric'")
        return {**PRESETS.get(str(values.get("preset")), {}), **values}

    @field_validator("cues")
    @classmethod
    def _say_something(cls, cues: tuple[str, ...]) -> tuple[str, ...]:
        for cue in cues:
            if not cue.strip():
                raise ValueError("a cue is empty. Name a word, a phrase or a sign")
        return cues

    def promises(self, row: Example) -> frozenset[Promise]:
        """What a rewrite of this row may promise."""
        if self.allow != "auto":
            return frozenset(PROMISES[: PROMISES.index(self.allow) + 1])
        if len(row.fields) == 1:
            return frozenset(PROMISES)
        if relation_of(row.label) == "entailment":
            return frozenset({"same", "weaker"})  # with less said, what was true is still true
        return frozenset({"same"})

    @property
    def shaping_nothing(self) -> frozenset[str]:
        """The preset, whose settings do, and settings of late that have their default."""
        fields = type(self).model_fields
        unset = {name for name in _LATER if getattr(self, name) == fields[name].default}
        return super().shaping_nothing | unset | {"preset"}

    @property
    def encoding(self) -> PositionalEncoding:
        """The encoding of positions (Eq. 8-9)."""
        return PositionalEncoding(self.dimensions, self.exponent)
