"""Pseudo-log-likelihoods: a sentence scored by a masked model, each token masked alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from difflib import SequenceMatcher

from augkit.core.arrays import Floats
from augkit.core.model_types import Encoded, Masked
from augkit.core.protocols import CausalModel, MaskedModel
from augkit.core.results import Score
from augkit.evaluation.statistics.intervals import bootstrap_mean

TIE = 1e-5
"""Log-likelihoods closer than this differ only by rounding in single precision."""
_FIRST = 16
"""Items rescored at first: enough to see how large errors are."""

_MARGIN = 2.0
"""A gap of this many times the largest error so far is not due to rounding."""

Positions = tuple[int, ...]


def masked_one_by_one(text: Encoded, positions: Iterable[int], mask: int) -> list[Masked]:
    """A query for each position: its token, masked alone.

    >>> text = Encoded((1, 8, 9, 2), (0, 0, 0, 0), (True, False, False, True))
    >>> [query.ids for query in masked_one_by_one(text, [1, 2], mask=0)]
    [(1, 0, 9, 2), (1, 8, 0, 2)]
    """
    ids = text.ids
    return [
        Masked((*ids[:index], mask, *ids[index + 1 :]), text.segments, index, ids[index])
        for index in positions
    ]


def summed_log_probabilities(
    model: MaskedModel,
    queries: Sequence[Sequence[Masked]],
    transform: Callable[[Floats], Floats] = lambda log_probabilities: log_probabilities,
) -> Floats:
    """The sum of the (transformed) log-probabilities of each group of queries: float[groups].

    All groups are computed at once, so that the model sees full batches.
    """
    import numpy as np

    log_probabilities = transform(
        model.log_probabilities([query for group in queries for query in group])
    )
    group_of = np.repeat(np.arange(len(queries)), [len(group) for group in queries])
    return np.bincount(group_of, log_probabilities, minlength=len(queries)).astype(np.float64)


def aligned_scores(model: MaskedModel, pairs: Sequence[tuple[str, str]], *, shared: bool) -> Floats:
    """Both sides of each pair, scored at the tokens that they share, or do not: float[pairs, 2].

    The sum of shared tokens, the mean of others. Both sides are NaN where one has no such token.
    """
    import numpy as np

    encoded = model.encode([text for pair in pairs for text in pair])
    queries = []
    counts = []
    for texts in zip(encoded[::2], encoded[1::2], strict=True):
        positions = aligned_positions(*texts, shared=shared)
        for text, of_text in zip(texts, positions, strict=True):
            queries.append(masked_one_by_one(text, of_text, model.mask))
            counts.append((1 if shared else len(of_text)) if all(positions) else np.nan)
    return (summed_log_probabilities(model, queries) / counts).reshape(-1, 2)


def pseudo_log_likelihoods(model: MaskedModel, texts: Sequence[str]) -> Floats:
    """Σ ln p(token | all others) over the tokens of each text: float[texts]."""
    queries = [
        masked_one_by_one(text, own_positions(text), model.mask) for text in model.encode(texts)
    ]
    return summed_log_probabilities(model, queries)


def mean_log_likelihoods(
    model: CausalModel, texts: Sequence[str], contexts: Sequence[str] | None = None
) -> Floats:
    """The mean log-probability of the tokens of each text: float[texts]."""
    import numpy as np

    return np.array([of_text.mean() for of_text in model.log_probabilities(texts, contexts)])


def own_positions(text: Encoded) -> Positions:
    """The positions of a text's tokens, without special tokens."""
    return tuple(index for index, special in enumerate(text.special) if not special)


def aligned_positions(
    first: Encoded, second: Encoded, *, shared: bool
) -> tuple[Positions, Positions]:
    """The positions of the tokens that two texts share, by the longest common blocks, or do not."""
    first_positions: list[int] = []
    second_positions: list[int] = []
    matcher = SequenceMatcher(None, first.ids, second.ids, autojunk=False)
    for tag, start, end, other_start, other_end in matcher.get_opcodes():
        if (tag == "equal") == shared:
            first_positions += range(start, end)
            second_positions += range(other_start, other_end)
    return (
        tuple(index for index in first_positions if not first.special[index]),
        tuple(index for index in second_positions if not second.special[index]),
    )


def rescore_close(rounded: Floats, exactly: Callable[[Sequence[int]], Floats]) -> Floats:
    """The scores of the texts of each item, exact where rounding may have reversed two of them.

    ``exactly`` scores items, given by index, without rounding. It is called for the closest items
    first, then for those whose closest texts differ by less than twice the largest error of a gap
    so far, until there are none. The error of a gap does not depend on its size, so the errors of
    the closest items are those of the others. An item with a score that is NaN is left as it is.
    """
    import numpy as np

    scores: Floats = rounded.copy()
    gaps = _gaps(rounded)
    closest = np.abs(gaps).min(axis=1)
    left = ~np.isnan(closest)
    near = [index for index in np.argsort(closest).tolist() if left[index]][:_FIRST]
    largest = 0.0
    while near:
        scores[near] = exactly(near)
        left[near] = False
        largest = max(largest, float(np.abs(_gaps(scores[near]) - gaps[near]).max()))
        near = np.flatnonzero(left & (closest <= _MARGIN * largest)).tolist()
    return scores


def _gaps(scores: Floats) -> Floats:
    """The differences of each two texts of an item: float[items, pairs of texts]."""
    import numpy as np

    first, second = np.triu_indices(scores.shape[1], 1)
    return np.asarray(scores[:, first] - scores[:, second])


def preferred(first: Floats, second: Floats) -> Floats:
    """100 where the first is likelier, 0 where the second is, 50 where neither: float[pairs].

    The published scripts count a tie as a preference for the second. A model without any
    preference would then score 0, like one with the opposite bias.
    """
    import numpy as np

    difference = first - second
    return np.where(np.abs(difference) < TIE, 50.0, np.where(difference > 0, 100.0, 0.0))


def shares(name: str, values: Sequence[float], groups: Sequence[str]) -> list[Score]:
    """The mean of all values, then of each group's, with bootstrap intervals.

    >>> [score.name for score in shares("ss", [100.0, 0.0], ["age", "race"])]
    ['ss', 'ss/age', 'ss/race']
    """
    members: dict[str, list[float]] = {}
    for value, group in zip(values, groups, strict=True):
        members.setdefault(group, []).append(float(value))
    by_group = [_mean(f"{name}/{group}", members[group]) for group in sorted(members)]
    return [_mean(name, values), *by_group]


def ties(name: str, values: Sequence[float]) -> Score:
    """The percentage of pairs that are ties."""
    return _mean(name, [100.0 * (value == 50.0) for value in values])


def _mean(name: str, values: Sequence[float]) -> Score:
    return bootstrap_mean(name, [float(value) for value in values], (0.0, 100.0))
