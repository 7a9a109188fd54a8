"""The attribution methods by name, and the choice of one that fits a classifier."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal, get_args

from augkit.attribution.explanation import Explainer, Explanation
from augkit.attribution.integrated_gradients import Differentiable, explain_integrated_gradients
from augkit.attribution.lime import explain_lime
from augkit.attribution.linear import explain_linear
from augkit.attribution.shapley import explain_shapley
from augkit.core.contributions import LinearModel
from augkit.core.errors import UnknownName
from augkit.core.protocols import Classifier
from augkit.core.types import Example

Method = Literal["auto", "exact", "lime", "integrated-gradients", "shapley"]
"""auto: exact for linear models, integrated gradients for transformers, LIME for all others."""


def explainer(method: Method, seed: int = 0) -> Explainer:
    """The function that explains by a method; the seed is of those that sample.

    >>> explainer("exact") is explain_linear
    True
    """
    lime = partial(explain_lime, seed=seed)

    def auto(
        classifier: Classifier, examples: Sequence[Example], labels: Sequence[str]
    ) -> list[Explanation]:
        if isinstance(classifier, LinearModel):
            return explain_linear(classifier, examples, labels)
        if isinstance(classifier, Differentiable):
            return explain_integrated_gradients(classifier, examples, labels)
        return lime(classifier, examples, labels)

    known: dict[str, Explainer] = {
        "auto": auto,
        "exact": explain_linear,
        "lime": lime,
        "integrated-gradients": explain_integrated_gradients,
        "shapley": partial(explain_shapley, seed=seed),
    }
    if method not in known:
        raise UnknownName("attribution method", method, get_args(Method))
    return known[method]
