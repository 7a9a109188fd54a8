"""What classifiers are trained on: a dataset, or the originals and the result of a run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from augkit.core.errors import DataError
from augkit.core.types import Example, digest
from augkit.datasets.columns import ReadOptions
from augkit.datasets.dataset import Dataset
from augkit.datasets.load import load_dataset
from augkit.datasets.open import open_dataset
from augkit.datasets.scan import scan_dataset
from augkit.datasets.schema import Schema
from augkit.datasets.to_examples import content_reader, read_block
from augkit.runs.manifest import read_manifest

TrainOn = Literal["originals", "result", "both"]

_PARTS = 10
"""A seed leaves out one part in this many of the originals."""


@dataclass(frozen=True)
class Arm:
    """Labelled rows to train on, under the name that tables show."""

    name: str
    examples: Sequence[Example]
    origins: Sequence[str]
    """For every row the id of the original it is or comes from."""
    left_out: int = 0
    """Rows without a label or a text."""

    def sample(self, seed: int) -> list[Example]:
        """The rows of nine tenths of the originals, drawn by the seed; variants go with theirs.

        Two arms with the same originals leave out the same ones.
        """
        return [
            row
            for row, origin in zip(self.examples, self.origins, strict=True)
            if int(digest(str(seed), "leave-out", origin), 16) % _PARTS
        ]


def dataset_arm(spec: str, options: ReadOptions) -> Arm:
    """All usable rows of a dataset."""
    return _arm(spec, load_rows(spec, options))


def load_rows(spec: str, options: ReadOptions) -> list[Example]:
    """The rows of a dataset; one that a run has written will do."""
    return load_dataset(spec, **options.model_copy(update={"augmented": True}).model_dump())


def run_arms(folder: Path, train_on: TrainOn, data_folder: Path | None) -> list[Arm]:
    """The originals of a finished run as they were read, its dataset, or both."""
    manifest = read_manifest(folder)
    if manifest.status != "done":
        raise DataError(
            f"{folder}: this run is not finished ({manifest.status}). Go on with it: "
            f"augkit run --resume --out {folder}"
        )
    dataset = open_dataset(manifest.settings["dataset"], _options(manifest.settings, data_folder))
    found = scan_dataset(dataset)
    if found.digest != manifest.dataset.digest:
        raise DataError(
            f"{folder}: '{dataset.name}' has changed since the run, so its originals are not there "
            "any more. Run it again on the rows as they are now"
        )
    arms = []
    if train_on in {"originals", "both"}:
        arms.append(_arm(f"{folder.name} (originals)", _originals(dataset, found.repeats)))
    if train_on in {"result", "both"}:
        arms.append(_result(folder, dataset.schema))
    return arms


def usable(examples: Iterable[Example]) -> list[Example]:
    """The rows that have a label and a text."""
    return [row for row in examples if row.label is not None and not row.fault]


def _arm(name: str, examples: Sequence[Example]) -> Arm:
    kept = usable(examples)
    if not kept and examples:
        raise DataError(
            f"{name}: none of its {len(examples)} rows has a label. Choose another split, or name "
            "the column with --label-column"
        )
    return Arm(name, kept, [row.id for row in kept], len(examples) - len(kept))


def _options(settings: Mapping[str, Any], data_folder: Path | None) -> ReadOptions:
    return ReadOptions(
        text_columns=tuple(settings.get("text_columns", ())),
        label_column=settings.get("label_column"),
        id_column=settings.get("id_column"),
        data_folder=data_folder,
    )


def _originals(dataset: Dataset, repeats: Mapping[int, int]) -> list[Example]:
    return [
        row
        for block in dataset.blocks()
        for row in read_block(dataset.name, dataset.schema, block, repeats)
    ]


def _result(folder: Path, schema: Schema) -> Arm:
    """The rows of ``dataset.jsonl``, each with the original it comes from."""
    content = content_reader(schema)
    examples, origins = [], []
    total = 0
    with (folder / "dataset.jsonl").open("rb") as lines:
        for line in lines:
            row = json.loads(line)
            fields, label, fault = content(row)
            total += 1
            if label is not None and not fault:
                examples.append(Example(fields, label, row["augkit_id"]))
                origins.append(row["augkit_parent"] or row["augkit_id"])
    return Arm(f"{folder.name} (result)", examples, origins, total - len(examples))
