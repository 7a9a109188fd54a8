"""``compose``: several methods as one, so that a run and a study can have them from a file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator
from typing_extensions import Self

from augkit.augmenters.base import Augmenter, check_uses
from augkit.augmenters.compose import Composition, chain, one_of, sometimes, union
from augkit.core import registry
from augkit.core.config import MethodConfig, StrictModel, validate
from augkit.core.errors import DataError, UserError
from augkit.core.protocols import Artifact, Tools
from augkit.core.types import Draft, Example, Pair, Rejection

How = Literal["chain", "union", "one_of", "sometimes"]
_STEPS = "steps.json"


class StepConfig(StrictModel):
    """One step: a method and its settings."""

    method: str = Field(description="a name of `augkit list methods`")
    options: dict[str, Any] = Field(default_factory=dict, description="settings of the method")

    @property
    def augmenter(self) -> type[Augmenter[Any]]:
        """The class of the method."""
        found: type[Augmenter[Any]] = registry.find("augmenters", self.method)
        return found

    def config(self, seed: int) -> MethodConfig:
        """The method's settings, with the seed of the whole unless it has one of its own."""
        values = {"seed": seed, **self.options}
        return validate(self.augmenter.Config, values, f"settings of '{self.method}'")


class ComposeConfig(MethodConfig):
    """Which methods, and how they are put together."""

    how: How = Field(
        "chain",
        description="chain: each works on the variants of the one before; union: the variants of "
        "all; one_of: one of them for each row, drawn; sometimes: the step for a share of the rows",
    )
    steps: tuple[StepConfig, ...] = Field(min_length=1, description="names, or method and options")
    weights: tuple[float, ...] | None = Field(None, description="one_of: how often each is drawn")
    p: float = Field(0.5, ge=0, le=1, description="sometimes: the share of the rows")

    @field_validator("steps", mode="before")
    @classmethod
    def _names_are_steps(cls, told: Any) -> Any:
        return as_steps(told)

    @model_validator(mode="after")
    def _is_possible(self) -> Self:
        """Every step is known, rightly told, and can work on one row at a time."""
        for number, step in enumerate(self.steps, start=1):
            try:
                step.config(self.seed)
            except UserError as error:
                raise ValueError(f"step {number}: {error}") from None
            if step.augmenter.scope != "example":
                raise ValueError(f"step {number}: '{step.method}' needs all rows at once")
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
    def loads_model(self) -> bool:
        """Whether any of the steps loads a large model."""
        return any(step.config(self.seed).loads_model for step in self.steps)


def as_steps(told: Any) -> Any:
    """``- eda`` is short for ``- method: eda``."""
    if not isinstance(told, list | tuple):
        return told
    return [{"method": step} if isinstance(step, str) else step for step in told]


@dataclass(frozen=True)
class ComposedArtifact:
    """What the steps learnt, by their place; those that learn nothing are not in it."""

    methods: tuple[str, ...]
    parts: dict[int, Artifact]

    @property
    def notes(self) -> list[str]:
        """What the steps have to tell of it."""
        return [
            f"{self.methods[place]}: {note}"
            for place, part in self.parts.items()
            for note in getattr(part, "notes", ())
        ]

    def save(self, folder: Path) -> None:
        """A folder for each step that learnt."""
        told = {"methods": self.methods, "learnt": list(self.parts)}
        (folder / _STEPS).write_text(json.dumps(told), encoding="utf-8")
        for place, part in self.parts.items():
            (folder / str(place)).mkdir()
            part.save(folder / str(place))

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read it back."""
        told = json.loads((folder / _STEPS).read_text(encoding="utf-8"))
        methods = tuple(told["methods"])
        parts = {
            place: registry.find("augmenters", methods[place]).learns.load(folder / str(place))
            for place in told["learnt"]
        }
        return cls(methods, parts)


class Composed(Augmenter[ComposeConfig]):
    """Put methods together: one after the other, side by side, one of them, or for some rows."""

    name = "compose"
    Config = ComposeConfig
    learns = ComposedArtifact
    uses = frozenset({"finder", "classifier"})

    def __init__(self, config: ComposeConfig, tools: Tools | None = None) -> None:
        """Make every step, so that a missing tool is an error before any work."""
        super().__init__(config, tools)
        used: frozenset[str] = frozenset().union(*(step.augmenter.uses for step in config.steps))
        for tool in self.uses - used:
            if getattr(self.tools, tool) is not None:
                check_uses(config.steps[0].augmenter, tool)
        self._steps = [self._made(step) for step in config.steps]

    def _made(self, step: StepConfig) -> Augmenter[Any]:
        """A step with the tools that it uses."""
        ignored = self.uses - step.augmenter.uses
        tools = replace(self.tools, **dict.fromkeys(ignored))
        return step.augmenter(step.config(self.config.seed), tools)

    def prepare(self, examples: Sequence[Example]) -> ComposedArtifact:
        """Let every step that learns see the corpus as it is, before any other step."""
        labels = {example.label for example in examples if example.label is not None}
        for step in self._steps:
            if len(labels) < step.labels_needed:
                raise DataError(
                    f"'{step.name}' needs at least {step.labels_needed} different labels and "
                    f"found {len(labels)}. Name the column with --label-column"
                )
        learning = [(place, step) for place, step in enumerate(self._steps) if step.learns]
        parts = {place: step.prepare(examples) for place, step in learning}
        return ComposedArtifact(tuple(step.name for step in self._steps), parts)

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """What the steps give, as this method's own; ``about`` says which steps it was."""
        for outcome in self._composition().outcomes(batch):
            if isinstance(outcome, Pair):
                yield _draft(outcome)
            else:
                reason = f"{outcome.method}: {outcome.reason}" if outcome.method else outcome.reason
                yield Rejection(
                    outcome.parent, reason, outcome.detail, outcome.copy, outcome.cost, self.name
                )

    def _composition(self) -> Composition:
        config = self.config
        parts = self.artifact.parts
        steps = [
            step.with_artifact(parts[place]) if place in parts else step
            for place, step in enumerate(self._steps)
        ]
        if config.how == "chain":
            first, *rest = steps
            return chain(_asked(first, config.copies), *rest)
        steps = [_asked(step, config.copies) for step in steps]
        if config.how == "union":
            return union(*steps)
        if config.how == "one_of":
            return one_of(*steps, weights=config.weights, seed=config.seed)
        return sometimes(steps[0], config.p, config.seed)


def _asked(step: Augmenter[Any], copies: int) -> Augmenter[Any]:
    """A step that was told a number of copies of its own keeps it."""
    return step if copies == 1 else step.with_copies(copies)


def _draft(pair: Pair) -> Draft:
    made, variant = pair.provenance, pair.variant
    return Draft(
        pair.original,
        variant.fields,
        variant.label,
        made.contract,
        made.copy,
        made.edits,
        made.cost,
        made.scores,
        {**made.about, "steps": made.method},
    )
