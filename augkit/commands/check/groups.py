"""Features that belong together: "marta", "kowalski" and "by marta" are one cue, not three."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from augkit.commands.check.associations import holds
from augkit.core.arrays import Ints
from augkit.text.features.kinds import FIRST_WORD, FORMAT, LAST_WORD, lowered_words

SAME_ROWS = 0.8
"""Features of different words are one group from this share of common rows on."""
NESTED_ROWS = 0.5
"""So are features that contain one another, from this share of the weaker one's rows on."""


class NamedFeature(Protocol):
    """A surface feature of one field and the label that it goes with."""

    @property
    def field(self) -> str:
        """The field that it is in."""

    @property
    def kind(self) -> str:
        """A kind of ``text.features.kinds``, or a length."""

    @property
    def name(self) -> str:
        """Its words, its format or its bound."""

    @property
    def label(self) -> str:
        """The label."""


def feature_words(kind: str, name: str) -> tuple[str, ...]:
    """The words of a feature; none where it is a format or a length."""
    return () if kind == FORMAT or kind.startswith("length") else tuple(name.split(" "))


def features_together(
    features: Sequence[NamedFeature], texts: Mapping[str, Sequence[str]]
) -> list[list[int]]:
    """The numbers of features that belong together, by field and label; the first ones lead.

    Each joins the first group that it belongs to, or begins one. Two belong together where they
    are in the same texts, or where one contains the other and they share texts.

    Args:
        features: The strongest first.
        texts: Field → texts, all of them or a sample.
    """
    members: dict[tuple[str, str], list[int]] = {}
    for number, feature in enumerate(features):
        members.setdefault((feature.field, feature.label), []).append(number)
    holders = _Holders(features, texts)
    groups = []
    for (field, _), numbers in members.items():
        common = holders.common(field, numbers)
        groups += _joined([features[number] for number in numbers], numbers, common)
    return sorted(groups)


def _joined(
    features: Sequence[NamedFeature], numbers: Sequence[int], common: Ints
) -> list[list[int]]:
    """Groups of the features of one field and label; ``common``: int[features, features] texts."""
    sizes = common.diagonal()
    words = [f" {' '.join(feature_words(feature.kind, feature.name))} " for feature in features]
    groups: list[list[int]] = []
    group_of: list[int] = []
    for place in range(len(features)):
        shared, size = common[place, :place], sizes[place]
        same = (shared > 0) & (shared >= SAME_ROWS * sizes[:place].clip(size))
        near = (shared > 0) & (shared >= NESTED_ROWS * size)
        joins = [
            group_of[earlier]
            for earlier in near.nonzero()[0].tolist()
            if same[earlier] or _are_nested(words[earlier], words[place])
        ]
        group = min(joins, default=len(groups))
        if group == len(groups):
            groups.append([])
        groups[group].append(numbers[place])
        group_of.append(group)
    return groups


def _are_nested(first: str, second: str) -> bool:
    shorter, longer = sorted((first, second), key=len)
    return bool(shorter.strip()) and shorter in longer


class _Holders:
    """The texts that hold each feature."""

    def __init__(
        self, features: Sequence[NamedFeature], texts: Mapping[str, Sequence[str]]
    ) -> None:
        """Read the words of the texts once."""
        self._features, self._texts = features, texts
        wanted: dict[str, set[str]] = {feature.field: set() for feature in features}
        for feature in features:
            wanted[feature.field].update(feature_words(feature.kind, feature.name))
        self._spaced: dict[str, list[str]] = {}
        self._with_word: dict[tuple[str, str], set[int]] = {}
        for field, words in wanted.items():
            self._spaced[field] = []
            for number, text in enumerate(texts[field]):
                text_words = lowered_words(text)
                self._spaced[field].append(f" {' '.join(text_words)} ")
                for word in words.intersection(text_words):
                    self._with_word.setdefault((field, word), set()).add(number)

    def common(self, field: str, numbers: Sequence[int]) -> Ints:
        """int[features, features]: how many texts of a field hold two features."""
        import numpy as np
        from scipy.sparse import csr_array

        held = [list(self._of(self._features[number])) for number in numbers]
        ends = np.cumsum([0, *map(len, held)])
        columns = np.array([text for texts in held for text in texts], dtype=np.int64)
        shape = len(numbers), len(self._texts[field])
        holds_it = csr_array((np.ones(len(columns), dtype=np.int64), columns, ends), shape=shape)
        common: Ints = (holds_it @ holds_it.T).toarray()
        return common

    def _of(self, feature: NamedFeature) -> Iterator[int]:
        """The numbers of the texts with a feature."""
        words = feature_words(feature.kind, feature.name)
        texts, spaced = self._texts[feature.field], self._spaced[feature.field]
        if not words:
            for number, text in enumerate(texts):
                if holds(feature.kind, feature.name, text):
                    yield number
            return
        numbers = set.intersection(
            *(self._with_word.get((feature.field, word), set()) for word in words)
        )
        at_an_end = feature.kind in {FIRST_WORD, LAST_WORD}
        for number in sorted(numbers):
            if (
                holds(feature.kind, feature.name, texts[number])
                if at_an_end
                else f" {feature.name} " in spaced[number]
            ):
                yield number
