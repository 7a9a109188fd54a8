"""Which columns a user probably means, for errors about columns."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from augkit.core.errors import DataError
from augkit.datasets.dataset import all_blocks
from augkit.datasets.load import Spec, find_source
from augkit.datasets.readers.blocks import Row
from augkit.datasets.rewriting import NoLabelColumn
from augkit.datasets.settings import ReadOptions

_LOOKED_AT = 1000
_LEAST_WORDS = 3
_MOST_LABELS = 20
"""Words that a text has on average, and different values of a column of labels."""


@contextmanager
def suggesting_columns(spec: Spec, reading: ReadOptions) -> Iterator[None]:
    """Add the options that probably fit to an error about columns."""
    try:
        yield
    except DataError as error:
        if (reading.label_column and reading.text_columns) or "column" not in str(error):
            raise
        rows = next(all_blocks(find_source(spec, reading).parts)).rows()
        flags = likely_columns(rows[:_LOOKED_AT])
        if not flags:
            raise
        problem = error.problem if isinstance(error, NoLabelColumn) else str(error)
        raise DataError(f"{problem.removesuffix('.')}. Perhaps: {shlex.join(flags)}") from None


def likely_columns(rows: Sequence[Row]) -> list[str]:
    """Options that name the column with the longest texts, and the only one that looks like labels.

    None where no column has texts, or where none or several have few values that come back.

    >>> likely_columns([{"id": n, "note": f"it was number {n}", "kind": n % 2} for n in range(50)])
    ['--text-column', 'note', '--label-column', 'kind']
    """
    cells = {
        name: [str(row.get(name) or "") for row in rows]
        for name, first in (rows[0] if rows else {}).items()
        if not isinstance(first, list | dict)
    }
    words = {name: sum(len(text.split()) for text in texts) for name, texts in cells.items()}
    text = max(words, key=lambda name: words[name], default=None)
    if text is None or words[text] < _LEAST_WORDS * len(rows):
        return []
    labels = [
        name
        for name, values in cells.items()
        if name != text and 2 <= len(set(values)) <= min(_MOST_LABELS, len(rows) // 10)
    ]
    return ["--text-column", text, "--label-column", labels[0]] if len(labels) == 1 else []
