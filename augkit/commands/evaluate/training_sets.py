"""Training sets of classifiers: a dataset, or the originals and the result of a run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from augkit.commands.evaluate.settings import TrainOn
from augkit.commands.label_faults import faults_of, require_texts
from augkit.core import registry
from augkit.core.errors import DataError
from augkit.core.json_files import naming_damage
from augkit.core.types import Example, digest
from augkit.datasets.load import load_examples, open_dataset
from augkit.datasets.rows import content_reader
from augkit.datasets.scan import scan_dataset
from augkit.datasets.schema import Schema
from augkit.datasets.settings import ReadOptions
from augkit.runs.ledger import resume_line
from augkit.runs.manifest import ADVICE, FILE, read_manifest
from augkit.runs.plan import weight_column
from augkit.runs.records import read_dataset
from augkit.runs.settings import recorded_settings

_PARTS = 10
"""A seed leaves out one part in this many of the originals."""
WEIGHT = "augkit_weight"
"""The column of a choice with what it counts, where a run has written weights."""


@dataclass(frozen=True)
class TrainingSet:
    """Labelled rows to train on; ``name`` is shown in tables."""

    name: str
    examples: Sequence[Example]
    origins: Sequence[str]
    """For every row the id of the original that it is or was made from."""
    left_out: int = 0
    """Rows without a label or a text."""

    def sample(self, seed: int) -> list[Example]:
        """The rows of nine tenths of the originals, chosen by the seed, with their variants.

        Two training sets with the same originals leave out the same ones.
        """
        return [
            row
            for row, origin in zip(self.examples, self.origins, strict=True)
            if int(digest(str(seed), "leave-out", origin), 16) % _PARTS
        ]


def load_training_set(spec: str, reading: ReadOptions) -> TrainingSet:
    """The usable rows of a dataset, or the result of a finished run folder."""
    if (Path(spec) / "manifest.json").is_file():
        return run_training_sets(Path(spec), "result", reading.data_folder)[0]
    return _training_set(spec, load_rows(spec, reading))


def load_rows(spec: str, options: ReadOptions) -> list[Example]:
    """The rows of a dataset, which may be one that a run has written."""
    return load_examples(spec, **options.model_copy(update={"augmented": True}).model_dump())


def run_training_sets(
    folder: Path, train_on: TrainOn, data_folder: Path | None
) -> list[TrainingSet]:
    """The originals that a finished run worked on, its dataset, or both."""
    manifest = read_manifest(folder)
    if not manifest.has_dataset:
        raise DataError(
            f"{folder}: this run is not finished ({manifest.status}). Resume it: "
            f"{resume_line(folder)}"
        )
    settings = recorded_settings(folder)
    choices = manifest.dataset.choices
    shared = ReadOptions.model_fields.keys() & {*settings.model_fields_set, "edit_roles"}
    read_then = settings.model_dump(include=shared)
    options = ReadOptions(**read_then | {"data_folder": data_folder, "choices": choices})
    dataset = open_dataset(settings.dataset, options)
    scan = scan_dataset(dataset)
    if scan.digest != manifest.dataset.digest:
        raise DataError(
            f"{folder}: '{dataset.name}' has changed since the run, so its originals are "
            "gone. Run it again on the current rows"
        )
    training_sets = []
    if train_on in {"originals", "both"}:
        numbers = range(scan.rows) if settings.keep_rest else options.numbers(scan.rows)
        read = dataset.examples_at(numbers, scan.repeats)
        training_sets.append(_training_set(f"{folder.name} (originals)", read))
    if train_on in {"result", "both"}:
        method = registry.find("augmenters", manifest.method) if choices else None
        with naming_damage(folder / FILE, ADVICE):
            column = weight_column(method.Config(**manifest.config)) if method else ""
        training_sets.append(_result(folder, dataset.schema, column))
    return training_sets


def row_weights(rows: Sequence[Example]) -> list[float] | None:
    """What each row of a run's result counts; None where the run gave no weights."""
    if not any(WEIGHT in row.columns for row in rows):
        return None
    return [float(str(row.columns.get(WEIGHT, 1.0))) for row in rows]


def usable(examples: Iterable[Example]) -> list[Example]:
    """The rows that have a label and a text."""
    return [row for row in examples if row.label is not None and not row.fault]


def _training_set(name: str, examples: Sequence[Example]) -> TrainingSet:
    rows = usable(examples)
    if not rows and examples:
        require_texts(name, list(examples[0].fields), faults_of(examples), set())
        raise DataError(
            f"{name}: none of its {len(examples)} rows has a label. Choose another split, or name "
            "the column with --label-column"
        )
    return TrainingSet(name, rows, [row.id for row in rows], len(examples) - len(rows))


def _result(folder: Path, schema: Schema, weights: str) -> TrainingSet:
    """The rows of ``dataset.jsonl``, each with its original; ``weights`` names their column."""
    content = content_reader(schema)
    examples = []
    origins = []
    total = 0
    for row in read_dataset(folder):
        fields, label, fault = content(row)
        total += 1
        if label is not None and not fault:
            columns = {WEIGHT: row[weights]} if weights in row else {}
            examples.append(Example(fields, label, row["augkit_id"], columns))
            origins.append(row["augkit_parent"] or row["augkit_id"])
    return TrainingSet(f"{folder.name} (result)", examples, origins, total - len(examples))
