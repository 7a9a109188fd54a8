"""Variants that are left out because together they make a new shortcut.

What is new goes by the one definition (``association``, ``judgement``), with half of its bounds on
the effect.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from augkit.core.arrays import Flags, Floats, Ints
from augkit.core.types import Example, digest
from augkit.shortcuts.association import ALPHA, LEAST_CUE, LabelAssociation
from augkit.shortcuts.counted_rows import CountedRows
from augkit.shortcuts.cues import Feature
from augkit.shortcuts.features import CountedField, RowText, is_amount
from augkit.shortcuts.grouping import group_associations
from augkit.shortcuts.judgement import judge_groups
from augkit.text.features.document_counts import label_counts
from augkit.text.features.statistics import exact_p, phi_coefficients

NEW_SHORTCUT = "makes a new shortcut"
"""The reason for a variant that is left out."""
_GAIN = 0.25
_PHI = 0.1
"""Half of the bounds of a cue: variants are many, and many weak cues are one strong one."""
_MOST_PASSES = 12
Reason = tuple[str, str]
"""The feature and the label that would be a shortcut."""


def thin(originals: Sequence[Example], variants: Sequence[Example]) -> dict[str, Reason]:
    """Choose the variants to leave out: id → the feature and the label that they make a shortcut.

    A feature is new where it goes with a label beyond chance among originals and variants, and did
    not among the originals. The strongest is taken first: of its variants with that label those go
    that hold most others, until it is within chance.
    """
    if not originals or not variants:
        return {}
    table = _Table.read(originals, variants)
    gone: dict[str, Reason] = {}
    for _ in range(_MOST_PASSES):
        new = list(table.new_shortcuts())
        taken = [reason for association in new for reason in table.take(association, new)]
        if not taken:
            break
        gone.update(taken)
    return gone


@dataclass
class _Table:
    """Originals and variants, which of the variants stay, and what is new among all."""

    before: CountedRows
    together: CountedRows
    staying: Flags
    """bool[rows]"""
    is_variant: Flags
    """bool[rows]"""
    verdicts: dict[tuple[Feature, int], bool]
    """A feature and a label → whether that would be a new shortcut."""

    @classmethod
    def read(cls, originals: Sequence[Example], variants: Sequence[Example]) -> _Table:
        """Count the features of both."""
        import numpy as np

        rows = [*originals, *variants]
        is_variant = np.arange(len(rows)) >= len(originals)
        staying = np.ones(len(rows), dtype=bool)
        return cls(CountedRows.read(originals), CountedRows.read(rows), staying, is_variant, {})

    def new_shortcuts(self) -> Iterator[LabelAssociation]:
        """What goes with a label among the rows that stay, and did not before, strongest first."""
        found = [cue for field in self._fields for cue in field.significant(self)]
        found.sort(key=lambda cue: (-cue.strength, -len(cue.feature.name), cue.feature.name))
        self._judge([cue for cue in found if (cue.feature, cue.label) not in self.verdicts])
        for cue in found:
            if self.verdicts.get((cue.feature, cue.label), False):
                yield cue

    def take(
        self, association: LabelAssociation, new: Sequence[LabelAssociation]
    ) -> Iterator[tuple[str, Reason]]:
        """Let as many variants go as a feature needs to be within chance; their ids."""
        field = next(field for field in self._fields if field.counted is association.field)
        rows = field.removable(association, self)
        number = min(field.surplus(association, self), len(rows))
        if number == 0:
            self.verdicts[association.feature, association.label] = False  # the originals make it
        held = field.held_of(new)
        ranked = sorted(rows, key=lambda row: (-held[field.counted.of_rows[row]], self.name(row)))
        for row in ranked[:number]:
            self.staying[row] = False
            label = self.together.label_names[association.label]
            yield self.together.examples[row].id, (association.feature.name, label)

    def name(self, row: int) -> str:
        """What orders rows that are alike, whatever their place."""
        return digest(self.together.examples[row].id)

    def is_within_chance(self, p: Floats) -> Flags:
        """Tell for p-values whether chance explains them, corrected for all tests: bool[tests]."""
        within: Flags = p * self.together.tests.corrected_for > ALPHA
        return within

    def _judge(self, found: Sequence[LabelAssociation]) -> None:
        """Keep what would be a shortcut and was none before."""
        names = self.together.label_names
        groups = group_associations(found)
        cues = judge_groups(groups, names, self.before.task, 0)
        for group, cue in zip(groups, cues, strict=True):
            for member in group.members:
                was = self.before.figures(member.feature, cue.label)
                is_new = was.share <= was.base or was.p > ALPHA
                self.verdicts[member.feature, member.label] = is_new and cue.is_shortcut

    @cached_property
    def _fields(self) -> list[_FieldTable]:
        return [_FieldTable(field, self.together.examples) for field in self.together.fields]


@dataclass(frozen=True)
class _FieldTable:
    """The features of one field, or of both together, in the texts of the rows."""

    counted: CountedField
    examples: Sequence[Example]

    def significant(self, table: _Table) -> Iterator[LabelAssociation]:
        """The features that go with a label beyond chance in the rows that stay."""
        import numpy as np

        alive = self._holders(table.staying) > 0
        texts = self.counted.texts
        totals = np.bincount(texts.labels[alive], minlength=len(texts.totals))
        counts = label_counts(self._present[alive], texts.labels[alive], len(totals))
        size = int(totals.sum())
        held = counts.sum(axis=1)
        strong = _is_strong(counts, held[:, None], totals, size, self._is_amount[:, None])
        numbers, labels = np.nonzero(strong & (held >= LEAST_CUE)[:, None])
        together = counts[numbers, labels]
        p = exact_p(together, held[numbers], totals[labels], size)
        phi = phi_coefficients(counts, totals)
        for index in np.flatnonzero(~table.is_within_chance(p)).tolist():
            number = int(numbers[index])
            label = int(labels[index])
            yield LabelAssociation(
                self.counted,
                number,
                label,
                int(held[number]),
                int(together[index]),
                float(totals[label] / size),
                float(phi[number, label]),
                float(p[index]),
            )

    def removable(self, association: LabelAssociation, table: _Table) -> list[int]:
        """Number the variants with a feature and its label whose text no original has."""
        import numpy as np

        has_feature = self._column(association.number)
        of_originals = self._holders(~table.is_variant) > 0
        open_texts = has_feature & ~of_originals
        open_texts &= self.counted.texts.labels == association.label
        rows = table.staying & table.is_variant & open_texts[self.counted.of_rows]
        numbers: list[int] = np.flatnonzero(rows).tolist()
        return numbers

    def surplus(self, association: LabelAssociation, table: _Table) -> int:
        """Count the texts that must go until a feature is within chance."""
        import numpy as np

        alive = self._holders(table.staying) > 0
        texts = self.counted.texts
        has_feature = self._column(association.number)[alive]
        has_label = texts.labels[alive] == association.label
        both = int((has_feature & has_label).sum())
        gone = np.arange(both + 1)
        held = int(has_feature.sum()) - gone
        labelled = int(has_label.sum()) - gone
        size = len(has_label) - gone
        is_amount = self._is_amount[association.number]
        is_weak = ~_is_strong(both - gone, held, labelled, size, is_amount)
        is_weak |= table.is_within_chance(exact_p(both - gone, held, labelled, size))
        return int(is_weak.argmax())

    def held_of(self, associations: Sequence[LabelAssociation]) -> Ints:
        """How many of some features each text holds: int[texts]."""
        import numpy as np

        numbers = [cue.number for cue in associations if cue.field is self.counted]
        chosen = np.zeros(self._present.shape[1], dtype=np.int64)
        chosen[numbers] = 1
        held: Ints = self._present.astype(np.int64) @ chosen
        return held

    def _holders(self, rows: Flags) -> Ints:
        """How many of some rows have each text: int[texts]."""
        import numpy as np

        texts = len(self.counted.texts.labels)
        return np.bincount(self.counted.of_rows[rows], minlength=texts)

    def _column(self, number: int) -> Flags:
        """Which texts have a feature: bool[texts]."""
        import numpy as np

        has = np.zeros(self._present.shape[0], dtype=bool)
        start, end = self._by_feature.indptr[number : number + 2]
        has[self._by_feature.indices[start:end]] = True
        return has

    @cached_property
    def _is_amount(self) -> Flags:
        """Which features are lengths or overlaps: bool[features]."""
        import numpy as np

        kinds = [feature.kind for feature in self.counted.features]
        return np.array([is_amount(kind) for kind in kinds], dtype=bool)

    @cached_property
    def _by_feature(self) -> Any:
        return self._present.tocsc()

    @cached_property
    def _present(self) -> Any:
        """Which texts have which features: sparse, 0 or 1 [texts, features]."""
        import numpy as np
        from scipy.sparse import csr_array, hstack

        features = self.counted.features
        words = [n for n, feature in enumerate(features) if not is_amount(feature.kind)]
        amounts = [n for n, feature in enumerate(features) if is_amount(feature.kind)]
        first = [RowText(self.examples[row].fields) for row in self.counted.rows.tolist()]
        has = np.array([[text.has(features[n]) for n in amounts] for text in first], dtype=np.int8)
        parts = [self.counted.presence(words), csr_array(has.reshape(len(first), len(amounts)))]
        together = hstack(parts, format="csc")
        back = np.argsort([*words, *amounts], kind="stable")
        return together[:, back].tocsr()


def _is_strong(together: Ints, held: Ints, labelled: Ints, size: Any, is_amount: Any) -> Flags:
    """Tell whether the gain, or of an amount φ alone, is over the bounds, count by count."""
    import numpy as np

    base = labelled / size
    gain = (together / np.maximum(held, 1) - base) / np.maximum(1 - base, 1e-12)
    spread = np.sqrt(np.maximum(held * (size - held) * labelled * (size - labelled), 1e-12))
    phi = (size * together - held * labelled) / spread
    strong: Flags = (gain > 0) & (((gain >= _GAIN) & ~is_amount) | (phi >= _PHI))
    return strong
