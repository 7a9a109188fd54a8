"""The token score: how strongly the words of a document and their positions suggest its label.

Eq. 12 of the paper compares documents in a space without token identity, so it misses a word that
occurs under one label only. This score keeps the paper's aim and keeps the words.

For a feature f (a word, a pair of neighbours, the first or last word, a mark: repeated punctuation,
emoji, capitals ...) and label y let z be

    z_f,y = (c_f,y - n_f p_y) / √(n_f p_y (1 - p_y))                    (gardner2021competency)

with n_f documents that hold f, c_f,y of them under y, and p_y the share of y. The score of a
document d of label y is the weight of its features for y less that of its features against y:

    score(d) = ‖z⁺‖₄ - ‖z⁻‖₄,     z⁺ = max(z, 0), z⁻ = max(-z, 0) over the features of d

counted without d itself, so that a word of d alone has no weight. The exponent 4 lies between the
sum (in which forty meaningless features drown one that matters) and the maximum (which sees only
one).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

from augkit.core.arrays import Flags, Floats, Ints
from augkit.core.errors import DataError
from augkit.english.rewriting.marks import MARK, find_marks
from augkit.text.features.kinds import FIRST_WORD, LAST_WORD, TOKEN, lowered_words, ngram_kind
from augkit.text.features.numbering import NumberedTexts, number_texts
from augkit.text.features.statistics import z_score

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Indices = NDArray[np.int32]

POWER = 4
MIN_DOCUMENTS = 5
"""Documents that must hold a feature before it counts as a shortcut."""
NOISE = 2.0
"""z up to which an association is noise."""
_BALANCED = 1.0
"""z at which a giveaway counts as removed."""
_REMEMBERED = 4096
"""Texts, or candidates of a text, whose codes are kept: a few blocks of rows."""
PAIR = ngram_kind(2)
_BITS = 24
_FIRST = (1 << _BITS) - 1
_LAST = (1 << _BITS) - 2
_MARK = (1 << _BITS) - 3
_HIGH = {TOKEN: 0, FIRST_WORD: _FIRST, LAST_WORD: _LAST, MARK: _MARK}
MAX_WORDS = _MARK - 2
"""Distinct words that a feature code has room for."""
CODED_DOCUMENTS = 1 << 14
"""Documents whose number fits beside a code."""


class FeatureStrength(NamedTuple):
    """A feature and how strongly it is associated with a label."""

    kind: str
    feature: str
    label: int
    z: float
    documents: int

    def record(self, labels: Sequence[str]) -> dict[str, object]:
        """As plain values for JSON."""
        return {**self._asdict(), "label": labels[self.label], "z": round(self.z, 3)}


class FeatureCounts:
    """Counts of every feature under every label; documents can be replaced one at a time."""

    def __init__(
        self, texts: Sequence[str], labels: Ints, classes: int, *, marks: bool = False
    ) -> None:
        """Count the features of all documents; ``labels`` are numbers below ``classes``.

        Marks are the features that are no words: repeated punctuation, emoji, capitals and so on.
        """
        import numpy as np

        self.totals = np.bincount(labels, minlength=classes)
        words = number_texts(texts, lowered_words)
        marked = number_texts(texts, find_marks if marks else lambda _text: (), words.numbers)
        self.word_ids = marked.numbers
        self._names = list(self.word_ids)
        codes, self._ends = all_codes(words, marked)
        self.codes, self._features = numbered(codes)
        label_of = np.repeat(labels.astype(np.int32), np.diff(self._ends))
        self.counts = np.stack(
            [
                np.bincount(self._features[label_of == label], minlength=len(self.codes))
                for label in range(classes)
            ],
            axis=1,
        )
        self._added: dict[int, Ints] = {}
        self._noted = np.empty(0, dtype=np.int64)
        self._codes = lru_cache(_REMEMBERED)(self._coded)

    @property
    def shares(self) -> Floats:
        """p_y: the share of each label."""
        import numpy as np

        return np.asarray(self.totals / max(int(self.totals.sum()), 1))

    def scores(self, labels: Ints) -> Floats:
        """The score of every document of the corpus, by the counts as they are now."""
        import numpy as np

        blocks = [_balance(z, rows, size) for rows, _, z, size in self._blocks(labels)]
        return np.concatenate([np.empty(0), *blocks])

    def max_z(self, labels: Ints) -> Floats:
        """The largest z among the features of every document, counted without it; at least 0."""
        import numpy as np

        held = self.counts.sum(axis=1) >= MIN_DOCUMENTS
        blocks = [np.empty(0)]
        for rows, features, z, documents in self._blocks(labels):
            largest = np.zeros(documents)
            np.maximum.at(largest, rows, z * held[features])
            blocks.append(largest)
        return np.concatenate(blocks)

    def _blocks(self, labels: Ints) -> Iterator[tuple[Ints, Indices, Floats, int]]:
        """Per block of documents: their numbers, features and z, and the size of the block."""
        import numpy as np

        totals = self.counts.sum(axis=1)
        for start in range(0, len(labels), CODED_DOCUMENTS):
            ends = self._ends[start : start + CODED_DOCUMENTS + 1]
            features = self._features[ends[0] : ends[-1]]
            rows = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
            label = labels[start : start + CODED_DOCUMENTS][rows]
            with_label = self.counts[features, label] - 1
            z = z_score(with_label, totals[features] - 1, self.shares[label])
            yield rows, features, z, len(ends) - 1

    def critical_z(self, alpha: float) -> float:
        """The z that any feature exceeds by chance with this probability (Bonferroni)."""
        tests = int((self.counts.sum(axis=1) >= MIN_DOCUMENTS).sum()) * len(self.totals)
        return -NormalDist().inv_cdf(min(alpha / max(tests, 1), 0.5))

    def find_giveaways(self, threshold: float) -> None:
        """Note the features with a z above ``threshold``: they count until they are balanced."""
        held = self.counts.sum(axis=1, keepdims=True)
        z = z_score(self.counts, held, self.shares) * (held >= MIN_DOCUMENTS)
        self._noted = self.codes[(z > threshold).any(axis=1)]

    def are_giveaways(self, codes: Ints) -> Flags:
        """Which codes ``find_giveaways`` noted."""
        return find_codes(codes, self._noted)[1]

    def giveaways(self, text: str, label: int, threshold: float) -> list[FeatureStrength]:
        """The features of a document of this label whose z is above ``threshold``, best first.

        Those that ``find_giveaways`` noted are among them until their z is at most 1.
        """
        codes, z, held = self._giveaways(text, label, threshold)
        strengths = [
            FeatureStrength(*decode_feature(code, self._names), label, *figures)
            for code, *figures in zip(codes.tolist(), z.tolist(), held.tolist(), strict=True)
        ]
        return sorted(strengths, key=lambda strength: -strength.z)

    def _giveaways(self, text: str, label: int, threshold: float) -> tuple[Ints, Floats, Ints]:
        codes = self._codes(text)[1]
        counts = self._counts_of(codes)
        held = counts.sum(axis=1)
        z = z_score(counts[:, label] - 1, held - 1, self.shares[label]) * (held >= MIN_DOCUMENTS)
        strong = (z > threshold) | ((z > _BALANCED) & self.are_giveaways(codes))
        return codes[strong], z[strong], held[strong]

    def lost_one(self, texts: Sequence[str], label: int, original: str, threshold: float) -> Flags:
        """Whether each text lacks one of the original's features with z above ``threshold``."""
        import numpy as np

        giveaways, _, _ = self._giveaways(original, label, threshold)
        rows, codes = self._codes(*texts)
        held = np.bincount(rows[find_codes(codes, giveaways)[1]], minlength=len(texts))
        return np.asarray(held < len(giveaways))

    def candidate_scores(self, texts: Sequence[str], label: int, original: str) -> Floats:
        """The score each text would have under this label instead of the original."""
        rows, codes = self._codes(*texts)
        counts = self._counts_of(codes)
        counts[:, label] -= find_codes(codes, self._codes(original)[1])[1]
        z = z_score(counts[:, label], counts.sum(axis=1), self.shares[label])
        return _balance(z, rows, len(texts))

    def max_new_z(self, texts: Sequence[str], label: int, original: str) -> Floats:
        """The largest z of the features that each text would introduce instead of the original.

        Features that fewer than ``MIN_DOCUMENTS`` documents would hold are not counted: under a
        rare label a single one has a large z. A text that introduces nothing has 0.
        """
        import numpy as np

        rows, codes = self._codes(*texts)
        fresh = ~find_codes(codes, self._codes(original)[1])[1]
        counts = self._counts_of(codes[fresh])
        held = counts.sum(axis=1) + 1
        z = z_score(counts[:, label] + 1, held, self.shares[label]) * (held >= MIN_DOCUMENTS)
        largest = np.zeros(len(texts))
        np.maximum.at(largest, rows[fresh], z)
        return largest

    def replace(self, label: int, before: str, after: str) -> None:
        """Replace a document of this label by another: O(its length)."""
        import numpy as np

        for text, change in ((before, -1), (after, 1)):
            codes = self._codes(text)[1]
            positions, counted = find_codes(codes, self.codes)
            self.counts[positions[counted], label] += change
            for code in codes[~counted].tolist():
                self._added.setdefault(code, np.zeros_like(self.totals))[label] += change

    def held(self, kind: str, feature: str) -> int:
        """How many documents hold a feature."""
        return int(self._counts_of_feature(kind, feature).sum())

    def strength_of(self, kind: str, feature: str, label: int) -> FeatureStrength:
        """How strongly a feature is associated with a label now."""
        counts = self._counts_of_feature(kind, feature)
        held = counts.sum(axis=1)
        z = z_score(counts[:, label], held, self.shares[label])
        return FeatureStrength(kind, feature, label, float(z[0]), int(held[0]))

    def _counts_of_feature(self, kind: str, feature: str) -> Ints:
        import numpy as np

        code = feature_code(kind, feature, self.word_ids)
        return self._counts_of(np.array([-1 if code is None else code], dtype=np.int64))

    def strongest(self, limit: int, min_documents: int = MIN_DOCUMENTS) -> list[FeatureStrength]:
        """The features most associated with a label, among those in enough documents."""
        import numpy as np

        counts = np.concatenate([self.counts, *(row[None] for row in self._added.values())])
        held = counts.sum(axis=1, keepdims=True)
        z = z_score(counts, held, self.shares) * (held >= min_documents)
        codes = [*self.codes.tolist(), *self._added]
        best = np.argsort(-z, axis=None, kind="stable")[:limit]
        classes = len(self.totals)
        return [
            FeatureStrength(
                *decode_feature(codes[flat // classes], self._names),
                flat % classes,
                float(z.flat[flat]),
                int(counts[flat // classes].sum()),
            )
            for flat in best.tolist()
        ]

    def _coded(self, *texts: str) -> tuple[Ints, Ints]:
        import numpy as np

        parts: list[Ints] = []
        for features in (lowered_words, find_marks):
            numbers = [[self._number(feature) for feature in features(text)] for text in texts]
            parts.append(np.array(list(chain.from_iterable(numbers)), dtype=np.int64))
            parts.append(np.cumsum([0, *map(len, numbers)]))
        return feature_codes(*parts)

    def _number(self, word: str) -> int:
        number = self.word_ids.setdefault(word, len(self._names))
        if number == len(self._names):
            self._names.append(word)
        return number

    def _counts_of(self, codes: Ints) -> Ints:
        import numpy as np

        positions, counted = find_codes(codes, self.codes)
        counts = np.zeros((len(codes), len(self.totals)), dtype=np.int64)
        counts[counted] = self.counts[positions[counted]]
        for index in np.flatnonzero(~counted).tolist():
            counts[index] = self._added.get(int(codes[index]), 0)
        return counts


def _balance(z: Floats, rows: Ints, documents: int) -> Floats:
    """‖z⁺‖₄ - ‖z⁻‖₄ over the features of each document."""
    import numpy as np

    fourth = z**POWER
    parts = [
        np.bincount(rows, np.where(side, fourth, 0.0), minlength=documents) ** (1 / POWER)
        for side in (z > 0, z < 0)
    ]
    return np.asarray(parts[0] - parts[1])


def feature_codes(ids: Ints, ends: Ints, marks: Ints, mark_ends: Ints) -> tuple[Ints, Ints]:
    """Words, 2-grams, first and last word and marks of each document, unique.

    The documents' numbers, and the codes of their features.

    Each feature is one integer, because integers sort and count far faster than strings: a million
    documents have some forty million features. A code holds two token ids of 24 bits; the first is
    0 for a single word (ids of 2-grams are shifted by one) and one of three reserved values for the
    first word, the last word and a mark. ``ids`` are the token ids of at most ``CODED_DOCUMENTS``
    documents, ``ends`` where each begins and ends, from 0 on; so too ``marks``.
    """
    import numpy as np

    if len(ids) and int(ids.max()) > MAX_WORDS:
        raise DataError(f"more than {MAX_WORDS:,} distinct words: score the dataset in parts")
    lengths = np.diff(ends)
    rows = np.repeat(np.arange(len(lengths)), lengths)
    same = rows[1:] == rows[:-1]
    not_empty = np.flatnonzero(lengths)
    packed = np.concatenate(
        [
            _packed(rows, 0, ids),
            _packed(rows[1:][same], ids[:-1][same] + 1, ids[1:][same]),
            _packed(not_empty, _FIRST, ids[ends[:-1][not_empty]]),
            _packed(not_empty, _LAST, ids[ends[1:][not_empty] - 1]),
            _packed(np.repeat(np.arange(len(lengths)), np.diff(mark_ends)), _MARK, marks),
        ]
    )
    packed = np.sort(packed)
    packed = packed[np.append(True, packed[1:] != packed[:-1])[: len(packed)]]
    return packed >> (2 * _BITS), packed & ((1 << 2 * _BITS) - 1)


def _packed(rows: Ints, high: Ints | int, low: Ints) -> Ints:
    import numpy as np

    return np.asarray((rows << (2 * _BITS)) | (np.asarray(high, dtype=np.int64) << _BITS) | low)


def feature_code(kind: str, words: str, numbers: Mapping[str, int]) -> int | None:
    """The code of a feature, by the ids of words; None where a word has none.

    >>> decode_feature(feature_code("2-gram", "not good", {"not": 0, "good": 1}), ["not", "good"])
    ('2-gram', 'not good')
    """
    parts = words.split(" ") if kind == PAIR else ["", words]
    low = numbers.get(parts[1])
    if low is None or (parts[0] and parts[0] not in numbers):
        return None
    high = numbers[parts[0]] + 1 if parts[0] else _HIGH[kind]
    return (high << _BITS) | low


def decode_feature(code: int, words: list[str]) -> tuple[str, str]:
    """The kind and the words of a code; ``words`` by their ids.

    >>> decode_feature(1, ["not", "good"]), decode_feature((1 << 24) | 1, ["not", "good"])
    (('token', 'good'), ('2-gram', 'not good'))
    """
    high = code >> _BITS
    low = words[code & ((1 << _BITS) - 1)]
    kind = next((name for name, number in _HIGH.items() if number == high), "")
    return (kind, low) if kind else (PAIR, f"{words[high - 1]} {low}")


def pair_words(codes: Ints) -> tuple[Flags, Ints, Ints]:
    """Which codes are those of 2-grams, and the ids of their first and second words."""
    high = codes >> _BITS
    pairs = (high > 0) & (high < _MARK)
    return pairs, high[pairs] - 1, codes[pairs] & ((1 << _BITS) - 1)


def all_codes(words: NumberedTexts[str], marks: NumberedTexts[str]) -> tuple[Ints, Ints]:
    """The feature codes of all documents one after another, and where those of each end."""
    import numpy as np

    blocks = [np.empty(0, dtype=np.int64)]
    sizes = [np.zeros(1, dtype=np.int64)]
    for start in range(0, len(words), CODED_DOCUMENTS):
        parts: list[Ints] = []
        for numbered_texts in (words, marks):
            ends = numbered_texts.ends[start : start + CODED_DOCUMENTS + 1]
            parts += [numbered_texts.ids[ends[0] : ends[-1]], ends - ends[0]]
        rows, codes = feature_codes(*parts)
        sizes.append(np.bincount(rows, minlength=len(parts[1]) - 1))
        blocks.append(codes)
    return np.concatenate(blocks), np.cumsum(np.concatenate(sizes))


def numbered(codes: Ints) -> tuple[Ints, Indices]:
    """The distinct codes in order, and the index of each code among them.

    As ``np.unique`` with its inverse, in half the memory.
    """
    import numpy as np

    order = np.argsort(codes, kind="stable")
    ordered = codes[order]
    new = np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)]
    positions = np.empty(len(codes), dtype=np.int32)
    positions[order] = np.cumsum(new, dtype=np.int32) - 1
    return ordered[new], positions


def find_codes(codes: Ints, ordered: Ints) -> tuple[Ints, Flags]:
    """The index of each code among those in order, and whether it is there."""
    import numpy as np

    if not len(ordered):
        return np.zeros_like(codes), np.zeros(len(codes), dtype=bool)
    positions = np.minimum(np.searchsorted(ordered, codes), len(ordered) - 1)
    return positions, ordered[positions] == codes
