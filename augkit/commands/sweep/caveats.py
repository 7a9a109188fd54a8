"""The caveats of a study: each once, with the methods that it is about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any


def study_caveats(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """A line for each caveat of the rows of ``results.json``; names of methods may have commas.

    >>> rows = [{"method": "eda", "caveats": ["few rows"]}, {"method": "swap", "caveats": []}]
    >>> next(study_caveats(rows))
    'few rows (eda)'
    """
    concerned: dict[str, dict[str, None]] = {}
    for row in rows:
        for caveat in row["caveats"]:
            concerned.setdefault(caveat, {})[row["method"]] = None
    every = {row["method"] for row in rows}
    for caveat, methods in concerned.items():
        which = "all methods" if len(methods) == len(every) > 1 else "; ".join(methods)
        yield f"{caveat} ({which})"
    if len(rows) > 1:
        yield (
            f"{len(rows):,} comparisons: where nothing changed, one in twenty is significant by "
            "chance; intervals and p-values of the tables are not corrected"
        )
