"""Words and n-grams that go with a label, marked where they occur: what two finders are made of."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from typing_extensions import Self

from augkit.core.protocols import RegisteredFinder, Target
from augkit.core.types import Example
from augkit.text.tokens import word_spans

_FILE = "features.json"


class LabelFeature(NamedTuple):
    """A feature of one field that gives a label away, and how strongly."""

    field: str
    kind: str
    """"token", "2-gram" ..., "first word" or "last word"."""
    feature: str
    label: str
    strength: float


@dataclass(frozen=True)
class LabelFeatureFinder(RegisteredFinder):
    """Marks the features of a row's own label; those of every label where a row has none."""

    features: tuple[LabelFeature, ...]

    def find(self, examples: Sequence[Example]) -> list[list[Target]]:
        """Where the features occur, the strongest first."""
        return [
            strongest_first(
                target
                for field, text in row.fields.items()
                for target in self._targets(field, text, row.label)
            )
            for row in examples
        ]

    def save(self, folder: Path) -> None:
        """Write the features as JSON."""
        text = json.dumps(self.features, ensure_ascii=True, indent=1)
        (folder / _FILE).write_text(text + "\n", encoding="ascii")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the features back."""
        rows = json.loads((folder / _FILE).read_text(encoding="ascii"))
        return cls(tuple(LabelFeature(*row) for row in rows))

    @cached_property
    def _known(self) -> dict[tuple[str, str, str], list[LabelFeature]]:
        known: dict[tuple[str, str, str], list[LabelFeature]] = {}
        for one in self.features:
            known.setdefault((one.field, one.kind, one.feature.casefold()), []).append(one)
        return known

    def _targets(self, field: str, text: str, label: str | None) -> Iterator[Target]:
        spans = word_spans(text)
        words = [text[start:end].casefold() for start, end in spans]
        for kind, feature, first, last in _occurrences(words, self._longest):
            for one in self._known.get((field, kind, feature), ()):
                if label is None or one.label == label:
                    reason = f"{kind} {one.feature} → {one.label}"
                    yield Target(field, spans[first][0], spans[last][1], reason, one.strength)

    @cached_property
    def _longest(self) -> int:
        return max((len(one.feature.split()) for one in self.features), default=1)


def _occurrences(words: Sequence[str], longest: int) -> Iterator[tuple[str, str, int, int]]:
    """Kind, feature, and the indices of the first and the last word, as in ``surface_features``."""
    if not words:
        return
    for size in range(1, longest + 1):
        kind = "token" if size == 1 else f"{size}-gram"
        for first in range(len(words) - size + 1):
            yield kind, " ".join(words[first : first + size]), first, first + size - 1
    yield "first word", words[0], 0, 0
    yield "last word", words[-1], len(words) - 1, len(words) - 1


def strongest_first(targets: Iterable[Target]) -> list[Target]:
    """Targets by strength, then by position; of those with the same span, the strongest."""
    ranked = sorted(targets, key=lambda one: (-one.strength, one.field, one.start, one.end))
    first: dict[tuple[str, int, int], Target] = {}
    for one in ranked:
        first.setdefault((one.field, one.start, one.end), one)
    return list(first.values())
