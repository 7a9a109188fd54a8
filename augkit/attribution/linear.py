"""The exact contribution of every word to the score of a linear model.

The score of label y for a text x, less the mean over all labels, is a sum over the n-grams where
they occur:

    s_y(x) = b_y + Σ_o a_o ,   a_o = w_{y,f(o)} · x_{f(o)} / c_{f(o)}

f(o) is the feature of the occurrence o, x_f its value in this text (with its idf, its damped count
and the text's length, all taken as they are at this input) and c_f how often it occurs. The game
whose players are the words where they occur, z_i ∈ {0, 1}, is

    v(z) = b_y + Σ_o a_o · Π_{i ∈ o} z_i ,

an n-gram counts while all its words are there. The Shapley value of v and the integrated gradients
of v along the straight line from 0 to 1 are both the equal share

    φ_i = Σ_{o ∋ i} a_o / |o| ,

(the integral of t^{|o|-1} is 1/|o|), and Σ_i φ_i = v(1) - v(0): nothing is sampled, nothing lost.
What is held still, the length of the text and the damping of counts, is all that is not exact; a
model on plain counts has neither.
"""

from __future__ import annotations

from collections.abc import Sequence

from augkit.attribution.explanation import Explanation, Piece, word_weights
from augkit.core.arrays import Floats
from augkit.core.contributions import Contributions, LinearModel
from augkit.core.errors import ConfigError
from augkit.core.types import Example


def explain_linear(
    classifier: object, examples: Sequence[Example], labels: Sequence[str]
) -> list[Explanation]:
    """The contribution of each word to the score of each example's label.

    Args:
        classifier: A linear classifier, as ``train_linear`` gives it.
        examples: The rows.
        labels: The label of each row that is explained.
    """
    if not isinstance(classifier, LinearModel):
        raise ConfigError(
            f"exact contributions are for linear classifiers, and this is a "
            f"{type(classifier).__name__}: explain it by lime, integrated-gradients or shapley"
        )
    if not examples:
        return []
    contributions = classifier.contributions(examples, labels)
    pieces: list[dict[str, list[Piece]]] = [{} for _ in examples]
    weights = token_contributions(contributions).tolist()
    tokens = contributions.tokens.tolist()
    for (number, field, start, end), weight in zip(tokens, weights, strict=True):
        pieces[number].setdefault(contributions.fields[field], []).append((start, end, weight))
    explained = []
    for row, label, row_pieces in zip(examples, labels, pieces, strict=True):
        words, rest = word_weights(row, row_pieces)
        explained.append(Explanation(label, words, rest, 0.0, "exact"))
    return explained


def token_contributions(contributions: Contributions) -> Floats:
    """φ: every n-gram's score, shared equally among its tokens: float[tokens]."""
    import numpy as np

    occurrence, token = contributions.parts.T
    sizes = np.bincount(occurrence, minlength=len(contributions.scores))
    shares = (contributions.scores / np.maximum(sizes, 1))[occurrence]
    total = np.bincount(token, weights=shares, minlength=len(contributions.tokens))
    return total.astype(np.float64)
