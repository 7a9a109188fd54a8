"""What it costs to cross-fit the default ensemble and to explain every row. One JSON line.

    AUGKIT_DATA=... OMP_NUM_THREADS=1 python -m benchmarks.speed.crossfit [--dataset sst2]
        [--rows N]

Times are CPU-seconds of one run; memory is the peak of the process in GB.
"""

from __future__ import annotations

import os
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from augkit.attribution.ensemble import vote_words
from augkit.datasets.load import load_dataset
from augkit.models.ensembles.crossfit import CrossFitted, train_crossfitted
from benchmarks.command_line import argument, arguments, print_line

T = TypeVar("T")


def main() -> None:
    """Train, save, load, judge, vote; print the seconds."""
    options = arguments(
        __doc__,
        argument("--dataset", default="sst2"),
        argument("--rows", type=int),
    )
    rows = load_dataset(options.dataset, data_folder=Path(os.environ["AUGKIT_DATA"]))[
        : options.rows
    ]
    record: dict[str, object] = {"dataset": options.dataset, "rows": len(rows)}
    ensemble = timed(record, "train", lambda: train_crossfitted(rows))
    timed(record, "judge", lambda: ensemble.predict(rows))
    timed(record, "explain and vote", lambda: vote_words(ensemble, rows))
    with tempfile.TemporaryDirectory() as folder:
        timed(record, "save", lambda: ensemble.save(Path(folder)))
        record["MB"] = round(sum(file.stat().st_size for file in Path(folder).iterdir()) / 1e6, 1)
        timed(record, "load", lambda: CrossFitted.load(Path(folder)))
    record["peak GB"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, 2)
    record["held out"] = {name: round(x, 4) for name, x in ensemble.held_out_accuracy.items()}
    print_line(record)


def timed(record: dict[str, object], name: str, work: Callable[[], T]) -> T:
    """Do it, and note the CPU-seconds it took."""
    start = time.process_time()
    done = work()
    record[f"{name}, CPU s"] = round(time.process_time() - start, 2)
    return done


if __name__ == "__main__":
    main()
