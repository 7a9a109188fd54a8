"""What ``fix`` and ``split`` know of a dataset of any kind: its cues, its parts and their files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from pydantic import Field

from augkit.core.config import MethodConfig, StrictModel
from augkit.core.errors import DataError
from augkit.core.json_files import write_json, write_json_lines
from augkit.datasets.readers.blocks import Row
from augkit.datasets.settings import ReadOptions
from augkit.text.printable import counted

MARK = "augkit_challenge"
"""The column of the challenge set that says how a row was made."""
AS_IT_IS = "as it is"
SPLIT_FILE = "split.json"
FEWEST = 20
"""Rows of a challenge set that can decide something, as ``augkit evaluate`` has it."""
STRONG = 0.3
"""A likely shortcut with at least this association is taken where nobody is asked."""
_MOST_CUES = 3


class SplitSettings(StrictModel):
    """What is split, and by which cues."""

    data: str = Field(description="a file, a name or a hub id; NAME:SPLIT selects a split")
    cues: tuple[str, ...] = Field(
        (),
        description="a word or phrase that gives the label away, or what winners have more of "
        "(characters); default: the likely shortcuts that are strong",
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


class AnyCue(Protocol):
    """What gives a label or a winner away: features that belong together, and what is shown."""

    @property
    def name(self) -> str:
        """What ``--cue`` takes."""

    @property
    def title(self) -> str:
        """The cue in words, as in a sentence."""

    @property
    def also(self) -> tuple[str, ...]:
        """Its further features."""

    @property
    def points_to(self) -> str:
        """What it points to: a label, or the winner."""

    @property
    def counts(self) -> str:
        """How often it is right, as "86 of 91 rows"."""

    @property
    def strength(self) -> float:
        """Its association, from 0 to 1."""

    @property
    def is_usable(self) -> bool:
        """Whether it predicts what it points to, and can be broken."""

    @property
    def is_stuck(self) -> bool:
        """Whether it is strong and predicts what it points to, but no method takes it out."""

    @property
    def is_likely(self) -> bool:
        """Whether it is likely a shortcut."""

    @property
    def reason(self) -> str:
        """Why it is taken for a shortcut, or not."""

    @property
    def note(self) -> str:
        """What the measurement cannot show about it; "" where it shows everything."""

    def record(self) -> dict[str, Any]:
        """Everything, for JSON."""


@dataclass(frozen=True)
class FixWording:
    """How a kind of data is spoken of."""

    unit: str
    """row, item"""
    aim: str
    """What cues give away: the label, the winner."""
    reference: Literal["deleted", "dropped"]
    """How the cue is broken most simply; also the name of the file."""
    simplest: str
    """The same in a table."""
    simplest_of: str
    """The same in a sentence, before the cue."""
    cue: str
    """What stands for a cue in a command."""
    model: str
    """What is trained to measure it."""


ROWS = FixWording(
    "row", "the label", "deleted", "deleting the cue", "deleting", "WORD", "classifier"
)
ITEMS = FixWording(
    unit="item",
    aim="the winner",
    reference="dropped",
    simplest="dropping items",
    simplest_of="dropping items with",
    cue="FEATURE",
    model="reward model",
)


@dataclass(frozen=True)
class SplitParts:
    """The rows of each part, in the columns of the input."""

    train: Sequence[Row]
    test: Sequence[Row] = ()
    challenge: Sequence[Row] = ()
    reference: Sequence[Row] = ()
    """Those to train on, with the cue broken in the simplest way."""
    all_reference: Sequence[Row] = ()
    """The same of all rows."""
    decides: bool = True
    """Whether the challenge set is large and varied enough to decide something."""

    @property
    def how(self) -> dict[str, int]:
        """How the rows of the challenge set were made, and how many each way."""
        return dict(Counter(str(row[MARK]) for row in self.challenge).most_common())


class FixData(Protocol):
    """A dataset of one kind, with what ``fix`` and ``split`` do to it."""

    @property
    def name(self) -> str:
        """As the user named it."""

    @property
    def short_name(self) -> str:
        """For the name of a folder."""

    @property
    def wording(self) -> FixWording:
        """How it is spoken of."""

    @property
    def about(self) -> Mapping[str, Any]:
        """Rows, fields, label column and labels, as the result has them."""

    def find_cues(self) -> Sequence[Any]:
        """What gives the label or the winner away, the strongest first."""

    def named_cues(self, cues: Sequence[Any], names: Sequence[str]) -> Sequence[Any]:
        """The cues that the user names; ``ConfigError`` where there is no such one."""

    def split(self, cues: Sequence[Any], settings: SplitSettings, test: str | None) -> SplitParts:
        """The parts; ``test`` is a test set of the user's, which no row is held out for."""

    def whole(self, cues: Sequence[Any]) -> SplitParts:
        """All rows to train on, where the user has the test sets."""

    def columns(self, path: Path) -> dict[str, Any]:
        """The options with which a part is read as the whole file was; none where it needs none."""

    @property
    def reads(self) -> Literal["rows", "choices"]:
        """Which methods read it."""

    @property
    def is_english(self) -> bool:
        """Whether its texts are English."""

    @property
    def chance(self) -> float:
        """The accuracy of one who has not read the texts."""

    @property
    def note(self) -> str:
        """What limits the search for cues; "" where nothing does."""

    @property
    def nothing(self) -> str:
        """Why no cue was found, where that says nothing about the data; "" otherwise."""

    def usual_cues(self, cues: Sequence[Any]) -> list[Any]:
        """The cues that are taken where nobody is asked."""

    def trial_options(
        self, config: type[MethodConfig], cues: Sequence[Any]
    ) -> Mapping[str, dict[str, Any]]:
        """How a method is told the cues: a mark for its name → settings; none where it cannot."""

    def caveats(self, run: Path, cues: Sequence[Any]) -> tuple[str, ...]:
        """What weakens the result of a run: shortcuts that are new, or still there."""

    def left(self, path: Path) -> Sequence[AnyCue]:
        """The cues that a file to train on still has, the strongest first."""

    def new_shortcuts(self, path: Path) -> tuple[str, ...]:
        """Likely shortcuts in a file to train on that the rows as they are hardly have."""


@dataclass(frozen=True, repr=False)
class Split:
    """What ``split`` wrote."""

    folder: Path
    cues: Sequence[AnyCue]
    wording: FixWording
    rows: Mapping[str, int]
    """The part → its rows; only parts that have any."""
    how: Mapping[str, int] = field(default_factory=dict)
    """How the rows of the challenge set were made → how many."""

    @property
    def train(self) -> int:
        """Rows to train on."""
        return self.rows.get("train", 0)

    @property
    def test(self) -> int:
        """Rows that are held out."""
        return self.rows.get("test", 0)

    @property
    def challenge(self) -> int:
        """Rows in which the cue points the wrong way."""
        return self.rows.get("challenge", 0)

    @property
    def files(self) -> dict[str, Path]:
        """The part → its file."""
        names = file_names(self.wording)
        return {part: self.folder / names[part] for part in self.rows}

    def record(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {
            "folder": str(self.folder),
            "files": {part: str(path) for part, path in self.files.items()},
            "cues": [cue.record() for cue in self.cues],
            "rows": dict(self.rows),
            "challenge": dict(self.how),
        }

    def __repr__(self) -> str:
        """The result in a line."""
        names = [cue.name for cue in self.cues]
        return f"Split({str(self.folder)!r}, cues={names}, rows={dict(self.rows)})"

    def __str__(self) -> str:
        """As the command prints it."""
        return "\n".join(_split_lines(self))

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"


def file_names(wording: FixWording) -> dict[str, str]:
    """The part → the name of its file."""
    return {
        "train": "train.jsonl",
        "test": "test.jsonl",
        "challenge": "challenge.jsonl",
        wording.reference: f"{wording.reference}.jsonl",
        f"all {wording.reference}": f"all-{wording.reference}.jsonl",
    }


def _split_lines(result: Split) -> list[str]:
    """What was written, in sentences."""
    lines = [
        f"{cue.title}{further_names(cue)} goes with {cue.points_to}: {cue.counts}, association "
        f"{cue.strength:.2f}"
        for cue in result.cues
    ] or ["No strong shortcut was found."]
    width = max(len(str(path)) for path in result.files.values()) + 2
    how = ", ".join(f"{count:,} {made}" for made, count in result.how.items())
    wording = result.wording
    without = "without the cue"
    if wording.reference == "dropped":
        without = "without items in which the cue is right, until it is at chance"
    notes = {
        "challenge": f": the cue points the wrong way ({how})",
        wording.reference: f": those to train on, {without}",
        f"all {wording.reference}": f": all of them, {without}",
    }
    for part, path in result.files.items():
        rows = counted(result.rows[part], wording.unit)
        lines.append(f"  {path!s:<{width}}{rows}{notes.get(part, '')}")
    return lines


def further_names(cue: AnyCue) -> str:
    """Its further features in brackets, at most three; "" where it has none."""
    return f" (also {', '.join(map(in_quotes, cue.also[:3]))})" if cue.also else ""


def judged_as(cue: AnyCue) -> str:
    """Whether a cue is likely a shortcut, in words."""
    if cue.is_likely:
        return "likely a shortcut"
    return "may belong to the label" if cue.points_to != "the winner" else "may be what is better"


def in_quotes(name: str) -> str:
    """A name in quotation marks, unless it has some.

    >>> in_quotes("more words"), in_quotes("token 'to'")
    ("'more words'", "token 'to'")
    """
    return name if "'" in name else f"'{name}'"


def strong_cues(cues: Sequence[AnyCue]) -> list[Any]:
    """Those that are taken where nobody is asked: likely shortcuts that predict well.

    They are strong, also beside the strongest of them, and can be broken.
    """
    likely = [cue for cue in cues if cue.is_likely and cue.is_usable]
    strongest = max((cue.strength for cue in likely), default=0.0)
    least = max(STRONG, strongest / 2)
    return [cue for cue in likely if cue.strength >= least][:_MOST_CUES]


def check_challenge(parts: SplitParts, cues: Sequence[AnyCue], wording: FixWording) -> None:
    """Raise where a challenge set cannot decide anything."""
    if not parts.decides:
        names = ", ".join(cue.title for cue in cues)
        points = "points" if len(cues) == 1 else "point"
        has_enough = len(parts.challenge) >= FEWEST
        needed = "all of one label, and rows of two" if has_enough else f"and {FEWEST}"
        raise DataError(
            f"no challenge set: {counted(len(parts.challenge), f'held-out {wording.unit}')} in "
            f"which {names} {points} the wrong way, {needed} are needed; more "
            f"cannot be made without changing what the {wording.unit} means. Give your own with "
            "--challenge FILE (fix), or another --cue"
        )


def write_parts(data: FixData, cues: Sequence[AnyCue], parts: SplitParts, folder: Path) -> Split:
    """Write the files of a split; those of an earlier one are removed."""
    folder.mkdir(parents=True, exist_ok=True)
    wording = data.wording
    rows = (parts.train, parts.test, parts.challenge, parts.reference, parts.all_reference)
    names = file_names(wording)
    by_part = dict(zip(names, rows, strict=True))
    for part, name in names.items():
        (folder / name).unlink(missing_ok=True)
        if by_part[part]:
            write_json_lines(folder / name, by_part[part], default=str)
    sizes = {part: len(written) for part, written in by_part.items() if written}
    result = Split(folder, cues, wording, sizes, parts.how)
    write_json(folder / SPLIT_FILE, {"data": data.name, **result.record()})
    return result
