"""Do classifiers name the same words? CoBA's Table 1 by LIME, integrated gradients, Shapley values.

    python -m lab.coba_table_1 --data DIR [--rows 200] [--members 4]

Linear classifiers of different kinds are cross-fitted on SST-2's sentences and on 1,707 reviews of
IMDb. Rows drawn by their content are explained out of fold by each method, and the five words that
speak most for the label are compared. Prints a JSON line for each dataset and method: the share of
words that all name, those that several but not all name, the rows in which all name a word in
common, with a bootstrap interval over rows, and the CPU-seconds of the explanations. Integrated
gradients of a linear classifier are its exact contributions.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from augkit.attribution.ensemble import Method, explain_each, explainer
from augkit.attribution.explanation import top_words
from augkit.attribution.majority_vote import Lists, agreement
from augkit.core.types import digest
from augkit.datasets.load import load_dataset
from augkit.models.ensembles.crossfit import LINEAR_FIVE, EnsembleConfig, train_crossfitted
from lab.command_line import argument, arguments, print_line

DATASETS = ("sst2_sentences:train", "imdb_cad:original_train")
METHODS: tuple[Method, ...] = ("lime", "integrated-gradients", "shapley")
WORDS, DRAWS = 5, 1000


def main() -> None:
    """One line for each dataset and method."""
    options = arguments(
        __doc__,
        argument("--data", type=Path),
        argument("--rows", type=int, default=200),
        argument("--members", type=int, default=4),
    )
    for spec in DATASETS:
        rows = list(load_dataset(spec, data_folder=options.data))
        # Five are cross-fitted, because they could not vote otherwise; the first so many compared.
        ensemble = train_crossfitted(rows, EnsembleConfig(members=LINEAR_FIVE))
        sample = sorted(rows, key=lambda row: digest("table 1", row.id))[: options.rows]
        for method in METHODS:
            started = time.process_time()
            explained = explain_each(ensemble, sample, explainer(method))
            lists = [
                [top_words(one, WORDS) for one in of_row[: options.members]] for of_row in explained
            ]
            print_line(
                {"benchmark": "coba_table_1", "dataset": spec, "method": method}
                | {"rows": len(sample), "members": options.members}
                | shares(lists)
                | {"CPU-seconds": round(time.process_time() - started, 1)}
            )


def shares(lists: Lists) -> dict[str, str]:
    """The shares in per cent, with their intervals over rows."""
    generator = np.random.default_rng(0)
    drawn = generator.integers(0, len(lists), (DRAWS, len(lists)))
    resampled = [measured([lists[row] for row in rows]) for rows in drawn.tolist()]
    low, high = np.percentile(resampled, [2.5, 97.5], axis=0)
    names = ("by all", "by several", "rows with a word in common")
    return {
        name: f"{value:.1f} [{low[place]:.1f}, {high[place]:.1f}]"
        for place, (name, value) in enumerate(zip(names, measured(lists), strict=True))
    }


def measured(lists: Sequence[Sequence[Sequence[str]]]) -> tuple[float, float, float]:
    """Per cent of the words that all and several name, and of the rows with one of all."""
    found = agreement(lists)
    return 100 * found.by_all, 100 * found.by_several, 100 * found.rows_with_common


if __name__ == "__main__":
    main()
