"""Features of candidates against the winner, item by item: the checks of choice data.

A feature fails where a rule that goes by it alone finds the winner far more often than chance, and
this would hardly occur by chance. Both directions of a feature are tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
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
    presence,
    token_counts,
)
from augkit.text.features.kinds import FIRST_WORD, FORMAT, LAST_WORD, TOKEN, formats, lowered_words
from augkit.text.features.numbering import number_texts
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
    check: str, rows: CheckedChoices, least: int, longest: int = 1
) -> Iterator[ItemFeature]:
    """The features of a check that so many candidates have, each in both directions."""
    if check == PLACE:
        yield from _places(rows)
    elif check == "length":
        yield from _amounts(rows, LENGTHS)
    elif check == "format":
        yield from _amounts(rows, FORMAT_AMOUNTS)
        shared = [shared_with(c.prompt, text) for c in rows.choices for text in c.candidates]
        yield from _both(rows, "words of the prompt", shared, is_amount=True)
        yield from _present(rows, format_counts(rows.labelled, least))
    elif check == "tokens":
        yield from _present(rows, token_counts(rows.labelled, least))
    else:
        kinds = position_counts(rows.labelled, least)
        if check == "ngrams":
            kinds = ngram_counts(rows.labelled, least, longest)
        for counted in kinds:
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
    longest = section.longest if isinstance(section, NgramSection) else 1
    for feature in item_features(check, rows, _least(rows, section.limit), longest):
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


def _least(rows: CheckedChoices, limit: float) -> int:
    """A feature that fewer candidates hold cannot reach the limit.

    An item in which it varies adds at most 1 - r/k to the sum whose mean is the association, and
    holds it at least once.
    """
    gains = 1 - rows.items.winners / rows.items.sizes
    return max(1, ceil(limit * float(gains.sum()) / float(gains.max())))


def _present(rows: CheckedChoices, counted: DocumentCounts[str]) -> Iterator[ItemFeature]:
    """Features that a candidate has or lacks."""
    kind = counted.kind
    numbered = number_texts(rows.labelled.texts, partial(_features_of, kind))
    held = presence(numbered, counted.names).tocsc()
    for column, name in enumerate(counted.names):
        named = "" if kind == FORMAT else kind
        values = held[:, [column]].toarray().ravel()
        yield from _both(rows, name, values, is_amount=False, kind=named)


def _features_of(kind: str, text: str) -> list[str]:
    """The features of one kind in a text.

    >>> _features_of("2-gram", "On the road."), _features_of("last word", "On the road.")
    (['on the', 'the road'], ['road'])
    """
    if kind == FORMAT:
        return list(formats(text))
    words = lowered_words(text)
    if kind in {FIRST_WORD, LAST_WORD}:
        return words[:1] if kind == FIRST_WORD else words[-1:]
    size = 1 if kind == TOKEN else int(kind.partition("-")[0])
    return [" ".join(words[n : n + size]) for n in range(len(words) - size + 1)]


def _amounts(rows: CheckedChoices, amounts: dict[str, Amount]) -> Iterator[ItemFeature]:
    for name, amount in amounts.items():
        values = [amount(text) for text in rows.labelled.texts]
        yield from _both(rows, name, values, is_amount=True)


def _both(
    rows: CheckedChoices,
    name: str,
    values: Sequence[float] | Floats,
    *,
    is_amount: bool,
    kind: str = "",
) -> Iterator[ItemFeature]:
    """A feature in both directions: much of it, and little of it."""
    import numpy as np

    array: Floats = np.array(values, dtype=np.float64)
    named = f"{kind} '{name}'" if kind else name
    if name.startswith("ends with "):
        phrases = (name, name.replace("ends", "does not end", 1))
    elif not is_amount:
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
