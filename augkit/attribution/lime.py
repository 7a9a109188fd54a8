"""LIME: a linear model of the score around one text, fitted to the text with words taken out.

Texts z' with a random number of random words taken out are scored, weighted by how near they are,
π(z') = exp(-D² / 2w²) with D the cosine distance (times 100) and w = 25, and a ridge regression on
which words are there is fitted to the scores: its coefficients are the weights of the words. The
share of the variance that it misses, 1 - R², is the error.

Where we depart from the package's own explainer of texts: words are those of augkit, in all fields
at once; the score is s_y and not p_y; the regression is held back by 0.001 and not by 1, so that a
model that is linear in its words is found as it is.

Reference: ribeiro2016why.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from augkit.attribution.explanation import Explanation
from augkit.attribution.masking import explained, game_of, players_of
from augkit.core.errors import MissingExtra
from augkit.core.protocols import Classifier
from augkit.core.types import Example, digest

_WIDTH = 25.0
_RIDGE = 1e-3


def explain_lime(
    classifier: Classifier,
    examples: Sequence[Example],
    labels: Sequence[str],
    seed: int = 0,
    samples: int = 500,
) -> list[Explanation]:
    """The weight of each word in a local linear model of the score of each example's label.

    ``samples`` texts are sampled for each example.
    """
    return [
        _explain(classifier, example, label, seed, samples)
        for example, label in zip(examples, labels, strict=True)
    ]


def _explain(
    classifier: Classifier, example: Example, label: str, seed: int, samples: int
) -> Explanation:
    import numpy as np
    from sklearn.linear_model import Ridge

    count = len(players_of(example))
    if count == 0:
        return explained(example, label, [], 0.0, "exact")
    key = digest(str(seed), label, *example.fields.values())
    generator = np.random.default_rng(int(key, 16))
    # The text itself, then texts without a random number of random words.
    sizes = generator.integers(1, count + 1, samples - 1)
    ranks = generator.random((samples - 1, count)).argsort(axis=1).argsort(axis=1)
    present = np.vstack([np.ones((1, count)), (ranks >= sizes[:, None]).astype(np.float64)])
    scores = game_of(classifier, example, label)(present)
    if np.ptp(scores) < 1e-12:  # no word matters, and a share of no variance is no number
        return explained(example, label, [0.0] * count, 0.0, "unexplained share")
    _, coefficients, fit, _ = _base().explain_instance_with_data(
        present,
        scores[:, None],
        # The cosine distance to the whole text, times 100; a text without words is 100 away.
        np.asarray(100 * (1 - np.sqrt(present.mean(axis=1)))),
        0,
        num_features=count,
        feature_selection="none",
        model_regressor=Ridge(alpha=_RIDGE),
    )
    weights = dict(coefficients)
    return explained(
        example,
        label,
        [float(weights[player]) for player in range(count)],
        1 - float(fit),
        "unexplained share",
    )


def _base() -> Any:
    try:
        from lime.lime_base import LimeBase
    except ImportError as error:
        raise MissingExtra("explain", "explaining by LIME") from error
    import numpy as np

    return LimeBase(lambda distances: np.sqrt(np.exp(-(distances**2) / _WIDTH**2)))
