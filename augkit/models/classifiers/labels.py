"""The labels a classifier or a regressor can be trained on, or the reason why it cannot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from augkit.core.arrays import Ints
from augkit.core.errors import DataError
from augkit.core.types import Example

SCALE = ("number",)
"""The labels of a regressor: it predicts a number, and no probabilities of labels."""
_SHOWN = 60
"""Characters of a text shown in a message."""
_MANY = 10
"""More different numbers than this, some with a fraction, are a scale and no set of classes."""


def class_labels(examples: Sequence[Example]) -> tuple[str, ...]:
    """The different labels, sorted; raises ``DataError`` where they are no classes.

    >>> from augkit.core.types import example
    >>> class_labels([example("Good.", "pos"), example("Bad.", "neg")])
    ('neg', 'pos')
    """
    if not examples:
        raise DataError("there is no row to train on")
    unlabelled = [row for row in examples if row.label is None]
    if len(unlabelled) == len(examples):
        raise DataError("no row has a label. Name the column with --label-column")
    if unlabelled:
        shown = " | ".join(unlabelled[0].fields.values())[:_SHOWN]
        raise DataError(
            f"{len(unlabelled)} of {len(examples)} rows have no label, the first: '{shown}'. "
            "Leave them out or label them"
        )
    labels = tuple(sorted({row.label for row in examples if row.label is not None}))
    if is_scale(labels):
        raise DataError(
            f"the labels are {len(labels)} different numbers ({', '.join(labels[:3])} ...): a "
            "regression task. Accuracy and fairscore count labels that agree or change, which "
            "means nothing on a scale. Measure correlation alone (augkit evaluate --metric "
            "pearson), cut the scale into classes first, or choose another dataset"
        )
    if len(labels) == 1:
        raise DataError(
            f"all {len(examples)} rows have one label, '{labels[0]}'. "
            "A classifier needs at least two: choose another split or label column"
        )
    return labels


def training_targets(examples: Sequence[Example], labels: Sequence[str]) -> Any:
    """What is learnt of each row: the index of its label, or its number on a ``SCALE``."""
    import numpy as np

    if labels != SCALE:
        return label_indices(examples, labels)
    numbers = np.array([float(str(row.label)) for row in examples])
    if not np.isfinite(numbers).all():
        row = examples[int(np.flatnonzero(~np.isfinite(numbers))[0])]
        raise DataError(f"the label '{row.label}' is no number to learn. Leave such rows out")
    return numbers


def label_indices(examples: Sequence[Example], labels: Sequence[str]) -> Ints:
    """The index of each row's label in ``labels``: int[examples]."""
    return indices_of([str(row.label) for row in examples], labels)


def indices_of(names: Sequence[str], labels: Sequence[str]) -> Ints:
    """The index of each name in ``labels``; an unknown one is an error."""
    import numpy as np

    index_of = {label: index for index, label in enumerate(labels)}
    if unknown := sorted(set(names) - set(index_of)):
        raise DataError(
            f"the classifier was not trained on the label '{unknown[0]}': it knows "
            f"{', '.join(labels)}"
        )
    return np.array([index_of[label] for label in names], dtype=np.int64)


def is_scale(labels: Iterable[str]) -> bool:
    """Whether labels are points on a scale (0.4, 3.8, 5.0 ...): a regression task.

    >>> is_scale(str(number / 5) for number in range(26)), is_scale(["1", "2", "3"])
    (True, False)
    """
    different = set(labels)
    if not all(map(is_number, different)):
        return False
    return len(different) > _MANY and any(float(label) % 1 for label in different)


def is_number(label: str) -> bool:
    """Whether a label is a number, and no name."""
    try:
        float(label)
    except ValueError:
        return False
    return True
