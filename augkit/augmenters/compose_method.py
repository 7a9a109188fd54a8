"""``compose``: several methods as one, for runs and sweeps configured in a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from typing_extensions import Self

from augkit.augmenters.base import Augmenter, Traits
from augkit.augmenters.compose import Composition, chain, one_of, sometimes, union
from augkit.augmenters.compose_settings import ComposeConfig
from augkit.augmenters.persons import PERSON_CHECK
from augkit.core import registry
from augkit.core.errors import DataError
from augkit.core.json_files import load_json, save_json
from augkit.core.protocols import Artifact, Check, Tools
from augkit.core.types import Example, Pair, Variant

_STEPS = "steps.json"


@dataclass(frozen=True)
class ComposedArtifact:
    """The artifacts of the steps by index; steps without one are left out."""

    methods: tuple[str, ...]
    parts: dict[int, Artifact]

    @property
    def notes(self) -> list[str]:
        """The notes of the steps' artifacts."""
        return [
            f"{self.methods[index]}: {note}"
            for index, part in self.parts.items()
            for note in getattr(part, "notes", ())
        ]

    def save(self, folder: Path) -> None:
        """A folder for each step with an artifact."""
        save_json(folder / _STEPS, {"methods": self.methods, "fitted": list(self.parts)})
        for index, part in self.parts.items():
            (folder / str(index)).mkdir()
            part.save(folder / str(index))

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read it back."""
        methods, fitted = load_json(
            folder / _STEPS, lambda record: (tuple(record["methods"]), record["fitted"])
        )
        parts = {
            index: registry.find("augmenters", methods[index]).learns.load(folder / str(index))
            for index in fitted
        }
        return cls(methods, parts)


class Composed(Augmenter[ComposeConfig]):
    """Combine methods: in a chain, side by side, one of them, or for some rows."""

    name = "compose"
    Config = ComposeConfig
    traits = Traits(reads_locked=True)
    learns = ComposedArtifact
    uses = frozenset({"finder", "classifier"})
    _fitted: Composition | None = None

    def __init__(self, config: ComposeConfig, tools: Tools | None = None) -> None:
        """Make every step, so that a missing tool is an error before any work."""
        super().__init__(config, tools)
        used: frozenset[str] = frozenset().union(*(step.augmenter.uses for step in config.steps))
        for tool in self.uses - used:
            if getattr(self.tools, tool) is not None:
                registry.check_uses(config.steps[0].augmenter, tool)
        self._steps: list[Augmenter[Any]] = []
        for step in config.steps:
            ignored = self.uses - step.augmenter.uses
            step_tools = replace(self.tools, **dict.fromkeys(ignored))
            self._steps.append(step.augmenter(step.config(self.config.seed), step_tools))
            method = step.augmenter
            if method.reads == "choices":
                self.reads = "choices"
            if method.scope == "corpus":
                self.scope = "corpus"
            if method.mix == "replace" and (method.scope == "corpus" or method.reads == "choices"):
                self.mix = "replace"

    @property
    def checks(self) -> Sequence[Check[Variant]]:
        """That persons change everywhere in a row, where a step changes them: seen at the end."""
        changes_persons = any(PERSON_CHECK in step.checks for step in self._steps)
        return (PERSON_CHECK,) if changes_persons else ()

    @property
    def reads_whole_chats(self) -> bool:
        """Whether one of the steps does."""
        return any(step.reads_whole_chats for step in self._steps)

    def data_fault(self, fields: Sequence[str], labels: Sequence[str]) -> str:
        """That of the first step that has one."""
        faults = (step.data_fault(fields, labels) for step in self._steps)
        return next(filter(None, faults), "")

    def prepare(self, examples: Sequence[Example]) -> ComposedArtifact:
        """Fit every step that learns to the original corpus."""
        labels = {example.label for example in examples if example.label is not None}
        for step in self._steps:
            if len(labels) < step.labels_needed:
                raise DataError(
                    f"'{step.name}' needs at least {step.labels_needed} different labels and "
                    f"found {len(labels)}. Name the column with --label-column"
                )
        learning = [(index, step) for index, step in enumerate(self._steps) if step.learns]
        parts = {index: step.fit_artifact(examples) for index, step in learning}
        return ComposedArtifact(tuple(step.name for step in self._steps), parts)

    def propose(self, batch: Sequence[Example]) -> Iterator[Variant]:
        """The outcomes of the steps as this method's own; ``about`` names the steps."""
        self._fitted = self._composition()
        rewriting = {step.name for step in self._steps if step.scope == "corpus"}
        for outcome in self._fitted.outcomes(batch):
            if isinstance(outcome, Pair):
                yield _draft(outcome)
            else:
                reason = f"{outcome.method}: {outcome.reason}" if outcome.method else outcome.reason
                # A row that the step has not rewritten stays beside the variants of the others.
                stays = outcome.method in rewriting
                yield replace(outcome, reason=reason, method=self.name, stays=stays)

    @property
    def run_info(self) -> Mapping[str, Any]:
        """What the steps report."""
        steps = self._fitted.steps if self._fitted else ()
        infos = (step.run_info for step in steps if isinstance(step, Augmenter))
        return {key: value for info in infos for key, value in info.items()}

    def _composition(self) -> Composition:
        config = self.config
        parts = self.artifact.parts
        steps = [
            step.with_artifact(parts[index]) if index in parts else step
            for index, step in enumerate(self._steps)
        ]
        if config.how == "chain":
            first, *rest = steps
            return chain(_with_copies(first, config.copies), *rest)
        steps = [_with_copies(step, config.copies) for step in steps]
        if config.how == "union":
            return union(*steps)
        if config.how == "one_of":
            return one_of(*steps, weights=config.weights, seed=config.seed)
        return sometimes(steps[0], config.p, config.seed)


def _with_copies(step: Augmenter[Any], copies: int) -> Augmenter[Any]:
    """A step with its own number of copies keeps it."""
    return step if copies == 1 else step.with_copies(copies)


def _draft(pair: Pair) -> Variant:
    source = pair.provenance
    variant = pair.variant
    return Variant(
        pair.original,
        variant.fields,
        variant.label,
        source.contract,
        source.copy,
        source.edits,
        source.cost,
        source.scores,
        {**source.about, "steps": source.method},
        variant.spans,
    )
