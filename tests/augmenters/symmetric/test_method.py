"""Symmetric pairs: every claim has both labels."""

import re

from augkit.augmenters.create import create
from augkit.core.types import Pair, Rejection, example

NAMES = "Alder Birch Cedar Elm Hazel Maple Oak Rowan".split()


def claims(count):
    """Pairs in turn true, denied, and false by their year."""
    rows = []
    for number in range(count):
        title, year = f"{NAMES[number % 8]} House", 1850 + number
        claim = (
            f"{title} was opened in {year}.",
            f"{title} was not opened in {year}.",
            f"{title} was opened in {year + 8}.",
        )[number % 3]
        label = "REFUTES" if number % 3 else "SUPPORTS"
        evidence = f"{title} was opened in {year} ."
        rows.append(example({"evidence": evidence, "claim": claim}, label))
    return rows


def test_a_value_that_decides_makes_three_pairs_of_a_true_or_false_one():
    """Each claim has both labels then; a negated one is left."""
    rows = claims(60)
    outcomes = list(create("symmetric").fit(rows).outcomes(rows))
    pairs = [outcome for outcome in outcomes if isinstance(outcome, Pair)]
    assert len(pairs) == 3 * 40
    for pair in pairs:
        years = {re.search(r"\d{4}", text)[0] for text in pair.variant.fields.values()}
        assert (len(years) == 1) == (pair.variant.label == "SUPPORTS")
        keeps_label = pair.variant.label == pair.original.label
        assert pair.provenance.contract == ("kept" if keeps_label else "flipped")
    rejections = [outcome for outcome in outcomes if isinstance(outcome, Rejection)]
    assert {rejection.reason for rejection in rejections} == {"no value decides the label"}
    assert all("not" in rejection.parent.fields["claim"] for rejection in rejections)
    used = {pair.original.id: pair.original for pair in pairs}.values()
    claimed = {(row.fields["claim"], row.label) for row in used}
    claimed |= {(pair.variant.fields["claim"], pair.variant.label) for pair in pairs}
    assert len(claimed) == 2 * len({claim for claim, _ in claimed})


def test_rows_that_are_no_true_or_false_pairs_are_rejected():
    """Single texts, neutral pairs, and all rows where one of the labels is not there."""
    single = example("It opened in 1979.", "SUPPORTS")
    neutral = example({"premise": "It opened in 1979.", "hypothesis": "Ann came."}, "neutral")
    fitted = create("symmetric").fit(claims(6))
    reasons = [outcome.reason for outcome in fitted.outcomes([single, neutral])]
    assert reasons == ["not a pair of texts", "its label is neither true nor false"]
    sentiment = [example("It opened in 1979.", label) for label in ("good", "bad")]
    pair = claims(1)
    (rejection,) = create("symmetric").fit(sentiment).outcomes(pair)
    assert rejection.reason == "its label is neither true nor false"
