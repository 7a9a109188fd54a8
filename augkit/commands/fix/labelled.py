"""Labelled rows: their cues, a test part, and a challenge set in which a cue points the wrong way.

Rows with equal or near texts, and pairs with one first text, stay on one side. The challenge set
has held-out rows in which the cue says the wrong thing by nature and, where these are too few, rows
made by moving the cue; a column says how each was made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Literal

from augkit.commands.check.rows import CheckedRows, load_labelled, require_two_labels
from augkit.commands.fix.cue_settings import cue_options
from augkit.commands.fix.cues import (
    PREDICTS,
    Cue,
    chosen_cues,
    find_cues,
    is_new,
    too_few,
)
from augkit.commands.fix.evidence import TaskOfLabels, judge_cues, read_task
from augkit.commands.fix.moves import CueMover, deleted, make_mover
from augkit.commands.fix.parts import (
    AS_IT_IS,
    FEWEST,
    MARK,
    ROWS,
    SplitParts,
    SplitSettings,
    strong_cues,
)
from augkit.commands.fix.results import STILL_STRONG
from augkit.core.config import MethodConfig
from augkit.core.edits import LabelledSpan
from augkit.core.errors import ConfigError, DataError
from augkit.core.progress import report_progress
from augkit.core.types import Example, digest
from augkit.datasets.load import Spec, open_dataset, spec_name
from augkit.datasets.readers.blocks import Row
from augkit.datasets.scan import scan_dataset
from augkit.datasets.schema import Schema
from augkit.datasets.settings import ReadOptions
from augkit.datasets.shapes.texts import Chat
from augkit.english.parser import SpacyParser
from augkit.evaluation.run_effects import shortcut_caveats
from augkit.models.folds import assign_folds, row_groups
from augkit.runs.ledger import DATASET
from augkit.text.diff import SpanTouched, diff, project_spans
from augkit.text.same_text import words_digest

TAKEN_OUT, PUT_IN = "cue taken out", "cue put in"
_JUDGED, _SHOWN, _MOST_LEFT = 24, 12, 6
"""Cues that are looked at closely: the strongest; those of them that are listed; that are left."""
_NOT_ENGLISH = (
    "These texts are not English: fix cannot tell an opinion from a shortcut in them, so it "
    "chooses no cue itself. Name one"
)


@dataclass(frozen=True)
class LabelledData:
    """A dataset with its labelled rows as examples, and what its labels are about."""

    name: str
    rows: CheckedRows
    examples: Sequence[Example]
    task: TaskOfLabels

    reading: ReadOptions
    wording = ROWS
    reads: ClassVar[Literal["rows"]] = "rows"

    @property
    def is_english(self) -> bool:
        """Whether its texts are English."""
        return self.task.is_english

    @property
    def short_name(self) -> str:
        """For the name of a folder."""
        return self.rows.dataset.name.replace(":", "-")

    @property
    def schema(self) -> Schema:
        """Which column holds what."""
        return self.rows.dataset.schema

    @property
    def labels(self) -> dict[str, int]:
        """Label → its rows, the most frequent first."""
        return dict(Counter(self.rows.labels).most_common())

    @property
    def about(self) -> Mapping[str, Any]:
        """Rows, fields, label column and labels, as the result has them."""
        return {
            "rows": len(self.examples),
            "fields": list(self.schema.fields.values()),
            "label_column": str(self.schema.label),
            "labels": self.labels,
        }

    def find_cues(self) -> list[Cue]:
        """The strongest cues, each with whether it is likely a shortcut."""
        report_progress("looking for what gives the label away")
        return self._judged(self.rows)

    def _judged(self, rows: CheckedRows) -> list[Cue]:
        """The cues of rows, the likely shortcuts that predict their label first."""
        found = find_cues(rows, self.task.order)[:_JUDGED]
        cues = judge_cues(found, rows, self.task)
        return sorted(cues, key=lambda cue: not (cue.is_likely and cue.is_usable))[:_SHOWN]

    def usual_cues(self, cues: Sequence[Cue]) -> list[Cue]:
        """The likely shortcuts that are strong; none where parts of speech are not known.

        A sign is not chosen beside words: that texts end without a stop may be a part of the same
        cue, and the classifier does not read it.
        """
        strong = strong_cues(cues) if self.task.can_tell else []
        return [cue for cue in strong if not cue.sign] or strong

    @property
    def chance(self) -> float:
        """The share of the most frequent label."""
        return max(self.labels.values()) / len(self.examples)

    @property
    def note(self) -> str:
        """What limits the search for cues."""
        return "" if self.task.can_tell else _NOT_ENGLISH

    @property
    def nothing(self) -> str:
        """Why no cue was found, where that says nothing about the rows."""
        return too_few(self.rows)

    def named_cues(self, cues: Sequence[Cue], names: Sequence[str]) -> list[Cue]:
        """The cues that the user names."""
        return chosen_cues(self.rows, cues, names, self.task.order)

    def whole(self, cues: Sequence[Cue]) -> SplitParts:
        """All rows to train on."""
        return self._parts(self.examples, (), (), cues)

    def split(self, cues: Sequence[Cue], settings: SplitSettings, test: str | None) -> SplitParts:
        """The parts, by the seed and the texts alone; a part is held out for the challenge set."""
        del test
        train, held, challenge = split_rows(self, cues, settings)
        return self._parts(train, held, challenge, cues)

    def columns(self, path: Path) -> dict[str, Any]:
        """The options with which a part is read as the whole file was; none where it needs none."""
        columns, label = tuple(self.schema.fields.values()), self.schema.label
        has_chat = any(isinstance(shape, Chat) for shape in self.schema.shapes.values())
        options = {
            key: value
            for key in ("text_columns", "label_column", "edit_columns", "span_columns")
            if (value := getattr(self.reading, key))
        } | ({"edit_roles": self.reading.edit_roles} if has_chat else {})
        try:
            schema = open_dataset(path, ReadOptions(**options, augmented=True)).schema
        except DataError:
            schema = Schema({})
        if (tuple(schema.fields.values()), schema.label) == (columns, label):
            return options
        return {**options, "text_columns": columns, "label_column": label}

    def trial_options(
        self, config: type[MethodConfig], cues: Sequence[Cue]
    ) -> Mapping[str, dict[str, Any]]:
        """How a method is told the cues; none where it could be and none of them fits."""
        options = cue_options(config, self.examples, cues)
        return {} if options is None else {"": options}

    def caveats(self, run: Path, cues: Sequence[Cue]) -> tuple[str, ...]:
        """New and reversed shortcuts, and those of the cues that are still there.

        What else the originals had, and still have, is listed as what is left.
        """
        words = {f"'{word}'" for cue in cues for word in (cue.first.name, *cue.also, *cue.words)}
        caveats = [
            caveat
            for caveat in shortcut_caveats(run)
            if not caveat.startswith("still has") or any(word in caveat for word in words)
        ]
        if any(caveat.startswith("has a new") for caveat in caveats):
            return tuple(caveats)
        written = self._judged(self._read(run / DATASET))
        parts = [
            f"{STILL_STRONG} {cue.title} ({cue.label}, association {cue.strength:.2f})"
            for cue in written
            if cue.strength >= PREDICTS and not words.isdisjoint(map(repr, cue.words))
        ]
        return (*caveats, *self._new_of(written), *parts[:1])

    def new_shortcuts(self, path: Path) -> tuple[str, ...]:
        """The strongest likely shortcut of a file to train on that these rows hardly have."""
        return self._new_of(self._judged(self._read(path)))

    def _new_of(self, written: Sequence[Cue]) -> tuple[str, ...]:
        likely = [cue for cue in written if cue.is_likely and cue.is_usable and self._is_new(cue)]
        return tuple(f"has a new shortcut: {cue.title} ({cue.label})" for cue in likely[:1])

    def left(self, path: Path) -> list[Cue]:
        """The cues that a file to train on still has, the strongest first."""
        cues = self._judged(self._read(path))
        return [cue for cue in cues if not self._is_new(cue)][:_MOST_LEFT]

    def _read(self, path: Path) -> CheckedRows:
        """The rows of a file to train on."""
        return load_labelled(path, ReadOptions(**self.columns(path)))

    def _is_new(self, cue: Cue) -> bool:
        """Whether a method has written a cue that these rows hardly had."""
        return not cue.first.kind.startswith("length") and is_new(cue, self.rows, self.task.order)

    def _parts(
        self,
        train: Sequence[Example],
        test: Sequence[Example],
        challenge: Sequence[ChallengeRow],
        cues: Sequence[Cue],
    ) -> SplitParts:
        schema = self.schema
        return SplitParts(
            [row_of(schema, row, row.fields) for row in train],
            [row_of(schema, row, row.fields) for row in test],
            [{**row_of(schema, row.original, row.fields), MARK: row.how} for row in challenge],
            [_without_cues(schema, row, cues) for row in train if cues],
            [_without_cues(schema, row, cues) for row in self.examples if cues],
            len(challenge) >= FEWEST and len({row.original.label for row in challenge}) > 1,
        )


@dataclass(frozen=True)
class ChallengeRow:
    """A held-out row in which the cue points the wrong way, and how it was made."""

    original: Example
    fields: Mapping[str, str]
    how: str


def load_labelled_data(data: Spec, reading: ReadOptions) -> LabelledData:
    """Read labelled rows for ``split`` or ``fix``."""
    rows = load_labelled(data, reading)
    examples = rows.dataset.examples(scan_dataset(rows.dataset).repeats)
    usable = [examples[index] for index in rows.indices]
    if reading.is_partial:
        numbers = reading.numbers(len(usable))
        rows = replace(
            rows,
            texts={name: [texts[n] for n in numbers] for name, texts in rows.texts.items()},
            labels=[rows.labels[n] for n in numbers],
            indices=[rows.indices[n] for n in numbers],
        )
        usable = [usable[n] for n in numbers]
    require_two_labels(rows)
    name = spec_name(data, rows.dataset.name)
    return LabelledData(name, rows, usable, read_task(usable), reading)


def split_rows(
    data: LabelledData, cues: Sequence[Cue], settings: SplitSettings
) -> tuple[list[Example], list[Example], list[ChallengeRow]]:
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
    return train, test, _challenge(data, test, cues, movers, settings)


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
        if any(not cue.goes_with(row.label) and _has(cue, row.fields) for cue in rare)
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
        if len(rows) < share:
            to_move = [row for row in of_label if row not in natural]
            moved = _moved(to_move, movers, share - len(rows), settings.seed)
            rows += [row for row in moved if _keeps_spans(row)]
        by_label[label] = rows
    pointed = {label for label in by_label if all(cue.goes_with(label) for cue in cues)}
    against = [len(rows) for label, rows in by_label.items() if label not in pointed]
    most = max(10, sum(against))  # rows without the cue are easy: never more than the others
    rows = [
        row
        for label, of_label in by_label.items()
        for row in (of_label[:most] if label in pointed else of_label)
    ]
    place = {row.id: number for number, row in enumerate(held)}
    return sorted(rows, key=lambda row: place[row.original.id])


def _points_wrong(label: str | None, fields: Mapping[str, str], cues: Sequence[Cue]) -> bool:
    """Whether no cue of the label is there, and a cue of another label is, if there is one."""
    own_cues = [cue for cue in cues if cue.goes_with(label)]
    against = [cue for cue in cues if not cue.goes_with(label)]
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
            if mover.cue.goes_with(row.label) and _has(mover.cue, fields):
                analysis = None if mover.cue.sign else parser.parse([fields[name]])[0]
                text = mover.without(fields[name], analysis, rng)
                if text is None:
                    break
                fields[name], how = text, [TAKEN_OUT]
        against = [
            mover for mover in movers if mover.can_insert and not mover.cue.goes_with(row.label)
        ]
        if against and not any(_has(mover.cue, fields) for mover in against):
            mover = rng.choice(against)
            text = mover.inserted(fields[mover.cue.field], rng)
            if text is not None:
                fields[mover.cue.field] = text
                how.append(PUT_IN)
        if how and _points_wrong(row.label, fields, [mover.cue for mover in movers]):
            moved.append(ChallengeRow(row, fields, " and ".join(how).replace("and cue", "and")))
    return moved


def _keeps_spans(row: ChallengeRow) -> bool:
    """Whether the answers, tags and messages of a row are still where its columns can say it."""
    try:
        _spans_after(row.original, row.fields)
    except SpanTouched:
        return False
    return True


def _without_cues(schema: Schema, row: Example, cues: Sequence[Cue]) -> Row:
    """A row with the words of the cues simply deleted.

    A text of nothing else, and a row whose answers or tags the deletion touches, stay as they are.
    """
    fields = dict(row.fields)
    for cue in cues:
        fields[cue.field] = deleted(cue, fields[cue.field]).strip() or fields[cue.field]
    try:
        return row_of(schema, row, fields)
    except SpanTouched:
        return row_of(schema, row, row.fields)


def row_of(schema: Schema, row: Example, fields: Mapping[str, str]) -> Row:
    """A row in the columns of the input, with these texts; its label by its name.

    ``SpanTouched`` where an answer, a tag or a message would be lost.
    """
    written: Row = dict(row.columns)
    if fields is not row.fields:
        written |= schema.write_texts(written, fields, _spans_after(row, fields))
    if schema.label is not None and schema.label_names:
        written[schema.label] = row.label
    return written


def _spans_after(row: Example, fields: Mapping[str, str]) -> tuple[LabelledSpan, ...]:
    """Where the answers, tags and messages of a row are in other texts of its fields."""
    edits = diff(row.fields, fields)
    return project_spans(row.spans, edits, row.fields, fields, in_kind=False)
