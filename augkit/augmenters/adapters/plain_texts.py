"""Plain texts in and out: ``augment`` of augmenters and compositions."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from augkit.core.protocols import SupportsOutcomes
from augkit.core.types import Example, Pair, Rejection, example, example_id
from augkit.datasets.rows import fault_of_value


def augment_texts(
    step: SupportsOutcomes, texts: str | list[str], n: int | None
) -> list[str] | list[list[str]]:
    """Shared by augmenters and compositions: strings in, lists of strings out."""
    originals = numbered_examples([texts] if isinstance(texts, str) else texts)
    found: dict[str, list[str]] = {original.id: [] for original in originals}
    rejected: dict[str, Rejection] = {}
    for outcome in step.outcomes(originals):
        if isinstance(outcome, Pair):
            found[outcome.original.id].append(outcome.variant.fields["text"])
        else:
            rejected.setdefault(outcome.parent.id, outcome)
    _warn_of_rejections([rejected[key] for key, some in found.items() if not some], len(found))
    variants = [several[:n] for several in found.values()]
    return variants[0] if isinstance(texts, str) else variants


def _warn_of_rejections(rejected: Sequence[Rejection], total: int) -> None:
    if rejected:
        counts = Counter(outcome.reason for outcome in rejected)
        reasons = ", ".join(f"{reason} ({count})" for reason, count in counts.most_common(5))
        message = f"no variant of {len(rejected)} of {total} texts: {reasons}"
        warnings.warn(message, RejectedTexts, stacklevel=4)


class RejectedTexts(UserWarning):
    """``augment`` gave no variant of some texts."""


def numbered_examples(
    texts: Sequence[object], labels: Sequence[str | None] | None = None
) -> list[Example]:
    """Examples of plain texts; repeated ones are numbered, so that each has an id of its own.

    What is no text (None, NaN, a number) becomes an example with a fault, which is rejected.
    """
    repeats: Counter[tuple[str, str | None, str]] = Counter()
    originals = []
    for value, label in zip(texts, labels or [None] * len(texts), strict=True):
        text = value if isinstance(value, str) else ""
        fault = "" if isinstance(value, str) else fault_of_value("text", value)
        made = example(text, label, dataset=fault, occurrence=repeats[text, label, fault])
        originals.append(replace(made, fault=fault) if fault else made)
        repeats[text, label, fault] += 1
    return originals


def identified(parent: Example) -> Example:
    """An example made without an id gets the one that its content gives."""
    if parent.id:
        return parent
    return replace(parent, id=example_id(parent.fields, parent.label, "", 0))
