"""Pseudo-log-likelihoods: a sentence scored by a masked model, token by hidden token."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from augkit.core.model_types import Encoded, Masked
from augkit.core.protocols import CausalModel, MaskedModel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Positions = tuple[int, ...]
Aligned = Callable[[Encoded, Encoded], tuple[Positions, Positions]]


def hidden_one_by_one(text: Encoded, positions: Iterable[int], mask: int) -> list[Masked]:
    """A question for each position: its token, hidden alone.

    >>> text = Encoded((1, 8, 9, 2), (0, 0, 0, 0), (True, False, False, True))
    >>> [question.ids for question in hidden_one_by_one(text, [1, 2], mask=0)]
    [(1, 0, 9, 2), (1, 8, 0, 2)]
    """
    ids = text.ids
    return [
        Masked((*ids[:at], mask, *ids[at + 1 :]), text.segments, at, ids[at]) for at in positions
    ]


def sums(model: MaskedModel, questions: Sequence[Sequence[Masked]]) -> NDArray[np.float64]:
    """The sum of the log-probabilities of each group of questions: float[groups].

    All groups are asked at once, so that the model sees full batches.
    """
    import numpy as np

    answers = model.log_probabilities([one for group in questions for one in group])
    group_of = np.repeat(np.arange(len(questions)), [len(group) for group in questions])
    return np.bincount(group_of, answers, minlength=len(questions)).astype(np.float64)


def aligned_scores(
    model: MaskedModel, pairs: Sequence[tuple[str, str]], aligned: Aligned, *, mean: bool
) -> NDArray[np.float64]:
    """Both sides of each pair, scored at the positions that ``aligned`` gives: float[pairs, 2].

    A pair of which one side has no such position is not a number on either.
    """
    import numpy as np

    questions, counts = [], []
    for pair in pairs:
        texts = [model.encode(text) for text in pair]
        positions = aligned(*texts)
        for text, places in zip(texts, positions, strict=True):
            questions.append(hidden_one_by_one(text, places, model.mask))
            counts.append((len(places) if mean else 1) if all(positions) else np.nan)
    return (sums(model, questions) / counts).reshape(-1, 2)


def pseudo_log_likelihoods(model: MaskedModel, texts: Sequence[str]) -> NDArray[np.float64]:
    """Σ ln p(token | all others) over the tokens of each text: float[texts]."""
    read = [model.encode(text) for text in texts]
    return sums(model, [hidden_one_by_one(text, own_positions(text), model.mask) for text in read])


def mean_log_likelihoods(
    model: CausalModel, texts: Sequence[str], contexts: Sequence[str] | None = None
) -> NDArray[np.float64]:
    """The mean log-probability of the tokens of each text: float[texts]."""
    import numpy as np

    return np.array([each.mean() for each in model.log_probabilities(texts, contexts)])


def own_positions(text: Encoded) -> Positions:
    """The positions of a text's own tokens, without the signs around it."""
    return tuple(at for at, special in enumerate(text.special) if not special)


def shared_positions(one: Encoded, two: Encoded) -> tuple[Positions, Positions]:
    """Where two texts have their common tokens, in order, by the longest common blocks."""
    return _positions(one, two, equal=True)


def differing_positions(one: Encoded, two: Encoded) -> tuple[Positions, Positions]:
    """Where two texts have the tokens that the other has not."""
    return _positions(one, two, equal=False)


def _positions(one: Encoded, two: Encoded, *, equal: bool) -> tuple[Positions, Positions]:
    first: list[int] = []
    second: list[int] = []
    matcher = SequenceMatcher(None, one.ids, two.ids, autojunk=False)
    for tag, start, end, other_start, other_end in matcher.get_opcodes():
        if (tag == "equal") == equal:
            first += range(start, end)
            second += range(other_start, other_end)
    return (
        tuple(at for at in first if not one.special[at]),
        tuple(at for at in second if not two.special[at]),
    )
