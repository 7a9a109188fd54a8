"""Before anything is written: read the rows, find the cues, choose some, and split the rows."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from augkit.commands.evaluate.evaluation_sets import check_test_set
from augkit.commands.fix.choices import load_choice_data
from augkit.commands.fix.labelled import load_labelled_data
from augkit.commands.fix.parts import (
    SPLIT_FILE,
    AnyCue,
    FixData,
    SplitParts,
    SplitSettings,
    check_challenge,
)
from augkit.commands.fix.results import CHOSEN, Fixed
from augkit.commands.fix.settings import FixSettings
from augkit.core.errors import DataError, OutputExists
from augkit.core.json_files import find_json
from augkit.core.progress import report_progress
from augkit.datasets.choices.load import holds_choices
from augkit.datasets.likely_columns import suggesting_columns
from augkit.datasets.load import Spec
from augkit.datasets.lookup import local_splits, parse_spec


@dataclass(frozen=True)
class FoundCues:
    """A dataset with the cues in it; nothing is chosen or written yet."""

    data: FixData
    cues: Sequence[AnyCue]
    settings: FixSettings
    in_memory: bool
    seconds: float

    @property
    def about(self) -> Fixed:
        """What was read and found, as the beginning of a result."""
        data = self.data
        return Fixed(
            data=data.name,
            wording=data.wording,
            folder=None,
            cues=self.cues,
            note="" if self.settings.cues else data.note,
            nothing="" if self.cues else data.nothing,
            chance=data.chance,
            **data.about,
        )

    @property
    def folder(self) -> Path:
        """Where everything goes."""
        return self.settings.out or Path(f"fix-{self.data.short_name}")


@dataclass(frozen=True)
class Prepared:
    """What is decided before anything is written: cues and parts; none where nothing is fixed."""

    found: FoundCues
    chosen: Sequence[AnyCue]
    why: str
    parts: SplitParts | None = None


def load_data(settings: SplitSettings, data: Spec | None = None) -> FixData:
    """Read labelled rows or choices; ``data`` may be a dataset in memory."""
    spec = settings.data if data is None else data
    if holds_choices(spec, settings.reading):
        return load_choice_data(spec, settings.reading, settings.group_column)
    with suggesting_columns(spec, settings.reading):
        return load_labelled_data(spec, settings.reading)


def find_shortcuts(settings: FixSettings, data: Spec | None = None) -> FoundCues:
    """Read the rows and find the cues; what is wrong with the settings is an error now."""
    started = time.monotonic()
    report_progress("reading the rows")
    dataset = load_data(settings, data)
    settings = _with_splits_of(settings, in_memory=data is not None)
    reading = settings.reading.model_copy(update={"choices": dataset.reads == "choices"})
    known = dataset.about["labels"] if dataset.reads == "rows" else {}
    for spec in filter(None, (settings.test, settings.challenge)):
        check_test_set(spec, reading, known, dataset.name)
    cues = dataset.find_cues()
    return FoundCues(dataset, cues, settings, data is not None, time.monotonic() - started)


def prepare(
    found: FoundCues, answer: Sequence[AnyCue] | None = None, *, will_write: bool = True
) -> Prepared:
    """Choose the cues, and split the rows; nothing is written yet."""
    settings = found.settings
    chosen: Sequence[AnyCue]
    if settings.cues:
        chosen, why = found.data.named_cues(found.cues, settings.cues), "you named it"
    elif answer is not None:
        chosen, why = answer, CHOSEN
    else:
        chosen, why = found.data.usual_cues(found.cues), "likely a shortcut, and strong"
    if not chosen:
        return Prepared(found, chosen, why)
    named = bool(settings.cues) or answer is not None
    if named and will_write:
        _check_folder(found, chosen)
    report_progress("splitting the rows")
    chosen, parts = _provable(found, chosen, named=named)
    if will_write:
        _check_folder(found, chosen)
    return Prepared(found, chosen, why, parts)


def _with_splits_of(settings: FixSettings, *, in_memory: bool) -> FixSettings:
    """The settings, with the test and challenge splits that a named dataset has itself."""
    spec = None if in_memory else parse_spec(settings.data)
    if spec is None or isinstance(spec, Path):
        return settings
    splits = [name for name in local_splits(spec.name, settings.reading) if name not in spec.splits]
    own_splits: dict[str, Any] = {
        part: f"{spec.name}:{part}"
        for part in ("test", "challenge")
        if part in splits and getattr(settings, part) is None
    }
    return settings.model_copy(update=own_splits)


def _provable(
    found: FoundCues, chosen: Sequence[AnyCue], *, named: bool
) -> tuple[Sequence[AnyCue], SplitParts]:
    """The cues that a challenge set can be made for, and the parts; an error where none can."""
    data, settings = found.data, found.settings
    if settings.test and settings.challenge:
        return chosen, data.whole(chosen)
    parts = data.split(chosen, settings, settings.test)
    if settings.challenge:
        return chosen, replace(parts, challenge=())
    try:
        check_challenge(parts, chosen, data.wording)
    except DataError:
        for cue in chosen if len(chosen) > 1 and not named else ():
            alone = data.split([cue], settings, settings.test)
            if alone.decides:
                return [cue], alone
        raise
    return chosen, parts


def _check_folder(found: FoundCues, chosen: Sequence[AnyCue]) -> None:
    """Raise where the folder has an earlier fix of other cues."""
    advice = "Give another folder with --out, or delete this one"
    earlier = find_json(
        found.folder / SPLIT_FILE,
        lambda record: [str(cue["cue"]) for cue in record["cues"]],
        advice,
    )
    names = sorted(earlier or ())
    if names and names != sorted(cue.record()["cue"] for cue in chosen):
        raise OutputExists(
            f"{found.folder}: this folder has a fix of other cues ({', '.join(names)}). Give "
            "another folder with --out"
        )
