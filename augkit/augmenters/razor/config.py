"""What RAZOR can be told."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from augkit.augmenters.razor.shortcut_space import Encoding, Exponent
from augkit.core.config import MethodConfig

Denials = Literal["out", "across", "framed"]
"""Where denials may go."""


class RazorConfig(MethodConfig):
    """Which rows are rewritten, how, and when it is enough."""

    score: Literal["paper", "token"] = Field(
        "token", description="paper: Eq. 12; token: words and places that go with the label"
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
    field: str | None = Field(
        None, description="the field that is scored and rewritten; none: the last of a pair"
    )
    top: int = Field(50, ge=1, description="rows of each label rewritten in a round")
    rounds: int = Field(60, ge=1, description="most rounds; it ends by itself before")
    epsilon: float = Field(
        0.002, ge=0, lt=1, description="least share by which a round must improve the objective"
    )
    candidates: int = Field(2, ge=1, le=20, description="rewritings asked of a model for each row")
    keep_original: bool = Field(
        default=False, description="whether the original competes with its rewritings"
    )
    ceiling: float = Field(
        3.5,
        gt=0,
        description="a rewriting that brings in a word or pair of words is refused where that "
        "would then go with the label by a z above this: no new shortcut for an old one",
    )
    verify: bool = Field(
        default=True, description="whether a judge must find the label in a rewriting (Eq. 13)"
    )
    tolerance: float = Field(
        0.1,
        ge=0,
        le=1,
        description="offline: probability of the label that a rewriting may lose where the judge "
        "is wrong about the original already",
    )
    alpha: float = Field(
        0.01,
        gt=0,
        le=1,
        description="offline, score: token: chance at which a word, pair or place counts as a "
        "giveaway, over all of them together (Bonferroni). Only rows that hold one are rewritten, "
        "by a text that has lost one",
    )
    denials: Denials = Field(
        "out",
        description="offline, of pairs: out: denials leave false texts; across: they enter true "
        "ones too ('was not released until'), and what is denied may be framed ('it is a myth "
        "that'); framed: true texts too ('there is no doubt that'). Each breaks more of a shortcut "
        "and costs more where it still pays",
    )
    temperature: float = Field(0.7, ge=0, le=2, description="of the model that rewrites")
    top_p: float = Field(0.9, gt=0, le=1, description="share of likely words to draw from")
    max_tokens: int = Field(1024, ge=1, description="longest answer, in tokens")

    @property
    def encoding(self) -> Encoding:
        """How places become vectors."""
        return Encoding(self.dimensions, self.exponent)
