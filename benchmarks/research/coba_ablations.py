"""What each part of CoBA is worth: the ensemble's size, top-k, shuffling, gender, precedence.

    python -m benchmarks.research.coba_ablations --data DIR [--rows 600] [--cache FILE]
        [--only NAME ...]

The rows with a planted shortcut, the classifier and the tests of ``coba_planted.py``, which read no
revision; one setting at a time is changed from the defaults. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

from benchmarks.command_line import print_line
from benchmarks.release.coba_planted import prepared

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
"""Settings for which the corpus is fitted anew."""


def main() -> None:
    """Measure every setting and print."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--only", nargs="*", default=list(SETTINGS), choices=list(SETTINGS))
    given, bench = prepared(asked)
    record: dict[str, Any] = {
        "benchmark": "coba_ablations",
        "rows_alone": bench.scores([]),
        "settings": {},
    }
    for name in given.only:
        options = SETTINGS[name]
        fitted = bench.fit(options) if _LEARNT & set(options) else bench.fitted
        record["settings"][name] = bench.measured(options, fitted)
        print(name, record["settings"][name], file=sys.stderr, flush=True)
    print_line(record)


if __name__ == "__main__":
    main()
