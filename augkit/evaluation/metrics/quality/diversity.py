"""Diversity of texts in a vector space: the variance in their first principal components."""

from __future__ import annotations

from typing import Any

from augkit.core.errors import DataError
from augkit.core.types import Score
from augkit.evaluation.statistics.intervals import keyed_generator

COMPONENTS = 50
_RESAMPLES = 40


def top_variance(vectors: Any, components: int = COMPONENTS) -> Score:
    """The share of the variance in the first principal components; lower is more diverse.

        V = Σ_{k≤50} λ_k / Σ_k λ_k

    λ are the eigenvalues of the covariance of the vectors, sparse or dense float[rows, width]. They
    are those of the rows' products with one another as well, which is the smaller matrix here.
    The interval is V ± 1.96 times the deviation of halves of the rows (the delete-half jackknife):
    a resample with repetitions would have fewer different rows, and a share that is too high.

    Reference: jin2025coba, Table 16.
    """
    import numpy as np

    rows = vectors.shape[0]
    if rows <= components:
        raise DataError(f"top variance: more than {components} rows are needed, there are {rows}")
    products = np.asarray((vectors @ vectors.T).todense() if hasattr(vectors, "todense")
                          else vectors @ vectors.T)  # fmt: skip
    value = _share(products, components)
    rng = keyed_generator(0, "top_variance", str(rows))
    found = []
    for _ in range(_RESAMPLES):
        kept = np.sort(rng.choice(rows, rows // 2, replace=False))
        if len(kept) > components:
            found.append(_share(products[np.ix_(kept, kept)], components))
    reach = 1.96 * float(np.std(found)) if found else 1.0
    return Score("top_variance", value, max(0.0, value - reach), min(1.0, value + reach), rows)


def _share(products: Any, components: int) -> float:
    import numpy as np
    from scipy.linalg import eigvalsh

    centred = products - products.mean(axis=0) - products.mean(axis=1, keepdims=True)
    centred = centred + products.mean()
    total = float(np.trace(centred))
    if total <= 1e-12:
        return 1.0
    size = len(centred)
    top = eigvalsh(centred, subset_by_index=[size - components, size - 1])
    return float(min(1.0, np.maximum(top, 0).sum() / total))
