"""Datasets known by name: one YAML file each under ``named/``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pydantic import Field

from augkit.core.config import load
from augkit.datasets.columns import Known

_HERE = Path(__file__).parent


class NamedDataset(Known):
    """What is known of a named dataset: where it is, and what its columns mean."""

    name: str = ""
    task: str
    description: str
    hub: str | None = Field(None, description="its id on the hub; none: the data folder alone")
    subset: str | None = Field(None, description="its configuration on the hub")
    splits: Mapping[str, str] = Field(
        default_factory=dict, description="our name of a split → the hub's, where they differ"
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
    found = [load(NamedDataset, path).model_copy(update={"name": path.stem}) for path in files]
    found.sort(key=lambda dataset: (not dataset.bundled, dataset.name))
    return {dataset.name: dataset for dataset in found}


def named_datasets() -> list[NamedDataset]:
    """What ``augkit list datasets`` shows."""
    return list(known_datasets().values())


def bundled_names() -> list[str]:
    """Names of the datasets that come with the package."""
    return [dataset.name for dataset in named_datasets() if dataset.bundled]


def bundled_folder(name: str) -> Path:
    """Where the splits of a bundled dataset lie."""
    return _HERE / "demo" / name
