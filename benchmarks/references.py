"""How fast demographic references are found, without a parse: one JSON line.

    python benchmarks/references.py FILE.jsonl[.gz] [--field text] [--axes gender race age]

Sentences per CPU-second, the best of five passes: over the sentences that hold no reference, over
those that do, and over all; and the share of hits that may be changed at once, man to woman.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections.abc import Sequence
from pathlib import Path

from augkit.lexicons.demographics.find_references import ReferenceFinder, finder_for


def read(path: Path, field: str) -> list[str]:
    """One field of every row."""
    packed = path.read_bytes()
    text = gzip.decompress(packed) if path.suffix == ".gz" else packed
    return [json.loads(line)[field] for line in text.splitlines()]


def rate(finder: ReferenceFinder, texts: Sequence[str]) -> int | None:
    """Texts per CPU-second."""
    if not texts:
        return None
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        for text in texts:
            finder.find(text)
        best = min(best, time.process_time() - start)
    return round(len(texts) / best)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--field", default="text")
    parser.add_argument("--axes", nargs="+", default=["gender", "race", "age"])
    given = parser.parse_args()
    finder = finder_for(*given.axes)
    texts = read(given.file, given.field)
    hits = [finder.find(text) for text in texts]
    gender = [hit for some in hits for hit in some if hit.axis == "gender" and not hit.is_weak]
    plain = [hit for hit in gender if hit.is_plain("woman" if hit.attribute == "man" else "man")]
    figures = {
        "file": given.file.name,
        "axes": given.axes,
        "texts": len(texts),
        "with_reference": sum(map(bool, hits)),
        "per_s_without": rate(finder, [t for t, some in zip(texts, hits, strict=True) if not some]),
        "per_s_with": rate(finder, [t for t, some in zip(texts, hits, strict=True) if some]),
        "per_s": rate(finder, texts),
        "plain_share": round(len(plain) / max(1, len(gender)), 3),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
