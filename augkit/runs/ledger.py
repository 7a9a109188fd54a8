"""The files that grow during a run: append to them, and recover after a kill.

After each chunk of rows the ledger appends to ``variants.jsonl``, ``rejected.jsonl`` and
``work/dataset.jsonl``, then one line to ``work/progress.jsonl`` with the rows done and the sizes
of those files. What a killed run wrote beyond its last progress line is cut off when it is
resumed, so nothing is lost and nothing is written twice.
"""

from __future__ import annotations

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

from typing_extensions import Self

from augkit.core.errors import DiskFull

FILES = ("variants.jsonl", "rejected.jsonl", "work/dataset.jsonl")
_PROGRESS = "work/progress.jsonl"
_SYNC_SECONDS = 1.0
"""Files are synced to the disk this often: a power cut costs at most that much work."""


@dataclass
class Counts:
    """Rows and variants of a run so far, recorded with its progress."""

    read: int = 0
    selected: int = 0
    accepted: int = 0
    rejected: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    before: Counter[str] = field(default_factory=Counter)
    """Rows read by label."""
    labels: Counter[str] = field(default_factory=Counter)
    """Variants in the dataset by label; at most ``per_row`` of a row."""
    originals: Counter[str] = field(default_factory=Counter)
    """Originals in the dataset by label."""

    def __post_init__(self) -> None:
        """What was read from a file are plain mappings."""
        for name in ("reasons", "before", "labels", "originals"):
            setattr(self, name, Counter(getattr(self, name)))

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

    sizes: list[int] = field(default_factory=lambda: [0] * len(FILES))
    seconds: float = 0.0
    counts: Counts = field(default_factory=Counts)


class Ledger:
    """Appends chunks in order; after a kill it continues from the last complete one."""

    def __init__(self, folder: Path, started: float | None = None) -> None:
        self.folder = folder
        self.progress = _last_progress(folder)
        self._files = [(folder / name).open("ab") for name in FILES]
        for file, size in zip(self._files, self.progress.sizes, strict=True):
            file.truncate(size)
        self._journal = (folder / _PROGRESS).open("ab")
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
                f"make room, then continue with: augkit run --resume --out {folder}"
            ) from error
        raise


def recorded_progress(folder: Path) -> Progress:
    """The last recorded progress."""
    records = _records(folder / _PROGRESS)
    return records[-1] if records else Progress()


def _last_progress(folder: Path) -> Progress:
    """The last progress whose files really are that long: a power cut can shorten them."""
    paths = [folder / name for name in FILES]
    actual = [path.stat().st_size if path.exists() else 0 for path in paths]
    for progress in reversed(_records(folder / _PROGRESS)):
        if all(have >= want for have, want in zip(actual, progress.sizes, strict=True)):
            return progress
    return Progress()


def _records(path: Path) -> list[Progress]:
    if not path.exists():
        return []
    content = path.read_bytes()
    # A kill can leave half a line at the end: cut it off.
    whole = content[: content.rfind(b"\n") + 1]
    if whole != content:
        os.truncate(path, len(whole))
    return [
        Progress(record["sizes"], record["seconds"], Counts(**record["counts"]))
        for record in map(json.loads, whole.splitlines())
    ]
