"""The first pass over a dataset: every row is checked and counted before the work starts."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING, Any

from augkit.core.errors import DataError
from augkit.core.types import digest
from augkit.datasets.columns import RESERVED, reserved
from augkit.datasets.dataset import Dataset, FilePart
from augkit.datasets.readers.blocks import Block
from augkit.datasets.rows import check_labels, content_reader, row_id
from augkit.datasets.schema import Schema

if TYPE_CHECKING:
    import numpy as np

_HASH_DIGITS = 16
"""64 bits per row: a million rows have a collision once in 30 million datasets."""


@dataclass(frozen=True, slots=True)
class BlockScan:
    """One block: its labels, and hashes of eight bytes per row for contents and ids."""

    rows: int
    labels: Counter[str | None]
    contents: bytes
    ids: bytes
    spans: bytes
    """A digest of all of them; empty where the dataset has none."""


@dataclass(frozen=True, slots=True)
class DatasetScan:
    """A whole dataset: rows, labels, digest and repeated rows."""

    rows: int
    labels: Counter[str | None]
    digest: str
    """Of texts, labels and spans in their order; other columns do not count."""
    repeats: dict[int, int]
    """Row number → how many identical rows come before it, where there are some."""

    def repeats_in(self, block: Block) -> dict[int, int]:
        """The part of ``repeats`` in one block, as ``read_block`` needs it."""
        numbers = range(block.start, block.start + block.count)
        if not self.repeats:
            return {}
        return {number: self.repeats[number] for number in numbers if number in self.repeats}


def scan_dataset(
    dataset: Dataset, map_function: Callable[..., Iterable[BlockScan]] = map
) -> DatasetScan:
    """Check and count every row and label; ``map_function`` may scan blocks in other processes.

    It must keep the order, and should not read far ahead: the blocks hold the rows. Memory is
    eight bytes per row (twice that while repeats are searched). Files that did not change since
    they were scanned last by this process are not scanned again.
    """
    key = _key(dataset)
    if key is None or key not in _SCANNED:
        scan = _scan(dataset, map_function)
        if key is None:
            return scan
        _SCANNED.clear()
        _SCANNED[key] = scan
    return _SCANNED[key]


_SCANNED: dict[tuple[object, ...], DatasetScan] = {}
"""The files that were scanned last: a command reads its dataset before its run and after it."""


def _key(dataset: Dataset) -> tuple[object, ...] | None:
    """Names what a scan reads: the schema, and the state of the files; None where rows are none."""
    states: list[object] = []
    for part in dataset.parts:
        if not isinstance(part, FilePart) or not part.path.exists():
            return None
        state = part.path.stat()
        states += [part, state.st_mtime_ns, state.st_size, state.st_ino]
    return repr(dataset.schema), *states


def _scan(dataset: Dataset, map_function: Callable[..., Iterable[BlockScan]]) -> DatasetScan:
    labels: Counter[str | None] = Counter()
    contents = array("Q")
    ids = array("Q")
    running = sha256("\n".join(dataset.schema.fields).encode())
    for part in map_function(partial(scan_block, dataset.schema), dataset.blocks()):
        labels.update(part.labels)
        running.update(part.contents + part.spans)
        contents.frombytes(part.contents)
        ids.frombytes(part.ids)
    _check_ids(dataset, ids)
    check_labels(dataset.source, dataset.schema.label, labels)
    repeats: dict[int, int] = {}
    if not ids:
        seen: Counter[int] = Counter()
        for number, key in _repeated(contents):
            if seen[key]:
                repeats[number] = seen[key]
            seen[key] += 1
    return DatasetScan(len(contents), labels, running.hexdigest(), repeats)


def scan_block(schema: Schema, block: Block) -> BlockScan:
    """Check and count the rows of a block."""
    content = content_reader(schema)
    contents: list[str] = []
    ids: list[str] = []
    labels: list[str | None] = []
    spans = sha256()
    annotated = schema.annotated
    rows = block.rows()
    for index, row in enumerate(rows):
        try:
            fields, label, fault = content(row)
            if annotated and not fault:
                spans.update(repr(schema.read_spans(row, fields)).encode(errors="replace"))
            if schema.id_column is not None:
                ids.append(digest(row_id(schema, row))[:_HASH_DIGITS])
        except DataError as error:
            raise DataError(f"{block.location(index)}: {error}") from None
        if not schema.augmented and not RESERVED.isdisjoint(row):
            raise DataError(reserved(block.location(index), RESERVED.intersection(row)))
        key = digest(fault, "-" if label is None else f"={label}", *fields.values())
        contents.append(key[:_HASH_DIGITS])
        labels.append(label)
    digest_of_spans = spans.digest() if annotated else b""
    return BlockScan(len(rows), Counter(labels), _packed(contents), _packed(ids), digest_of_spans)


def _packed(keys: list[str]) -> bytes:
    return bytes.fromhex("".join(keys))


def _repeated(keys: array[int]) -> Iterator[tuple[int, int]]:
    """Row number and key of all rows whose key occurs more than once, in order."""
    import numpy as np

    if not keys:
        return
    numbers = np.frombuffer(keys, dtype=np.uint64)
    ordered = np.sort(numbers)
    twice = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
    del ordered
    if not twice.size:
        return
    # In chunks, because ``isin`` copies what it looks at.
    for start in range(0, len(numbers), 1 << 16):
        chunk: np.ndarray[Any, Any] = numbers[start : start + (1 << 16)]
        for index in np.flatnonzero(np.isin(chunk, twice)).tolist():
            yield start + index, int(chunk[index])


def _check_ids(dataset: Dataset, ids: array[int]) -> None:
    """A repeated id is an error; the two rows are read again to be sure and to name them."""
    first: dict[int, int] = {}
    for number, key in _repeated(ids):
        if key in first:
            earlier_place, earlier_id = _row_at(dataset, first[key])
            place, later_id = _row_at(dataset, number)
            if earlier_id == later_id:
                raise DataError(
                    f"{place}: the id '{earlier_id}' is also the id of {earlier_place}. "
                    f"Ids in the column '{dataset.schema.id_column}' must differ"
                )
        first.setdefault(key, number)


def _row_at(dataset: Dataset, number: int) -> tuple[str, str]:
    """Location and id of a row."""
    for block in dataset.blocks():
        if number < block.start + block.count:
            index = number - block.start
            row = next(islice(block.rows(), index, None))
            return block.location(index), row_id(dataset.schema, row)
    raise DataError(f"{dataset.source}: the rows changed while they were read. Run it again")
