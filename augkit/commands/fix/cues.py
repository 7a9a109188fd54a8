"""Cues: what gives a label away, with the features that belong together as one.

The features are those of ``augkit check``, with its statistic. "marta", "kowalski" and "by marta"
occur in the same rows or contain one another: they are one cue, and the strongest stands for it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any

from augkit.commands.check.associations import failing_features, holds
from augkit.commands.check.contract import ASSOCIATIONS, CheckContract
from augkit.commands.check.groups import (
    NESTED_ROWS,
    SAME_ROWS,
    feature_words,
    features_together,
)
from augkit.commands.check.rows import CheckedRows
from augkit.commands.fix.parts import STRONG
from augkit.core.errors import ConfigError, did_you_mean
from augkit.core.options import BETWEEN
from augkit.lexicons.label_order import LabelOrder
from augkit.lexicons.load import closed_classes
from augkit.text.features.kinds import FIRST_WORD, FORMAT, LAST_WORD, lowered_words, ngram_kind
from augkit.text.features.statistics import phi_coefficients, smallest_found
from augkit.text.printable import counted

_MOST_FEATURES = 300
"""Features that are grouped: the strongest."""
_ROWS_A_LABEL = 2
"""Fewer texts for each label, and the labels are no classes."""
_ENOUGH = 2000
"""With so many texts every strong association is found."""
PREDICTS = 0.5
"""A cue that removes at least this much of the doubt predicts its label where it is present."""
_SIGN, _ENDS = "sign ", "ends with "
_SHORTEST_RUN, _LOOKED_AT = 2, 5


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
    base: float = 0.0
    """The share of the label in all rows."""
    side: tuple[str, ...] = ()
    """The labels of the low or the high side of an order, where it goes with all of these."""

    @property
    def gain(self) -> float:
        """How much of the doubt about the label it removes: 0 none, 1 all of it.

        >>> CueFeature("text", "token", "the", "no", 0.4, 80, 60, base=0.5).gain
        0.5
        """
        share = self.with_label / self.rows
        return (share - self.base) / (1 - self.base) if self.base < 1 else 0.0

    @property
    def words(self) -> tuple[str, ...]:
        """Its words; none where it is a format or a length."""
        return feature_words(self.kind, self.name)

    def is_in(self, text: str) -> bool:
        """Whether a text has it."""
        return holds(self.kind, self.name, text)

    def goes_with(self, label: str | None) -> bool:
        """Whether it goes with a label, or with the side of an order that the label is on."""
        return label in (self.side or (self.label,))


@dataclass(frozen=True)
class Cue:
    """Features that belong together, the strongest first, and whether they are a shortcut."""

    features: tuple[CueFeature, ...]
    is_likely: bool = False
    """Whether it is likely a shortcut; otherwise it may belong to the label."""
    reason: str = ""
    """Why it is taken for the one or the other."""
    is_name: bool = False
    note = ""
    formula: tuple[str, ...] = ()
    """The words around it that are the same in most of its rows, with itself."""
    inside: str = ""
    """A word or number that it is a sign of, as in most of its rows; "" where it stands alone."""

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
    def name(self) -> str:
        """What ``--cue`` takes."""
        return _sign_of(self.first) or self.first.name

    @property
    def points_to(self) -> str:
        """Its label, quoted."""
        return f"'{self.label}'"

    def goes_with(self, label: str | None) -> bool:
        """Whether it points to a label."""
        return self.first.goes_with(label)

    @property
    def counts(self) -> str:
        """How many of the rows that have it have its label."""
        return f"{self.first.with_label:,} of {counted(self.first.rows, 'row')}"

    @property
    def strength(self) -> float:
        """Its association with the label."""
        return self.first.phi

    @property
    def is_usable(self) -> bool:
        """Whether it predicts its label where it is present, and is of words or signs."""
        return self.first.gain >= PREDICTS and bool(self.words or self.sign)

    @property
    def is_stuck(self) -> bool:
        """Whether it is strong and predicts its label, but is a form that no method takes out."""
        is_form = self.first.kind == FORMAT and not self.sign
        return is_form and self.first.gain >= PREDICTS and self.strength >= STRONG

    @property
    def sign(self) -> str:
        """The punctuation that it is, as "!"; "" for other cues, and inside of words."""
        return "" if self.inside else _sign_of(self.first)

    @property
    def is_ending(self) -> bool:
        """Whether it is the end of a text."""
        return self.first.name.startswith(_ENDS)

    @cached_property
    def phrase(self) -> tuple[str, ...]:
        """The longest run of its words that is in most of its rows."""
        usual = [
            feature.words
            for feature in self.features
            if feature.words and feature.rows >= SAME_ROWS * self.first.rows
        ]
        return max((*usual, self.formula), key=len, default=())

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Its words without those that only grammar needs, unless it has no others."""
        words = dict.fromkeys(
            word
            for feature in self.features
            if feature.rows >= NESTED_ROWS * self.first.rows
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
            return f"{self.first.name} (as in {self.inside})" if self.inside else self.first.name
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


def find_cues(rows: CheckedRows, order: LabelOrder | None = None) -> list[Cue]:
    """What fails the checks of ``augkit check``, in groups, the strongest association first.

    What says little where it is present comes after what predicts its label: "the" may be strong
    because another label lacks it. Lengths come last: a phrase that is added to some texts makes
    them longer, too. Labels with an order are also compared in halves: what 4 and 5 stars share
    goes with neither of them alone.
    """
    tested = [(rows, dict[str, tuple[str, ...]]())]
    if order is not None and (sides := order_sides(rows, order)):
        tested.append((in_sides(rows, sides), sides))
    features = [
        feature
        for some_rows, sides in tested
        for feature in _failing(some_rows, sides, families=len(tested))
    ]
    features.sort(
        key=lambda feature: (
            feature.kind.startswith("length"),
            feature.gain < PREDICTS,
            -feature.phi,
            -len(feature.words),
            feature.name,
        )
    )
    strongest = features[:_MOST_FEATURES]
    return grouped_cues(rows, [feature for feature in strongest if _is_in_a_part(feature, rows)])


def _is_in_a_part(feature: CueFeature, rows: CheckedRows) -> bool:
    """Whether its words are in one paragraph or message, not in two that follow one another."""
    if len(feature.words) < _SHORTEST_RUN:
        return True
    having = (text for text in rows.columns[feature.field].texts if feature.is_in(text))
    return any(
        feature.is_in(part) for text in islice(having, _LOOKED_AT) for part in text.split(BETWEEN)
    )


def _failing(
    rows: CheckedRows, sides: Mapping[str, tuple[str, ...]], *, families: int
) -> Iterator[CueFeature]:
    """What fails the checks, with its label or, where ``sides`` are given, its side."""
    contract = CheckContract()
    alpha = contract.alpha_of_rows / families
    shares = {name: column.totals / column.totals.sum() for name, column in rows.columns.items()}
    for check in ASSOCIATIONS:
        section = contract.association(check)
        for feature in failing_features(check, rows, section, alpha)[0] if section else ():
            label = rows.label_names[feature.label]
            if not sides or label in sides:
                yield CueFeature(
                    feature.field.name,
                    feature.kind,
                    feature.name,
                    label,
                    feature.phi,
                    feature.rows,
                    feature.with_label,
                    shares[feature.field.name][feature.label],
                    sides.get(label, ()),
                )


def order_sides(rows: CheckedRows, order: LabelOrder) -> dict[str, tuple[str, ...]]:
    """The name of each side of an order → its labels, where it has two or more."""
    ranked = [label for label in order.ranked if label in rows.label_names]
    sides = (tuple(label for label in ranked if order.side(label) == side) for side in (-1, 1))
    joins = {True: " or ", False: " to "}
    return {f"{side[0]}{joins[len(side) == 2]}{side[-1]}": side for side in sides if len(side) > 1}


def in_sides(rows: CheckedRows, sides: Mapping[str, tuple[str, ...]]) -> CheckedRows:
    """The rows with the sides of an order as labels; other labels stay."""
    name_of = {label: name for name, side in sides.items() for label in side}
    return replace(rows, labels=[name_of.get(label, label) for label in rows.labels])


def too_few(rows: CheckedRows) -> str:
    """Why nothing can be found in so few rows, or with so many labels; "" where much could be."""
    size, labels = len(rows.distinct), len(rows.label_names)
    if size < _ROWS_A_LABEL * labels:
        return (
            f"{labels:,} labels in {counted(size, 'different text')} are no classes, so nothing "
            "can be found. Name another column with --label-column"
        )
    contract = CheckContract()
    section = contract.association("tokens")
    if section is None or size > _ENOUGH:
        return ""
    alpha = contract.alpha_of_rows
    tests = failing_features("tokens", rows, section, alpha)[1]
    smallest = smallest_found(next(iter(rows.columns.values())).totals, tests, alpha)
    if smallest == float("inf"):
        return f"{counted(size, 'different text')} are too few to find a shortcut in"
    if smallest > STRONG:
        return f"In {size:,} different texts only an association of {smallest:.2f} or more is found"
    return ""


def grouped_cues(rows: CheckedRows, features: Sequence[CueFeature]) -> list[Cue]:
    """The features in groups: each joins the first cue that it belongs to, or begins one.

    One that goes with two labels counts with the first, stronger one.
    """
    strongest = {(f.field, f.kind, f.name): f for f in reversed(features)}
    features = [f for f in features if strongest[f.field, f.kind, f.name] is f]
    columns = {name: rows.columns[name].texts for name in {f.field for f in features}}
    groups = features_together(features, columns)
    cues = (Cue(tuple(features[number] for number in group)) for group in groups)
    return [replace(cue, inside=_inside(cue, columns[cue.field])) for cue in cues]


def _sign_of(feature: CueFeature) -> str:
    """The punctuation that a feature is, as "!"; "" for other features."""
    if feature.kind != FORMAT:
        return ""
    for start in (_SIGN, _ENDS):
        if feature.name.startswith(start):
            mark = feature.name.removeprefix(start)
            return "" if mark[:1].isalnum() or mark == "a digit" else mark
    return ""


def _inside(cue: Cue, texts: Sequence[str]) -> str:
    """The usual word or number that a sign is mostly inside of; "" where it mostly stands alone.

    >>> sign = Cue((CueFeature("text", FORMAT, "sign .", "no", 0.4, 80, 60),))
    >>> _inside(sign, ["See a.b.org, at 3.5 km"]), _inside(sign, ["It is 3.5 km. So. Go."])
    ('a.b.org', '')
    """
    sign = _sign_of(cue.first)
    if not sign or cue.is_ending:
        return ""
    within = re.compile(rf"(?<![^\W_])[^\W_]+(?:{re.escape(sign)}[^\W_]+)+")
    words = Counter(word for text in texts if sign in text for word in within.findall(text))
    inside = sum(word.count(sign) * count for word, count in words.items())
    is_mostly = 2 * inside > sum(text.count(sign) for text in texts)
    return words.most_common(1)[0][0] if is_mostly else ""


def chosen_cues(
    rows: CheckedRows, cues: Sequence[Cue], names: Sequence[str], order: LabelOrder | None = None
) -> list[Cue]:
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
        cue = named[0] if named else _counted_cue(rows, name, written, cues, order)
        if cue.inside:
            raise ConfigError(
                f"--cue {name}: it is inside of words or numbers ({cue.inside}), which no method "
                "takes apart. Name a whole word"
            )
        if cue not in chosen:
            chosen.append(cue)
    return chosen


def _counted_cue(
    rows: CheckedRows, name: str, written: str, cues: Sequence[Cue], order: LabelOrder | None
) -> Cue:
    """Words that no check names, with the field and the label that they go with most."""
    size = len(lowered_words(name))
    kind, feature_name = (ngram_kind(size), written) if size else (FORMAT, _SIGN + written)
    sides = {} if order is None else order_sides(rows, order)
    counted = [
        replace(feature, side=sides.get(feature.label, ()))
        for some_rows in (rows, *([in_sides(rows, sides)] if sides else ()))
        for field in rows.fields
        for feature in _associations(some_rows, field, kind, feature_name)
    ]
    strongest = max(counted, key=lambda feature: feature.phi, default=None)
    if strongest is None:
        near = did_you_mean(written, [feature.name for cue in cues for feature in cue.features])
        raise ConfigError(
            f"--cue {name}: no text has it{_in_longer_words(rows, written)} in {rows.source}."
            f"{near} `augkit shortcuts` lists what goes with a label"
        )
    if strongest.phi <= 0 or strongest.rows == len(rows.distinct):
        raise ConfigError(
            f"--cue {name}: it goes with no label ({strongest.rows:,} of {len(rows.distinct):,} "
            "different texts have it): there is nothing to fix about it"
        )
    cue = Cue((strongest,), is_likely=True, reason="you named it")
    return replace(cue, inside=_inside(cue, rows.columns[cue.field].texts))


def _in_longer_words(rows: CheckedRows, written: str) -> str:
    """Words that a name is a part of, as part of a sentence; "" where there are none."""
    longer: Counter[str] = Counter()
    for column in rows.columns.values():
        for text in column.texts:
            if written in text.lower():
                longer.update({word for word in lowered_words(text) if written in word})
    names = ", ".join(f"'{word}'" for word, _ in longer.most_common(3))
    return f" as a whole word ({names})" if names else ""


def is_new(cue: Cue, rows: CheckedRows, order: LabelOrder | None = None) -> bool:
    """Whether a cue of other rows says less than half as much about its label in these."""
    first = cue.first
    if first.side:
        rows = in_sides(rows, order_sides(rows, order) if order is not None else {})
    here = _associations(rows, first.field, first.kind, first.name)
    before = max((feature.phi for feature in here if feature.label == first.label), default=0.0)
    return 2 * before < first.phi


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
        CueFeature(
            field,
            kind,
            name,
            label,
            float(phi[number]),
            int(has.sum()),
            count,
            float(column.totals[number] / column.totals.sum()),
        )
        for number, (label, count) in enumerate(zip(rows.label_names, counts.tolist(), strict=True))
    ]
