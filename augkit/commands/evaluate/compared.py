"""Datasets that are compared with one another: read alike, and trained on one after the other."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from augkit.commands.evaluate.evaluation_sets import named_labels, with_fields
from augkit.commands.evaluate.settings import EvaluateSettings
from augkit.commands.evaluate.training_sets import TrainingSet, load_training_set
from augkit.core.errors import ConfigError, DataError


def load_compared(settings: EvaluateSettings) -> list[TrainingSet]:
    """The datasets that are compared, with the fields of the first."""
    repeated = [spec for spec, count in Counter(settings.data).items() if count > 1]
    if repeated:
        raise ConfigError(f"{repeated[0]} is named twice: a dataset is not compared with itself")
    loaded = [
        replace(load_training_set(spec, settings.reading), name=spec) for spec in settings.data
    ]
    first = loaded[0]
    fields = tuple(first.examples[0].fields)
    compared = [first]
    for other in loaded[1:]:
        rows = with_fields(other.examples, fields, first.name, other.name)
        _check_labels(first, other)
        compared.append(replace(other, examples=rows))
    return compared


def _check_labels(first: TrainingSet, other: TrainingSet) -> None:
    """Raise an error where two datasets have no label in common: their columns are not the same."""
    labels = {str(row.label) for row in first.examples}
    others = {str(row.label) for row in other.examples}
    if labels.isdisjoint(others):
        raise DataError(
            f"{first.name} and {other.name} have different labels: {named_labels(labels)} against "
            f"{named_labels(others)}. Name the column of both with --label-column"
        )
