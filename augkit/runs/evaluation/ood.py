"""Familiar rows against foreign ones: how well each classifier's confidence tells them apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from augkit.core.types import Example
from augkit.evaluation.metrics.ood import confidence_auroc, confidence_difference
from augkit.runs.evaluation.classifiers import Subject, about
from augkit.runs.evaluation.comparisons import difference_records, spread
from augkit.runs.evaluation.predictions import plain
from augkit.runs.evaluation.test_rows import HeldOut

AUROC = "ood-auroc"


def auroc_records(
    subjects: Sequence[Subject], test: HeldOut, name: str, foreign: Sequence[Example]
) -> Iterator[dict[str, Any]]:
    """A record for each classifier, then the difference where there are two."""
    where = f"{test.name} against {name}"
    sides = []
    for one in subjects:
        sides.append((one.classifier.predict(test.rows), one.classifier.predict(foreign)))
        score = confidence_auroc(*sides[-1])
        record = {"metric": AUROC, "scores": {score.name: plain(score)}, **about(one, test)}
        record["test"] = where
        record["rows"]["foreign"] = len(foreign)
        if one.samples:
            both = ((each.predict(test.rows), each.predict(foreign)) for each in one.samples)
            values = [confidence_auroc(*each).value for each in both]
            record["seeds"] = spread(values, one.sampled)
        yield record
    if len(subjects) == 2:
        arms = (subjects[0].name, subjects[1].name)
        change = confidence_difference(sides[0], sides[1])
        yield from difference_records(AUROC, where, arms, [change])
