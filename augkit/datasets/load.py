"""``load_dataset``: a whole dataset as a list of examples."""

from __future__ import annotations

from typing import Any

from augkit.core.config import validate
from augkit.core.types import Example
from augkit.datasets.columns import ReadOptions
from augkit.datasets.open import Spec, open_dataset
from augkit.datasets.scan import scan_dataset


def load_dataset(spec: Spec, **options: Any) -> list[Example]:
    """Read all rows of a dataset.

    A name is searched as commands do: in the folder ``data_folder``, else in that of the
    environment variable ``AUGKIT_DATA``; then among the bundled datasets, and on the hub.

    Args:
        spec: A file, a name of ``augkit list datasets``, an id of the Hugging Face hub (each with
            ``:SPLIT`` behind it, if need be), a data frame, or a ``datasets.Dataset``.
        **options: How to read it, as ``text_columns`` and ``label_column``; see "Reading data"
            among the settings.
    """
    reading = validate(ReadOptions, options, "options of load_dataset")
    dataset = open_dataset(spec, reading)
    return list(reading.of(dataset.examples(scan_dataset(dataset).repeats)))
