"""Choose the gates of CoBA without looking at anybody's revisions of the reviews.

    python -m benchmarks.research.coba_gates --data DIR [--rows 600] [--cache FILE]
        [--gates NAME ...]

A shortcut is planted into reviews of ``imdb_cad:original_train``: praise says "film" and blame says
"movie", 19 times in 20. Variants of them are made with one gate at a time moved from its
default. A TF-IDF (1,2-grams, min_df 2, sublinear) + logistic regression (C 10) learns rows and
variants, and five accuracies tell what they are worth:

- 2,000 other movie reviews (``pl04_movie_reviews``) with the shortcut the wrong way round;
- sentences whose sentiment people turned, of two other domains (``yelp_drg``, ``amazon_drg``);
- sentences of movie reviews (``uci_sentences/imdb``);
- reviews of the same source (``imdb_cad:original_dev``).

``clear`` is the share of the flipped variants whose label a judge trained on SST-2 and Yelp
sentences gives too: it saw no review, no shortcut of them and no variant. Of every gate the value
with the best mean accuracy is chosen, or the clearest of those that cost at most ``SLACK`` points
of it and are clearer by ``CLEARER`` points. Nothing here reads a revision. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

from augkit.augmenters.coba.config import CobaConfig
from benchmarks.command_line import print_line
from benchmarks.release.coba_planted import prepared

SLACK = 0.3
"""Points of mean accuracy that clarity may cost."""
CLEARER = 1.0
"""Points of clarity that are worth it: about a standard error."""
GATES: dict[str, tuple[float, ...]] = {
    "min_sentence_edits": (8, 12, 16),
    "min_sentence_label": (0.5, 0.6, 0.7, 0.8),
    "min_edits": (4, 6, 8),
    "max_left": (0.0, 0.1, 0.2),
    "drop": (0.3, 0.42, 0.5),
    "draws": (1, 2, 3, 5, 7),
}


def chosen(found: dict[str, dict[str, float]]) -> str:
    """The most accurate value, or the clearest that costs little and is clearly clearer."""
    best = max(found, key=lambda value: found[value]["mean"])
    clearer = [
        value
        for value, one in found.items()
        if one["mean"] >= found[best]["mean"] - SLACK
        and one["clear"] >= found[best]["clear"] + CLEARER
    ]
    return max(clearer, key=lambda value: found[value]["clear"]) if clearer else best


def main() -> None:
    """Move one gate at a time, choose, print."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--gates", nargs="*", default=list(GATES), choices=list(GATES))
    given, bench = prepared(asked)
    default = bench.measured({}, bench.fitted)
    record: dict[str, Any] = {
        "benchmark": "coba_gates",
        "rows_alone": bench.scores([]),
        "gates": {},
    }
    for gate in given.gates:
        usual = CobaConfig.model_fields[gate].default
        found = {
            str(value): default if value == usual else bench.measured({gate: value}, bench.fitted)
            for value in GATES[gate]
        }
        record["gates"][gate] = {"chosen": chosen(found), "values": found}
        print(gate, record["gates"][gate], file=sys.stderr, flush=True)
    print_line(record)


if __name__ == "__main__":
    main()
