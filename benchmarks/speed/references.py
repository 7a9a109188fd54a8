"""How fast demographic references are found, without a parse: one JSON line.

    python -m benchmarks.speed.references FILE.jsonl[.gz] [--field text] [--axes gender race age]

Sentences per CPU-second, the best of five passes: over the sentences that hold no reference, over
those that do, and over all.
"""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Sequence
from pathlib import Path

from augkit.lexicons.demographics.find_references import Hit, ReferenceFinder, finder_for
from benchmarks.command_line import argument, arguments, print_line


def read(path: Path, field: str) -> list[str]:
    """One field of every row."""
    packed = path.read_bytes()
    text = gzip.decompress(packed) if path.suffix == ".gz" else packed
    return [json.loads(line)[field] for line in text.splitlines()]


def find_all(finders: Sequence[ReferenceFinder], text: str) -> list[Hit]:
    """The references of all axes."""
    return [hit for finder in finders for hit in finder.find(text)]


def rate(finders: Sequence[ReferenceFinder], texts: Sequence[str]) -> int | None:
    """Texts per CPU-second."""
    if not texts:
        return None
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        for text in texts:
            find_all(finders, text)
        best = min(best, time.process_time() - start)
    return round(len(texts) / best)


def main() -> None:
    """Print the figures."""
    given = arguments(
        __doc__,
        argument("file", type=Path),
        argument("--field", default="text"),
        argument("--axes", nargs="+", default=["gender", "race", "age"]),
    )
    finders = [finder_for(axis) for axis in given.axes]
    texts = read(given.file, given.field)
    hits = [find_all(finders, text) for text in texts]
    figures = {
        "file": given.file.name,
        "axes": given.axes,
        "texts": len(texts),
        "with_reference": sum(map(bool, hits)),
        "per_s_without": rate(
            finders, [t for t, some in zip(texts, hits, strict=True) if not some]
        ),
        "per_s_with": rate(finders, [t for t, some in zip(texts, hits, strict=True) if some]),
        "per_s": rate(finders, texts),
    }
    print_line(figures)


if __name__ == "__main__":
    main()
