"""Build the table that tells English from other languages, from langdetect's profiles.

    pip download --no-deps --no-binary :all: langdetect==1.0.9 && tar xf langdetect-1.0.9.tar.gz
    python scripts/data/build_language_trigrams.py langdetect-1.0.9/langdetect/profiles

A profile counts the letter trigrams of a Wikipedia. The table has the commonest trigrams of each
language and, for each language but English, the logarithm of how much likelier a trigram is in it
than in English, in steps of a quarter: a letter of ASCII each, "N" for zero.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter
from math import log
from pathlib import Path

TABLE = Path(__file__).parents[2] / "augkit" / "lexicons" / "data" / "language_trigrams.tsv.gz"
LANGUAGES = (
    "en af ca cs cy da de es et fi fr hr hu id it lt lv nl no pl pt ro sk sl so sq sv sw tl tr vi"
).split()
"""English first, then the others in Latin script."""
COMMONEST = 400
FLOOR = 2e-5
"""Added to each frequency."""
STEPS = 4


def frequencies(path: Path) -> dict[str, float]:
    """Share of each lower-case trigram; a space is the edge of a word."""
    profile = json.loads(path.read_text(encoding="utf-8"))
    total, counts = profile["n_words"][2], Counter[str]()
    for gram, count in profile["freq"].items():
        if len(gram) == 3:
            counts[gram.lower()] += count
    return {gram: count / total for gram, count in counts.most_common()}


def main() -> None:
    """Write the table."""
    shares = [frequencies(Path(sys.argv[1]) / language) for language in LANGUAGES]
    grams = sorted({gram for known in shares for gram in list(known)[:COMMONEST]})
    lines = ["\t" + " ".join(LANGUAGES[1:])]
    for gram in grams:
        english, *others = (log(known.get(gram, 0.0) + FLOOR) for known in shares)
        steps = (round(STEPS * (other - english)) for other in others)
        lines.append(gram + "\t" + "".join(chr(ord("N") + step) for step in steps))
    TABLE.write_bytes(gzip.compress("\n".join(lines).encode("utf-8"), mtime=0))
    print(f"{len(grams)} trigrams, {TABLE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
