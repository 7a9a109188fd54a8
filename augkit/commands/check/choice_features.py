"""Features of candidates against the winner, item by item: the checks of choice data.

A feature fails where a rule that goes by it alone finds the winner far more often than chance, and
this would hardly occur by chance. Both directions of a feature are tests.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from math import ceil

from augkit.commands.check.choice_rows import CANDIDATES, CheckedChoices
from augkit.commands.check.contract import AssociationSection, NgramSection, fields_to_check
from augkit.commands.check.finding import CheckRun, Finding
from augkit.core.arrays import Floats
from augkit.text.features.amounts import FORMAT_AMOUNTS, LENGTHS, Amount, shared_with
from augkit.text.features.document_counts import (
    DocumentCounts,
    format_counts,
    ngram_counts,
    position_counts,
    token_counts,
)
from augkit.text.features.kinds import FIRST_WORD, FORMAT, LAST_WORD, formats, lowered_words
from augkit.text.features.within_items import RankedItems

WINNER = "winner"
"""What the features of choices go with, in place of a label."""
PLACE = "winner_place"
_SHOWN_ITEMS = 3


@dataclass(frozen=True)
class ItemFeature:
    """A feature in one direction, and how it ranks the candidates."""

    name: str
    """Without its direction, for ``allow``."""
    phrase: str
    """What the winner does: "has more characters"."""
    ranked: RankedItems


def item_features(
    check: str, rows: CheckedChoices, section: AssociationSection
) -> Iterator[ItemFeature]:
    """The features of a check, each in both directions."""
    if check == PLACE:
        yield from _places(rows)
    elif check == "length":
        yield from _amounts(rows, LENGTHS)
    elif check == "format":
        yield from _amounts(rows, FORMAT_AMOUNTS)
        shared = [shared_with(c.prompt, text) for c in rows.choices for text in c.candidates]
        yield from _both(rows, "words of the prompt", shared, is_amount=True)
        yield from _present(rows, format_counts(rows.labelled, _least(rows, section.limit)))
    else:
        for counted in _counted(check, rows, section):
            yield from _present(rows, counted)


def check_item_features(
    check: str, rows: CheckedChoices, section: AssociationSection, alpha: float
) -> tuple[CheckRun, ItemFeature | None]:
    """All features of one kind as one family of exact tests; and the best of them as a ruler.

    The ruler is the feature by which alone the winner is found most often.
    """
    fields_to_check(check, section.fields, (CANDIDATES,))
    allowed = {name.lower() for name in section.allow}
    tests, features, strong, ruler = 0, set[str](), [], None
    for feature in item_features(check, rows, section):
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
    if not features:
        return CheckRun(check, "there is no such feature to compare", skipped=True), None
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


def _counted(
    check: str, rows: CheckedChoices, section: AssociationSection
) -> Iterator[DocumentCounts[str]]:
    least = _least(rows, section.limit)
    if check == "tokens":
        yield token_counts(rows.labelled, least)
    elif isinstance(section, NgramSection):
        yield from ngram_counts(rows.labelled, least, section.longest)
    else:
        yield from position_counts(rows.labelled, least)


def _least(rows: CheckedChoices, limit: float) -> int:
    """A feature that fewer candidates hold cannot reach the limit.

    An item in which it varies adds at most 1 - r/k to the sum whose mean is the association, and
    holds it at least once.
    """
    gains = 1 - rows.items.winners / rows.items.sizes
    return max(1, ceil(limit * float(gains.sum()) / float(gains.max())))


def _present(rows: CheckedChoices, counted: DocumentCounts[str]) -> Iterator[ItemFeature]:
    """Features that a candidate has or lacks."""
    texts = rows.labelled.texts
    if counted.kind == FORMAT:
        sets = [set(formats(text)) for text in texts]
        for name in counted.names:
            yield from _both(rows, name, [name in held for held in sets], is_amount=False)
        return
    words = [lowered_words(text) for text in texts]
    padded = [f" {' '.join(listed)} " for listed in words]
    for name in counted.names:
        if counted.kind in {FIRST_WORD, LAST_WORD}:
            place = 0 if counted.kind == FIRST_WORD else -1
            held = [bool(listed) and listed[place] == name for listed in words]
        else:
            held = [f" {name} " in text for text in padded]
        yield from _both(rows, name, held, is_amount=False, kind=counted.kind)


def _amounts(rows: CheckedChoices, amounts: dict[str, Amount]) -> Iterator[ItemFeature]:
    for name, amount in amounts.items():
        values = [amount(text) for text in rows.labelled.texts]
        yield from _both(rows, name, values, is_amount=True)


def _both(
    rows: CheckedChoices,
    name: str,
    values: list[float] | list[int] | list[bool],
    *,
    is_amount: bool,
    kind: str = "",
) -> Iterator[ItemFeature]:
    """A feature in both directions: much of it, and little of it."""
    import numpy as np

    array: Floats = np.array(values, dtype=np.float64)
    named = f"{kind} '{name}'" if kind else name
    if not is_amount:
        phrases = (f"has {named}", f"lacks {named}")
    elif rows.items.are_pairs:
        phrases = (f"has more {name}", f"has fewer {name}")
    else:
        phrases = (f"has the most {name}", f"has the fewest {name}")
    for phrase, directed in zip(phrases, (array, -array), strict=True):
        yield ItemFeature(name, phrase, rows.items.rank(directed))


def _places(rows: CheckedChoices) -> Iterator[ItemFeature]:
    """The place of a candidate, where the data and not the shape decides it."""
    import numpy as np

    if not rows.dataset.shape.places_matter:
        return
    sizes = rows.items.sizes
    starts = np.cumsum(sizes) - sizes
    places = np.arange(len(rows.items.numbers)) - starts[rows.items.numbers]
    for place in range(int(sizes.max())):
        name = f"place {place + 1}"
        yield ItemFeature(
            name, f"is at {name}", rows.items.rank((places == place).astype(np.float64))
        )
