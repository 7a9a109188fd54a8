"""The dataset of a run in the format of its input: parquet, CoNLL, spaCy's DocBin."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import Any

from augkit.datasets.dataset import Dataset, FilePart
from augkit.datasets.readers.blocks import Row
from augkit.datasets.readers.files import Format

Writer = Callable[[Iterable[Row], Path, Path], None]
"""Rows, the file to write, and the input."""

_ROWS_AT_ONCE = 4096


def write_copy(dataset: Dataset, lines: Path, folder: Path) -> None:
    """Write the rows of a JSON Lines file in the format of the dataset's input, if it has one."""
    part = dataset.parts[0]
    if len(dataset.parts) > 1 or not isinstance(part, FilePart) or part.format not in _WRITERS:
        return
    name = f"dataset.{part.format}"
    draft = folder / "work" / f"{name}.new"
    with lines.open("rb") as file:
        _WRITERS[part.format](map(json.loads, file), draft, part.path)
    draft.replace(folder / name)


def _write_conll(rows: Iterable[Row], path: Path, source: Path) -> None:
    del source
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            pairs = zip(row["tokens"], row["tags"], strict=True)
            file.write("\n".join(f"{token}\t{tag}" for token, tag in pairs) + "\n\n")


def _write_docbin(rows: Iterable[Row], path: Path, source: Path) -> None:
    import spacy
    from spacy.tokens import DocBin

    del source
    blank = spacy.blank("en")
    docs = DocBin(attrs=["ENT_IOB", "ENT_TYPE", "SPACY"], store_user_data=False)
    for row in rows:
        docs.add(_doc(blank, row))
    docs.to_disk(path)


def _doc(blank: Any, row: Row) -> Any:
    """A document whose tokens also end where an entity starts or ends."""
    from spacy.tokens import Doc

    cuts = {cut for entity in row["entities"] for cut in (entity["start"], entity["end"])}
    words: list[str] = []
    spaces: list[bool] = []
    for token in blank.make_doc(row["text"]):
        inner = [cut - token.idx for cut in cuts if 0 < cut - token.idx < len(token)]
        ends = [*sorted(inner), len(token)]
        words += [token.text[a:b] for a, b in zip([0, *ends], ends, strict=False)]
        spaces += [False] * len(inner) + [bool(token.whitespace_)]
    doc: Any = Doc(blank.vocab, words=words, spaces=spaces)
    doc.set_ents(
        [
            doc.char_span(entity["start"], entity["end"], label=entity["label"])
            for entity in row["entities"]
        ]
    )
    cats, label = row.get("cats") or {}, row.get("label")
    doc.cats = {name: float(name == label) for name in cats} if label else cats
    return doc


def _write_parquet(rows: Iterable[Row], path: Path, source: Path) -> None:
    import pyarrow as pa
    from pyarrow.parquet import ParquetWriter, read_schema

    # The columns of the input and those of augkit; what JSON has no type for is text.
    source_schema = read_schema(source)
    fields = [
        field if _is_json_type(field.type) else pa.field(field.name, pa.string())
        for field in source_schema
    ]
    added = ("augkit_id", "augkit_origin", "augkit_parent", "augkit_method")
    fields += [pa.field(name, pa.string()) for name in added]
    remaining = iter(rows)
    batch = list(islice(remaining, _ROWS_AT_ONCE))
    names = {field.name for field in fields}
    weights = [name for name in (batch[0] if batch else ()) if name not in names]
    fields += [pa.field(name, pa.float64()) for name in weights]
    schema = pa.schema(fields, source_schema.metadata)
    with ParquetWriter(path, schema) as writer:
        while batch:
            writer.write_table(pa.Table.from_pylist(batch, schema))
            batch = list(islice(remaining, _ROWS_AT_ONCE))


def _is_json_type(kind: Any) -> bool:
    from pyarrow import types

    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        return _is_json_type(kind.value_type)
    if types.is_struct(kind):
        return all(_is_json_type(kind.field(index).type) for index in range(kind.num_fields))
    simple = (types.is_string, types.is_large_string, types.is_boolean, types.is_integer)
    return any(check(kind) for check in simple) or types.is_floating(kind)


_WRITERS: dict[Format, Writer] = {
    "conll": _write_conll,
    "spacy": _write_docbin,
    "parquet": _write_parquet,
}
