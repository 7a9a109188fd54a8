"""The important words of many examples by an ensemble, in whole columns: a corpus in seconds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, Protocol

from augkit.attribution.linear import token_contributions
from augkit.attribution.vote import Vote, vote
from augkit.data import Example
from augkit.evidence import Evidence
from augkit.text.tokens import word_spans

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


class LinearEnsemble(Protocol):
    """Several linear classifiers, each asked out of fold."""

    @property
    def held_out_accuracy(self) -> dict[str, float]:
        """Share of held-out rows that each member gets right."""
        ...

    def evidence_each(self, examples: Sequence[Example], labels: Sequence[str]) -> list[Evidence]:
        """The n-grams of the examples, and what they add to the scores of each member."""
        ...


def important_words(
    ensemble: LinearEnsemble, examples: Sequence[Example], count: int = 5
) -> list[list[list[str]]]:
    """For each example and each member, the words that speak most for its own label.

    The same words as ``top_words`` of ``explain_linear`` by the classifiers for each example.
    """
    if not examples:
        return []
    gathered = ensemble.evidence_each(examples, [str(row.label) for row in examples])
    table = _word_table(examples, gathered[0])
    members = [_top(table, evidence, count) for evidence in gathered]
    return [list(lists) for lists in zip(*members, strict=True)]


def vote_words(
    ensemble: LinearEnsemble,
    examples: Sequence[Example],
    count: int = 5,
    by: Literal["majority", "weighted"] = "majority",
    spurious: Sequence[str] = (),
) -> list[Vote]:
    """Principal and spurious words of each example."""
    weights = list(ensemble.held_out_accuracy.values()) if by == "weighted" else None
    return [vote(lists, weights, spurious) for lists in important_words(ensemble, examples, count)]


@dataclass(frozen=True)
class _Table:
    """The different words of each row, sorted by row; ``of_token`` tells which a token is part of.

    ``first`` tells where the words of each row begin, and where the last end.
    """

    words: list[str]
    first: list[int]
    of_token: Ints


def _word_table(examples: Sequence[Example], evidence: Evidence) -> _Table:
    import numpy as np

    starts = evidence.tokens[:, 2].tolist()
    homes = np.arange(len(examples) * len(evidence.fields) + 1)
    begins = np.searchsorted(
        evidence.tokens[:, 1] * len(examples) + evidence.tokens[:, 0], homes
    ).tolist()
    words: list[str] = []
    first = [0]
    of_token = np.zeros(len(starts), dtype=np.int64)
    for row, example in enumerate(examples):
        known: dict[str, int] = {}
        for number, field in enumerate(evidence.fields):
            home = number * len(examples) + row
            token, text = begins[home], example.fields[field]
            for start, end in word_spans(text):
                while token < begins[home + 1] and starts[token] < end:
                    word = text[start:end].casefold()
                    of_token[token] = known.setdefault(word, len(words) + len(known))
                    token += 1
        words += known
        first.append(len(words))
    return _Table(words, first, of_token)


def _top(table: _Table, evidence: Evidence, count: int) -> list[list[str]]:
    """The words of each row with the greatest contribution above 0."""
    import numpy as np

    contributions = token_contributions(evidence)
    weights = np.bincount(table.of_token, weights=contributions, minlength=len(table.words))
    against = (-weights).tolist()
    return [
        [
            word
            for weight, word in sorted(
                zip(against[begin:end], table.words[begin:end], strict=True)
            )[:count]
            if weight < 0
        ]
        for begin, end in pairwise(table.first)
    ]
