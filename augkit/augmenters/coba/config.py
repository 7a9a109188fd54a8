"""What the coba method may be told."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator, model_validator
from typing_extensions import Self

from augkit.core.config import MethodConfig

Precedence = Literal["principal", "spurious"]
Who = Literal["auto", "offline", "llm"]


class CobaConfig(MethodConfig):
    """Which words matter, how triples are changed, and what a variant must pass."""

    # Which words matter.
    identify: Literal["ensemble", "llm"] = Field(
        "ensemble", description="who names principal and spurious words: classifiers, or the LLM"
    )
    classifiers: int = Field(5, ge=1, le=15, description="how many classifiers vote; odd")
    top_k: int = Field(5, ge=1, description="important words taken of each classifier (K)")
    vote: Literal["majority", "weighted"] = Field(
        "majority", description="each classifier counts one, or by its held-out accuracy"
    )
    folds: int = Field(3, ge=2, le=20, description="parts of the cross-fitting")
    spurious_words: tuple[str, ...] = Field(
        (), description="words of yours that are shortcuts and must survive"
    )
    principal: Literal["lexicon", "vote"] = Field(
        "lexicon",
        description="lexicon: a voted word is principal only where a lexicon for the task calls it "
        "evaluative, and so are the evaluative words nobody voted for; vote: the vote alone",
    )
    lexicon: str = Field(
        "auto",
        description="auto: the bundled evaluative lexicon where the labels are those of sentiment; "
        "none: words learnt from the data and antonyms; or the path of a lexicon file",
    )
    # How triples are changed.
    precedence: Precedence = Field(
        "principal", description="what a triple with both kinds of words is; the paper: spurious"
    )
    unit: Literal["text", "sentence", "both"] = Field(
        "both",
        description="variants of whole texts, of sentences beside their unedited twins, or both",
    )
    text_share: float = Field(
        1.0,
        ge=0,
        le=1,
        description="with unit=both: share of the texts that also give a whole one",
    )
    draws: int = Field(
        5,
        ge=1,
        le=10,
        description="unless unit=text: how often a text and its sentences are turned, each time "
        "with other words",
    )
    twins: bool = Field(
        default=True, description="whether an edited sentence brings its unedited twin as a row"
    )
    permute: bool = Field(default=False, description="shuffle the normal triples among themselves")
    delete: float = Field(
        0.1, ge=0, le=1, description="probability that a normal triple is left out"
    )
    drop: float = Field(
        0.5,
        ge=0,
        le=1,
        description="a sentence of a whole text is left out where the judge gives it the new label "
        "with less than this, or something in it still speaks for the old one; 0: none is",
    )
    gender: Literal["keep", "swap", "spurious"] = Field(
        "keep",
        description="swap: gendered words change to the other gender; spurious: they also count as "
        "spurious words (the paper's section 4.3)",
    )
    gender_target: str = Field(
        "opposite", description="opposite, or an attribute of the gender axis, such as non-binary"
    )
    # Who does it.
    decompose_by: Who = Field("auto", description="auto: the LLM where there is one")
    edit_by: Who = Field("auto", description="auto: the LLM where there is one")
    reconstruct_by: Literal["auto", "spans", "triples", "llm"] = Field(
        "auto",
        description="spans: untouched text stays letter for letter; triples: a sentence each",
    )
    judge_by: Who = Field("auto", description="auto: the judge LLM, the LLM, or the ensemble")
    temperature: float = Field(0.7, ge=0, le=2, description="of the LLM where it rewrites")
    max_tokens: int = Field(2048, ge=1, description="longest answer of the LLM, in tokens")
    # What a variant must pass.
    min_label: float = Field(
        0.5, ge=0, le=1, description="least probability of the intended label, by the judge"
    )
    min_sentence_label: float = Field(
        0.6, ge=0, le=1, description="the same of a sentence or clause cut out of a longer text"
    )
    max_left: float = Field(
        0.1,
        ge=0,
        le=1,
        description="greatest share of what speaks, or may speak, for the old label that stays in "
        "a whole text; a sentence may keep none",
    )
    min_edits: float = Field(
        8.0, ge=0, description="least edits per 100 words of a text of several sentences"
    )
    min_sentence_edits: float = Field(
        12.0, ge=0, description="least edits per 100 words of a sentence or clause given alone"
    )
    min_spurious: float = Field(
        0.8, ge=0, le=1, description="least share of the spurious words that survive"
    )
    shortest: float = Field(0.5, ge=0, description="least length, as a multiple of the original's")
    longest: float = Field(
        2.0, gt=0, description="greatest length, as a multiple of the original's"
    )
    judge_rows: int = Field(
        4000, ge=10, description="rows, at most, whose variants the offline judge is trained on"
    )

    @field_validator("classifiers")
    @classmethod
    def _odd(cls, number: int) -> int:
        if number % 2 == 0:
            raise ValueError(
                f"a vote of {number} classifiers can be a draw: take an odd number, such as "
                f"{number + 1}"
            )
        return number

    @model_validator(mode="after")
    def _lengths_leave_room(self) -> Self:
        if self.shortest > self.longest:
            raise ValueError(f"shortest {self.shortest} is more than longest {self.longest}")
        return self

    @property
    def needs(self) -> frozenset[str]:
        """An LLM, where one of the steps is set to use it."""
        chosen = {self.identify, self.decompose_by, self.edit_by, self.reconstruct_by}
        return frozenset({"llm"} & chosen)
