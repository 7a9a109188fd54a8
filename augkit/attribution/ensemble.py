"""The attribution methods by name, and the important words of many examples by an ensemble.

Words of linear members are found in whole columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from typing import Literal, Protocol, get_args

from augkit.attribution.explanation import Explainer, Explanation, top_words
from augkit.attribution.integrated_gradients import (
    Differentiable,
    OnEncoder,
    TokenWeight,
    explain_integrated_gradients,
)
from augkit.attribution.lime import explain_lime
from augkit.attribution.linear import explain_linear, token_contributions
from augkit.attribution.majority_vote import Vote, majority_vote
from augkit.attribution.shapley import explain_shapley
from augkit.core.arrays import Ints
from augkit.core.contributions import Contributions, LinearModel
from augkit.core.errors import ConfigError, UnknownName
from augkit.core.protocols import Classifier
from augkit.core.types import Example
from augkit.text.tokens import word_spans

Method = Literal[
    "auto", "exact", "lime", "integrated-gradients", "integrated-gradients-l2", "shapley"
]
"""auto: exact for linear models, integrated gradients for transformers, LIME for all others."""


def explainer(method: Method, seed: int = 0) -> Explainer:
    """The function that explains by a method; the seed is of those that sample.

    >>> explainer("exact") is explain_linear
    True
    """
    lime = partial(explain_lime, seed=seed)

    def integrated(
        classifier: Classifier,
        examples: Sequence[Example],
        labels: Sequence[str],
        by: TokenWeight = "sum",
    ) -> list[Explanation]:
        if by == "sum" and isinstance(classifier, LinearModel):  # the same along the whole path
            return explain_linear(classifier, examples, labels)
        network = classifier.differentiable() if isinstance(classifier, OnEncoder) else classifier
        return explain_integrated_gradients(network, examples, labels, by=by)

    def auto(
        classifier: Classifier, examples: Sequence[Example], labels: Sequence[str]
    ) -> list[Explanation]:
        if isinstance(classifier, LinearModel):
            return explain_linear(classifier, examples, labels)
        if isinstance(classifier, Differentiable):
            return explain_integrated_gradients(classifier, examples, labels)
        return lime(classifier, examples, labels)

    explainers: dict[str, Explainer] = {
        "auto": auto,
        "exact": explain_linear,
        "lime": lime,
        "integrated-gradients": integrated,
        "integrated-gradients-l2": partial(integrated, by="l2"),
        "shapley": partial(explain_shapley, seed=seed),
    }
    if method not in explainers:
        raise UnknownName("attribution method", method, get_args(Method))
    return explainers[method]


class Ensemble(Protocol):
    """Several classifiers, each used out of fold: what ``train_crossfitted`` gives."""

    @property
    def held_out_accuracy(self) -> dict[str, float]:
        """Share of held-out rows that each member gets right."""

    def classifiers_for(self, example: Example) -> Sequence[Classifier]:
        """One classifier a member, none of which saw this example."""

    def contributions_each(
        self, examples: Sequence[Example], labels: Sequence[str]
    ) -> list[Contributions]:
        """The n-grams of the examples, and what they add to the scores of each linear member."""


@dataclass(frozen=True)
class SingleClassifier:
    """An ensemble of one given classifier, which may have seen the rows."""

    classifier: Classifier

    @property
    def held_out_accuracy(self) -> dict[str, float]:
        """One member, whose weight does not matter."""
        return {"classifier": 1.0}

    def classifiers_for(self, example: Example) -> Sequence[Classifier]:  # noqa: ARG002 - the same for all
        """The classifier."""
        return self._members

    def contributions_each(
        self, examples: Sequence[Example], labels: Sequence[str]
    ) -> list[Contributions]:
        """Those of a linear classifier."""
        if not isinstance(self.classifier, LinearModel):
            raise ConfigError("exact contributions are for linear classifiers")
        return [self.classifier.contributions(examples, labels)]

    @cached_property
    def _members(self) -> tuple[Classifier]:
        return (self.classifier,)


VoteBy = Literal["majority", "literal", "weighted"]
"""Whether all classifiers count alike, so that τ of them suffice or, as the paper prints it, more
are needed; or by their held-out accuracy."""


def important_words(
    ensemble: Ensemble, examples: Sequence[Example], count: int = 5, method: Method = "auto"
) -> list[list[list[str]]]:
    """For each example and each member, the words that speak most for its own label."""
    if not examples:
        return []
    if is_exact(ensemble, examples, method):
        gathered = ensemble.contributions_each(examples, [str(row.label) for row in examples])
        table = _word_table(examples, gathered[0])
        by_member = [_top(table, contributions, count) for contributions in gathered]
        return [list(word_lists) for word_lists in zip(*by_member, strict=True)]
    return [
        [top_words(explanation, count) for explanation in explanations]
        for explanations in explain_each(ensemble, examples, explainer(method))
    ]


@dataclass(frozen=True)
class Voting:
    """How an ensemble votes."""

    words: int = 5
    """Important words taken of each classifier (K)."""
    by: VoteBy = "majority"
    method: Method = "auto"
    spurious: Sequence[str] = ()
    """Words that count as spurious, whatever the vote."""


def vote_words(
    ensemble: Ensemble, examples: Sequence[Example], voting: Voting | None = None
) -> list[Vote]:
    """Principal and spurious words of each example."""
    voting = Voting() if voting is None else voting
    weights = vote_weights(ensemble, voting.by)
    by_example = important_words(ensemble, examples, voting.words, voting.method)
    literal = voting.by == "literal"
    return [
        majority_vote(word_lists, weights, voting.spurious, literal=literal)
        for word_lists in by_example
    ]


def vote_weights(ensemble: Ensemble, by: VoteBy) -> list[float] | None:
    """The held-out accuracies, where votes are weighted."""
    return list(ensemble.held_out_accuracy.values()) if by == "weighted" else None


def explain_each(
    ensemble: Ensemble, examples: Sequence[Example], explain: Explainer
) -> list[list[Explanation]]:
    """The explanations of each example for its own label, by each member, out of fold."""
    groups: dict[int, list[int]] = {}
    for index, row in enumerate(examples):
        groups.setdefault(id(ensemble.classifiers_for(row)), []).append(index)
    explanations: list[list[Explanation]] = [[] for _ in examples]
    for indices in groups.values():
        rows = [examples[index] for index in indices]
        for classifier in ensemble.classifiers_for(rows[0]):
            explained = explain(classifier, rows, [str(row.label) for row in rows])
            for index, explanation in zip(indices, explained, strict=True):
                explanations[index].append(explanation)
    return explanations


def is_exact(ensemble: Ensemble, examples: Sequence[Example], method: Method) -> bool:
    """Whether nothing is sampled: all members are linear, and no other method is chosen."""
    return method in {"auto", "exact"} and all(
        isinstance(classifier, LinearModel)
        for row in examples[:1]
        for classifier in ensemble.classifiers_for(row)
    )


@dataclass(frozen=True)
class _WordTable:
    """The different words of each row, sorted by row; ``of_token`` says which a token is part of.

    ``first`` holds where the words of each row begin, and where the last end.
    """

    words: list[str]
    first: list[int]
    of_token: Ints


def _word_table(examples: Sequence[Example], contributions: Contributions) -> _WordTable:
    import numpy as np

    starts = contributions.tokens[:, 2].tolist()
    slots = np.arange(len(examples) * len(contributions.fields) + 1)
    begins = np.searchsorted(
        contributions.tokens[:, 1] * len(examples) + contributions.tokens[:, 0], slots
    ).tolist()
    words: list[str] = []
    first = [0]
    of_token = np.zeros(len(starts), dtype=np.int64)
    for row, example in enumerate(examples):
        number_of: dict[str, int] = {}
        for number, field in enumerate(contributions.fields):
            slot = number * len(examples) + row
            token = begins[slot]
            text = example.fields[field]
            for start, end in word_spans(text):
                while token < begins[slot + 1] and starts[token] < end:
                    word = text[start:end].casefold()
                    of_token[token] = number_of.setdefault(word, len(words) + len(number_of))
                    token += 1
        words += number_of
        first.append(len(words))
    return _WordTable(words, first, of_token)


def _top(table: _WordTable, contributions: Contributions, count: int) -> list[list[str]]:
    """The words of each row with the largest contribution above 0, as by ``explain_linear``."""
    import numpy as np

    shares = token_contributions(contributions)
    weights = np.bincount(table.of_token, weights=shares, minlength=len(table.words))
    negated = (-weights).tolist()
    return [
        [
            word
            for weight, word in sorted(
                zip(negated[begin:end], table.words[begin:end], strict=True)
            )[:count]
            if weight < 0
        ]
        for begin, end in pairwise(table.first)
    ]
