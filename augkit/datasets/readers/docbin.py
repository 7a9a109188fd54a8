"""spaCy's DocBin files: texts with their entities, and categories where they have some."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from augkit.core.errors import DataError
from augkit.datasets.readers.arrow import BATCH_ROWS
from augkit.datasets.readers.blocks import RowBlock
from augkit.datasets.readers.files import MAX_CELL, too_long

_PIECE = 1 << 20
_CELLS = 64
"""So many of the largest cells may be in a file, which is in memory as a whole."""


def read_docbin(path: Path, start: int = 0, max_cell: int = MAX_CELL) -> Iterator[RowBlock]:
    """Blocks of documents."""
    columns: tuple[str, ...] = ("text", "entities")
    rows: list[tuple[Any, ...]] = []
    for doc in _docs(path, max_cell):
        entities = [
            {"start": entity.start_char, "end": entity.end_char, "label": entity.label_}
            for entity in doc.ents
        ]
        cats = dict(doc.cats)
        chosen = [name for name, score in cats.items() if score == 1]
        rows.append((doc.text, entities, chosen[0] if len(chosen) == 1 else None, cats))
    if any(cats for *_, cats in rows):
        columns = (*columns, "label", "cats")
    for first in range(0, len(rows), BATCH_ROWS):
        cells = [row[: len(columns)] for row in rows[first : first + BATCH_ROWS]]
        yield RowBlock(str(path), start + first, first + 1, columns, cells)


def _docs(path: Path, max_cell: int) -> list[Any]:
    from spacy.tokens import DocBin
    from spacy.vocab import Vocab

    try:
        _measure(path, max_cell)
        return list(DocBin().from_disk(path).get_docs(Vocab()))
    except DataError:
        raise
    except Exception as error:
        # Damaged files fail in many ways, each of its own kind.
        raise DataError(
            f"{path}: this is not a DocBin of spaCy: {error or type(error).__name__}. Write it "
            "again with DocBin.to_disk"
        ) from error


def _measure(path: Path, max_cell: int) -> None:
    """Decompress the file and throw it away, so that one that is too large is an error first."""
    decompressor, size = zlib.decompressobj(), 0
    with path.open("rb") as file:
        while piece := decompressor.unconsumed_tail or file.read(_PIECE):
            size += len(decompressor.decompress(piece, _PIECE))
            if size > _CELLS * max_cell << 20:
                raise too_long(str(path), "documents", max_cell, _CELLS * max_cell)
