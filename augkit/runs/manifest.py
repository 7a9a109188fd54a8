"""``manifest.json``: the settings of a run, its data, counts and costs, and how it ended."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from augkit.core.errors import (
    AugkitError,
    BackendFailed,
    BudgetExhausted,
    DataError,
    Stopped,
)
from augkit.core.json_files import load_json, write_atomically
from augkit.core.results import Spent
from augkit.core.types import value
from augkit.english.parser import described
from augkit.text.printable import counted

Status = Literal[
    "running",
    "done",
    "rows open",
    "stopped at budget",
    "back end failed",
    "interrupted",
    "failed",
]
_STATUS_OF: dict[type[BaseException], Status] = {
    BudgetExhausted: "stopped at budget",
    BackendFailed: "back end failed",
    KeyboardInterrupt: "interrupted",
    Stopped: "interrupted",
}
"""How a run ends by an error; any other has failed."""


FILE = "manifest.json"
ADVICE = "Restore it from a copy, or run again into another folder"

Number = Annotated[int, Field(ge=0, lt=2**63)]
"""How many there are of something."""


class DatasetRecord(BaseModel):
    """The rows of a run."""

    name: str
    source: str
    rows: Number
    digest: str
    labels: dict[str, Number] = Field(default_factory=dict)
    choices: bool = False
    """Whether its rows are choices; their labels are then the places of the winners, from 1."""


class CountsRecord(BaseModel):
    """``proposed`` = ``accepted`` + ``rejected``.

    ``read`` are the rows in the training set, ``selected`` those that were augmented: they differ
    with ``keep_rest``.
    """

    read: Number = 0
    selected: Number = 0
    proposed: Number = 0
    accepted: Number = 0
    rejected: Number = 0
    parts: Number = 0
    """Accepted variants that are a part of their row, such as a sentence or a clause."""
    open: Number = 0
    """Rows without an outcome: a call to a model failed. Resumed, the run asks again."""
    failed_calls: dict[str, Number] = Field(default_factory=dict)
    """The calls of open rows that failed, by reason."""
    in_dataset: Number = 0
    """Accepted variants in ``dataset.jsonl``: not those beyond ``per_row`` or over the balance."""

    @property
    def open_line(self) -> str:
        """How many rows are open, and why; "" where none is."""
        if not self.open:
            return ""
        are = "is" if self.open == 1 else "are"
        return f"{counted(self.open, 'row')} {are} open: {failed_line(self.failed_calls)}"


def failed_line(by_reason: Mapping[str, int]) -> str:
    """How many calls failed, and why.

    >>> failed_line({"timeout": 1, "server error 500": 11})
    '12 calls failed (server error 500: 11, timeout: 1)'
    """
    often_first = Counter(by_reason).most_common()
    reasons = ", ".join(f"{reason}: {number:,}" for reason, number in often_first)
    return f"{counted(sum(by_reason.values()), 'call')} failed ({reasons})"


@value
class CostRecord(Spent):
    """What the run spent; ``usd`` is null where a model's price is unknown."""

    seconds: float = 0.0


class Manifest(BaseModel):
    """The record of a run."""

    status: Status = "running"
    method: str
    config: dict[str, Any]
    settings: dict[str, Any]
    connection: dict[str, Any] = Field(default_factory=dict)
    seed: int
    mix: str
    dataset: DatasetRecord
    counts: CountsRecord = Field(default_factory=CountsRecord)
    original_labels: dict[str, Number] = Field(default_factory=dict)
    """Rows read by label."""
    result_labels: dict[str, Number] = Field(default_factory=dict)
    """Rows of ``dataset.jsonl`` by label."""
    rejected_by_reason: dict[str, Number] = Field(default_factory=dict)
    fitted: list[str] = Field(default_factory=list)
    """Notes about the artifact that the method fitted on the corpus."""
    cost: CostRecord = Field(default_factory=CostRecord)
    models: dict[str, str] = Field(default_factory=dict)
    finder: dict[str, Any] = Field(default_factory=dict)
    """Name and settings of the finder, where the run has one."""
    prompts: list[str] = Field(default_factory=list)
    versions: dict[str, str] = Field(default_factory=dict)

    @property
    def has_dataset(self) -> bool:
        """Whether the run went on to its end and wrote its dataset, be it with open rows."""
        return self.status in {"done", "rows open"}

    def write(self, folder: Path) -> None:
        """Replace ``manifest.json`` in one step."""
        write_atomically(folder / FILE, self.model_dump_json(indent=2) + "\n")


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a run folder.

    Args:
        folder: The folder of the run.
    """
    path = folder / FILE
    if not folder.exists():
        raise DataError(
            f"{folder}: there is no such folder. Runs are in runs/ unless --out names one"
        )
    if not path.exists():
        raise DataError(f"{folder}: not a run folder (no manifest.json in it)")
    return load_json(path, Manifest.model_validate, ADVICE)


_PACKAGES = (
    "augkit",
    "pydantic",
    "numpy",
    "scikit-learn",
    "spacy",
    "openai",
    "torch",
    "transformers",
    "datasets",
)
"""Packages that can affect a result."""


def installed_versions() -> dict[str, str]:
    """augkit, Python, the packages that can affect a result, and the bundled spaCy pipeline."""
    packages = {package: _version(package) for package in _PACKAGES}
    return {
        "python": platform.python_version(),
        "platform": platform.platform(),
        "pipeline": described(),
        **{package: number for package, number in packages.items() if number},
    }


@cache
def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


@contextmanager
def recording_status(folder: Path, manifest: Manifest) -> Iterator[None]:
    """Record in the manifest how the run ends, and in an error which run it ended."""
    try:
        yield
    except BaseException as error:
        kinds = (kind for kind in _STATUS_OF if isinstance(error, kind))
        manifest.status = next((_STATUS_OF[kind] for kind in kinds), "failed")
        manifest.write(folder)
        if isinstance(error, AugkitError | Stopped):
            error.run_folder = folder
        raise
