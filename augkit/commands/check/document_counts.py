"""In how many documents of each label a feature occurs: words, n-grams, positions, lengths, format.

Only features that enough documents hold are counted, so that memory stays small: an n-gram is at
most as frequent as its parts (the a-priori property of frequent sets, agrawal1994fast).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from augkit.commands.check.field_texts import FieldTexts, TokenTable
from augkit.core.arrays import Ints

if TYPE_CHECKING:
    from augkit.commands.check.field_texts import Integers

_BLOCK = 10_000
"""Documents that are counted at a time."""
_DECILES = 10
_CAPITALS = re.compile(r"\b[A-Z]{3,}\b")
_DIGIT = re.compile(r"\d")
_LINK = re.compile(r"https?://|\bwww\.", re.IGNORECASE)
_ADDRESS = re.compile(r"\w@\w[\w-]*\.\w")
_TAG = re.compile(r"(?<!\w)[#@]\w")
_MARKUP = re.compile(r"</?[A-Za-z][^<>]*>|&[a-z]+;")
_SMALL_FIRST = re.compile(r"[^\w]*[a-z]")
_CAPITAL_FIRST = re.compile(r"[^\w]*[A-Z]")
# Where a sign must be there, it is searched first: that is many times as fast as the pattern.
_FORMATS: dict[str, Callable[[str], object]] = {
    "a word in capitals": _CAPITALS.search,
    "a digit": _DIGIT.search,
    "a link": lambda text: ("://" in text or "ww." in text.lower()) and _LINK.search(text),
    "an e-mail address": lambda text: "@" in text and _ADDRESS.search(text),
    "a hashtag or mention": lambda text: ("@" in text or "#" in text) and _TAG.search(text),
    "mark-up": lambda text: ("<" in text or "&" in text) and _MARKUP.search(text),
    "a line break": lambda text: "\n" in text or "\r" in text,
    "two spaces": lambda text: "  " in text,
    "space at an end": lambda text: text != text.strip(),
    "a small letter first": _SMALL_FIRST.match,
    "a capital first": _CAPITAL_FIRST.match,
    "a character outside ASCII": lambda text: not text.isascii(),
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
    for name, has in _FORMATS.items():
        if has(text):
            yield name
    for sign, more in dict.fromkeys(_SIGNS.findall(text)):
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
        documents = table.documents[: max(len(table.ids) - size + 1, 0)]
        inside = (grams[:-1] >= 0) & (grams[1:] >= 0)
        inside &= documents == table.documents[size - 1 :]
        joined = grams[:-1][inside].astype(np.int64) * len(names) + grams[1:][inside]
        keys, counts = _count(joined, documents[inside], field, least)
        names = [_joined(names, key) for key in keys.tolist()]
        grams = np.full(len(documents), -1, dtype=np.int32)
        grams[inside] = _numbered(joined, keys)
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
        pairs, _ = _sorted_counts(keys[low:high].astype(np.int64) * _BLOCK + inside)
        cells = pairs // _BLOCK * kinds + field.labels[pairs % _BLOCK + start]
        pieces.append(_sorted_counts(cells))
    found = np.concatenate([cells for cells, _ in pieces])
    order = np.argsort(found, kind="stable")
    cells, repeats = _sorted_counts(found)
    starts = np.cumsum(repeats) - repeats
    held = np.concatenate([n for _, n in pieces])[order]
    held = np.add.reduceat(held, starts) if len(cells) else held
    return _frequent(cells // kinds, cells % kinds, held, (kinds, least))


def _frequent(keys: Ints, labels: Ints, held: Ints, shape: tuple[int, int]) -> tuple[Ints, Ints]:
    """Keys (ascending) with enough documents, and their documents by label."""
    import numpy as np

    kinds, least = shape
    found, repeats = _sorted_counts(keys)
    rows = np.repeat(np.arange(len(found)), repeats)
    frequent = np.bincount(rows, weights=held, minlength=len(found)) >= least
    kept = frequent[rows]
    counts = np.zeros((int(frequent.sum()), kinds), dtype=np.int64)
    counts[(np.cumsum(frequent) - 1)[rows[kept]], labels[kept]] = held[kept]
    return found[frequent], counts


def _sorted_counts(values: Ints) -> tuple[Ints, Ints]:
    """The different values in order, and how often each occurs: by sorting, which needs no hash."""
    import numpy as np

    ordered = np.sort(values)
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    return ordered[starts], np.diff(starts, append=len(ordered))


def _numbered(ids: Integers, keys: Integers) -> Integers:
    """The place of each id among the sorted keys; -1 where it is not one of them: int[ids]."""
    import numpy as np

    if not len(keys):
        return np.full(len(ids), -1, dtype=np.int32)
    place = np.minimum(np.searchsorted(keys, ids), len(keys) - 1)
    return np.where(keys[place] == ids, place, -1).astype(np.int32)


def _joined(names: list[str], key: int) -> str:
    """The n-gram of two that overlap: "on the" and "the road" give "on the road"."""
    first, second = divmod(key, len(names))
    return f"{names[first]} {names[second].rpartition(' ')[2]}"
