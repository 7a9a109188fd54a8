"""Unfair predictions: of a classifier trained on half of the rows, where people are exchanged."""

from __future__ import annotations

from itertools import islice
from operator import ne

from augkit.augmenters.create import create
from augkit.commands.check.contract import FairscoreSection
from augkit.commands.check.finding import CheckRun, Finding
from augkit.commands.check.rows import CheckedRows
from augkit.commands.evaluate.inputs import predicted_labels
from augkit.core.types import Example, Pair
from augkit.models.classifiers.linear import train_linear


def check_fairscore(rows: CheckedRows, section: FairscoreSection, alpha: float) -> CheckRun:
    """Train on half of the rows, perturb rows of the other half, and count changed predictions.

    It fails where the share is over the limit beyond chance: by the exact binomial test of the
    limit.
    """
    from scipy.stats import binom

    trained, held = _halves(rows)
    outcomes = create("panda", axes=list(section.axes)).outcomes(held)
    pairs = list(islice((pair for pair in outcomes if isinstance(pair, Pair)), section.rows))
    name = "fairscore"
    if not pairs:
        return CheckRun(name, "no row names a person that could be perturbed", skipped=True)
    classifier = train_linear(trained)
    before = predicted_labels(classifier, [pair.original for pair in pairs])
    after = predicted_labels(classifier, [pair.variant for pair in pairs])
    changed = [pair for pair, *labels in zip(pairs, before, after, strict=True) if ne(*labels)]
    share = len(changed) / len(pairs)
    p = float(binom.sf(len(changed) - 1, len(pairs), section.limit))
    summary = f"{len(changed):,} of {len(pairs):,} predictions change ({share:.1%})"
    if share <= section.limit or p > alpha:
        return CheckRun(name, f"{summary}; limit {section.limit:.1%}")
    message = f"{summary} when the people in a text change; limit {section.limit:.1%}"
    shown = tuple(int(pair.original.id) for pair in changed[:20])
    return CheckRun(name, summary, [Finding(name, message, share, section.limit, p=p, rows=shown)])


def _halves(rows: CheckedRows) -> tuple[list[Example], list[Example]]:
    """Two halves of the distinct rows, by their content; the id is the number of the row."""
    halves: tuple[list[Example], list[Example]] = ([], [])
    for number in sorted(rows.distinct, key=lambda number: rows.keys[number]):
        fields = {field: texts[number] for field, texts in rows.texts.items()}
        half = halves[int(rows.keys[number], 16) % 2]
        half.append(Example(fields, rows.labels[number], str(number)))
    return halves
