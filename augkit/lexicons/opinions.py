"""Whether labels are opinions: by how well the bundled lexicon's words tell them apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from augkit.core.types import Example, digest
from augkit.lexicons.evaluative import bundled_lexicon
from augkit.text.features.kinds import lowered_words

_OPINIONS = 0.70
_DOUBTFUL = 0.60
_MOST_ROWS = 5_000


@dataclass(frozen=True)
class OpinionBalance:
    """How well the balance of positive and negative words tells a label from the others."""

    auc: float
    """Of the label that it tells best: .5 not at all, 1 always."""
    label: str
    """That label."""
    is_positive: bool
    """Whether its rows have more positive words than others."""

    @property
    def verdict(self) -> Literal["opinions", "doubtful", "none"]:
        """Whether the labels are opinions."""
        if self.auc >= _OPINIONS:
            return "opinions"
        return "doubtful" if self.auc >= _DOUBTFUL else "none"


def is_of_opinions(examples: Sequence[Example]) -> OpinionBalance:
    """Measure whether the labels are opinions, by the AUC of each text's balance.

        balance = (pos - neg) / (pos + neg + 1)

    pos and neg are the positive and the negative words of a text in the bundled lexicon. The AUC is
    that of a label against all others, of the label where it is highest, in either direction.

    >>> from augkit.core.types import example
    >>> rows = [example("Great fun.", "1"), example("A dull mess.", "0")]
    >>> is_of_opinions(rows).verdict
    'opinions'
    """
    from sklearn.metrics import roc_auc_score

    rows = [row for row in examples if row.label is not None]
    if len(rows) > _MOST_ROWS:
        # By their content, as files may be sorted, or alternate between labels.
        rows = sorted(rows, key=lambda row: digest(*row.fields.values()))[:_MOST_ROWS]
    balances = [text_balance(row.fields.values()) for row in rows]
    best = OpinionBalance(0.5, "", is_positive=True)
    labels = sorted({str(row.label) for row in rows})
    if len(labels) < 2:
        return best
    for label in labels:
        auc = float(roc_auc_score([row.label == label for row in rows], balances))
        if max(auc, 1 - auc) > best.auc:
            best = OpinionBalance(max(auc, 1 - auc), label, is_positive=auc > 0.5)
    return best


def text_balance(texts: Iterable[str]) -> float:
    """Weigh the positive against the negative words of some texts: -1 to 1.

    >>> text_balance(["a great plot"]), text_balance(["a great plot, a dull mess"])
    (0.5, -0.25)
    """
    polarities = bundled_lexicon().words
    found = [polarities.get(word) for text in texts for word in lowered_words(text)]
    positive = found.count("positive")
    negative = found.count("negative")
    return (positive - negative) / (positive + negative + 1)
