"""Features of candidates against the winner, item by item: the checks of choice data.

A feature fails where a rule that goes by it alone finds the winner far more often than chance, and
this would hardly occur by chance. Both directions of a feature are tests.
"""

from __future__ import annotations

from itertools import islice

from augkit.commands.check.choice_rows import CANDIDATES, CheckedChoices
from augkit.commands.check.contract import AssociationSection, NgramSection, fields_to_check
from augkit.commands.check.finding import CheckRun, Finding
from augkit.text.features.item_features import PLACE, ItemFeature, item_features

WINNER = "winner"
"""What the features of choices go with, in place of a label."""
_SHOWN_ITEMS = 3


def check_item_features(
    check: str, rows: CheckedChoices, section: AssociationSection, alpha: float
) -> tuple[CheckRun, ItemFeature | None]:
    """All features of one kind as one family of exact tests; and the best of them as a ruler.

    The ruler is the feature by which alone the winner is found most often.
    """
    fields_to_check(check, section.fields, (CANDIDATES,))
    allowed = {name.lower() for name in section.allow}
    tests, features, strong, ruler = 0, set[str](), [], None
    longest = section.longest if isinstance(section, NgramSection) else 1
    for feature in item_features(check, rows, rows.least_holders(section.limit), longest):
        if feature.name.lower() in allowed:
            continue
        features.add(feature.name)
        if ruler is None or feature.ranked.accuracy > ruler.ranked.accuracy:
            ruler = feature
        tests += feature.ranked.highest_association > section.limit
        if feature.ranked.association > section.limit:
            strong.append(feature)
    strong.sort(key=lambda feature: (-feature.ranked.association, feature.phrase))
    tested = [(feature, feature.ranked.p * tests) for feature in strong]
    findings = [_finding(check, section.limit, *pair) for pair in tested if pair[1] <= alpha]
    summary = f"{len(features):,} features, {tests:,} tests; association at most {section.limit:g}"
    if check == PLACE and not features:
        return CheckRun(check, "the rows name the winner, not its place", skipped=True), None
    units = len(set(rows.units))
    few = units < 10 and 0.5**units * max(tests, 1) > alpha
    if few:
        summary += f"; too few prompts or groups to find any: {units:,}"
    return CheckRun(check, summary, findings, skipped=few and not findings), ruler


def _finding(check: str, limit: float, feature: ItemFeature, p: float) -> Finding:
    ranked, value = feature.ranked, feature.ranked.association
    differing = int(ranked.varies.sum())
    message = (
        f"the winner {feature.phrase} in {ranked.share:.1%} of {differing:,} items that differ "
        f"in it; a rule that goes by it alone is right in {ranked.accuracy:.1%} of all (chance "
        f"{ranked.items.chance:.1%}): association {value:.2f} (limit {limit:g})"
    )
    hits = (number for number, hit in enumerate(ranked.varies & (ranked.hits > 0)) if hit)
    shown = tuple(islice(hits, _SHOWN_ITEMS))
    return Finding(check, message, value, limit, CANDIDATES, feature.phrase, WINNER, p, shown)
