"""What is said where rules cannot flip the labels of a dataset."""

from __future__ import annotations

from collections.abc import Sequence

from augkit.core.errors import DataError
from augkit.lexicons.label_order import LabelOrder

_SHOWN = 5


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
        "" if order is not None or pairs else 'If they are ordered: --label-order "low,mid,high". '
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
