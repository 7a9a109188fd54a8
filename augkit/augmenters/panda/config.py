"""The settings of the panda method."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field, field_validator, model_validator
from typing_extensions import Self

from augkit.core.config import MethodConfig
from augkit.core.errors import UnknownName
from augkit.core.moved import VALUES, raise_moved
from augkit.core.pretrained import checked_name
from augkit.lexicons.demographics.axes import BUNDLED, read_axis

_MODES = ("auto", "random", "all", "shuffled", "complete", "opposite")
"""Targets that are no attribute."""
EVERYBODY = frozenset({"shuffled", "complete", "opposite"})
"""Targets by which all persons of a row change."""


PRESETS: Mapping[str, Mapping[str, Any]] = {
    "paper": {"target": "random", "sampling": "balanced", "mix": "replace"}
}
"""Settings by the preset that sets them, unless they are given."""


class PandaConfig(MethodConfig):
    """Which references change, into what, and what rewrites the text."""

    main_settings: ClassVar[tuple[str, ...]] = (
        "copies",
        "seed",
        "preset",
        "axes",
        "target",
        "perturber",
        "full_names",
        "min_perturbability",
    )
    preset: Literal["paper"] | None = Field(
        None,
        description="paper: Algorithm 1: target=random, sampling=balanced (footnote 2), variants "
        "replace their rows; settings of yours come first. The paper's perturber is a trained "
        "model: perturber=seq2seq:PATH",
    )
    axes: tuple[str, ...] = Field(
        BUNDLED, min_length=1, description="gender, race, age, or paths of your own axis files"
    )
    target: str = Field(
        "auto",
        description="an attribute (woman); random (Algorithm 1); all: one each; shuffled: permuted "
        "among all persons; complete: every rotation of that; opposite: every man a woman, every "
        "woman a man; auto: complete where rules replace rows, else random",
    )
    mix: Literal["append", "replace", "balance"] = Field(
        "append", description="how the variants join the originals; a run sets it"
    )
    sampling: Literal["uniform", "balanced"] = Field(
        "uniform",
        description="how a reference is drawn: each (word, target) alike, or each axis alike",
    )
    perturber: str = Field(
        "rules",
        description="what rewrites: rules (offline), llm, or seq2seq:PATH (a "
        "sequence-to-sequence model)",
    )
    full_names: Literal["stay", "change"] = Field(
        "stay",
        description="for rules: persons whom a text calls by a full name may be known ones: they "
        "stay as they are, or change like others",
    )
    temperature: float = Field(0.0, ge=0, le=2, description="for llm: 0 is greedy")
    max_tokens: int = Field(2048, ge=1, description="for llm: longest answer, in tokens")
    other_words: float = Field(
        0.15,
        ge=0,
        le=1,
        description="for all but rules: share of the words that may change without being a "
        "reference or agreeing with one; more is rejected",
    )
    min_perturbability: float = Field(
        0.0, ge=0, description="texts that score less (Eq. 2) are rejected; 0: not computed"
    )

    @model_validator(mode="before")
    @classmethod
    def _with_preset(cls, values: Any) -> Any:
        if not isinstance(values, dict):
            return values
        return {**PRESETS.get(str(values.get("preset")), {}), **values}

    @property
    def shaping_nothing(self) -> frozenset[str]:
        """The preset: its settings shape variants."""
        return super().shaping_nothing | {"preset"}

    @field_validator("perturber")
    @classmethod
    def _perturber_is_known(cls, perturber: str) -> str:
        kind, _, model = perturber.partition(":")
        if perturber == "seq2seq":
            raise ValueError("seq2seq needs a model: seq2seq:PATH, its folder or hub id")
        if kind == "seq2seq":
            checked_name(model)
        elif perturber not in {"rules", "llm"}:
            raise_moved(VALUES, kind)
            raise UnknownName("perturber", perturber, ["rules", "llm", "seq2seq:PATH"])
        return perturber

    @property
    def needs(self) -> frozenset[str]:
        """An LLM, where it rewrites."""
        return frozenset({"llm"} & {self.perturber})

    @property
    def variants_per_copy(self) -> int:
        """All versions of a row, or one for every target: only together are they balanced."""
        sizes = [len(read_axis(axis).attributes) for axis in self.axes]
        return {"complete": max(sizes), "all": sum(sizes)}.get(self.target, 1)

    @property
    def model(self) -> str:
        """The local model that rewrites; empty: none does."""
        return self.perturber.partition(":")[2]

    @property
    def loads_model(self) -> bool:
        """Whether there is one."""
        return bool(self.model)

    @model_validator(mode="after")
    def _target_is_known(self) -> Self:
        """Fairtuning: where variants replace their rows, all versions of a row take its place.

        The paper draws another attribute than a person's own (``target: random``), which inverts a
        shortcut where there was one; ``target: shuffled`` keeps the size of the dataset.
        """
        attributes = [name for axis in self.axes for name in read_axis(axis).attributes]
        if self.target not in {*_MODES, *attributes}:
            raise UnknownName("target of panda", self.target, [*_MODES, *attributes])
        if self.target in EVERYBODY and self.perturber != "rules":
            raise ValueError(f"target: {self.target} changes all persons at once, by rules alone")
        if self.target == "opposite" and "gender" not in self.axes:
            raise ValueError("target: opposite is one of the axis 'gender', which axes leave out")
        if self.target == "auto":
            replaces = self.mix == "replace" and self.perturber == "rules"
            object.__setattr__(self, "target", "complete" if replaces else "random")
        return self
