"""The share of predictions that change when the people in a text change."""

from __future__ import annotations

from collections.abc import Sequence

from augkit.augmenters.create import create
from augkit.commands.check.contract import FairscoreSection
from augkit.commands.check.finding import CheckRun, Finding
from augkit.commands.check.rows import CheckedRows
from augkit.core.types import Example, Pair
from augkit.models.classifiers.linear import train_linear


def check_fairscore(rows: CheckedRows, section: FairscoreSection, alpha: float) -> CheckRun:
    """Train on half of the rows, perturb rows of the other half, and count changed predictions.

    It fails where the share is over the limit beyond chance: by the exact binomial test of the
    limit.
    """
    from scipy.stats import binom

    trained, held = _halves(rows)
    pairs = _pairs(held, section)
    name = "fairscore"
    if not pairs:
        return CheckRun(name, "no row names a person that could be perturbed", skipped=True)
    classifier = train_linear(trained)
    before = classifier.predict([pair.original for pair in pairs]).argmax(axis=1)
    after = classifier.predict([pair.variant for pair in pairs]).argmax(axis=1)
    changed = [index for index, same in enumerate((before == after).tolist()) if not same]
    share = len(changed) / len(pairs)
    p = float(binom.sf(len(changed) - 1, len(pairs), section.limit))
    summary = f"{len(changed):,} of {len(pairs):,} predictions change ({share:.1%})"
    if share <= section.limit or p > alpha:
        return CheckRun(name, f"{summary}; at most {section.limit:.1%}")
    message = f"{summary} with the people in a text; at most {section.limit:.1%} may"
    shown = tuple(int(pairs[index].original.id) for index in changed[:20])
    return CheckRun(name, summary, [Finding(name, message, share, section.limit, p=p, rows=shown)])


def _halves(rows: CheckedRows) -> tuple[list[Example], list[Example]]:
    """Two halves of the distinct rows, by their content; the id is the number of the row."""
    halves: tuple[list[Example], list[Example]] = ([], [])
    for number in sorted(rows.distinct, key=lambda one: rows.keys[one]):
        fields = {field: texts[number] for field, texts in rows.texts.items()}
        half = halves[int(rows.keys[number], 16) % 2]
        half.append(Example(fields, rows.labels[number], str(number)))
    return halves


def _pairs(held: Sequence[Example], section: FairscoreSection) -> list[Pair]:
    """The first rows that panda can perturb, with their variants."""
    found: list[Pair] = []
    for outcome in create("panda", axes=list(section.axes)).outcomes(held):
        if isinstance(outcome, Pair):
            found.append(outcome)
            if len(found) == section.rows:
                break
    return found
