"""The settings of coba and coba-style, and which of them each pipeline reads."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Literal

from pydantic import Field, field_validator, model_validator
from typing_extensions import Self

from augkit.attribution.ensemble import Method, VoteBy
from augkit.core.config import MaxTokens, MethodConfig, Temperature
from augkit.core.errors import ConfigError
from augkit.datasets.settings import DeclaredOrder
from augkit.labels.settings import MinLabel, MinRefuted
from augkit.models.classifiers.settings import is_linear_ensemble

Precedence = Literal["principal", "spurious"]
StepBy = Literal["auto", "offline", "llm"]
Calls = Literal["steps", "one"]
Principal = Literal["auto", "lexicon", "vote", "data"]
Gender = Literal["auto", "keep", "triples", "panda", "swap", "spurious"]
Kind = Literal["texts", "pairs"]
"""Rows with one text, or with two."""


PRESETS: Mapping[str, Mapping[str, Any]] = {
    "paper": {
        "calls": "steps",
        "principal": "vote",
        "vote": "literal",
        "precedence": "spurious",
        "keep_words": None,
        "permute": True,
        "delete": 0.1,
        "gender": "triples",
        "attempts": 1,
        "verify": False,
    }
}
"""Settings by the preset that sets them, unless they are given."""
_LATER = ("verify",)
"""Settings that coba did without once: ids of variants do not depend on their defaults."""


class VariantConfig(MethodConfig):
    """The settings that texts, pairs and style share."""

    permute: bool = Field(default=False, description="shuffle the normal triples")
    delete: float = Field(
        0.1, ge=0, le=1, description="probability that a normal triple is left out"
    )
    gender: Gender = Field(
        "auto",
        description="whether genders change. keep: no; triples: WinoBias's word pairs (the "
        "paper); panda: persons, with grammar; spurious: the same, gendered words being "
        "shortcuts; auto: triples in the paper's steps, else keep",
    )
    gender_target: str = Field(
        "opposite",
        description="with panda's rules: opposite, or an attribute of the gender axis, such as "
        "non-binary",
    )
    temperature: Temperature = 0.7
    max_tokens: MaxTokens = 2048
    shortest: float = Field(0.5, ge=0, description="least length, as a multiple of the original's")
    longest: float = Field(
        2.0, gt=0, description="greatest length, as a multiple of the original's"
    )

    @model_validator(mode="after")
    def _lengths_leave_room(self) -> Self:
        if self.shortest > self.longest:
            raise ValueError(f"shortest {self.shortest} is more than longest {self.longest}")
        return self

    @model_validator(mode="after")
    def _target_of_panda(self) -> Self:
        if self.gender_target != "opposite" and self.gender == "triples":
            raise ValueError(
                f"gender_target={self.gender_target} is for panda's rules: the lists of "
                "gender=triples have two genders. Set gender=panda"
            )
        return self


class CobaConfig(VariantConfig):
    """Which words matter, how triples are changed, and what a variant must pass."""

    main_settings: ClassVar[tuple[str, ...]] = (
        "copies",
        "seed",
        "preset",
        "spurious_words",
        "ensemble",
        "attribution",
        "principal",
        "unit",
        "gender",
        "calls",
        "min_label",
    )
    preset: Literal["paper"] | None = Field(
        None,
        description="paper: the paper's procedure, by a language model: principal=vote, "
        "vote=literal, precedence=spurious, all of W_s (no keep_words), permute, delete=.1, "
        "gender=triples, attempts=1, no verify; settings of yours come first",
    )
    permute: bool | None = Field(  # type: ignore[assignment] # the default is each pipeline's own
        None,
        description="shuffle the normal triples; default: yes in the paper's steps, else no",
    )
    temperature: Temperature = 0.5
    # Which words matter.
    identify: Literal["ensemble", "llm"] = Field(
        "ensemble", description="what names principal and spurious words: classifiers, or the LLM"
    )
    ensemble: str = Field(
        "auto",
        description="which classifiers vote: auto (linear ones, of the number in classifiers), "
        "coba-five-backbones (the paper's), linear-three, linear-five, a YAML file of yours, or "
        "several joined by commas: linear, encoder:PATH, transformers:PATH",
    )
    attribution: Method = Field(
        "auto",
        description="how a classifier's important words are found: exact (linear ones), lime, "
        "integrated-gradients or shapley; auto: exact, integrated-gradients for transformers, "
        "lime for others",
    )
    classifiers: int = Field(
        5, ge=1, le=15, description="with ensemble=auto: how many classifiers vote; odd"
    )
    top_k: int = Field(5, ge=1, description="important words taken of each classifier (K)")
    vote: VoteBy = Field(
        "majority",
        description="majority: a word that τ = (|M| + 1) / 2 classifiers name is principal; "
        "literal: one that more name, as the paper prints it; weighted: each classifier counts by "
        "its held-out accuracy",
    )
    folds: int = Field(3, ge=2, le=20, description="parts of the cross-fitting")
    fit_rows: int = Field(
        25_000,
        ge=100,
        description="rows, at most, that the classifiers which vote are trained on; a larger "
        "dataset gives a sample of its rows",
    )
    spurious_words: tuple[str, ...] = Field(
        (), description="your own shortcut words, which must survive"
    )
    attempts: int = Field(
        2,
        ge=1,
        le=10,
        description="how often the LLM is asked for a variant until one passes the checks; at "
        "temperature 0 once",
    )
    keep_words: int | None = Field(
        3,
        ge=0,
        description="how many spurious words an LLM must keep, at most: nouns, names and numbers "
        "that carry no opinion; your own spurious_words and likely shortcuts come on top; none: "
        "all spurious words (the paper)",
    )
    label_descriptions: dict[str, str] = Field(
        {},
        description="label: what it means, in plain words for the LLM; those of sentiment and of "
        "relations between two texts are known",
    )
    found_words: Literal["add", "replace"] = Field(
        "add",
        description="with a finder: whether the words that it finds join the spurious words of the "
        "vote, or take their place",
    )
    principal: Principal = Field(
        "auto",
        description="vote: what most classifiers name (the paper); lexicon: evaluative words; "
        "data: words fitted to the data (weak); auto: vote in the paper's steps, else lexicon",
    )
    lexicon: str = Field(
        "auto", description="auto: the bundled evaluative lexicon; or the path of a lexicon file"
    )
    any_labels: bool = Field(
        default=False,
        description="single texts by rules: go on where positive and negative words do not tell "
        "the labels apart, which are then hardly opinions",
    )
    label_order: DeclaredOrder = ()
    # How triples are changed.
    precedence: Precedence = Field(
        "principal", description="what a triple with both kinds of words is; the paper: spurious"
    )
    unit: Literal["text", "sentence", "both"] | None = Field(
        None,
        description="variants of whole texts, of sentences with their unedited twins, or both. "
        "Default: both where any word may be turned (broad), else sentences, which read better",
    )
    broad: bool | None = Field(
        None,
        description="also in sentences: any word of the lexicon, not only close opposites, and all "
        "types of edit; more rows, which read worse. Default: where you name the shortcut "
        "(spurious_words), which is to be broken in training, else no",
    )
    twins: bool = Field(
        default=True,
        description="whether an edited sentence adds its unedited twin as a row; for pairs: "
        "whether there is also a variant with the same label",
    )
    # What does the steps.
    calls: Calls = Field(
        "steps",
        description="steps: the paper's, a call of the LLM each; one: the parser decomposes, the "
        "LLM edits and reconstructs in one call, which costs less",
    )
    decompose_by: StepBy = Field("auto", description="auto: the LLM if there is one")
    edit_by: StepBy = Field("auto", description="auto: the LLM if there is one")
    reconstruct_by: Literal["auto", "spans", "triples", "llm"] = Field(
        "auto",
        description="spans: untouched text stays letter for letter; triples: a sentence each",
    )
    judge_by: Literal["auto", "offline", "llm", "both"] = Field(
        "auto",
        description="both: the ensemble, then the LLM (the judge LLM, if there is one); auto: both "
        "for texts that an LLM edits, the LLM for pairs, the ensemble without an LLM",
    )
    # What a variant must pass.
    verify: bool = Field(
        default=True,
        description="with a language model: whether a judge must find the new label in what it "
        "wrote, and checks of the text and of the words to keep must pass (the paper has neither)",
    )
    min_label: MinLabel = 0.5
    min_refuted: MinRefuted = 0.7
    min_text_label: float = Field(
        0.65, ge=0, le=1, description="the same for whole texts of several sentences"
    )
    min_sentence_edits: float = Field(
        12.0,
        ge=0,
        description="least edits per 100 words of a sentence or clause of more than 17 words",
    )
    min_spurious: float = Field(
        0.8, ge=0, le=1, description="least share of the spurious words that survive"
    )
    judge_rows: int = Field(
        4000, ge=10, description="rows, at most, whose variants the offline judge is trained on"
    )

    @property
    def needs(self) -> frozenset[str]:
        """An LLM, if one of the steps is set to use it."""
        chosen = {self.identify, self.decompose_by, self.edit_by, self.reconstruct_by}
        return frozenset({"llm"} & chosen)

    @property
    def variants_per_copy(self) -> int:
        """Eight of a long text: four whole ones, by the order in which rules write them."""
        return 8

    @property
    def loads_model(self) -> bool:
        """Whether encoders or transformers may vote."""
        return not is_linear_ensemble(self.ensemble)

    @model_validator(mode="before")
    @classmethod
    def _with_preset(cls, values: Any) -> Any:
        if not isinstance(values, dict):
            return values
        return {**PRESETS.get(str(values.get("preset")), {}), **values}

    @property
    def shaping_nothing(self) -> frozenset[str]:
        """The preset, whose settings do, and settings of late that have their default."""
        fields = type(self).model_fields
        unset = {name for name in _LATER if getattr(self, name) == fields[name].default}
        return super().shaping_nothing | unset | {"preset"}

    @model_validator(mode="after")
    def _members_counted_once(self) -> Self:
        if self.ensemble != "auto" and self.classifiers != 5:
            raise ValueError(
                f"classifiers={self.classifiers} is for ensemble=auto: ensemble={self.ensemble} "
                "says itself how many vote"
            )
        return self

    @field_validator("classifiers")
    @classmethod
    def _odd(cls, number: int) -> int:
        if number % 2 == 0:
            raise ValueError(
                f"a vote of {number} classifiers can be a tie: take an odd number, such as "
                f"{number + 1}"
            )
        return number


class CobaStyleConfig(VariantConfig):
    """How freely triples move, and how the model writes."""

    permute: bool = Field(default=True, description="shuffle the triples that carry no style")
    gender: Literal["keep", "triples", "panda", "swap"] = Field(
        "triples",
        description="triples: words of WinoBias's lists change to the other gender, in the triples "
        "of both texts (the paper); panda (or swap): persons do, by panda's rules; keep: nothing",
    )


@dataclass(frozen=True, kw_only=True)
class Settings:
    """A part of the settings: what one pipeline, or one step of several, reads."""

    @classmethod
    def of(cls, config: VariantConfig) -> Self:
        """This part of a config."""
        return cls(**{n: getattr(config, n) for n in cls.names() if hasattr(config, n)})

    @classmethod
    def names(cls) -> frozenset[str]:
        """The keys that it reads."""
        return frozenset(field.name for field in fields(cls))


@dataclass(frozen=True, kw_only=True)
class PairVoteSettings(Settings):
    """How classifiers name the important words of a row."""

    ensemble: str
    attribution: Method
    classifiers: int
    top_k: int
    vote: VoteBy
    folds: int
    fit_rows: int
    principal: Principal


@dataclass(frozen=True, kw_only=True)
class VoteSettings(PairVoteSettings):
    """The same for single texts, whose labels classifiers judge too."""

    lexicon: str
    judge_rows: int
    preset: Literal["paper"] | None


@dataclass(frozen=True, kw_only=True)
class FormSettings(Settings):
    """What any variant of coba is like."""

    gender: Literal[Gender, "swapped"]
    """"swapped": the triples that the text was written from have the other genders already."""
    gender_target: str
    shortest: float
    longest: float
    min_spurious: float = 0.0

    @classmethod
    def of(cls, config: VariantConfig) -> Self:
        """This part of a config; ``gender`` has the default of the pipeline."""
        part = super().of(config)
        by_steps = getattr(config, "calls", "one") == "steps" and "calls" in cls.names()
        if part.gender == "auto":
            part = replace(part, gender="triples" if by_steps else "keep")
        return part


@dataclass(frozen=True, kw_only=True)
class TextRuleSettings(FormSettings):
    """What the rules for single texts read."""

    unit: Literal["text", "sentence", "both"] | None
    twins: bool
    broad: bool | None
    any_labels: bool
    min_sentence_edits: float
    min_label: float
    min_text_label: float

    @classmethod
    def of(cls, config: VariantConfig) -> Self:
        """This part of a config; ``broad`` and ``unit`` are decided."""
        part = super().of(config)
        broad = part.broad
        if broad is None:
            broad = bool(getattr(config, "spurious_words", ()))
        unit = part.unit or ("both" if broad else "sentence")
        return replace(part, broad=broad, unit=unit)


@dataclass(frozen=True, kw_only=True)
class PairRuleSettings(FormSettings):
    """What the rules for pairs of texts read."""

    precedence: Precedence
    twins: bool
    reconstruct_by: str


@dataclass(frozen=True, kw_only=True)
class WritingSettings(FormSettings):
    """What is read wherever a language model writes and its labels are judged."""

    temperature: float
    max_tokens: int
    attempts: int
    keep_words: int | None
    verify: bool
    label_descriptions: Mapping[str, str]
    calls: Calls
    min_label: float
    min_refuted: float


@dataclass(frozen=True, kw_only=True)
class StepsSettings(WritingSettings):
    """What the paper's steps by a language model read."""

    precedence: Precedence
    permute: bool
    delete: float
    decompose_by: StepBy
    reconstruct_by: str
    preset: Literal["paper"] | None


def check_steps(config: CobaConfig, *, uses_llm: bool) -> None:
    """Raise ``ConfigError`` where the implementations of the steps do not fit together."""
    if config.preset is not None and not uses_llm:
        raise ConfigError(
            f"coba: preset={config.preset} is the paper's procedure, and a language model does its "
            "steps: give one (--llm openai:MODEL), or leave preset out"
        )
    if uses_llm and config.reconstruct_by == "spans":
        raise ConfigError(
            "coba: reconstruct_by=spans needs edits of the text, and an LLM edits triples: use llm "
            "or triples, or edit_by=offline"
        )
    steps = {config.identify, config.decompose_by, config.reconstruct_by, config.judge_by}
    if not uses_llm and steps & {"llm", "both"}:
        raise ConfigError(
            "coba: without an LLM, or with edit_by=offline, all steps are offline: leave identify, "
            "decompose_by, reconstruct_by and judge_by as they are"
        )


def check_settings(config: CobaConfig, kinds: Collection[Kind], *, uses_llm: bool) -> None:
    """Raise ``ConfigError`` where a setting was given that no row of these kinds reads."""
    names = config.model_fields_set
    if names >= set(CobaConfig.model_fields):  # restored from a dump: all fields are set
        fields_by_name = CobaConfig.model_fields.items()
        names = {name for name, field in fields_by_name if getattr(config, name) != field.default}
    unread = names - _read(config, kinds, uses_llm=uses_llm)
    if not unread:
        return
    singular = len(unread) == 1
    rows = "" if len(kinds) > 1 else f" for {'pairs of texts' if 'pairs' in kinds else 'texts'}"
    instead = ""
    if not uses_llm and unread <= WritingSettings.names() - TextRuleSettings.names():
        instead = ", or give an LLM"
    if uses_llm and unread <= TextRuleSettings.names() - StepsSettings.names():
        instead = ", or set edit_by=offline"
    if uses_llm and unread <= StepsSettings.names() - WritingSettings.names():
        instead = ", or set calls=steps"
    if "texts" not in kinds and unread <= PairVoteSettings.names() - {"principal"}:
        instead = ", or set principal=vote"
    raise ConfigError(
        f"coba: {', '.join(sorted(unread))} {'has' if singular else 'have'} no effect "
        f"{'with' if uses_llm else 'without'} an LLM{rows}: "
        f"remove {'it' if singular else 'them'}{instead}"
    )


_ALWAYS = frozenset({"preset", "spurious_words", "found_words", "label_order"})
_CHOICES = frozenset({"identify", "edit_by", "judge_by"})
"""Who does a step: ``check_steps`` says where that is not possible."""


def _read(config: CobaConfig, kinds: Collection[Kind], *, uses_llm: bool) -> frozenset[str]:
    """The settings that rows of these kinds read."""
    read = frozenset(MethodConfig.model_fields) | _ALWAYS | _CHOICES
    if "pairs" in kinds and config.principal == "auto":
        read |= {"principal"}
    if not uses_llm:
        read |= {"decompose_by"}
        if "texts" in kinds:
            read |= TextRuleSettings.names() | VoteSettings.names()
        if "pairs" in kinds:
            read |= PairRuleSettings.names() - {"precedence"}
            if pairs_vote(config, uses_llm=False):
                read |= PairVoteSettings.names() | {"precedence"}
        return read
    pipeline = WritingSettings if config.calls == "one" else StepsSettings
    read |= pipeline.names() - {"min_refuted"}
    if "texts" in kinds:
        read |= VoteSettings.names()
    if "pairs" in kinds:
        read |= {"min_refuted", "top_k"} if config.identify == "llm" else {"min_refuted"}
        read |= PairVoteSettings.names() if pairs_vote(config, uses_llm=True) else frozenset()
    return read


def pairs_vote(config: CobaConfig, *, uses_llm: bool) -> bool:
    """Whether classifiers vote on pairs: where asked to, and in the paper's steps."""
    if uses_llm and config.identify == "llm":
        return False
    by_steps = uses_llm and config.calls == "steps"
    return config.principal == "vote" or (by_steps and config.principal == "auto")
