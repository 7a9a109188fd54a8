"""Which texts a dataset has, in eight bytes each: a copied row is no new variant."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from typing_extensions import Self

from augkit.augmenters.llm_checks.written import WrittenText, plain_words
from augkit.core.json_files import load_json, save_json
from augkit.core.types import Example

if TYPE_CHECKING:
    from augkit.core.arrays import Ints

_HASHES = "hashes.npy"
_LABELS = "labels.json"
_SENTENCES = re.compile(r"(?<=[.!?])\s+|\n+")
_MIN_WORDS = 4
"""A shorter text may be the same by chance."""
_ORDINARY = 0.005
_FEW = 2
"""A label in more than this share of the texts, and in more than a few, is a word like others."""


@dataclass(frozen=True)
class DatasetRows:
    """The texts of a dataset as sorted hashes, and the labels whose names no text should gain."""

    hashes: Ints
    labels: tuple[str, ...] = ()

    @classmethod
    def of(cls, examples: Iterable[Example]) -> Self:
        """The texts and labels of these examples."""
        import numpy as np

        hashes: set[int] = set()
        labels: set[str] = set()
        seen: Counter[str] = Counter()
        rows = 0
        for row in examples:
            rows += 1
            labels.update([] if row.label is None else [row.label])
            for text in row.fields.values():
                words = plain_words(text)
                seen.update(set(words))
                if len(words) >= _MIN_WORDS:
                    hashes.add(_hash(words))
        most = max(_FEW, _ORDINARY * rows)
        rare = {name for name in labels if all(seen[word] <= most for word in plain_words(name))}
        ordered = np.fromiter(hashes, dtype=np.uint64, count=len(hashes))
        return cls(np.sort(ordered), tuple(sorted(rare)))

    def copied(self, text: WrittenText) -> str:
        """The text, or a sentence of it, that is another row of the dataset; "" for none."""
        for part in dict.fromkeys([text.after, *_SENTENCES.split(text.after)]):
            if text.lacks(part) and self._has(part):
                return part
        return ""

    def _has(self, text: str) -> bool:
        words = plain_words(text)
        if len(words) < _MIN_WORDS:
            return False
        wanted = _hash(words)
        index = bisect_left(self.hashes, wanted)
        return index < len(self.hashes) and int(self.hashes[index]) == wanted

    def save(self, folder: Path) -> None:
        """Write the hashes and the labels."""
        import numpy as np

        np.save(folder / _HASHES, self.hashes)
        save_json(folder / _LABELS, {"labels": self.labels})

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read them back; the hashes stay on the disk until they are looked up."""
        import numpy as np

        hashes = np.load(folder / _HASHES, mmap_mode="r")
        return cls(hashes, load_json(folder / _LABELS, lambda record: tuple(record["labels"])))


def copied_field(text: WrittenText, beside: Iterable[str]) -> str:
    """The text, where it is another field of its row or a sentence of one; else "".

    >>> text = WrittenText("It opened in 1931.", "The bridge is red.", "")
    >>> copied_field(text, ["It is old. The bridge is red."])
    'The bridge is red.'
    """
    words = plain_words(text.after)
    if len(words) < _MIN_WORDS:
        return ""
    parts = (part for field in beside for part in (field, *_SENTENCES.split(field)))
    return text.after if any(plain_words(part) == words for part in parts) else ""


def _hash(words: list[str]) -> int:
    key = blake2b(" ".join(words).encode("utf-8", "surrogatepass"), digest_size=8)
    return int.from_bytes(key.digest(), "big")
