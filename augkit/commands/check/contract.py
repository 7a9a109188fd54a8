"""The contract of a dataset: what is checked, and the highest value that is allowed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BeforeValidator, Field

from augkit.commands.check.sampling import LEAST_SAMPLE, MOST_ROWS
from augkit.core.config import StrictModel, load
from augkit.core.errors import ConfigError

Association = Literal["tokens", "ngrams", "position", "length", "format"]
ASSOCIATIONS: tuple[Association, ...] = ("tokens", "ngrams", "position", "length", "format")
"""Checks of one surface feature of candidates against the winner."""

T = TypeVar("T")


def _short(value: Any) -> Any:
    """``tokens: false`` turns a check off, ``tokens: 0.3`` is short for its limit."""
    if isinstance(value, bool):
        return {} if value else None
    return {"limit": value} if isinstance(value, int | float) else value


Switch = Annotated[T | None, BeforeValidator(_short)]
"""A section of the contract, or short for it: a limit, ``true`` (the defaults) or ``false``."""


class Section(StrictModel):
    """What every check with a limit has."""

    limit: float = Field(description="the highest value that is allowed", ge=0, le=1)


class ShortcutsSection(StrictModel):
    """What gives the label of rows away, and is no reason for it."""

    fields: tuple[str, ...] = Field((), description="text fields to check; none given: all")
    allow: tuple[str, ...] = Field((), description="features that may go with a label")


class AssociationSection(Section):
    """A check of surface features of candidates."""

    limit: float = Field(
        0.2,
        ge=0,
        lt=1,
        description="highest allowed association of a feature with winning, from chance (0) to "
        "always right (1); 0.1 for length and format unless it is given",
    )
    fields: tuple[str, ...] = Field((), description="text fields to check; none given: all")
    allow: tuple[str, ...] = Field((), description="features that may go with a label")


class NgramSection(AssociationSection):
    """A check of n-grams of candidates."""

    longest: int = Field(3, ge=2, le=5, description="longest n-gram; all from 2 words count")


class FieldAccuracySection(Section):
    """How well one text field alone predicts the label, where a row has several."""

    limit: float = Field(
        0.05,
        ge=0,
        lt=1,
        description="highest allowed accuracy of one field alone, less the share of the most "
        "frequent label",
    )
    fields: tuple[str, ...] = Field((), description="text fields to check; none given: all")


class BlindSection(Section):
    """How often the winner of a choice is found without the prompt."""

    limit: float = Field(
        0.1, ge=0, lt=1, description="highest allowed accuracy without the prompt, less chance"
    )
    max_rows: int = Field(5_000, ge=100, description="at most this many items, sampled by content")


class EqualSection(Section):
    """Choices whose winner and loser have the same text."""

    limit: float = Field(0.01, ge=0, le=1, description="highest allowed share of items")


class EmptySection(Section):
    """Choices with a candidate that has no text."""

    limit: float = Field(0.0, ge=0, le=1, description="highest allowed share of items")


class WordsSection(StrictModel):
    """Words that must not occur."""

    words: tuple[str, ...] = Field(
        min_length=1, description="words or phrases; upper and lower case are the same"
    )
    fields: tuple[str, ...] = Field((), description="text fields to check; none given: all")


class DuplicatesSection(Section):
    """Rows whose texts and label were there before."""

    limit: float = Field(0.01, ge=0, le=1, description="highest allowed share of rows")


class ConflictsSection(Section):
    """Rows with the same texts and different labels."""

    limit: float = Field(0.01, ge=0, le=1, description="highest allowed share of rows")


class LeakageSection(Section):
    """Rows of the test set whose texts are in this dataset."""

    test: str | None = Field(
        None, description="the test set; a path is relative to the contract; or give --test"
    )
    limit: float = Field(0.0, ge=0, le=1, description="highest allowed share of test rows")
    near_limit: float = Field(
        1.0,
        ge=0,
        le=1,
        description="the same, with texts that differ in punctuation only; 1: they are "
        "counted and pass",
    )


class BalanceSection(Section):
    """The share of the rarest label."""

    limit: float = Field(0.1, ge=0, le=1, description="lowest allowed share of the rarest label")


class LanguageSection(Section):
    """The languages of the texts."""

    allowed: tuple[str, ...] = Field(
        ("en",), min_length=1, description="codes of languages, as en or de"
    )
    limit: float = Field(0.05, ge=0, le=1, description="highest allowed share of other rows")


class FairscoreSection(Section):
    """Predictions that change when the people in a text change."""

    limit: float = Field(0.05, ge=0, lt=1, description="highest allowed fairscore, from 0 to 1")
    rows: int = Field(200, ge=20, description="rows that are perturbed, sampled by content")
    axes: tuple[str, ...] = Field(
        ("gender",), min_length=1, description="axes of panda: gender, race, age"
    )


class CheckContract(StrictModel):
    """Everything that a dataset must satisfy; keys that are not given have these defaults."""

    alpha: float = Field(
        0.05,
        gt=0,
        lt=1,
        description="highest chance of any alarm on data whose labels do not depend on the texts",
    )
    max_rows: int = Field(
        MOST_ROWS,
        ge=LEAST_SAMPLE,
        description="in a larger dataset, features are tested on a sample of this many rows or "
        "items; repeated rows, conflicts, leakage, balance and forbidden words are counted in all",
    )
    shortcuts: Switch[ShortcutsSection] = Field(
        ShortcutsSection(),
        description="words, phrases, signs, places and lengths that give the label of a row away "
        "and are no reason for it",
    )
    tokens: Switch[AssociationSection] = Field(
        AssociationSection(), description="choices: words in a candidate, in lower case"
    )
    ngrams: Switch[NgramSection] = Field(
        NgramSection(), description="choices: sequences of words, in lower case"
    )
    position: Switch[AssociationSection] = Field(
        AssociationSection(), description="choices: the first and the last word"
    )
    length: Switch[AssociationSection] = Field(
        AssociationSection(), description="choices: long or short, in words and in characters"
    )
    format: Switch[AssociationSection] = Field(
        AssociationSection(),
        description="choices: punctuation, capitals, digits, links, mark-up, spaces, line breaks, "
        "Markdown, citations, refusals, hedges, modal verbs, words of the prompt, misspelt words",
    )
    winner_place: Switch[AssociationSection] = Field(
        AssociationSection(), description="choices: the place of the winner among the candidates"
    )
    field_accuracy: Switch[FieldAccuracySection] = Field(
        FieldAccuracySection(), description="one text field alone, where a row has several"
    )
    blind_accuracy: Switch[BlindSection] = Field(
        BlindSection(), description="choices: the winner, found without the prompt"
    )
    equal_candidates: Switch[EqualSection] = Field(
        EqualSection(), description="choices: a winner and a loser with the same text"
    )
    empty_candidates: Switch[EmptySection] = Field(
        EmptySection(), description="choices: a candidate without a text"
    )
    duplicates: Switch[DuplicatesSection] = Field(
        DuplicatesSection(), description="rows that occur more than once"
    )
    conflicting_labels: Switch[ConflictsSection] = Field(
        ConflictsSection(), description="rows with the same texts and different labels"
    )
    leakage: Switch[LeakageSection] = Field(
        LeakageSection(), description="test rows in this dataset, where a test set is given"
    )
    forbidden_words: Switch[WordsSection] = Field(None, description="words that must not occur")
    label_balance: Switch[BalanceSection] = Field(None, description="the rarest label's share")
    language: Switch[LanguageSection] = Field(None, description="languages of the texts")
    fairscore: Switch[FairscoreSection] = Field(
        None, description="predictions that change with the people in a text"
    )
    group_column: str | None = Field(
        None,
        description="rows with the same value in this column belong together: one unit of a test "
        "of choices, one block of field_accuracy; none: rows with the same prompt or first text",
    )
    no_new_shortcuts: Path | None = Field(
        None, description="baseline file: known shortcuts pass; a path relative to the contract"
    )
    worse_by: float = Field(
        0.1, ge=0, description="a known shortcut fails if it is this much over its baseline"
    )

    def association(self, check: Association) -> AssociationSection | None:
        """The section of a check of surface features."""
        section: AssociationSection | None = getattr(self, check)
        return section

    def with_options(
        self,
        baseline: Path | None,
        test: str | None,
        group_column: str | None = None,
        max_rows: int | None = None,
    ) -> CheckContract:
        """The contract with a baseline, a test set, a group and a size of the command line."""
        changed: dict[str, Any] = {} if max_rows is None else {"max_rows": max_rows}
        if max_rows is not None and max_rows < LEAST_SAMPLE:
            raise ConfigError(f"max_rows: a sample has {LEAST_SAMPLE:,} rows or more: {max_rows:,}")
        if group_column is not None:
            changed["group_column"] = group_column
        if baseline is not None:
            changed["no_new_shortcuts"] = baseline
        if test is not None:
            leakage = self.leakage or LeakageSection()
            changed["leakage"] = leakage.model_copy(update={"test": test})
        return self.model_copy(update=changed)

    @property
    def choice_associations(self) -> dict[str, AssociationSection]:
        """The checks of surface features of choices that are on, with their sections."""
        sections = {name: getattr(self, name) for name in (*ASSOCIATIONS, "winner_place")}
        return {name: section for name, section in sections.items() if section is not None}

    @property
    def tests(self) -> int:
        """How many checks of labelled rows share ``alpha``: those that are statistical tests."""
        return self._on("shortcuts", "field_accuracy", "fairscore")

    @property
    def alpha_of_rows(self) -> float:
        """The part of ``alpha`` that each check of labelled rows has."""
        return self.alpha / self.tests

    def alpha_of_choices(self, *, places_matter: bool) -> float:
        """The same for choices; the place is no test where the shape decides it."""
        place = ("winner_place",) if places_matter else ()
        return self.alpha / self._on(*ASSOCIATIONS, *place, "blind_accuracy")

    def _on(self, *names: str) -> int:
        return max(1, sum(getattr(self, name) is not None for name in names))


def load_contract(path: Path | None) -> CheckContract:
    """The contract of a file, its paths made relative to it; without a file, the default."""
    if path is None:
        return CheckContract()
    contract = load(CheckContract, path)
    changed: dict[str, Any] = {}
    if contract.no_new_shortcuts is not None:
        changed["no_new_shortcuts"] = path.parent / contract.no_new_shortcuts
    leakage = contract.leakage
    if leakage is not None and leakage.test and (path.parent / leakage.test).is_file():
        changed["leakage"] = leakage.model_copy(update={"test": str(path.parent / leakage.test)})
    return contract.model_copy(update=changed)


def fields_to_check(check: str, asked: tuple[str, ...], known: tuple[str, ...]) -> tuple[str, ...]:
    """The fields that a check is about; a field that the dataset does not have is an error."""
    for field in asked:
        if field not in known:
            raise ConfigError(
                f"{check}.fields: the dataset has no text field '{field}'. "
                f"It has: {', '.join(known)}"
            )
    return asked or known
