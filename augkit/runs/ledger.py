"""The files that grow during a run: append to them, and recover after a kill.

After each chunk of rows the ledger appends to ``variants.jsonl``, ``rejected.jsonl`` and
``work/dataset.jsonl``, then one line to ``work/progress.jsonl`` with the rows done and the sizes
of those files. What a killed run wrote beyond its last progress line is cut off when it is
resumed, so nothing is lost and nothing is written twice. So is what follows the first open row: it
is done again, with the answers that are in the store.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Annotated, BinaryIO

from pydantic import Field, TypeAdapter
from typing_extensions import Self

from augkit.core.errors import DiskFull
from augkit.core.json_files import naming_damage
from augkit.text.printable import shell_line

VARIANTS = "variants.jsonl"
REJECTED = "rejected.jsonl"
DATASET = "dataset.jsonl"
FILES = (VARIANTS, REJECTED, f"work/{DATASET}")
_PROGRESS = "work/progress.jsonl"
_START_AGAIN = "Restore it from a copy, or run again into another folder"
_SYNC_SECONDS = 1.0
"""Files are synced to the disk this often: a power cut costs at most that much work."""


Number = Annotated[int, Field(ge=0, lt=2**63)]


@dataclass
class Counts:
    """Rows and variants of a run so far, recorded with its progress."""

    read: Number = 0
    selected: Number = 0
    accepted: Number = 0
    rejected: Number = 0
    parts: Number = 0
    """Accepted variants that are a part of their row: a sentence, a clause, or it without some."""
    reasons: Counter[str] = field(default_factory=Counter)
    before: Counter[str] = field(default_factory=Counter)
    """Rows read by label."""
    labels: Counter[str] = field(default_factory=Counter)
    """Variants in the dataset by label; at most ``per_row`` of a row."""
    originals: Counter[str] = field(default_factory=Counter)
    """Originals in the dataset by label."""
    open: Number = 0
    """Rows without an outcome, because a call to a model failed; a resume asks again."""
    failed_calls: Counter[str] = field(default_factory=Counter)
    """Their failed calls by reason."""

    def add(self, counts: Counts) -> None:
        """Add the counts of other rows."""
        for name, value in vars(counts).items():
            setattr(self, name, getattr(self, name) + value)


@dataclass(frozen=True)
class Chunk:
    """The outcome of some consecutive rows: lines for each of ``FILES``, and counts."""

    lines: tuple[bytes, bytes, bytes]
    counts: Counts


@dataclass
class Progress:
    """The state of a run: sizes of its files, seconds and counts."""

    sizes: Annotated[list[Number], Field(min_length=len(FILES), max_length=len(FILES))] = field(
        default_factory=lambda: [0] * len(FILES)
    )
    seconds: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    counts: Counts = field(default_factory=Counts)


class Ledger:
    """Appends chunks in order; after a kill it continues from the last complete one."""

    def __init__(self, folder: Path, started: float | None = None) -> None:
        self.folder = folder
        seconds = recorded_progress(folder).seconds
        self.progress, journal_size = _last_settled(folder)
        self.progress.seconds = seconds  # also for rows that are done again
        self._files = [(folder / name).open("ab") for name in FILES]
        for file, size in zip(self._files, self.progress.sizes, strict=True):
            file.truncate(size)
        self._journal = (folder / _PROGRESS).open("ab")
        self._journal.truncate(journal_size)
        self._started = (started or time.monotonic()) - self.progress.seconds
        self._synced = time.monotonic()

    def append(self, chunk: Chunk) -> None:
        """Append the next rows. They survive a kill once this returns."""
        with disk_errors(self.folder):
            for index, (file, lines) in enumerate(zip(self._files, chunk.lines, strict=True)):
                file.write(lines)
                file.flush()
                self.progress.sizes[index] += len(lines)
            if time.monotonic() - self._synced > _SYNC_SECONDS:
                for file in self._files:
                    os.fsync(file.fileno())
                self._synced = time.monotonic()
            self.progress.counts.add(chunk.counts)
            self.progress.seconds = time.monotonic() - self._started
            record = {
                **vars(self.progress),
                "seconds": round(self.progress.seconds, 3),
                "counts": vars(self.progress.counts),
            }
            self._journal.write(json.dumps(record).encode() + b"\n")
            self._journal.flush()

    def close(self) -> None:
        """Sync everything to the disk and close the files."""
        with disk_errors(self.folder):
            for file in (*self._files, self._journal):
                file.flush()
                os.fsync(file.fileno())
                file.close()

    def __enter__(self) -> Self:
        """The ledger itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close; after a full disk without flushing."""
        if isinstance(error, DiskFull):
            for file in (*self._files, self._journal):
                with suppress(OSError):  # what could not be flushed is cut off again on resume
                    file.close()
        else:
            self.close()


@contextmanager
def disk_errors(folder: Path) -> Iterator[None]:
    """Raise ``DiskFull`` for a full disk."""
    try:
        yield
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise DiskFull(
                f"{folder}: no space left on the disk. Finished rows are safe: "
                f"make room, then continue with: {resume_line(folder)}"
            ) from error
        raise


def recorded_progress(folder: Path) -> Progress:
    """The last recorded progress."""
    return next((progress for progress, _ in _records(folder / _PROGRESS)), Progress())


def _last_settled(folder: Path) -> tuple[Progress, int]:
    """The last progress without an open row that the files bear out, and where its line ends.

    A power cut can shorten the files.
    """
    paths = [folder / name for name in FILES]
    with contextlib.ExitStack() as opened:
        files = []
        for path in paths:
            with naming_damage(path, _START_AGAIN):
                files.append(opened.enter_context(path.open("a+b")))
        for progress, end in _records(folder / _PROGRESS):
            if not progress.counts.open and all(map(_ends_line, files, progress.sizes)):
                return progress, end
    return Progress(), 0


def _ends_line(file: BinaryIO, size: int) -> bool:
    """Whether a line ends at that place of the file."""
    file.seek(max(0, size - 1))
    return size == 0 or file.read(1) == b"\n"


def _records(path: Path) -> Iterator[tuple[Progress, int]]:
    """The recorded progress and where its line ends, the last line first.

    Lines that are damaged count as not there.
    """
    if not path.exists():
        return
    with naming_damage(path, _START_AGAIN):
        content = path.read_bytes()
        # A kill can leave half a line at the end: cut it off.
        whole = content[: content.rfind(b"\n") + 1]
        if whole != content:
            os.truncate(path, len(whole))
    read = TypeAdapter(Progress).validate_json
    end = len(whole)
    for line in reversed(whole.splitlines(keepends=True)):
        with suppress(ValueError):
            yield read(line), end
        end -= len(line)


def resume_line(folder: Path) -> str:
    """The command that continues a run, for messages.

    >>> resume_line(Path("runs/my run"))
    "augkit run --resume --out 'runs/my run'"
    """
    return shell_line(["augkit", "run", "--resume", "--out", str(folder)])
