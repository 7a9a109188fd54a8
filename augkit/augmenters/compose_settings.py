"""Settings of ``compose``, apart from the method: those of a sweep are read without it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, field_validator, model_validator
from typing_extensions import Self

from augkit.core import registry
from augkit.core.config import MethodConfig, StrictModel, validate
from augkit.core.errors import UserError

if TYPE_CHECKING:
    from augkit.augmenters.base import Augmenter

Combination = Literal["chain", "union", "one_of", "sometimes"]


class StepConfig(StrictModel):
    """One step: a method and its settings."""

    method: str = Field(description="a name of `augkit list methods`")
    options: dict[str, Any] = Field(default_factory=dict, description="settings of the method")

    @property
    def augmenter(self) -> type[Augmenter[Any]]:
        """The class of the method."""
        augmenter: type[Augmenter[Any]] = registry.find("augmenters", self.method)
        return augmenter

    def config(self, seed: int) -> MethodConfig:
        """The method's settings, with the common seed unless it has its own."""
        values = {"seed": seed, **self.options}
        return validate(self.augmenter.Config, values, f"settings of '{self.method}'")


class ComposeConfig(MethodConfig):
    """Which methods, and how they are combined."""

    how: Combination = Field(
        "chain",
        description="chain: each works on the variants of the one before; union: the variants of "
        "all; one_of: a random step for each row; sometimes: on a share of the rows",
    )
    steps: tuple[StepConfig, ...] = Field(min_length=1, description="names, or method and options")
    weights: tuple[float, ...] | None = Field(None, description="one_of: how often each is chosen")
    p: float = Field(0.5, ge=0, le=1, description="sometimes: the share of the rows")

    @field_validator("steps", mode="before")
    @classmethod
    def _expand_names(cls, steps: Any) -> Any:
        return as_steps(steps)

    @model_validator(mode="after")
    def _is_possible(self) -> Self:
        """Every step exists, has valid settings, and can be combined in this way."""
        for number, step in enumerate(self.steps, start=1):
            try:
                step.config(self.seed)
            except UserError as error:
                raise ValueError(f"step {number}: {error}") from None
            if step.augmenter.scope == "corpus" and self.how not in ("union", "chain"):
                raise ValueError(
                    f"step {number}: '{step.method}' needs all rows at once, which how: union and "
                    "how: chain give it"
                )
        if self.how == "sometimes" and len(self.steps) != 1:
            raise ValueError("sometimes takes one step")
        if self.weights is not None and len(self.weights) != len(self.steps):
            raise ValueError(f"{len(self.steps)} steps need as many weights")
        return self

    @property
    def needs(self) -> frozenset[str]:
        """What any of the steps cannot work without."""
        needs = (step.augmenter.needs | step.config(self.seed).needs for step in self.steps)
        return frozenset().union(*needs)

    @property
    def variants_per_copy(self) -> int:
        """Of a union those of all steps, otherwise the most that a step has."""
        counts = [step.config(self.seed).variants_per_copy for step in self.steps]
        return sum(counts) if self.how == "union" else max(counts)

    @property
    def loads_model(self) -> bool:
        """Whether any of the steps loads a large model."""
        return any(step.config(self.seed).loads_model for step in self.steps)


def as_steps(steps: Any) -> Any:
    """``- eda`` is short for ``- method: eda``."""
    if not isinstance(steps, list | tuple):
        return steps
    return [{"method": step} if isinstance(step, str) else step for step in steps]
