"""The settings of robust training, which load nothing heavy."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from augkit.core.config import StrictModel

RobustMethod = Literal["jtt", "drift", "poe", "rew", "clever"]
"""Just Train Twice, DRiFt, product of experts, reweighting, CLEVER's subtraction."""


class RobustConfig(StrictModel):
    """Regularisation of the classifier and of the bias model, and how the bias is corrected."""

    strength: float = Field(
        10.0, gt=0, description="C of the classifier: larger means weaker regularisation"
    )
    iterations: int = Field(300, ge=1, description="maximum steps of the optimiser")
    weak_strength: float = Field(
        0.1, gt=0, description="JTT: C of the first model, small so that it fits easy rows only"
    )
    upweight: float = Field(
        4.0, ge=1, description="JTT: weight of the rows that the first model gets wrong"
    )
    bias_strength: float = Field(1.0, gt=0, description="DRiFt: C of the L1 bias model")
    folds: int = Field(
        5, ge=1, description="DRiFt: the bias model predicts each fold unseen; 1: all rows seen"
    )
    seed: int = Field(0, description="of the folds")
    expert_strength: float = Field(10.0, gt=0, description="PoE, CLEVER: C of the bias model")
    expert_weight: float = Field(1.0, ge=0, description="PoE: weight of the bias expert's own loss")
    expert_rate: float = Field(
        0.01, gt=0, description="PoE with a transformer: learning rate of the bias expert"
    )
    balance: float = Field(0.01, ge=0, description="ReW: penalty on the spread of the row weights")
    subtract: float = Field(
        1.0, ge=0, description="CLEVER: how much of the bias model's scores is subtracted"
    )
