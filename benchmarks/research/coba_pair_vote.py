"""What the classifiers of coba vote for on pairs of texts, and what its rules accept then.

    AUGKIT_DATA=DIR python -m benchmarks.research.coba_pair_vote [--dataset snli:dev] [--rows 300]
        [--sampled 20]

The first rows of the dataset are fitted and augmented by rules, by default and with
``principal=vote``. Prints one JSON line: principal and spurious words of a row (means), the
held-out accuracy of each classifier, the variants that are accepted, and for the first ``sampled``
rows how many of the principal words by exact contributions LIME and Shapley values name too.
"""

from __future__ import annotations

import os
from pathlib import Path
from statistics import fmean
from typing import get_args

from augkit.attribution.ensemble import Method, Voting, vote_words
from augkit.augmenters.create import create
from augkit.core.types import Pair
from augkit.datasets.load import load_dataset
from benchmarks.command_line import argument, arguments, print_line


def main() -> None:
    """Measure and print."""
    asked = arguments(
        __doc__,
        argument("--dataset", default="snli:dev"),
        argument("--rows", type=int, default=300),
        argument("--sampled", type=int, default=20),
    )
    folder = Path(os.environ["AUGKIT_DATA"])
    rows = [row for row in load_dataset(asked.dataset, data_folder=folder) if not row.fault]
    rows = rows[: asked.rows]
    accepted, coba = {}, None
    for principal in ("auto", "vote"):
        coba = create("coba", principal=principal).fit(rows)
        accepted[principal] = sum(isinstance(o, Pair) for o in coba.outcomes(rows))
    ensemble = coba.artifact.pairs
    votes = vote_words(ensemble, rows)
    sample = rows[: asked.sampled]
    shared = {}
    for method in [name for name in get_args(Method) if name in {"lime", "shapley"}]:
        named = vote_words(ensemble, sample, Voting(method=method))
        pairs = [({*e.principal}, {*n.principal}) for e, n in zip(votes, named, strict=False)]
        shared[method] = round(fmean(len(e & n) / len(e) for e, n in pairs if e), 3)
    print_line(
        {
            "benchmark": "coba_pair_vote",
            "dataset": asked.dataset,
            "rows": len(rows),
            "principal_words": round(fmean(len(vote.principal) for vote in votes), 2),
            "spurious_words": round(fmean(len(vote.spurious) for vote in votes), 2),
            "held_out": {name: round(a, 3) for name, a in ensemble.held_out_accuracy.items()},
            "accepted": accepted,
            "shared_with_exact": shared,
        }
    )


if __name__ == "__main__":
    main()
