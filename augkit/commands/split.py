"""``augkit split``: a test part, and a challenge set in which a cue points the wrong way.

Rows with equal or near texts, and pairs with one first text, stay on one side. The challenge set
has held-out rows in which the cue says the wrong thing by nature and, where these are too few, rows
made by moving the cue; a column says how each was made.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from pydantic import Field

from augkit.commands.check.rows import CheckedRows, load_labelled, require_two_labels
from augkit.commands.fix.cues import Cue, chosen_cues, find_cues
from augkit.commands.fix.evidence import TaskOfLabels, judge_cues, read_task
from augkit.commands.fix.moves import CueMover, deleted, make_mover
from augkit.core import registry
from augkit.core.config import StrictModel
from augkit.core.errors import ConfigError, DataError
from augkit.core.json_files import write_atomically
from augkit.core.progress import report_progress
from augkit.core.types import Example, digest
from augkit.datasets.choices.load import holds_choices
from augkit.datasets.load import Spec, open_dataset
from augkit.datasets.readers.blocks import Row
from augkit.datasets.scan import scan_dataset
from augkit.datasets.schema import Schema
from augkit.datasets.settings import ReadOptions
from augkit.english.parser import SpacyParser
from augkit.models.folds import assign_folds, row_groups
from augkit.text.printable import counted
from augkit.text.same_text import words_digest

MARK = "augkit_challenge"
"""The column of the challenge set that says how a row was made."""
AS_IT_IS, TAKEN_OUT, PUT_IN = "as it is", "cue taken out", "cue put in"
TRAIN, TEST, CHALLENGE, SPLIT_FILE = "train.jsonl", "test.jsonl", "challenge.jsonl", "split.json"
STRONG = 0.3
"""A likely shortcut with at least this association is taken where nobody is asked."""
_MOST_CUES = 3
_JUDGED = 12
"""Cues that are looked at closely: the strongest."""
_FEWEST = 20
"""Rows of a challenge set that can decide something, as ``augkit evaluate`` has it."""


class SplitSettings(StrictModel):
    """What is split, and by which cues."""

    data: str = Field(description="a file, a name or a hub id; NAME:SPLIT selects a split")
    cues: tuple[str, ...] = Field(
        (),
        description="a word or phrase that gives the label away; default: the likely shortcuts "
        "that are strong",
    )
    out: Path | None = Field(None, description="a folder for the files; default: split-DATA")
    parts: int = Field(4, ge=2, le=20, description="one part in so many is held out")
    challenge_rows: int = Field(
        300, ge=20, description="most rows of the challenge set; of each label an equal share"
    )
    group_column: str | None = Field(
        None, description="rows with one value in this column stay on one side"
    )
    seed: int = Field(0, description="the same seed gives the same files")
    reading: ReadOptions = Field(default_factory=ReadOptions, description="how files are read")


@dataclass(frozen=True)
class LabelledData:
    """A dataset with its labelled rows as examples, and what its labels are about."""

    name: str
    rows: CheckedRows
    examples: Sequence[Example]
    task: TaskOfLabels

    @property
    def schema(self) -> Schema:
        """Which column holds what."""
        return self.rows.dataset.schema

    @property
    def labels(self) -> dict[str, int]:
        """Label → its rows, the most frequent first."""
        return dict(Counter(self.rows.labels).most_common())


@dataclass(frozen=True)
class ChallengeRow:
    """A held-out row in which the cue points the wrong way, and how it was made."""

    original: Example
    fields: Mapping[str, str]
    how: str


@dataclass(frozen=True)
class SplitParts:
    """The rows of each part."""

    train: Sequence[Example]
    test: Sequence[Example]
    challenge: Sequence[ChallengeRow]

    @property
    def how(self) -> dict[str, int]:
        """How the rows of the challenge set were made, and how many each way."""
        return dict(Counter(row.how for row in self.challenge).most_common())


@dataclass(frozen=True)
class Split:
    """What ``split`` wrote."""

    folder: Path
    cues: Sequence[Cue]
    train: int
    test: int
    challenge: int
    how: Mapping[str, int] = field(default_factory=dict)
    """How the rows of the challenge set were made → how many."""

    @property
    def files(self) -> dict[str, Path]:
        """The part → its file; no challenge set where there is no cue."""
        names = {"train": TRAIN, "test": TEST, "challenge": CHALLENGE}
        if not self.challenge:
            del names["challenge"]
        return {part: self.folder / name for part, name in names.items()}

    def record(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {
            "folder": str(self.folder),
            "files": {part: str(path) for part, path in self.files.items()},
            "cues": [cue.record() for cue in self.cues],
            "rows": {"train": self.train, "test": self.test, "challenge": self.challenge},
            "challenge": dict(self.how),
        }

    def __str__(self) -> str:
        """As the command prints it."""
        return "\n".join(split_lines(self))


def split_lines(result: Split) -> list[str]:
    """What was written, in sentences."""
    lines = [cue_line(cue) for cue in result.cues] or ["No strong shortcut was found."]
    width = max(len(str(path)) for path in result.files.values()) + 2
    rows = {"train": result.train, "test": result.test, "challenge": result.challenge}
    for part, path in result.files.items():
        note = ""
        if part == "challenge":
            how = ", ".join(f"{count:,} {made}" for made, count in result.how.items())
            note = f": the cue points the wrong way ({how})"
        lines.append(f"  {path!s:<{width}}{counted(rows[part], 'row')}{note}")
    return lines


def cue_line(cue: Cue) -> str:
    """A cue, its label and its strength in a line."""
    also = f" (also {', '.join(repr(name) for name in cue.also[:3])})" if cue.also else ""
    return (
        f"{cue.title}{also} goes with '{cue.label}': {cue.first.with_label:,} of "
        f"{counted(cue.first.rows, 'row')}, association {cue.first.phi:.2f}"
    )


def load_labelled_data(data: Spec, reading: ReadOptions, command: str) -> LabelledData:
    """Read a dataset for ``split`` or ``fix``; choices are refused with what does them."""
    if holds_choices(data, reading):
        names = registry.names("augmenters")
        readers = [name for name in names if registry.find("augmenters", name).reads == "choices"]
        raise DataError(
            f"{data}: this file holds choices (candidates and a winner), and {command} is for "
            "labelled rows. For choices: augkit check and augkit shortcuts find what decides, "
            f"augkit run --method {' or '.join(readers)} breaks it, and augkit evaluate compares "
            "before and after"
        )
    rows = load_labelled(data, reading)
    examples = rows.dataset.examples(scan_dataset(rows.dataset).repeats)
    usable = [examples[index] for index in rows.indices]
    if reading.is_partial:
        numbers = reading.numbers(len(usable))
        rows = CheckedRows(
            rows.dataset,
            {name: [texts[n] for n in numbers] for name, texts in rows.texts.items()},
            [rows.labels[n] for n in numbers],
            [rows.indices[n] for n in numbers],
            rows.left_out,
        )
        usable = [usable[n] for n in numbers]
    require_two_labels(rows)
    name = str(data) if isinstance(data, str | Path) else rows.dataset.name
    return LabelledData(name, rows, usable, read_task(usable))


def judged_cues(data: LabelledData) -> list[Cue]:
    """The strongest cues of a dataset, each with whether it is likely a shortcut."""
    report_progress("looking for what gives the label away")
    return judge_cues(find_cues(data.rows)[:_JUDGED], data.rows, data.task)


def strong_cues(cues: Sequence[Cue]) -> list[Cue]:
    """Those that are taken where nobody is asked: likely shortcuts, strong, of words or signs."""
    movable = [cue for cue in cues if cue.words or cue.sign]
    return [cue for cue in movable if cue.is_likely and cue.first.phi >= STRONG][:_MOST_CUES]


def split_dataset(settings: SplitSettings, data: Spec | None = None) -> Split:
    """Split a dataset and write the parts; ``data`` may be one in memory."""
    labelled = load_labelled_data(
        settings.data if data is None else data, settings.reading, "split"
    )
    cues = judged_cues(labelled)
    chosen = chosen_cues(labelled.rows, cues, settings.cues) or strong_cues(cues)
    report_progress("splitting the rows")
    parts = split_rows(labelled, chosen, settings)
    folder = settings.out or Path(f"split-{labelled.rows.dataset.name.replace(':', '-')}")
    result = write_parts(labelled, chosen, parts, folder)
    if settings.cues:
        check_challenge(parts, chosen)
    return result


def check_challenge(parts: SplitParts, cues: Sequence[Cue]) -> None:
    """Raise where a challenge set cannot decide anything."""
    labels = {row.original.label for row in parts.challenge}
    if len(parts.challenge) < _FEWEST or len(labels) < 2:
        names = ", ".join(cue.title for cue in cues)
        raise DataError(
            f"no challenge set: {counted(len(parts.challenge), 'held-out row')} in which {names} "
            f"points the wrong way, and {_FEWEST} with two labels are needed; it cannot be moved "
            "without changing what a row means. Give your own rows with --challenge FILE (fix), or "
            "another --cue"
        )


def split_rows(data: LabelledData, cues: Sequence[Cue], settings: SplitSettings) -> SplitParts:
    """The rows to train on, to test on, and the challenge set; by the seed and the texts alone."""
    movers = movers_of(data, cues)
    held = _held_out(data, cues, movers, settings)
    train = [row for row, is_held in zip(data.examples, held, strict=True) if not is_held]
    test = [row for row, is_held in zip(data.examples, held, strict=True) if is_held]
    if {row.label for row in train} != {row.label for row in data.examples}:
        raise DataError(
            f"{data.rows.source}: {len(data.examples):,} rows are too few to hold a part out: a "
            "label would have no row to train on"
        )
    return SplitParts(train, test, _challenge(data, test, cues, movers, settings))


def movers_of(data: LabelledData, cues: Sequence[Cue]) -> list[CueMover]:
    """How each cue is moved, read from the texts that hold it."""
    parser = SpacyParser()
    return [make_mover(cue, data.rows.columns[cue.field].texts, data.task, parser) for cue in cues]


def _held_out(
    data: LabelledData,
    cues: Sequence[Cue],
    movers: Sequence[CueMover],
    settings: SplitSettings,
) -> list[bool]:
    """Which rows are held out: a part of all, and half of those against a cue that cannot move."""
    examples, column = data.examples, settings.group_column
    if column is not None and not any(column in row.columns for row in examples):
        raise ConfigError(f"--group-column {column}: no row has a column of that name")
    alike = [_near_name(row, cues) for row in examples]
    folds = assign_folds(examples, settings.parts, settings.seed, column, alike)
    held = [fold == 0 for fold in folds]
    rare = [mover.cue for mover in movers if not mover.can_insert]
    if not rare:
        return held
    groups = row_groups(examples, settings.parts, column, alike)
    against = {
        group
        for row, group in zip(examples, groups, strict=True)
        if any(row.label != cue.label and _has(cue, row.fields) for cue in rare)
    }
    ordered = sorted(against, key=lambda group: digest(str(settings.seed), "against", group))
    chosen = set(ordered[: len(ordered) // 2])
    return [
        (is_held and group not in against) or group in chosen
        for is_held, group in zip(held, groups, strict=True)
    ]


def _near_name(row: Example, cues: Sequence[Cue]) -> str:
    """Names a row by its words without the cues: rows that differ in nothing else are twins."""
    fields = dict(row.fields)
    for cue in cues:
        if cue.words:
            fields[cue.field] = deleted(cue, fields[cue.field])
    return words_digest(fields.values())


def _has(cue: Cue, fields: Mapping[str, str]) -> bool:
    return cue.is_in(fields[cue.field])


def _challenge(
    data: LabelledData,
    held: Sequence[Example],
    cues: Sequence[Cue],
    movers: Sequence[CueMover],
    settings: SplitSettings,
) -> list[ChallengeRow]:
    """Of each label an equal share of rows, those as they are first, then those that are made."""
    if not cues:
        return []
    share = settings.challenge_rows // len(data.labels)
    order = {row.id: digest(str(settings.seed), "challenge", row.id) for row in held}
    by_label: dict[str | None, list[ChallengeRow]] = {}
    for label in data.labels:
        of_label = sorted((row for row in held if row.label == label), key=lambda r: order[r.id])
        natural = [row for row in of_label if _points_wrong(row.label, row.fields, cues)]
        rows = [ChallengeRow(row, row.fields, AS_IT_IS) for row in natural[:share]]
        if len(rows) < share and not data.schema.annotated:
            to_move = [row for row in of_label if row not in natural]
            rows += _moved(to_move, movers, share - len(rows), settings.seed)
        by_label[label] = rows
    pointed = {cue.label for cue in cues}
    against = [len(rows) for label, rows in by_label.items() if {label} != pointed]
    most = max(10, sum(against))  # rows without the cue are easy: never more than the others
    rows = [
        row
        for label, of_label in by_label.items()
        for row in (of_label[:most] if {label} == pointed else of_label)
    ]
    place = {row.id: number for number, row in enumerate(held)}
    return sorted(rows, key=lambda row: place[row.original.id])


def _points_wrong(label: str | None, fields: Mapping[str, str], cues: Sequence[Cue]) -> bool:
    """Whether no cue of the label is there, and a cue of another label is, if there is one."""
    own_cues = [cue for cue in cues if cue.label == label]
    against = [cue for cue in cues if cue.label != label]
    if any(_has(cue, fields) for cue in own_cues):
        return False
    return not against or any(_has(cue, fields) for cue in against)


def _moved(
    rows: Sequence[Example], movers: Sequence[CueMover], most: int, seed: int
) -> list[ChallengeRow]:
    """Rows made by taking the cues of their label out and putting one of another label in."""
    parser = SpacyParser()
    moved: list[ChallengeRow] = []
    for row in rows:
        if len(moved) >= most:
            break
        rng = Random(digest(str(seed), "move", row.id))  # noqa: S311 - a draw, not a secret
        fields, how = dict(row.fields), []
        for mover in movers:
            name = mover.cue.field
            if mover.cue.label == row.label and _has(mover.cue, fields):
                analysis = None if mover.cue.sign else parser.parse([fields[name]])[0]
                text = mover.without(fields[name], analysis, rng)
                if text is None:
                    break
                fields[name], how = text, [TAKEN_OUT]
        against = [mover for mover in movers if mover.cue.label != row.label and mover.can_insert]
        if against and not any(_has(mover.cue, fields) for mover in against):
            mover = rng.choice(against)
            text = mover.inserted(fields[mover.cue.field], rng)
            if text is not None:
                fields[mover.cue.field] = text
                how.append(PUT_IN)
        if how and _points_wrong(row.label, fields, [mover.cue for mover in movers]):
            moved.append(ChallengeRow(row, fields, " and ".join(how).replace("and cue", "and")))
    return moved


def write_parts(data: LabelledData, cues: Sequence[Cue], parts: SplitParts, folder: Path) -> Split:
    """Write the files of a split, in the columns of the input."""
    folder.mkdir(parents=True, exist_ok=True)
    schema = data.schema
    write_rows(folder / TRAIN, (row_of(schema, row, row.fields) for row in parts.train))
    write_rows(folder / TEST, (row_of(schema, row, row.fields) for row in parts.test))
    challenge = folder / CHALLENGE
    challenge.unlink(missing_ok=True)
    if parts.challenge:
        write_rows(
            challenge,
            (
                {**row_of(schema, row.original, row.fields), MARK: row.how}
                for row in parts.challenge
            ),
        )
    result = Split(folder, cues, len(parts.train), len(parts.test), len(parts.challenge), parts.how)
    text = json.dumps({"data": data.name, **result.record()}, ensure_ascii=False, indent=1)
    write_atomically(folder / SPLIT_FILE, text + "\n")
    return result


def write_rows(path: Path, rows: Iterable[Row]) -> None:
    """Write rows as JSON Lines, in one step."""
    lines = (json.dumps(row, ensure_ascii=False, default=str) + "\n" for row in rows)
    write_atomically(path, "".join(lines))


def row_of(schema: Schema, row: Example, fields: Mapping[str, str]) -> Row:
    """A row in the columns of the input, with these texts; its label by its name."""
    written: Row = dict(row.columns)
    if fields is not row.fields:
        for name, text in fields.items():
            written[schema.fields[name]] = text
    if schema.label is not None and schema.label_names:
        written[schema.label] = row.label
    return written


def reading_of_parts(data: LabelledData, path: Path, reading: ReadOptions) -> dict[str, Any]:
    """The options with which a part is read as the whole file was; none where it needs none."""
    columns, label = tuple(data.schema.fields.values()), data.schema.label
    options = {
        key: value
        for key in ("text_columns", "label_column", "edit_columns", "span_columns")
        if (value := getattr(reading, key))
    }
    try:
        schema = open_dataset(path, ReadOptions(**options, augmented=True)).schema
    except DataError:
        schema = Schema({})
    if (tuple(schema.fields.values()), schema.label) == (columns, label):
        return options
    return {**options, "text_columns": columns, "label_column": label}
