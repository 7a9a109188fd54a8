"""In how many documents of each label a feature occurs: words, n-grams, positions, lengths, format.

Only features that enough documents hold are counted, so that memory stays small: an n-gram is at
most as frequent as its parts (the a-priori property of frequent sets, agrawal1994fast).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from augkit.check.field_texts import FieldTexts, TokenTable
from augkit.core.arrays import Ints

if TYPE_CHECKING:
    from augkit.check.field_texts import Integers

_BLOCK = 10_000
"""Documents that are counted at a time."""
_DECILES = 10
_FORMATS: dict[str, re.Pattern[str]] = {
    "a word in capitals": re.compile(r"\b[A-Z]{3,}\b"),
    "a digit": re.compile(r"\d"),
    "a link": re.compile(r"https?://|\bwww\.", re.IGNORECASE),
    "an e-mail address": re.compile(r"\w@\w[\w-]*\.\w"),
    "a hashtag or mention": re.compile(r"(?<!\w)[#@]\w"),
    "mark-up": re.compile(r"</?[A-Za-z][^<>]*>|&[a-z]+;"),
    "a line break": re.compile(r"[\n\r]"),
    "two spaces": re.compile(r"[ \t\u00a0]{2}"),
    "space at an end": re.compile(r"^\s|\s$"),
    "a small letter first": re.compile(r"^[^\w]*[a-z]"),
    "a capital first": re.compile(r"^[^\w]*[A-Z]"),
    "a character outside ASCII": re.compile(r"[^\x00-\x7f]"),
}
_SIGNS = re.compile(r"([^\w\s])(\1*)")


@dataclass(frozen=True)
class DocumentCounts:
    """Features of one field and their documents by label."""

    kind: str
    names: list[str]
    counts: Ints
    """int[features, labels]"""


def signs(text: str) -> Iterator[str]:
    """What is checked of the format of a text.

    >>> list(signs("WOW!! 42"))
    ['a word in capitals', 'a digit', 'a capital first', 'sign !!', 'ends with a digit']
    """
    for name, pattern in _FORMATS.items():
        if pattern.search(text):
            yield name
    for sign, more in _SIGNS.findall(text):
        yield f"sign {sign}{more[:2]}"
    if text and not text[-1].isalpha() and not text[-1].isspace():
        yield f"ends with {'a digit' if text[-1].isdigit() else text[-1]}"


def token_counts(table: TokenTable, field: FieldTexts, least: int) -> DocumentCounts:
    """Words in at least so many documents."""
    keys, counts = _count(table.ids, table.documents, field, least)
    return DocumentCounts("token", [table.vocabulary[key] for key in keys.tolist()], counts)


def ngram_counts(
    table: TokenTable, field: FieldTexts, least: int, longest: int
) -> Iterator[DocumentCounts]:
    """N-grams of 2 to ``longest`` words in at least so many documents, size by size."""
    import numpy as np

    keys, _ = _count(table.ids, table.documents, field, least)
    names = [table.vocabulary[key] for key in keys.tolist()]
    grams = _numbered(table.ids, keys)
    for size in range(2, longest + 1):
        first, second = grams[:-1], grams[1:]
        documents = table.documents[: max(len(table.ids) - size + 1, 0)]
        inside = (first >= 0) & (second >= 0)
        inside &= documents == table.documents[size - 1 :]
        joined = np.where(inside, first * max(len(names), 1) + second, -1)
        keys, counts = _count(joined[inside], documents[inside], field, least)
        names = [_joined(names, key) for key in keys.tolist()]
        grams = _numbered(joined, keys)
        yield DocumentCounts(f"{size}-gram", names, counts)


def position_counts(table: TokenTable, field: FieldTexts, least: int) -> Iterator[DocumentCounts]:
    """First words and last words in at least so many documents."""
    import numpy as np

    first = np.flatnonzero(np.diff(table.documents, prepend=-1))
    last = np.flatnonzero(np.diff(table.documents, append=-1))
    for kind, places in (("first word", first), ("last word", last)):
        keys, counts = _count(table.ids[places], table.documents[places], field, least)
        yield DocumentCounts(kind, [table.vocabulary[key] for key in keys.tolist()], counts)


def length_counts(table: TokenTable, field: FieldTexts) -> Iterator[DocumentCounts]:
    """Texts up to each tenth of the lengths, and longer ones, in words and in characters."""
    import numpy as np

    sizes = np.bincount(table.documents, minlength=len(field.texts))
    letters = np.array([len(text) for text in field.texts])
    for unit, values in (("words", sizes), ("characters", letters)):
        steps = np.quantile(values, np.arange(1, _DECILES) / _DECILES, method="lower")
        names, counts = [], []
        for step in np.unique(steps).tolist():
            short = np.bincount(field.labels[values <= step], minlength=len(field.totals))
            names += [f"at most {step} {unit}", f"over {step} {unit}"]
            counts += [short, field.totals - short]
        yield DocumentCounts(f"length in {unit}", names, np.array(counts, dtype=np.int64))


def _count(keys: Integers, documents: Integers, field: FieldTexts, least: int) -> tuple[Ints, Ints]:
    """Keys in at least so many documents, and their documents by label; documents ascend."""
    import numpy as np

    kinds, pieces = len(field.totals), []
    for start in range(0, len(field.texts), _BLOCK):
        low, high = np.searchsorted(documents, [start, start + _BLOCK])
        inside = documents[low:high].astype(np.int64) - start
        pairs = np.unique(keys[low:high].astype(np.int64) * _BLOCK + inside)
        cells = pairs // _BLOCK * kinds + field.labels[pairs % _BLOCK + start]
        pieces.append(np.unique(cells, return_counts=True))
    cells, where = np.unique(np.concatenate([cell for cell, _ in pieces]), return_inverse=True)
    held = np.bincount(where, weights=np.concatenate([n for _, n in pieces]))
    found, rows = np.unique(cells // kinds, return_inverse=True)
    frequent = np.bincount(rows, weights=held, minlength=len(found)) >= least
    place = np.cumsum(frequent) - 1
    counts = np.zeros((int(frequent.sum()), kinds), dtype=np.int64)
    kept = frequent[rows]
    counts[place[rows[kept]], (cells % kinds)[kept]] = held[kept]
    return found[frequent], counts


def _numbered(ids: Integers, keys: Integers) -> Ints:
    """The place of each id among the sorted keys; -1 where it is not one of them: int[ids]."""
    import numpy as np

    if not len(keys):
        return np.full(len(ids), -1, dtype=np.int64)
    place = np.minimum(np.searchsorted(keys, ids), len(keys) - 1)
    return np.where(keys[place] == ids, place, -1)


def _joined(names: list[str], key: int) -> str:
    """The n-gram of two that overlap: "on the" and "the road" give "on the road"."""
    first, second = divmod(key, len(names))
    return f"{names[first]} {names[second].rpartition(' ')[2]}"
