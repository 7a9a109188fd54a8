"""Words and n-grams that go with a label, marked where they occur: what two finders are made of."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from typing_extensions import Self

from augkit.core.protocols import RegisteredFinder, Target
from augkit.core.types import Example
from augkit.text.features.kinds import surface_features
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
    def _by_key(self) -> dict[tuple[str, str, str], list[LabelFeature]]:
        """Field, kind and words in lower case → features."""
        features = defaultdict(list)
        for feature in self.features:
            features[feature.field, feature.kind, feature.feature.casefold()].append(feature)
        return features

    def _targets(self, field: str, text: str, label: str | None) -> Iterator[Target]:
        spans = word_spans(text)
        words = [text[start:end].casefold() for start, end in spans]
        for occurrence in surface_features(words, self._longest):
            start = spans[occurrence.first][0]
            end = spans[occurrence.last][1]
            key = field, occurrence.kind, occurrence.text
            for feature in self._by_key.get(key, ()):
                if label is None or feature.label == label:
                    reason = f"{feature.kind} {feature.feature} → {feature.label}"
                    yield Target(field, start, end, reason, feature.strength)

    @cached_property
    def _longest(self) -> int:
        return max((len(feature.feature.split()) for feature in self.features), default=1)


def strongest_first(targets: Iterable[Target]) -> list[Target]:
    """Targets by strength, then by position; of those with the same span, the strongest."""
    ranked = sorted(
        targets,
        key=lambda target: (-target.strength, target.field, target.start, target.end),
    )
    strongest: dict[tuple[str, int, int], Target] = {}
    for target in ranked:
        strongest.setdefault((target.field, target.start, target.end), target)
    return list(strongest.values())
