"""Choices: their cues, a test part, and a challenge set in which a cue points to a loser.

Items with one prompt or group stay on one side. The challenge set has held-out items in which the
cue points to a loser by nature. Where these are too few, it is turned around by rules that change
no content: Markdown, openings and marks are moved from winners to losers, candidates change places.
Length and words stay as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal

from augkit.augmenters.choices.mirror import FEATURES, MirrorConfig
from augkit.commands.check.choice_rows import CheckedChoices
from augkit.commands.fix.choice_cues import ChoiceCue, find_choice_cues, named_choice_cues
from augkit.commands.fix.parts import (
    AS_IT_IS,
    FEWEST,
    ITEMS,
    MARK,
    SplitParts,
    SplitSettings,
    strong_cues,
)
from augkit.core.choices import Choice, rotation
from augkit.core.config import MethodConfig
from augkit.core.errors import DataError
from augkit.core.progress import report_progress
from augkit.core.results import read_survey
from augkit.core.types import digest
from augkit.datasets.choices.load import ChoiceSource, open_choices
from augkit.datasets.load import Spec, spec_name
from augkit.datasets.readers.blocks import Row
from augkit.datasets.settings import ReadOptions
from augkit.text.features.item_features import PLACE, ItemTexts

SWAPPED, REORDERED = "style swapped", "order changed"
_LEAST_TRAINED = 20
_MOST_LEFT = 6
_WITH_CUE = "-cue"
"""After the name of a method that is told the cue, and otherwise finds features by itself."""
_NEW = 0.5
"""A new shortcut is at least this strong beside the strongest of the originals."""


@dataclass(frozen=True)
class ChoiceData:
    """A dataset of choices that are decided."""

    name: str
    source: ChoiceSource
    choices: Sequence[Choice]
    left_out: int
    """Items without a winner."""
    reading: ReadOptions
    group_column: str | None
    wording = ITEMS
    reads: ClassVar[Literal["choices"]] = "choices"
    is_english = True
    note = nothing = ""

    @property
    def short_name(self) -> str:
        """For the name of a folder."""
        return self.source.name.replace(":", "-")

    @property
    def about(self) -> Mapping[str, Any]:
        """Items, columns, and how many candidates they have, as the result has them."""
        sizes = Counter(len(choice.candidates) for choice in self.choices)
        return {
            "rows": len(self.choices),
            "fields": list(self.source.shape.text_columns),
            "label_column": "",
            "labels": {f"{size} candidates": count for size, count in sorted(sizes.items())},
        }

    @cached_property
    def rows(self) -> CheckedChoices:
        """The items as the checks read them."""
        numbers = list(range(len(self.choices)))
        matters = self.source.shape.places_matter
        return CheckedChoices(self.choices, matters, self.source, numbers, self.left_out)

    def find_cues(self) -> list[ChoiceCue]:
        """What winners have more of, each with whether it is likely a shortcut."""
        report_progress("looking for what gives the winner away")
        return find_choice_cues(self.rows)

    def usual_cues(self, cues: Sequence[ChoiceCue]) -> list[ChoiceCue]:
        """The likely shortcuts that are strong."""
        return strong_cues(cues)

    @property
    def chance(self) -> float:
        """How often one who draws lots finds the winner."""
        return sum(1 / len(choice.candidates) for choice in self.choices) / len(self.choices)

    def named_cues(self, cues: Sequence[ChoiceCue], names: Sequence[str]) -> list[ChoiceCue]:
        """The cues that the user names."""
        return named_choice_cues(self.rows, cues, names)

    def whole(self, cues: Sequence[ChoiceCue]) -> SplitParts:
        """All items to train on."""
        return self._parts(self.choices, (), (), cues, 0)

    def split(
        self, cues: Sequence[ChoiceCue], settings: SplitSettings, test: str | None
    ) -> SplitParts:
        """The parts, by the seed and the prompts alone.

        A test set of the user's is the test part, and the challenge set is made from it. Otherwise
        a part of the prompts is held out; where the cue cannot be turned around, also half of those
        in which it points to a loser, for the challenge set alone.
        """
        if test is not None:
            held = load_choice_data(test, self.reading, self.group_column).choices
            train: Sequence[Choice] = self.choices
            more: Sequence[Choice] = ()
        else:
            train, held, more = self._held_out(cues, settings)
        challenge = list(self._challenge([*held, *more], cues))[: settings.challenge_rows]
        tested = held if test is None else ()
        return self._parts(train, tested, challenge, cues, settings.seed)

    def _held_out(
        self, cues: Sequence[ChoiceCue], settings: SplitSettings
    ) -> tuple[list[Choice], list[Choice], list[Choice]]:
        """The items to train on, those to test on, and those for the challenge set alone."""
        units, seed = self.rows.units, str(settings.seed)
        ordered = sorted(set(units), key=lambda unit: digest(seed, "held out", unit))
        test = set(ordered[: max(1, len(ordered) // settings.parts)])
        more: set[str] = set()
        if cues and not all(map(_can_turn, cues)):
            wrong = self._wrong(self.rows, cues)
            against = {unit for unit, is_wrong in zip(units, wrong, strict=True) if is_wrong}
            rare = [unit for unit in ordered if unit in against - test]
            more = set(rare[: max(0, len(against) // 2 - len(against & test))])
        trained, tested, challenging = list[Choice](), list[Choice](), list[Choice]()
        for choice, unit in zip(self.choices, units, strict=True):
            part = tested if unit in test else challenging if unit in more else trained
            part.append(choice)
        if len(trained) < _LEAST_TRAINED:
            raise DataError(
                f"{self.name}: {len(self.choices):,} items are too few to hold a part out: "
                f"{len(trained)} would be left to train on"
            )
        return trained, tested, challenging

    @staticmethod
    def _wrong(rows: ItemTexts, cues: Sequence[ChoiceCue]) -> list[bool]:
        """For each item whether a cue points to a loser, and none to the winner."""
        signs = [cue.signs(rows).tolist() for cue in cues]
        return [min(of_item) < 0 and max(of_item) <= 0 for of_item in zip(*signs, strict=True)]

    def _challenge(self, held: Sequence[Choice], cues: Sequence[ChoiceCue]) -> Iterator[Row]:
        """The items in which the cue points to a loser: as they are, then those turned around."""
        if not cues or not held:
            return
        matters = self.source.shape.places_matter
        wrong = self._wrong(ItemTexts(held, matters), cues)
        yield from (
            {**choice.columns, MARK: AS_IT_IS}
            for choice, is_wrong in zip(held, wrong, strict=True)
            if is_wrong
        )
        others = [choice for choice, is_wrong in zip(held, wrong, strict=True) if not is_wrong]
        turned = [pair for choice in others for pair in self._turned(choice, cues)]
        if turned:
            wrong = self._wrong(ItemTexts([choice for choice, _ in turned], matters), cues)
            yield from (
                {**self.source.shape.write(choice), MARK: how}
                for (choice, how), is_wrong in zip(turned, wrong, strict=True)
                if is_wrong
            )

    def _turned(self, choice: Choice, cues: Sequence[ChoiceCue]) -> Iterator[tuple[Choice, str]]:
        """The item with what rules can turn around: places, and style that is no content."""
        if any(cue.first.check == PLACE for cue in cues):
            yield self._rotated(choice), REORDERED
            return
        names = {feature.name for cue in cues for feature in cue.features}
        rules = [rule for name, rule in FEATURES.items() if name in names]
        texts = list(choice.candidates)
        for place, text in enumerate(texts):
            for rule in rules:
                text = rule.take(text) if place in choice.winners else rule.add(text)  # noqa: PLW2901
            texts[place] = text
        if tuple(texts) != choice.candidates and len(set(texts)) == len(texts) and all(texts):
            yield replace(choice, candidates=tuple(texts)), SWAPPED

    def _rotated(self, choice: Choice) -> Choice:
        """The item with every candidate one place further on."""
        order = rotation(len(choice.candidates), 1)
        columns = self.source.shape.reorder(dict(choice.columns), order)
        return replace(choice.reordered(order), columns=columns)

    def _parts(
        self,
        train: Sequence[Choice],
        test: Sequence[Choice],
        challenge: Sequence[Row],
        cues: Sequence[ChoiceCue],
        seed: int,
    ) -> SplitParts:
        return SplitParts(
            [dict(choice.columns) for choice in train],
            [dict(choice.columns) for choice in test],
            challenge,
            self._dropped(train, cues, seed),
            self._dropped(self.choices, cues, seed),
            len(challenge) >= FEWEST,
        )

    def _dropped(
        self, choices: Sequence[Choice], cues: Sequence[ChoiceCue], seed: int
    ) -> list[Row]:
        """The items without so many of those in which a cue is right that it is at chance.

        They are drawn by the seed; none where too few would be left.
        """
        rows = ItemTexts(choices, self.source.shape.places_matter)
        order = sorted(range(len(choices)), key=lambda n: digest(str(seed), "drop", str(n)))
        left = set(order)
        for cue in cues:
            signs = cue.signs(rows)
            right = [number for number in order if number in left and signs[number] > 0]
            wrong = [number for number in order if number in left and signs[number] < 0]
            left -= set(right[: max(0, len(right) - len(wrong))])
        if not cues or len(left) < _LEAST_TRAINED:
            return []
        return [dict(choices[number].columns) for number in sorted(left)]

    def columns(self, path: Path) -> dict[str, Any]:
        """Choices are recognised by the names of their columns."""
        del path
        return {}

    def trial_options(
        self, config: type[MethodConfig], cues: Sequence[ChoiceCue]
    ) -> Mapping[str, dict[str, Any]]:
        """A method as it is; one that takes features also told those of the cues."""
        fields = config.model_fields
        group: dict[str, Any] = {}
        if self.group_column and "group_column" in fields:
            group = {"group_column": self.group_column}
        by_mark = {"": dict(group)}
        if "features" in fields and config is not MirrorConfig:
            by_mark[_WITH_CUE] = {"features": [cue.name for cue in cues], **group}
        return by_mark

    def caveats(self, run: Path, cues: Sequence[ChoiceCue]) -> tuple[str, ...]:
        """A strong shortcut that is new in the result of a run, and cues that are still there."""
        survey = read_survey(run / "shortcuts")
        rows = [] if survey is None else [row for row in survey.rows if "accuracy" in row]
        before = [row["association"] for row in rows if not row.get("new")]
        new = [
            row
            for row in rows
            if row.get("new") and row["association"] >= _NEW * max(before, default=1.0)
        ]
        phrases = {cue.first.phrase for cue in cues}
        alpha = 0.05 if survey is None else float(survey.about.get("alpha", 0.05))
        still = [
            row
            for row in rows
            if not row.get("new")
            and row["feature"] in phrases
            and row["after"]["items"]
            and row["after"]["q"] <= alpha
        ]
        caveats = [f"has a new shortcut: the winner {row['feature']}" for row in new[:1]]
        caveats += [
            f"still has a shortcut of the originals: the winner {row['feature']} (alone right in "
            f"{row['after']['accuracy']:.0%}, before {row['accuracy']:.0%})"
            for row in still
        ]
        return tuple(caveats)

    def left(self, path: Path) -> list[ChoiceCue]:
        """The cues that a file to train on still has, the strongest first."""
        return load_choice_data(path, self.reading, self.group_column).find_cues()[:_MOST_LEFT]

    def new_shortcuts(self, path: Path) -> tuple[str, ...]:
        """None: items are dropped, and none is rewritten."""
        del path
        return ()


def _can_turn(cue: ChoiceCue) -> bool:
    """Whether rules can turn a cue around without a change of content."""
    return cue.first.check == PLACE or any(feature.name in FEATURES for feature in cue.features)


def load_choice_data(data: Spec, reading: ReadOptions, group_column: str | None) -> ChoiceData:
    """Read choices for ``split`` or ``fix``; verdicts of a judge are refused."""
    source = open_choices(data, reading)
    choices = list(source.read(group_column, allow_empty=True))
    if any(choice.judge for choice in choices):
        raise DataError(
            f"{source.source}: these are verdicts of a judge, and what gives them away is the "
            "judge's habit, not the data's. augkit audit --judge measures it; augkit check lists "
            "what the winners have in common"
        )
    decided = [choice for choice in choices if choice.decided]
    if not decided:
        raise DataError(f"{source.source}: no row has a winner and a loser: nothing to compare")
    if reading.is_partial:
        decided = [decided[number] for number in reading.numbers(len(decided))]
    name = spec_name(data, source.name)
    left_out = len(choices) - len(decided)
    return ChoiceData(name, source, decided, left_out, reading, group_column)
