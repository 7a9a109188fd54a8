"""Run folders: choose, create, lock and find them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import takewhile
from pathlib import Path

from augkit.core.errors import OutputExists
from augkit.runs.ledger import disk_errors
from augkit.runs.manifest import Manifest

RUNS = Path("runs")


def default_name(method: str, dataset: str) -> str:
    """The folder name of a run; a dataset's name cannot lead out of the parent folder.

    >>> default_name("eda", "../data/my file.csv")
    'eda-my-file.csv'
    """
    last = dataset.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
    return re.sub(r"[^A-Za-z0-9._+-]+", "-", f"{method}-{last}").strip(".-")


def new_folder(name: str, base: Path = RUNS) -> Path:
    """The first free of ``name``, ``name-2``, ``name-3`` …."""
    return next(path for path in _numbered(name, base) if not path.exists())


def latest_folder(name: str, base: Path = RUNS) -> Path:
    """The newest run of that name, to resume it; ``name`` where there is none."""
    existing = takewhile(Path.exists, _numbered(name, base))
    return max(existing, key=lambda path: path.stat().st_mtime_ns, default=base / name)


def create_folder(folder: Path, manifest: Manifest) -> None:
    """Create the folder with its manifest in one step; an existing one is an error."""
    if folder.exists():
        raise folder_exists(folder, "Continue it with --resume, choose")
    draft = folder.with_name(f".{folder.name}.{os.getpid()}")
    with disk_errors(folder):
        try:
            (draft / "work").mkdir(parents=True)
            manifest.write(draft)
            draft.rename(folder)
        except (PermissionError, NotADirectoryError, FileExistsError) as error:
            raise OutputExists(
                f"{folder} cannot be created: {error.strerror}. Choose another --out"
            ) from error


def folder_exists(folder: Path, choose: str = "Choose") -> OutputExists:
    """The error of a command whose output would be mixed with what is there."""
    return OutputExists(f"{folder} exists. {choose} another folder with --out, or remove it")


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Lock the folder for this process; another process gets an error."""
    handle = os.open(folder / "work" / "lock", os.O_RDWR | os.O_CREAT)
    try:
        with suppress(ImportError):  # Windows has no flock: there the user must take care
            import fcntl

            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise OutputExists(
                    f"{folder} is in use by another process; wait for it to end"
                ) from error
        yield
    finally:
        os.close(handle)


def _numbered(name: str, base: Path) -> Iterator[Path]:
    yield base / name
    number = 2
    while True:
        yield base / f"{name}-{number}"
        number += 1
