"""Features of candidates against the winner, item by item: the checks of choice data.

A feature fails where a rule that goes by it alone finds the winner far more often than chance, and
this would hardly occur by chance. Both directions of a feature are tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, sqrt

from augkit.commands.check.choice_rows import CANDIDATES, CheckedChoices
from augkit.commands.check.contract import AssociationSection, NgramSection, fields_to_check
from augkit.commands.check.finding import CheckRun, Finding
from augkit.text.features.item_features import PLACE, ItemFeature, item_features
from augkit.text.features.within_items import RankedItems

WINNER = "winner"
"""What the features of choices go with, in place of a label."""
_SHOWN_ITEMS = 3
_LEAST_COVERAGE = 0.05
"""What varies in fewer items says little about the data, even where it is no chance."""
_LIMIT_WHERE_IT_VARIES = 0.1
"""Of a pair: the winner has more of it in 55 % of the items that differ."""


@dataclass(frozen=True)
class TestedFeatures:
    """The features of a check: how many were tested, which are strong, and the best as a ruler."""

    measure: Measure
    names: set[str]
    tests: int
    strong: list[ItemFeature]
    """Those over the limit, the strongest first."""
    ruler: ItemFeature | None
    """The feature by which alone the winner is found most often."""

    def failing(self, alpha: float) -> Iterator[tuple[ItemFeature, float]]:
        """The strong ones that are hardly chance, with their p-values, corrected for all tests."""
        for feature in self.strong:
            p = feature.ranked.p * self.tests
            if p <= alpha:
                yield feature, p


def tested_features(
    check: str, rows: CheckedChoices, section: AssociationSection
) -> TestedFeatures:
    """All features of one kind, as one family of exact tests."""
    allowed = {name.lower() for name in section.allow}
    measure = measures(check, section)
    tests = 0
    names = set[str]()
    strong = []
    ruler = None
    longest = section.longest if isinstance(section, NgramSection) else 1
    for feature in item_features(check, rows, measure.least_holders(rows), longest):
        if feature.name.lower() in allowed:
            continue
        names.add(feature.name)
        if ruler is None or feature.ranked.accuracy > ruler.ranked.accuracy:
            ruler = feature
        tests += measure.is_test(feature.ranked)
        if measure.is_test(feature.ranked) and measure.value(feature.ranked) > measure.limit:
            strong.append(feature)
    strong.sort(key=lambda feature: (-measure.value(feature.ranked), feature.phrase))
    return TestedFeatures(measure, names, tests, strong, ruler)


def check_item_features(
    check: str, rows: CheckedChoices, section: AssociationSection, alpha: float
) -> tuple[CheckRun, ItemFeature | None]:
    """The features of one kind that fail; and the best of all as a ruler."""
    fields_to_check(check, section.fields, (CANDIDATES,))
    tested = tested_features(check, rows, section)
    tests = tested.tests
    measure = tested.measure
    sampled = rows.whole is not None
    findings = [_finding(check, measure, *pair, sampled=sampled) for pair in tested.failing(alpha)]
    summary = (
        f"{len(tested.names):,} features in {tests:,} tests; limit: association {measure.limit:g}"
    )
    if check == PLACE and not tested.names:
        return CheckRun(check, "the rows name the winner, not its place", skipped=True), None
    units = len(set(rows.units))
    few = units < 10 and 0.5**units * max(tests, 1) > alpha
    if sampled:
        summary += f"; at most ±{measure.largest_error(rows):.3f} by sampling"
    if few:
        summary += f"; too few prompts or groups to find any: {units:,}"
    return CheckRun(check, summary, findings, skipped=few and not findings), tested.ruler


@dataclass(frozen=True)
class Measure:
    """What is compared with the limit: a feature's association in all items, or in those it splits.

    Words matter as far as they find the winner among all items. A length, or a kind of format, is
    a habit that shows in the items that differ in it, however many those are; a reward model
    learns it from them.
    """

    limit: float
    where_it_varies: bool

    def value(self, ranked: RankedItems) -> float:
        """The association of a feature."""
        return ranked.contrast if self.where_it_varies else ranked.association

    def is_test(self, ranked: RankedItems) -> bool:
        """Whether any winners could bring the feature over the limit."""
        if self.where_it_varies:
            return ranked.coverage >= _LEAST_COVERAGE
        return ranked.highest_association > self.limit

    def largest_error(self, rows: CheckedChoices) -> float:
        """How far an association of a sample is from that of all items, at most, in 95 %.

            1.96 · ½ / ((1 - chance) √n),  n = (Σ s)² / Σ s²

        s are the sizes of the units: n is their number where all have the same. A length or a
        format splits a part of them, and the smallest part that is tested counts.
        """
        sizes = Counter(rows.units).values()
        units = len(rows) ** 2 / sum(size**2 for size in sizes)
        split = units * (_LEAST_COVERAGE if self.where_it_varies else 1)
        return 0.98 / ((1 - rows.items.chance) * sqrt(split))

    def least_holders(self, rows: CheckedChoices) -> int:
        """A feature that fewer candidates hold is no test."""
        if self.where_it_varies:
            return max(1, ceil(_LEAST_COVERAGE * len(rows)))
        return rows.least_holders(self.limit)


def measures(check: str, section: AssociationSection) -> Measure:
    """How a check measures; its limit is the contract's, where the contract has one."""
    varies = check in {"length", "format"}
    chosen = "limit" in section.model_fields_set
    return Measure(section.limit if chosen or not varies else _LIMIT_WHERE_IT_VARIES, varies)


def _finding(
    check: str, measure: Measure, feature: ItemFeature, p: float, *, sampled: bool
) -> Finding:
    ranked = feature.ranked
    value = measure.value(feature.ranked)
    varies = measure.where_it_varies
    error = f" ±{ranked.error(where_it_varies=varies):.2f}" if sampled else ""
    there = " in those items" if measure.where_it_varies else ""
    message = (
        f"the winner {feature.phrase} in {ranked.share:.1%} of {len(ranked.varying):,} items that "
        f"differ in it; a rule that goes by it alone is right in {ranked.accuracy:.1%} of all "
        f"(chance {ranked.items.chance:.1%}): association {value:.2f}{error}{there} (limit "
        f"{measure.limit:g})"
    )
    shown = tuple(ranked.varying[ranked.won > 0][:_SHOWN_ITEMS].tolist())
    limit = measure.limit
    phrase = feature.phrase
    return Finding(check, message, value, limit, CANDIDATES, phrase, WINNER, min(1.0, p), shown)
