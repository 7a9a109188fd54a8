"""Named datasets: one YAML file each in ``named/``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pydantic import Field

from augkit.core.config import load
from augkit.datasets.columns import ColumnHints

_HERE = Path(__file__).parent


class NamedDataset(ColumnHints):
    """A named dataset: where it is, and what its columns mean."""

    name: str = ""
    task: str
    description: str
    hub: str | None = Field(None, description="its id on the hub; none: only in the data folder")
    subset: str | None = Field(None, description="its configuration on the hub")
    splits: Mapping[str, str] = Field(
        default_factory=dict, description="our name of a split → the hub's, where they differ"
    )
    paper: str = Field("", description="who made it")
    home: str | None = Field(None, description="the address of the project; none: see the hub")
    licence: str = Field("", description="its terms of use, as far as they are known")
    files: Mapping[str, str] = Field(
        default_factory=dict, description="splits in the data folder that the docs use → what is in"
    )
    bundled: bool = False

    def split(self, wanted: str) -> str:
        """Our name for a split that may be given by the hub's name (validation → dev)."""
        ours = {theirs: name for name, theirs in self.splits.items()}
        return wanted if wanted in self.splits else ours.get(wanted, wanted)


@cache
def known_datasets() -> Mapping[str, NamedDataset]:
    """All named datasets by name, the bundled ones first."""
    files = sorted(_HERE.joinpath("named").glob("*.yaml"))
    datasets = [load(NamedDataset, path).model_copy(update={"name": path.stem}) for path in files]
    datasets.sort(key=lambda dataset: (not dataset.bundled, dataset.name))
    return {dataset.name: dataset for dataset in datasets}


def bundled_names() -> list[str]:
    """Names of the datasets that come with the package."""
    return [dataset.name for dataset in known_datasets().values() if dataset.bundled]


def bundled_folder(name: str) -> Path:
    """The folder with the splits of a bundled dataset."""
    return _HERE / "demo" / name
