"""Cues: what gives a label away, with the features that belong together as one.

The features are those of ``augkit check``, with its statistic. "marta", "kowalski" and "by marta"
occur in the same rows or contain one another: they are one cue, and the strongest stands for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from augkit.commands.check.associations import failing_features, holds
from augkit.commands.check.contract import ASSOCIATIONS, CheckContract
from augkit.commands.check.rows import CheckedRows
from augkit.core.errors import ConfigError, did_you_mean
from augkit.lexicons.load import closed_classes
from augkit.text.features.kinds import FIRST_WORD, FORMAT, LAST_WORD, lowered_words, ngram_kind
from augkit.text.features.statistics import phi_coefficients

_SAME_ROWS = 0.8
"""Features of different words are one cue from this share of common rows on."""
_NESTED_ROWS = 0.5
"""So are features that contain one another, from this share of the weaker one's rows on."""
_MOST_FEATURES = 300
"""Features that are grouped: the strongest."""
_SIGN, _ENDS = "sign ", "ends with "


@dataclass(frozen=True)
class CueFeature:
    """A surface feature of one field and the label that it goes with."""

    field: str
    kind: str
    name: str
    label: str
    phi: float
    rows: int
    with_label: int

    @property
    def words(self) -> tuple[str, ...]:
        """Its words; none where it is a format or a length."""
        if self.kind == FORMAT or self.kind.startswith("length"):
            return ()
        return tuple(self.name.split(" "))

    def is_in(self, text: str) -> bool:
        """Whether a text has it."""
        return holds(self.kind, self.name, text)


@dataclass(frozen=True)
class Cue:
    """Features that belong together, the strongest first, and whether they are a shortcut."""

    features: tuple[CueFeature, ...]
    is_likely: bool = False
    """Whether it is likely a shortcut; otherwise it may belong to the label."""
    reason: str = ""
    """Why it is taken for the one or the other."""
    is_name: bool = False
    formula: tuple[str, ...] = ()
    """The words around it that are the same in most of its rows, with itself."""

    @property
    def first(self) -> CueFeature:
        """The strongest feature, which stands for the cue."""
        return self.features[0]

    @property
    def field(self) -> str:
        """The field that it is in."""
        return self.first.field

    @property
    def label(self) -> str:
        """The label that it points to."""
        return self.first.label

    @property
    def sign(self) -> str:
        """The punctuation that it is, as "!"; "" for other cues."""
        if self.first.kind != FORMAT:
            return ""
        for start in (_SIGN, _ENDS):
            if self.first.name.startswith(start):
                mark = self.first.name.removeprefix(start)
                return "" if mark[:1].isalnum() or mark == "a digit" else mark
        return ""

    @cached_property
    def phrase(self) -> tuple[str, ...]:
        """The longest run of its words that is in most of its rows."""
        usual = [
            feature.words
            for feature in self.features
            if feature.words and feature.rows >= _SAME_ROWS * self.first.rows
        ]
        return max((*usual, self.formula), key=len, default=())

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Its words without those that only grammar needs, unless it has no others."""
        words = dict.fromkeys(
            word
            for feature in self.features
            if feature.rows >= _NESTED_ROWS * self.first.rows
            for word in feature.words
        )
        content = [word for word in words if word not in closed_classes()]
        return tuple(content or words)

    @property
    def title(self) -> str:
        """The cue in words, as in a sentence.

        >>> feature = CueFeature("text", "first word", "the", "no", 0.4, 80, 60)
        >>> Cue((feature,)).title
        "first word 'the'"
        """
        if not self.first.words:
            return self.first.name
        position = f"{self.first.kind} " if self.first.kind in {FIRST_WORD, LAST_WORD} else ""
        return f"{position}'{self.first.name}'"

    @property
    def also(self) -> tuple[str, ...]:
        """The names of its further features."""
        names = dict.fromkeys(feature.name for feature in self.features)
        return tuple(name for name in names if name != self.first.name)

    def is_in(self, text: str) -> bool:
        """Whether a text has it."""
        return self.first.is_in(text)

    def record(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {
            "cue": self.first.name,
            "kind": self.first.kind,
            "also": list(self.also),
            "field": self.field,
            "label": self.label,
            "association": self.first.phi,
            "rows": self.first.rows,
            "with_label": self.first.with_label,
            "likely_shortcut": self.is_likely,
            "reason": self.reason,
        }


def find_cues(rows: CheckedRows, contract: CheckContract | None = None) -> list[Cue]:
    """What fails the checks of ``augkit check``, in groups, the strongest association first.

    Lengths come last: a phrase that is added to some texts makes them longer, too.
    """
    contract = CheckContract() if contract is None else contract
    alpha = contract.alpha / contract.tests
    features = [
        CueFeature(
            feature.field.name,
            feature.kind,
            feature.name,
            rows.label_names[feature.label],
            feature.phi,
            feature.rows,
            feature.with_label,
        )
        for check in ASSOCIATIONS
        if (section := contract.association(check))
        for feature in failing_features(check, rows, section, alpha)[0]
    ]
    features.sort(
        key=lambda feature: (
            feature.kind.startswith("length"),
            -feature.phi,
            -len(feature.words),
            feature.name,
        )
    )
    return grouped_cues(rows, features[:_MOST_FEATURES])


def grouped_cues(rows: CheckedRows, features: Sequence[CueFeature]) -> list[Cue]:
    """The features in groups: each joins the first cue that it belongs to, or begins one."""
    groups: list[list[CueFeature]] = []
    columns = {name: rows.columns[name].texts for name in {f.field for f in features}}
    spaced = {
        name: [f" {' '.join(lowered_words(text))} " for text in texts]
        for name, texts in columns.items()
    }
    holders = [_holders(f, columns[f.field], spaced[f.field]) for f in features]
    members: list[list[int]] = []
    for number, feature in enumerate(features):
        for group, numbers in zip(groups, members, strict=True):
            if any(
                _belong_together(features[member], feature, holders[member], holders[number])
                for member in numbers
            ):
                group.append(feature)
                numbers.append(number)
                break
        else:
            groups.append([feature])
            members.append([number])
    return [Cue(tuple(group)) for group in groups]


def _holders(feature: CueFeature, texts: Sequence[str], spaced: Sequence[str]) -> frozenset[int]:
    """The numbers of the texts with a feature; ``spaced`` are their words between spaces."""
    if feature.words and feature.kind not in {FIRST_WORD, LAST_WORD}:
        words = f" {feature.name} "
        return frozenset(number for number, text in enumerate(spaced) if words in text)
    return frozenset(number for number, text in enumerate(texts) if feature.is_in(text))


def _belong_together(
    first: CueFeature, second: CueFeature, rows: AbstractSet[int], more: AbstractSet[int]
) -> bool:
    """Whether the second, weaker feature is of the cue of the first; ``more`` are its rows."""
    if (first.field, first.label) != (second.field, second.label):
        return False
    common = len(rows & more)
    if common >= _SAME_ROWS * max(len(rows), len(more)):
        return True
    shorter, longer = sorted((f" {' '.join(f.words)} " for f in (first, second)), key=len)
    nested = bool(shorter.strip()) and shorter in longer
    return nested and common >= _NESTED_ROWS * len(more)


def chosen_cues(rows: CheckedRows, cues: Sequence[Cue], names: Sequence[str]) -> list[Cue]:
    """The cues that the user names: one that was found, or any words of the texts.

    Raises ``ConfigError`` where a name is in no text, or where it says nothing about the label.
    """
    chosen: list[Cue] = []
    for name in names:
        written = " ".join(lowered_words(name)) or name.strip()
        named = [
            cue
            for cue in cues
            if any(written in {f.name.lower(), f.name.removeprefix(_SIGN)} for f in cue.features)
        ]
        cue = named[0] if named else _counted_cue(rows, name, written, cues)
        if cue not in chosen:
            chosen.append(cue)
    return chosen


def _counted_cue(rows: CheckedRows, name: str, written: str, cues: Sequence[Cue]) -> Cue:
    """Words that no check names, with the field and the label that they go with most."""
    size = len(lowered_words(name))
    kind, feature_name = (ngram_kind(size), written) if size else (FORMAT, _SIGN + written)
    counted = [
        feature
        for field in rows.fields
        for feature in _associations(rows, field, kind, feature_name)
    ]
    strongest = max(counted, key=lambda feature: feature.phi, default=None)
    if strongest is None:
        near = did_you_mean(written, [feature.name for cue in cues for feature in cue.features])
        raise ConfigError(
            f"--cue {name}: no text has it in {rows.source}.{near} `augkit shortcuts` lists what "
            "goes with a label"
        )
    if strongest.phi <= 0 or strongest.rows == len(rows.distinct):
        raise ConfigError(
            f"--cue {name}: it goes with no label ({strongest.rows:,} of {len(rows.distinct):,} "
            "different texts have it): there is nothing to fix about it"
        )
    return Cue((strongest,), is_likely=True, reason="you named it")


def _associations(rows: CheckedRows, field: str, kind: str, name: str) -> list[CueFeature]:
    """A feature against each label; none where no text has it."""
    import numpy as np

    column = rows.columns[field]
    has = np.array([holds(kind, name, text) for text in column.texts], dtype=bool)
    if not has.any():
        return []
    counts = np.bincount(column.labels[has], minlength=len(column.totals))
    phi = phi_coefficients(counts[None, :], column.totals)[0]
    return [
        CueFeature(field, kind, name, label, float(phi[number]), int(has.sum()), int(count))
        for number, (label, count) in enumerate(zip(rows.label_names, counts.tolist(), strict=True))
    ]
