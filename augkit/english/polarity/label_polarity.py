"""The order and the polarity of labels, by their names or by the evaluative words of rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import sqrt

from augkit.core.errors import DataError
from augkit.core.types import Example
from augkit.lexicons.evaluative import Evaluative, Polarity, bundled_lexicon
from augkit.lexicons.label_meanings import polarity_of_name
from augkit.lexicons.label_order import LabelOrder, declared_order, named_order, numeric_order
from augkit.text.tokens import words

_MIN_Z = 4.0
"""Standard errors by which two labels must differ in their share of positive words."""
_MIN_DIFFERENCE = 0.15
"""Least difference of that share."""
_MIN_RISE = 0.25
_MIN_CORRELATION = 0.9
"""For numbers to be an order: least difference of lowest and highest, least rank correlation."""
_SHOWN = 5


def find_order(rows: Sequence[Example], declared: Sequence[str] = ()) -> LabelOrder | None:
    """The order of the labels of these rows: declared, by their names, or by numbers and texts.

    Numbers may be mere codes of classes. They are an order where the share of positive words of
    single texts rises, or falls, with them.
    """
    labels = sorted({str(row.label) for row in rows if row.label is not None})
    if declared:
        return declared_order(labels, declared)
    if (named := named_order(labels)) is not None:
        return named
    order = numeric_order(labels)
    if order is None or any(len(row.fields) > 1 for row in rows):
        return None
    shares = _positive_shares([(row, row.label) for row in rows], bundled_lexicon())
    ranked = order.ranked
    if shares.keys() < set(labels) or not _differ(shares[ranked[0]], shares[ranked[-1]], _MIN_RISE):
        return None
    in_order = [shares[label][0] for label in ranked]
    return order if abs(_rank_correlation(in_order)) >= _MIN_CORRELATION else None


def label_polarity(
    labels: Sequence[str],
    examples: Sequence[Example],
    lexicon: Evaluative,
    order: LabelOrder | None = None,
) -> dict[str, Polarity]:
    """Label → polarity, for the labels that have one; empty where the task is not evaluative.

    Names such as "positive" and "neg" decide, and those of an ordered scale. Of two labels with
    other names ("1" and "0"), and of the two sides of an order, the one whose rows have clearly
    more positive words is the positive one.

    >>> from augkit.core.types import example
    >>> label_polarity(["neg", "pos"], [example("Fine.", "pos")], bundled_lexicon())
    {'neg': 'negative', 'pos': 'positive'}
    """
    if order is not None:
        return _sides(order, examples, lexicon)
    named = {label: name for label in labels if (name := polarity_of_name(label)) is not None}
    if len(set(named.values())) == 2:
        return named
    if len(labels) != 2:
        return {}
    return _by_words([(row, row.label) for row in examples], lexicon)


def _sides(
    order: LabelOrder, examples: Sequence[Example], lexicon: Evaluative
) -> dict[str, Polarity]:
    """The polarity of the labels on each side of an order; those in the middle have none."""
    of_side: dict[str, Polarity] = {"low": "negative", "high": "positive"}
    names = {-1: "low", 0: None, 1: "high"}
    if not order.high_is_better:
        of_side = _by_words([(row, names[order.side(row.label)]) for row in examples], lexicon)
    sided = {label: names[order.side(label)] for label in order.positions}
    return {label: of_side[side] for label, side in sided.items() if side in of_side}


def _by_words(
    rows: Iterable[tuple[Example, str | None]], lexicon: Evaluative
) -> dict[str, Polarity]:
    """The polarity of two groups of rows, where they clearly differ in positive words."""
    shares = _positive_shares(rows, lexicon)
    if len(shares) != 2:
        return {}
    low, high = sorted(shares, key=lambda group: (shares[group], group))
    if not _differ(shares[low], shares[high], _MIN_DIFFERENCE):
        return {}
    return {low: "negative", high: "positive"}


def _positive_shares(
    rows: Iterable[tuple[Example, str | None]], lexicon: Evaluative
) -> dict[str, tuple[float, int]]:
    """Of the evaluative words of each group of rows, the share of positive ones; their number."""
    signs_of: dict[str, Counter[bool]] = {}
    for row, group in rows:
        if group is not None:
            polarities = (
                lexicon.words.get(w.lower()) for t in row.fields.values() for w in words(t)
            )
            signs = [polarity == "positive" for polarity in polarities if polarity is not None]
            signs_of.setdefault(group, Counter()).update(signs)
    return {
        group: (signs[True] / signs.total(), signs.total())
        for group, signs in sorted(signs_of.items())
        if signs
    }


def _differ(low: tuple[float, int], high: tuple[float, int], least: float) -> bool:
    """Whether two shares, each with its count, differ by so much, and significantly."""
    (first, n), (second, m) = low, high
    error = sqrt(first * (1 - first) / n + second * (1 - second) / m) or 1e-9
    difference = abs(second - first)
    return difference >= least and difference / error >= _MIN_Z


def _rank_correlation(values: Sequence[float]) -> float:
    """Spearman's correlation of values with their positions; 1 where they rise throughout.

    >>> _rank_correlation([0.1, 0.3, 0.2, 0.4])
    0.8
    """
    ranked = sorted(values)
    n = len(values)
    squares = sum((ranked.index(value) - at) ** 2 for at, value in enumerate(values))
    return 1 - 6 * squares / (n * (n * n - 1))


def cannot_flip(labels: Sequence[str], order: LabelOrder | None, *, pairs: bool) -> DataError:
    """The error before any work: why the labels cannot be flipped, and what works instead."""
    more = f" and {len(labels) - _SHOWN} more" if len(labels) > _SHOWN else ""
    listed = ", ".join(f"'{label}'" for label in labels[:_SHOWN]) + more
    if pairs:
        why = "name no relation of two texts (entailment, contradiction, neutral ...)"
    elif order is not None:
        why = "are ordered, but positive and negative words do not tell low from high"
    else:
        why = "are not polar (positive, negative), relations (entailment ...) or ordered (1 to 5)"
    order_hint = (
        ""
        if order is not None or pairs
        else 'If they are ordered: --set label_order="low,mid,high". '
    )
    consent = (
        ""
        if pairs
        else " To replace words that are frequent under a label, often wrongly: "
        "--set principal=data"
    )
    return DataError(
        f"coba: the labels {listed} {why}, so rules do not know how to change one into another. "
        f"{order_hint}What works: coba with a language model (--llm openai:MODEL), or methods that "
        f"keep the label (razor, mask-words, panda, eda).{consent}"
    )
