"""What each part of CoBA is worth: the ensemble's size, top-k, shuffling, gender, precedence.

    python benchmarks/coba_ablations.py --data DIR [--rows 600] [--cache FILE] [--only NAME ...]

The rows with a planted shortcut, the classifier and the tests of ``coba_gates.py``, which read no
revision; one setting at a time is changed from the defaults. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from coba_gates import Bench
from coba_imdb import RememberedParses

import augkit.augmenters.coba.learn as learning
from augkit.augmenters.coba import reading

SETTINGS: dict[str, dict[str, Any]] = {
    "defaults": {},
    "one classifier": {"classifiers": 1},
    "three classifiers": {"classifiers": 3},
    "seven classifiers": {"classifiers": 7},
    "top 1": {"top_k": 1},
    "top 20": {"top_k": 20},
    "normal sentences shuffled": {"permute": True},
    "no normal sentence left out": {"delete": 0.0},
    "gender swapped": {"gender": "swap"},
    "precedence spurious": {"precedence": "spurious"},
    "the vote alone (paper)": {"principal": "vote", "precedence": "spurious"},
    "no twins": {"twins": False},
}
_LEARNT = {"classifiers"}
"""Settings for which the corpus is learnt anew."""


def main() -> None:
    """Measure every setting and print."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--data", type=Path, required=True)
    asked.add_argument("--rows", type=int, default=600)
    asked.add_argument("--cache", type=Path, help="keeps parses")
    asked.add_argument("--only", nargs="*", default=list(SETTINGS), choices=list(SETTINGS))
    given = asked.parse_args()
    parses = RememberedParses(given.cache)
    learning.load = reading.load = lambda: parses  # type: ignore[assignment] # the same interface
    bench = Bench(given.data, given.rows)
    told: dict[str, Any] = {"benchmark": "coba_ablations", "rows_alone": bench.scores([])}
    for name in given.only:
        options = SETTINGS[name]
        learnt = bench.learn(options) if _LEARNT & set(options) else bench.learnt
        told[name] = bench.measured(options, learnt)
        print(name, told[name], file=sys.stderr, flush=True)
    parses.save()
    print(json.dumps(told))


if __name__ == "__main__":
    main()
