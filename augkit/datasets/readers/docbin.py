"""spaCy's DocBin files: texts with their entities, and categories where they have some."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from augkit.core.errors import DataError
from augkit.datasets.readers.blocks import ROWS_AT_ONCE, RowBlock


def read_docbin(path: Path, start: int = 0) -> Iterator[RowBlock]:
    """Blocks of documents."""
    columns: tuple[str, ...] = ("text", "entities")
    rows: list[tuple[Any, ...]] = []
    for doc in _docs(path):
        entities = [
            {"start": entity.start_char, "end": entity.end_char, "label": entity.label_}
            for entity in doc.ents
        ]
        cats = dict(doc.cats)
        chosen = [name for name, score in cats.items() if score == 1]
        rows.append((doc.text, entities, chosen[0] if len(chosen) == 1 else None, cats))
    if any(cats for *_, cats in rows):
        columns = (*columns, "label", "cats")
    for first in range(0, len(rows), ROWS_AT_ONCE):
        cells = [row[: len(columns)] for row in rows[first : first + ROWS_AT_ONCE]]
        yield RowBlock(str(path), start + first, first + 1, columns, cells)


def _docs(path: Path) -> list[Any]:
    from spacy.tokens import DocBin
    from spacy.vocab import Vocab

    try:
        return list(DocBin().from_disk(path).get_docs(Vocab()))
    except Exception as error:
        # Damaged files fail in many ways, each of its own kind.
        raise DataError(
            f"{path}: this is not a DocBin of spaCy: {error or type(error).__name__}. Write it "
            "again with DocBin.to_disk"
        ) from error
