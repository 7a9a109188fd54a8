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
        field if (kind := _json_type(field.type)) == field.type else pa.field(field.name, kind)
        for field in source_schema
    ]
    maps = {field.name: field.type for field in fields if "map<" in str(field.type)}
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
            for name, kind in maps.items():
                for row in batch:
                    row[name] = _with_pairs(row[name], kind)
            writer.write_table(pa.Table.from_pylist(batch, schema))
            batch = list(islice(remaining, _ROWS_AT_ONCE))


def _json_type(kind: Any) -> Any:
    """The type that holds a value after it was JSON: a date is a text, and so it is in a list."""
    import pyarrow as pa
    from pyarrow import types

    if types.is_dictionary(kind):
        return _json_type(kind.value_type)
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        inner = _json_type(kind.value_type)
        return kind if inner == kind.value_type else pa.list_(inner)
    if types.is_map(kind):
        return pa.map_(_json_type(kind.key_type), _json_type(kind.item_type))
    if types.is_struct(kind):
        return pa.struct([part.with_type(_json_type(part.type)) for part in kind])
    simple = (types.is_string, types.is_large_string, types.is_boolean, types.is_integer)
    is_simple = any(check(kind) for check in simple) or types.is_floating(kind)
    return kind if is_simple else pa.string()


def _with_pairs(value: Any, kind: Any) -> Any:
    """A value with the entries of maps as pairs, as pyarrow has it; JSON has lists of two."""
    from pyarrow import types

    if value is None:
        return None
    if types.is_map(kind):
        kinds = (kind.key_type, kind.item_type)
        return [tuple(map(_with_pairs, entry, kinds)) for entry in value]
    if types.is_list(kind):
        return [_with_pairs(part, kind.value_type) for part in value]
    if types.is_struct(kind):
        return {part.name: _with_pairs(value.get(part.name), part.type) for part in kind}
    return value


_WRITERS: dict[Format, Writer] = {
    "conll": _write_conll,
    "spacy": _write_docbin,
    "parquet": _write_parquet,
}
