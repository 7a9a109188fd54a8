"""``load_dataset``: a whole dataset as a list of examples."""

from __future__ import annotations

from typing import Any

from augkit.config import validate
from augkit.corpora.columns import ReadOptions
from augkit.corpora.open import Spec, open_dataset
from augkit.corpora.read import read_block
from augkit.corpora.survey import survey
from augkit.data import Example


def load_dataset(spec: Spec, **options: Any) -> list[Example]:
    """Read a file, a named dataset or a hub dataset; options are those of ``ReadOptions``."""
    dataset = open_dataset(spec, validate(ReadOptions, options, "options of load_dataset"))
    found = survey(dataset)
    return [
        example
        for block in dataset.blocks()
        for example in read_block(dataset.name, dataset.schema, block, found.repeats)
    ]
