"""Rows to check, with and without a shortcut."""

import random

import pytest

from augkit.commands.check.rows import CheckedRows
from augkit.datasets.dataset import Dataset
from augkit.datasets.schema import Schema


@pytest.fixture(scope="session")
def checked_rows():
    """Make rows from texts (or several fields of texts) and labels."""

    def make(texts, labels):
        fields = texts if isinstance(texts, dict) else {"text": list(texts)}
        schema = Schema({name: name for name in fields}, "label")
        dataset = Dataset("rows", "memory", schema, ())
        return CheckedRows(dataset, fields, list(labels), list(range(len(labels))), 0)

    return make


@pytest.fixture
def rng():
    """A generator with a fixed seed."""
    return random.Random(0)
