"""Shapley values: what a word adds to the score, averaged over all orders in which words come in.

    φ_i = Σ_{S ∌ i} |S|! (n - |S| - 1)! / n! · (s_y(S + i) - s_y(S))

Few words are enumerated; for more, orders are sampled, each taken forwards and backwards. The
values add up to s_y(x) - s_y(∅) either way; how much they vary between orders gives the error.

Reference: lundberg2017unified.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from augkit.attribution.explanation import Explanation
from augkit.attribution.masking import Game, explained, game_of, players_of
from augkit.core.errors import MissingExtra
from augkit.core.protocols import Classifier
from augkit.core.types import Example, digest

_SEEDS = 2**32


def explain_shapley(
    classifier: Classifier,
    examples: Sequence[Example],
    labels: Sequence[str],
    seed: int = 0,
    evaluations: int = 500,
) -> list[Explanation]:
    """The Shapley value of each word for the score of each example's label.

    At most ``evaluations`` texts are scored for each, or one order of the words where it has more.
    """
    explanations = []
    for example, label in zip(examples, labels, strict=True):
        count = len(players_of(example))
        game = game_of(classifier, example, label)
        if count == 0:
            explanations.append(explained(example, label, [], 0.0, "exact"))
        elif 2**count <= evaluations:
            explanations.append(explained(example, label, _enumerated(game, count), 0.0, "exact"))
        else:
            key = int(digest(str(seed), label, *example.fields.values()), 16) % _SEEDS
            values, error = _sampled(game, count, max(evaluations, 2 * count + 1), key)
            explanations.append(explained(example, label, values, error, "standard error"))
    return explanations


def _enumerated(game: Game, count: int) -> list[float]:
    """All subsets, by the library's exact explainer."""
    import numpy as np

    shap = _shap()
    explainer = shap.explainers.Exact(game, shap.maskers.Independent(np.zeros((1, count))))
    values = explainer(np.ones((1, count)), max_evals=2**count, silent=True)
    return [float(value) for value in values.values[0]]


def _sampled(game: Game, count: int, evaluations: int, seed: int) -> tuple[list[float], float]:
    """Random orders: the values, and the mean of their standard errors."""
    import numpy as np

    shap = _shap()
    state = np.random.get_state()  # noqa: NPY002 - the library samples from the global generator
    try:
        explainer = shap.explainers.Permutation(
            game, shap.maskers.Independent(np.zeros((1, count))), seed=seed
        )
        values = explainer(
            np.ones((1, count)), max_evals=evaluations, error_bounds=True, silent=True
        )
    finally:
        np.random.set_state(state)  # noqa: NPY002 - and it is put back as it was
    passes = 2 * (evaluations // (2 * count + 1))
    error = float(np.mean(values.error_std[0])) / passes**0.5
    return [float(value) for value in values.values[0]], error


def _shap() -> Any:
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its plots use old names
            import shap
    except ImportError as error:
        raise MissingExtra("explain", "explaining by Shapley values") from error
    return shap
