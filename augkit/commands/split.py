"""A test part, and a challenge set in which a cue points the wrong way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import Field

from augkit.commands.fix.chosen import named_cues
from augkit.commands.fix.mark_proof import shown_cue
from augkit.commands.fix.marks import Mark, is_mark, keyed, make_mark, take_out
from augkit.commands.fix.rows import RowsToFix, read_labelled
from augkit.core.config import StrictModel
from augkit.core.errors import DataError
from augkit.core.json_files import write_json, write_json_lines
from augkit.core.progress import report_progress
from augkit.core.types import Example, digest
from augkit.datasets.choices.load import holds_choices
from augkit.datasets.likely_columns import suggesting_columns
from augkit.datasets.load import Spec
from augkit.datasets.readers.blocks import Row
from augkit.datasets.settings import ReadOptions
from augkit.models.folds import assign_folds
from augkit.shortcuts.cues import Cue
from augkit.shortcuts.find import find_shortcuts, rows_with
from augkit.text.printable import counted

MARK = "augkit_challenge"
"""The column of the challenge set that says how a row was made."""
AS_IT_IS = "as it is"
TAKEN_OUT = "cue taken out"
PUT_IN = "cue put in"
SPLIT_FILE = "split.json"
FEWEST = 20
"""Rows of a challenge set that can decide something, as ``augkit evaluate`` has it."""
_FEWEST_EASY = 10
_MOST_CUES = 3
_LEAST_TRAINED = 20


class SplitSettings(StrictModel):
    """What is split, and by which cues."""

    data: str = Field(description="a file, a name or a hub id; NAME:SPLIT selects a split")
    cues: tuple[str, ...] = Field(
        (),
        description="a word or phrase that gives the label away; default: the strongest likely "
        "shortcuts",
    )
    out: Path | None = Field(None, description="a folder for the files; default: split-DATA")
    parts: int = Field(4, ge=2, le=20, description="hold one row in this many out")
    challenge_rows: int = Field(
        300, ge=20, description="rows of the challenge set, at most; the same number of each label"
    )
    group_column: str | None = Field(
        None, description="rows with one value in this column stay on one side"
    )
    seed: int = Field(0, description="the same seed gives the same files")
    reading: ReadOptions = Field(default_factory=ReadOptions, description="how files are read")


@dataclass(frozen=True, repr=False)
class Split:
    """What ``split`` wrote."""

    folder: Path
    cues: Sequence[Cue]
    unit: str
    rows: Mapping[str, int]
    """The part → its rows; only parts that have any."""
    how: Mapping[str, int] = field(default_factory=dict)
    """How the rows of the challenge set were made → how many."""

    @property
    def files(self) -> dict[str, Path]:
        """The part → its file."""
        return {part: self.folder / f"{part}.jsonl" for part in self.rows}

    def record(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {
            "folder": str(self.folder),
            "files": {part: str(path) for part, path in self.files.items()},
            "cues": [cue.feature.name for cue in self.cues],
            "rows": dict(self.rows),
            "challenge": dict(self.how),
        }

    def __repr__(self) -> str:
        """The result in a line."""
        names = [cue.feature.name for cue in self.cues]
        return f"Split({str(self.folder)!r}, cues={names}, rows={dict(self.rows)})"

    def __str__(self) -> str:
        """As the command prints it."""
        lines = [
            f"{shown_cue(cue)} goes with '{cue.label}': {cue.of_label:,} of "
            f"{counted(cue.rows, 'row')} (base {100 * cue.base:.0f} %)"
            for cue in self.cues
        ]
        how = ", ".join(f"{count:,} {made}" for made, count in self.how.items())
        notes = {
            "challenge": f": the cue points the wrong way ({how})",
            "deleted": ": those to train on, without the cue",
        }
        width = max(len(str(path)) for path in self.files.values()) + 2
        for part, path in self.files.items():
            size = counted(self.rows[part], self.unit)
            lines.append(f"  {path!s:<{width}}{size}{notes.get(part, '')}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"


def split_dataset(settings: SplitSettings, data: Spec | None = None) -> Split:
    """Split a dataset and write the parts."""
    spec = settings.data if data is None else data
    if holds_choices(spec, settings.reading):
        return _split_choices(settings, spec)
    with suggesting_columns(spec, settings.reading):
        rows = read_labelled(spec, settings.reading)
    report_progress("looking for what gives the label away")
    findings = find_shortcuts(rows.examples, seed=settings.seed)
    cues: Sequence[Cue] = [cue for cue in findings.shortcuts if is_mark(cue, rows.examples)][
        :_MOST_CUES
    ]
    if settings.cues:
        cues = named_cues(settings.cues, rows.examples, findings)
    report_progress("splitting the rows")
    return _split_rows(settings, rows, cues)


def _split_rows(settings: SplitSettings, rows: RowsToFix, cues: Sequence[Cue]) -> Split:
    """Hold rows out, and make the challenge set of them."""
    examples = rows.examples
    is_named = bool(settings.cues)
    is_pair = len(rows.fields) > 1
    made = [] if is_pair else [make_mark(cue, examples, is_named=is_named) for cue in cues]
    marks = [mark for mark in made if mark is not None]
    taken = take_out(rows, examples, marks, settings.seed)
    group_column = settings.group_column
    folds = assign_folds(examples, settings.parts, settings.seed, group_column, taken.alike)
    held = [row for row, fold in zip(examples, folds, strict=True) if fold == 0]
    train = [row for row, fold in zip(examples, folds, strict=True) if fold]
    if {row.label for row in train} != {row.label for row in examples}:
        raise DataError(
            f"{rows.name}: {len(examples):,} rows are too few to hold a part out: a label would "
            "have no row to train on"
        )
    challenge = _challenge(rows, held, cues, marks, settings)
    if settings.cues and len(challenge) < FEWEST:
        raise DataError(
            f"no challenge set: {counted(len(challenge), 'held-out row')} in which "
            f"{', '.join(map(shown_cue, cues))} points the wrong way, and {FEWEST} are needed; "
            "more cannot be made without changing what the row means. Name another --cue"
        )
    trained = {row.id for row in train}
    deleted = [row for row in taken.examples if row.id in trained] if marks else []
    parts = {
        "train": [rows.written(row, row.fields) for row in train],
        "test": [rows.written(row, row.fields) for row in held],
        "challenge": challenge,
        "deleted": [rows.written(row, row.fields) for row in deleted],
    }
    folder = settings.out or Path(f"split-{rows.short_name}")
    return _write(folder, cues, "row", parts, rows.name)


def _challenge(
    rows: RowsToFix,
    held: Sequence[Example],
    cues: Sequence[Cue],
    marks: Sequence[Mark],
    settings: SplitSettings,
) -> list[Row]:
    """Of each label an equal share of rows in which the cues point the wrong way."""
    if not cues:
        return []
    has_cue = [set(rows_with(cue, held)) for cue in cues]
    share = settings.challenge_rows // len(rows.labels)
    chosen: dict[str, list[tuple[str, Row]]] = {label: [] for label in rows.labels}
    order = sorted(range(len(held)), key=lambda n: digest(str(settings.seed), held[n].id))
    for number in order:
        row = held[number]
        present = [cue for cue, having in zip(cues, has_cue, strict=True) if number in having]
        turned, how = _turned(row, present, cues, marks, settings.seed)
        changed = rows.with_fields(row, turned) if how else None
        if changed is not None and len(chosen[str(row.label)]) < share:
            written = {**rows.written(changed, changed.fields), MARK: how}
            chosen[str(row.label)].append((row.id, written))
    pointed = {cue.label for cue in cues}
    others = sum(len(pairs) for label, pairs in chosen.items() if label not in pointed)
    for label in pointed if others else ():
        # Rows without the cue are easy: never more than the others.
        chosen[label] = chosen[label][: max(_FEWEST_EASY, others)]
    place = {row.id: number for number, row in enumerate(held)}
    everything = [pair for pairs in chosen.values() for pair in pairs]
    return [row for _, row in sorted(everything, key=lambda pair: place[pair[0]])]


def _turned(
    row: Example, present: Sequence[Cue], cues: Sequence[Cue], marks: Sequence[Mark], seed: int
) -> tuple[Mapping[str, str], str]:
    """The texts of a row with the cues the wrong way, and how they were made; "": not to be had."""
    own = [cue for cue in present if cue.label == row.label]
    against = [cue for cue in cues if cue.label != row.label]
    if not own and (any(cue in present for cue in against) or not against):
        return row.fields, AS_IT_IS
    fields = row.fields
    how = []
    for mark in marks:
        if mark.cue in own:
            fields = mark.without(fields, keyed(seed, "challenge", row))
            how = [TAKEN_OUT]
    addable = [mark for mark in marks if mark.cue in against]
    if addable and not any(cue in present for cue in against):
        rng = keyed(seed, "challenge cue", row)
        fields = rng.choice(addable).with_it(fields, rng)
        how.append(PUT_IN)
    is_left = own and not marks
    return (fields, "") if is_left else (fields, " and ".join(how).replace("and cue", "and"))


def _split_choices(settings: SplitSettings, spec: Spec) -> Split:
    """Hold prompts out; items of one prompt or group stay on one side."""
    from augkit.commands.fix.choices import read_choices

    rows = read_choices(spec, settings.reading, settings.group_column)
    units = rows.checked.units
    order = sorted(set(units), key=lambda unit: digest(str(settings.seed), "held out", unit))
    held = set(order[: max(1, len(order) // settings.parts)])
    parts: dict[str, list[Row]] = {"train": [], "test": []}
    for choice, unit in zip(rows.choices, units, strict=True):
        parts["test" if unit in held else "train"].append(dict(choice.columns))
    if len(parts["train"]) < _LEAST_TRAINED:
        raise DataError(
            f"{rows.name}: {len(rows.choices):,} items are too few to hold a part out: "
            f"{len(parts['train'])} would be left to train on"
        )
    folder = settings.out or Path(f"split-{rows.short_name}")
    return _write(folder, (), "item", parts, rows.name)


def _write(
    folder: Path, cues: Sequence[Cue], unit: str, parts: Mapping[str, Sequence[Row]], name: str
) -> Split:
    """Write the files of a split; those of an earlier one are removed."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in ("train", "test", "challenge", "deleted"):
        path = folder / f"{part}.jsonl"
        path.unlink(missing_ok=True)
        if parts.get(part):
            write_json_lines(path, parts[part], default=str)
    sizes = {part: len(written) for part, written in parts.items() if written}
    how = Counter(str(row[MARK]) for row in parts.get("challenge", ()))
    result = Split(folder, cues, unit, sizes, dict(how.most_common()))
    write_json(folder / SPLIT_FILE, {"data": name, **result.record()})
    return result
