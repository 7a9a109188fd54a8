"""The settings of the judges of labels, for every method that has one; they load nothing else."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from augkit.core.config import StrictModel

MinLabel = Annotated[
    float, Field(ge=0, le=1, description="least probability of the intended label, by the judge")
]
MinRefuted = Annotated[
    float,
    Field(
        ge=0,
        le=1,
        description="least probability of a new label refuted, by a model, where no label says "
        "that the evidence leaves a claim open",
    ),
]


class JudgeSettings(StrictModel):
    """Who judges the labels of what a language model wrote."""

    by: Literal["auto", "ensemble", "llm", "both", "none"] = Field(
        "auto",
        description="ensemble, llm, both (they must agree) or none; auto: for single texts the "
        "ensemble where it is accurate enough, and the model of judge_llm; for pairs, whose "
        "relation no ensemble of word counts can see, the model; llm without judge_llm: the "
        "writer, blind",
    )
    rows: int = Field(
        24, ge=0, description="rows of the dataset that a model labels before it may judge"
    )
    min_accuracy: float = Field(
        0.7, ge=0, le=1, description="a judge that is right less often is not trusted"
    )
    tolerance: float = Field(
        0.1, ge=0, le=1, description="what a label may lose where the ensemble was wrong before"
    )
    min_refuted: MinRefuted = 0.7
