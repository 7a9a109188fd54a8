"""The rows of a dataset with their features counted and tested, for whoever asks about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from augkit.core.types import Example
from augkit.shortcuts.association import ALPHA, LEAST_GAIN, LabelAssociation, Tests, run_tests
from augkit.shortcuts.cues import Cue, Feature, Task
from augkit.shortcuts.features import LEAST_TEXTS, CountedField, RowText, count_features
from augkit.shortcuts.grouping import group_associations
from augkit.shortcuts.judgement import judge_groups, read_task
from augkit.shortcuts.names import stable_name
from augkit.text.features.statistics import exact_p

FeatureKey = tuple[str, str]
"""Field and stable name: the same feature in two datasets."""


def feature_key(feature: Feature) -> FeatureKey:
    """Name a feature of any dataset with the same fields."""
    return feature.field, stable_name(feature)


@dataclass(frozen=True)
class Figures:
    """A feature and a label in one dataset."""

    rows: int
    """n, the different texts with the feature."""
    of_label: int
    """c, those of them that have the label."""
    base: float
    """b, the share of the label among all texts."""
    p: float
    """Of the exact test, corrected for all tests that could fail."""

    @property
    def share(self) -> float:
        """The share of the label among the texts with the feature; 0 where there are none."""
        return self.of_label / self.rows if self.rows else 0.0

    @property
    def gain(self) -> float:
        """(share - base) / (1 - base)."""
        return (self.share - self.base) / (1 - self.base) if self.base < 1 else 0.0

    def is_there(self, alpha: float = ALPHA) -> bool:
        """Tell whether the feature goes with the label: beyond chance, or by its effect."""
        is_strong = self.gain >= LEAST_GAIN and self.rows >= LEAST_TEXTS
        return self.share > self.base and (self.p <= alpha or is_strong)


@dataclass(frozen=True)
class CountedRows:
    """Labelled rows, their features by field, and all tests."""

    examples: Sequence[Example]
    fields: tuple[CountedField, ...]
    tests: Tests
    alpha: float = ALPHA

    @classmethod
    def read(cls, examples: Sequence[Example], alpha: float = ALPHA) -> CountedRows:
        """Count and test all features of rows with the same fields."""
        fields = count_features(examples)
        return cls(examples, tuple(fields), run_tests(fields, alpha), alpha)

    @cached_property
    def labels(self) -> dict[str, int]:
        """Label → its rows, by name: the order in which labels are numbered."""
        return dict(sorted(Counter(str(row.label) for row in self.examples).items()))

    @cached_property
    def label_names(self) -> list[str]:
        """The labels by their numbers."""
        return list(self.labels)

    @cached_property
    def task(self) -> Task:
        """What the labels say."""
        return read_task(self.examples)

    def judge(self, seed: int = 0) -> list[Cue]:
        """Group what was found and judge each group, the strongest first."""
        groups = group_associations(self.tests.found)
        return judge_groups(groups, self.label_names, self.task, seed)

    @cached_property
    def found(self) -> Mapping[FeatureKey, tuple[str, ...]]:
        """Features that pass the test → the labels that they go with."""
        labels: dict[FeatureKey, tuple[str, ...]] = {}
        for cue in self.tests.found:
            key = feature_key(cue.feature)
            labels[key] = (*labels.get(key, ()), self.label_name(cue))
        return labels

    def label_name(self, cue: LabelAssociation) -> str:
        """The name of the label of an association."""
        return self.label_names[cue.label]

    def figures(self, feature: Feature, label: str) -> Figures:
        """Count any feature and label, however rare, and test them as one of all."""
        import numpy as np

        counted = next((field for field in self.fields if field.name == feature.field), None)
        if counted is None or label not in self.labels:
            return Figures(0, 0, 0.0, 1.0)
        number = self.label_names.index(label)
        by_label = self._counts(counted, feature)
        totals = counted.texts.totals
        size = int(totals.sum())
        held = np.array([sum(by_label)])
        of_label = np.array([by_label[number]])
        p = float(exact_p(of_label, held, totals[[number]], size)[0]) * self.tests.corrected_for
        base = float(totals[number]) / size
        return Figures(int(held[0]), int(of_label[0]), base, min(1.0, p))

    def _counts(self, field: CountedField, feature: Feature) -> list[int]:
        """The texts of each label that have a feature."""
        import numpy as np

        place = self._places[field.name].get(feature)
        if place is not None:
            counts: list[int] = field.counts[place].tolist()
            return counts
        rows = (self.examples[row].fields for row in field.rows.tolist())
        has = np.array([RowText(fields).has(feature) for fields in rows], dtype=bool)
        rare: list[int] = np.bincount(
            field.texts.labels[has], minlength=len(self.label_names)
        ).tolist()
        return rare

    @cached_property
    def _places(self) -> Mapping[str, Mapping[Feature, int]]:
        """Field → feature → its place among the counts."""
        return {
            field.name: {feature: place for place, feature in enumerate(field.features)}
            for field in self.fields
        }
