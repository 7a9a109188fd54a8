"""In how many documents of each label a feature occurs: words, n-grams, positions, lengths, format.

A feature is present in a document or not; how often it occurs there does not matter. Only features
that enough documents hold are counted, so that memory stays small: an n-gram is at most as
frequent as its parts (the a-priori property of frequent sets, agrawal1994fast).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from augkit.core.arrays import Flags, Ints
from augkit.text.features.kinds import (
    FIRST_WORD,
    FORMAT,
    LAST_WORD,
    TOKEN,
    formats,
    lowered_words,
    ngram_kind,
)
from augkit.text.features.numbering import NumberedTexts, number_texts

F = TypeVar("F", bound=Hashable)

_BLOCK = 10_000
"""Documents that are counted at a time."""
_BLOCK_OF_IDS = 1_000_000
"""Occurrences that are looked up at a time, so that few wide numbers are in memory."""
_LARGEST_TABLE = 10_000_000
_DECILES = 10


@dataclass(frozen=True)
class LabelledTexts:
    """Texts, and their labels as numbers."""

    texts: Sequence[str]
    labels: Ints
    """int[texts]"""
    totals: Ints
    """int[labels], the texts of each label."""

    @cached_property
    def words(self) -> NumberedTexts[str]:
        """The words of the texts, in lower case."""
        return number_texts(self.texts, lowered_words)


@dataclass(frozen=True)
class DocumentCounts(Generic[F]):
    """Features of one kind and their documents by label."""

    kind: str
    names: list[F]
    counts: Ints
    """int[features, labels]"""
    places: tuple[Ints, Ints, Ints] | None = None
    """Key and document of each occurrence (documents ascend), and the key of each feature."""

    def presence(self, documents: int) -> Any:
        """Which documents hold which feature: sparse, 0 or 1 [documents, features]."""
        import numpy as np
        from scipy.sparse import csr_array

        ids, rows, keys = self.places or (np.empty(0, dtype=np.int64),) * 3
        columns = _positions(ids, keys)
        inside = columns >= 0
        ends = np.concatenate([[0], np.cumsum(np.bincount(rows[inside], minlength=documents))])
        held = np.ones(int(inside.sum()), dtype=np.int8)
        shape = (documents, len(self.names))
        present = csr_array((held, columns[inside], ends), shape=shape)
        present.sum_duplicates()
        present.data[:] = 1
        return present

    def only(self, wanted: Flags) -> DocumentCounts[F]:
        """Some of the features: bool[features]."""
        import numpy as np

        names = [self.names[index] for index in np.flatnonzero(wanted).tolist()]
        places = self.places
        if places is not None:
            places = (places[0], places[1], places[2][wanted])
        return DocumentCounts(self.kind, names, self.counts[wanted], places)


def feature_counts(
    labelled: LabelledTexts, features: Callable[[str], Collection[F]], least: int, kind: str = ""
) -> DocumentCounts[F]:
    """Any features of texts that are in at least so many documents, as they first occur."""
    return _counted(kind, number_texts(labelled.texts, features), labelled, least)


def token_counts(labelled: LabelledTexts, least: int) -> DocumentCounts[str]:
    """Words in at least so many documents."""
    return _counted(TOKEN, labelled.words, labelled, least)


def format_counts(labelled: LabelledTexts, least: int) -> DocumentCounts[str]:
    """Features of the format in at least so many documents."""
    return feature_counts(labelled, lambda text: list(formats(text)), least, FORMAT)


def ngram_counts(
    labelled: LabelledTexts, least: int, longest: int
) -> Iterator[DocumentCounts[str]]:
    """N-grams of 2 to ``longest`` words in at least so many documents, size by size."""
    import numpy as np

    words = labelled.words
    keys, _ = _count(words.ids, words.documents, labelled, least)
    names = [words.names[key] for key in keys.tolist()]
    grams = _positions(words.ids, keys)
    for size in range(2, longest + 1):
        documents = words.documents[: max(len(words.ids) - size + 1, 0)]
        inside = (grams[:-1] >= 0) & (grams[1:] >= 0)
        inside &= documents == words.documents[size - 1 :]
        joined = grams[:-1][inside].astype(np.int64) * len(names) + grams[1:][inside]
        keys, counts = _count(joined, documents[inside], labelled, least)
        # N-grams that overlap are joined: "on the" and "the road" give "on the road".
        pairs = [divmod(key, len(names)) for key in keys.tolist()]
        names = [f"{names[first]} {names[second].rpartition(' ')[2]}" for first, second in pairs]
        grams = np.full(len(documents), -1, dtype=np.int32)
        grams[inside] = _positions(joined, keys)
        numbers = np.arange(len(names), dtype=np.int64)
        yield DocumentCounts(ngram_kind(size), names, counts, (grams, documents, numbers))


def position_counts(labelled: LabelledTexts, least: int) -> Iterator[DocumentCounts[str]]:
    """First words and last words in at least so many documents."""
    import numpy as np

    words = labelled.words
    documents = np.flatnonzero(np.diff(words.ends))
    first = words.ends[documents]
    last = words.ends[documents + 1] - 1
    for kind, places in ((FIRST_WORD, first), (LAST_WORD, last)):
        ids = words.ids[places]
        keys, counts = _count(ids, documents, labelled, least)
        names = [words.names[key] for key in keys.tolist()]
        yield DocumentCounts(kind, names, counts, (ids, documents, keys))


def length_counts(labelled: LabelledTexts) -> Iterator[DocumentCounts[str]]:
    """Texts up to each tenth of the lengths, and longer ones, in words and in characters."""
    import numpy as np

    characters = np.array([len(text) for text in labelled.texts])
    for unit, sizes in (("words", np.diff(labelled.words.ends)), ("characters", characters)):
        steps = np.quantile(sizes, np.arange(1, _DECILES) / _DECILES, method="lower")
        names = []
        counts = []
        for step in np.unique(steps).tolist():
            short = np.bincount(labelled.labels[sizes <= step], minlength=len(labelled.totals))
            names += [f"at most {step} {unit}", f"over {step} {unit}"]
            counts += [short, labelled.totals - short]
        yield DocumentCounts(f"length in {unit}", names, np.array(counts, dtype=np.int64))


def presence(numbered: NumberedTexts[F], features: Sequence[F]) -> Any:
    """Which documents hold which of some features: sparse, 0 or 1 [documents, features]."""
    import numpy as np
    from scipy.sparse import csr_array

    column_of = np.full(len(numbered.numbers), -1)
    for column, feature in enumerate(features):
        if feature in numbered.numbers:
            column_of[numbered.numbers[feature]] = column
    columns = column_of[numbered.ids]
    cells = numbered.documents.astype(np.int64) * len(features) + columns
    present = np.unique(cells[columns >= 0])
    shape = (len(numbered), len(features))
    places = np.divmod(present, max(len(features), 1))
    return csr_array((np.ones(len(present)), places), shape=shape)


def label_counts(present: Any, labels: Ints, kinds: int) -> Ints:
    """Documents of each label that hold each feature: int[features, labels].

    ``present`` is a sparse matrix, 0 or 1 for documents by features; ``labels`` numbers each
    document's label, from 0 to ``kinds`` - 1.
    """
    import numpy as np
    from scipy.sparse import csr_array

    ones = np.ones(len(labels), dtype=np.int64)
    indicator = csr_array((ones, (np.arange(len(labels)), labels)), shape=(len(labels), kinds))
    return np.asarray((present.T.astype(np.int64) @ indicator).todense(), dtype=np.int64)


def _counted(
    kind: str, numbered: NumberedTexts[F], labelled: LabelledTexts, least: int
) -> DocumentCounts[F]:
    keys, counts = _count(numbered.ids, numbered.documents, labelled, least)
    names = [numbered.names[key] for key in keys.tolist()]
    return DocumentCounts(kind, names, counts, (numbered.ids, numbered.documents, keys))


def _count(keys: Ints, documents: Ints, labelled: LabelledTexts, least: int) -> tuple[Ints, Ints]:
    """Keys in at least so many documents, and their documents by label; documents ascend."""
    import numpy as np

    kinds = len(labelled.totals)
    pieces = [_sorted_counts(np.empty(0, dtype=np.int64))]
    for start in range(0, len(labelled.labels), _BLOCK):
        low, high = np.searchsorted(documents, [start, start + _BLOCK])
        inside = documents[low:high].astype(np.int64) - start
        pairs, _ = _sorted_counts(keys[low:high].astype(np.int64) * _BLOCK + inside)
        cells = pairs // _BLOCK * kinds + labelled.labels[pairs % _BLOCK + start]
        pieces.append(_sorted_counts(cells))
    repeated_cells = np.concatenate([cells for cells, _ in pieces])
    order = np.argsort(repeated_cells, kind="stable")
    cells, repeats = _sorted_counts(repeated_cells)
    held = np.concatenate([sizes for _, sizes in pieces])[order]
    held = np.add.reduceat(held, np.cumsum(repeats) - repeats) if len(cells) else held
    different, repeats = _sorted_counts(cells // kinds)
    rows = np.repeat(np.arange(len(different)), repeats)
    frequent = np.bincount(rows, weights=held, minlength=len(different)) >= least
    wanted = frequent[rows]
    counts = np.zeros((int(frequent.sum()), kinds), dtype=np.int64)
    counts[(np.cumsum(frequent) - 1)[rows[wanted]], (cells % kinds)[wanted]] = held[wanted]
    return different[frequent], counts


def _sorted_counts(values: Ints) -> tuple[Ints, Ints]:
    """The different values in order, and how often each occurs: by sorting, which needs no hash."""
    import numpy as np

    ordered = np.sort(values)
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    return ordered[starts], np.diff(starts, append=len(ordered))


def _positions(ids: Ints, keys: Ints) -> Ints:
    """The place of each id among the sorted keys; -1 where it is not one of them: int[ids]."""
    import numpy as np

    places: Ints = np.full(len(ids), -1, dtype=np.int32)
    if not len(keys):
        return places
    small = int(keys[-1]) < _LARGEST_TABLE
    if small:  # looked up in a table, which is faster than a search
        table = np.full(int(keys[-1]) + 2, -1, dtype=np.int32)
        table[keys] = np.arange(len(keys), dtype=np.int32)
    for start in range(0, len(ids), _BLOCK_OF_IDS):
        block = ids[start : start + _BLOCK_OF_IDS]
        if small:
            # What is beyond the last key is at the table's end, which holds no place.
            places[start : start + len(block)] = table[np.minimum(block, len(table) - 1)]
        else:
            nearest = np.minimum(np.searchsorted(keys, block), len(keys) - 1)
            places[start : start + len(block)] = np.where(keys[nearest] == block, nearest, -1)
    return places
