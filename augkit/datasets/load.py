"""``open_dataset``: a dataset with its columns known. ``load_dataset``: all rows as examples."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from augkit.core.config import validate
from augkit.core.errors import DataError
from augkit.core.python_messages import naming_arguments
from augkit.core.types import Example
from augkit.datasets.columns import ColumnHints, find_schema
from augkit.datasets.dataset import Dataset, Part, file_part
from augkit.datasets.lookup import FoundDataset, find_parts, parse_spec
from augkit.datasets.readers.arrow import BYTES
from augkit.datasets.readers.files import without_gz
from augkit.datasets.readers.frames import DataFrame, FramePart, is_frame
from augkit.datasets.readers.hub import HubPart, is_split
from augkit.datasets.scan import scan_dataset
from augkit.datasets.schema import Schema
from augkit.datasets.settings import RUN_ROLES, ReadOptions, RowSelection
from augkit.datasets.shapes.find import TagsAreNoLabel

if TYPE_CHECKING:
    import datasets


Spec = Union[str, Path, "datasets.Dataset", DataFrame]
"""A path, a name, a hub id, a data frame, or a ``datasets.Dataset``."""
FRAME = "the data frame"
IN_MEMORY = "the dataset in memory"
"""What messages call those without a name."""


def open_dataset(spec: Spec, options: ReadOptions | None = None) -> Dataset:
    """Open a dataset and check its columns; only the first block of rows is read.

    A name is searched in the data folder, the bundled sets, the hub's local cache and on the
    hub, in this order.
    """
    options = ReadOptions() if options is None else options
    found = find_source(spec, options)
    try:
        schema = _schema(found.parts, options, found.hints)
    except TagsAreNoLabel as error:
        from augkit.datasets.rewriting import rewriting_command

        unlabelled = options.model_copy(update={"text_columns": (), "span_columns": ()})
        command = rewriting_command(spec, unlabelled, error.flags)
        raise DataError(f"{error.problem}: {command}") from None
    return Dataset(found.name, found.source, schema, found.parts, found.task)


def in_memory(spec: Spec | None) -> Spec | None:
    """The dataset itself; None where this is the name or the path of one."""
    return None if isinstance(spec, str | Path) else spec


def spec_name(spec: Spec, unnamed: str | None = None) -> str:
    """How the user named a dataset; ``unnamed`` is what one in memory is called, if not that."""
    if isinstance(spec, str | Path):
        return str(spec)
    return unnamed or (FRAME if is_frame(spec) else IN_MEMORY)


def find_source(spec: Spec, options: ReadOptions) -> FoundDataset:
    """The files or splits of a dataset, before its columns are looked at."""
    if not isinstance(spec, str | Path):
        return _memory_source(spec)
    wanted = spec if isinstance(spec, Path) else parse_spec(spec)
    if isinstance(wanted, Path):
        part = file_part(wanted, quotes=options.quotes)
        return FoundDataset(without_gz(wanted).stem, part.source, (part,), ColumnHints())
    return find_parts(wanted, options)


def _memory_source(spec: Any) -> FoundDataset:
    if is_frame(spec):
        return FoundDataset("frame", FRAME, (FramePart(FRAME, spec),), ColumnHints())
    if not is_split(spec):
        hint = ". Select one of its splits" if isinstance(spec, dict) else ""
        raise DataError(
            f"a {type(spec).__name__} is not a dataset: give a path, a name, a hub id, a "
            f"data frame or a datasets.Dataset{hint}"
        )
    part = HubPart(IN_MEMORY, spec)
    return FoundDataset(spec.info.dataset_name or "dataset", IN_MEMORY, (part,), ColumnHints())


def _schema(parts: Iterable[Part], options: ReadOptions, hints: ColumnHints) -> Schema:
    """The schema that all parts share."""
    schemas: list[tuple[str, Schema]] = []
    for part in parts:
        block = next(part.blocks(0), None)
        if block is None:
            raise no_rows(part.source)
        schema = find_schema(part.source, block.rows(), options, hints, part.label_names())
        refuse_other_types(part, schema.fields.values(), schema.label)
        schemas.append((part.source, schema))
    first_source, first = schemas[0]
    for source, schema in schemas[1:]:
        if (schema.fields, schema.label) != (first.fields, first.label):
            raise DataError(
                f"{source} and {first_source} cannot be joined: texts and label are in different "
                f"columns ({_columns(schema)} and {_columns(first)})"
            )
    return first


def refuse_other_types(part: Part, texts: Iterable[str], label: str | None = None) -> None:
    """Raise where columns of ``texts`` are bytes, dates, times or decimals, or the label is bytes.

    They were made into texts, which nobody wrote.
    """
    types = part.other_types()
    flags = dict.fromkeys(texts, "--text-column")
    if label and types.get(label, "").startswith(BYTES):
        flags[label] = "--label-column"
    for column, flag in flags.items():
        what = types.get(column)
        if what is None:
            continue
        advice = f"Choose another column: {flag} NAME"
        if what.startswith(BYTES) and "<" not in what:  # no list or object of some
            decode = f"frame[{column!r}].str.decode('utf-8')"
            advice += f". Or write UTF-8 as texts, with pandas: {decode}"
        raise DataError(f"{part.source}: the column '{column}' holds {what}, not text. {advice}")


def no_rows(source: str) -> DataError:
    """The error for a dataset without a row; a file may still have a header or empty lines."""
    return DataError(
        f"{source}: there are no rows, only a header or nothing at all. Add rows, or name another "
        "dataset"
    )


def _columns(schema: Schema) -> str:
    return ", ".join([*schema.fields.values(), schema.label or "no label"])


@naming_arguments
def load_dataset(spec: Spec, **options: Any) -> list[Example]:
    """Read all rows of a dataset.

    A name is searched as commands do: in the folder ``data_folder``, else in that of the
    environment variable ``AUGKIT_DATA``; then among the bundled datasets, and on the hub.

    Args:
        spec: A file, a name of ``augkit list datasets``, an id of the Hugging Face hub (each with
            ``:SPLIT`` behind it, if need be), a data frame, or a ``datasets.Dataset``.
        **options: How to read it, as ``text_columns`` and ``label_column``; see "Reading data"
            among the settings. Of a chat the user's messages are read, as a run does, unless
            ``edit_roles`` says otherwise.
    """
    return load_examples(spec, **options)


def load_examples(spec: Spec, **options: Any) -> list[Example]:
    """As ``load_dataset``, for commands: errors name options."""
    as_a_run = {"edit_roles": RUN_ROLES} | options
    reading = validate(ReadOptions, as_a_run, "options of load_dataset")
    return load_selected(spec, reading, reading)[0]


def load_selected(
    spec: Spec, reading: ReadOptions, selection: RowSelection
) -> tuple[list[Example], int]:
    """The selected rows of a dataset, and the number of all; only these are held in memory."""
    dataset = open_dataset(spec, reading)
    scan = scan_dataset(dataset)
    if not selection.is_partial:
        return dataset.examples(scan.repeats), scan.rows
    return dataset.examples_at(selection.numbers(scan.rows), scan.repeats), scan.rows
