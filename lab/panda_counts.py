"""Words that a rewrite changes, counted beside those that a person changed; Table 2's measures."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

RESAMPLES = 1_000
_WORD = re.compile(r"[^\W_]+")
_APOSTROPHE = re.compile(r"(?:(?<=\w) +(?='(?:s|t|d|m|re|ve|ll)\b)|(?<=\w) +(?=n't\b)|')")
"""What people who rewrite a text add or leave out without changing a word: "did n't", "didnt"."""


@dataclass(frozen=True, slots=True)
class Row:
    """A rewrite by a person."""

    text: str
    rewrite: str
    word: str
    axis: str
    target: str
    source: str

    @property
    def request(self) -> tuple[str, str, str, str]:
        """What was asked; several people may have answered."""
        return self.text, self.word, self.axis, self.target


@lru_cache(maxsize=50_000)
def words(text: str) -> tuple[str, ...]:
    """The words that are compared, however an apostrophe or the space before it is written.

    >>> words("He said: 'Don't!' (2003).")
    ('he', 'said', 'dont', '2003')
    >>> words("Did n't Ann 's dog bark?") == words("Didn't Anns dog bark?")
    True
    """
    return tuple(_WORD.findall(_APOSTROPHE.sub("", text.casefold().replace("\u2019", "'"))))


def changed_words(before: str, after: str) -> Counter[str]:
    """The words of ``before`` that ``after`` has fewer of.

    >>> changed_words("He lost his keys, he said.", "She lost her keys, he said.")
    Counter({'he': 1, 'his': 1})
    """
    return Counter(words(before)) - Counter(words(after))


@dataclass
class Tally:
    """Sums by original: changed words in both, in the output, in the rewrite; and of rewrites."""

    counts: dict[str, list[float]] = field(default_factory=lambda: defaultdict(lambda: [0.0] * 11))

    def add(self, row: Row, output: str, *, rejected: bool = False, weight: float = 1.0) -> None:
        """Count an output beside a person's rewrite, under its original."""
        ours, theirs = changed_words(row.text, output), changed_words(row.text, row.rewrite)
        both, total = (ours & theirs).total(), ours.total() + theirs.total()
        values = (
            both,
            ours.total(),
            theirs.total(),
            1,
            2 * both / total if total else 1.0,
            words(output) == words(row.rewrite),
            rejected,
            both / ours.total() if ours else 0.0,
            bool(ours),
            both / theirs.total() if theirs else 0.0,
            bool(theirs),
        )
        sums = self.counts[row.text]
        for index, value in enumerate(values):
            sums[index] += weight * value

    def result(self) -> dict[str, Any]:
        """The rates over everything counted, with an interval over originals."""
        import numpy as np

        table = np.array(list(self.counts.values()))
        both, ours, theirs, n, mean, exact, rejected = table.sum(axis=0)[:7]
        draws = np.random.default_rng(0).multinomial(
            len(table), [1 / len(table)] * len(table), size=RESAMPLES
        )
        sums = draws @ table
        with np.errstate(invalid="ignore"):
            f1 = np.nan_to_num(2 * sums[:, 0] / (sums[:, 1] + sums[:, 2]))
        return {
            "originals": len(table),
            "rewrites": round(n),
            "precision": _ratio(both, ours),
            "recall": _ratio(both, theirs),
            "f1": _ratio(2 * both, ours + theirs),
            "mean_f1": _ratio(mean, n),
            "exact": _ratio(exact, n),
            "rejected": _ratio(rejected, n),
            "interval": [round(float(q), 3) for q in np.quantile(f1, [0.025, 0.975])],
            "by_original": _by_original(table[:, 7:], draws),
        }


def _by_original(sums: Any, draws: Any) -> dict[str, Any]:
    """Precision and recall as means over originals of the means over their rewrites.

    A column of sums has a row per original: precision, how many rewrites have one, recall, how
    many have one. A draw says how often each original is taken.
    """
    import numpy as np

    def mean(times: Any, part: int) -> Any:
        known = sums[:, part + 1] > 0
        each = sums[known, part] / sums[known, part + 1]
        return times[..., known] @ each / np.maximum(1, times[..., known].sum(axis=-1))

    def f1(times: Any) -> Any:
        precision, recall = mean(times, 0), mean(times, 2)
        return 2 * precision * recall / np.maximum(precision + recall, 1e-12)

    once = np.ones(len(sums))
    return {
        "precision": round(float(mean(once, 0)), 3),
        "recall": round(float(mean(once, 2)), 3),
        "f1": round(float(f1(once)), 3),
        "interval": [round(float(q), 3) for q in np.quantile(f1(draws), [0.025, 0.975])],
    }


def _ratio(part: float, whole: float) -> float:
    return round(float(part / whole), 3) if whole else 0.0


def edit_distance(left: Sequence[str], right: Sequence[str]) -> int:
    """The word-level Levenshtein distance, by Myers' bit vectors: a column is two integers.

    >>> edit_distance("they sing a song".split(), "they sings song".split())
    2
    """
    if not left:
        return len(right)
    places: dict[str, int] = defaultdict(int)
    for index, word in enumerate(left):
        places[word] |= 1 << index
    full, last = (1 << len(left)) - 1, 1 << (len(left) - 1)
    up, down, distance = full, 0, len(left)
    for word in right:
        equal = places.get(word, 0)
        across = (((equal & up) + up) ^ up) | equal
        rises, falls = (down | ~(across | up)) & full, up & across
        distance += bool(rises & last) - bool(falls & last)
        rises, falls = rises << 1 | 1, falls << 1
        up, down = (falls | ~(equal | down | rises)) & full, rises & (equal | down) & full
    return distance


def table_2(pairs: Sequence[tuple[str, str]], score: Any) -> dict[str, float]:
    """BLEU, Levenshtein and ROUGE-2 of (output, rewrite) pairs, by the scorer of tests/gold."""
    distances = [edit_distance(out.split(), ref.split()) for out, ref in pairs]
    return {
        "bleu": round(score.bleu(pairs), 2),
        "levenshtein": round(sum(distances) / len(pairs), 3),
        "rouge2": round(sum(score.rouge2(*pair) for pair in pairs) / len(pairs), 2),
    }
