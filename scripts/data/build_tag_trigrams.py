"""Estimate the trigrams of word classes in ``augmenters/rewriting/tag_trigrams.txt``.

    python scripts/data/build_tag_trigrams.py ewt_train.conllu.gz gum_train.conllu.gz

Probabilities are interpolated with those of bigrams and single classes by Witten and Bell's
method. Half of the sentences are also counted without their final stop, because many texts lack
it. No text of the treebanks is stored.
"""

from __future__ import annotations

import gzip
import math
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from augkit.english.rewriting import fluency
from augkit.english.rewriting.fluency import CLASSES, STEP, word_class

TARGET = Path(fluency.__file__).with_name("tag_trigrams.txt")
HEADER = """\
# Negative log-probabilities of a word class after two others, in steps of 0.1, one character each.
# Built by scripts/data/build_tag_trigrams.py from the training parts of UD English EWT and GUM (see
# language/pipeline/ATTRIBUTION.md). Licence: CC BY-SA 4.0.
"""


def sentences(path: Path) -> Iterator[list[int]]:
    """The word classes of every sentence of a treebank."""
    classes: list[int] = []
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            cells = line.split("\t")
            if len(cells) > 4 and cells[0].isdigit():
                classes.append(word_class(cells[1], cells[3], cells[4]))
            elif not line.strip() and classes:
                yield classes
                classes = []


def counted(paths: list[Path]) -> list[Counter[tuple[int, ...]]]:
    """How often each class, pair and triple occurs."""
    counts: list[Counter[tuple[int, ...]]] = [Counter() for _ in range(3)]
    stop = CLASSES.index("STOP")
    for number, classes in enumerate(one for path in paths for one in sentences(path)):
        versions = [classes]
        if number % 2 and classes[-1] == stop and len(classes) > 1:
            versions.append(classes[:-1])
        for version in versions:
            padded = [0, 0, *version, 0, 0]
            for size in (1, 2, 3):
                grams = zip(*(padded[start:] for start in range(size)), strict=False)
                counts[size - 1].update(grams)
    return counts


def main() -> None:
    """Write the table."""
    counts = counted([Path(name) for name in sys.argv[1:]])
    total = sum(counts[0].values())
    followers = [Counter(gram[:-1] for gram in some) for some in counts[1:]]
    size = range(len(CLASSES))
    lines = []

    def probability(gram: tuple[int, ...]) -> float:
        if len(gram) == 1:
            return (counts[0][gram] + 0.5) / (total + 0.5 * len(CLASSES))
        context = gram[:-1]
        kinds = followers[len(gram) - 2][context]
        seen = counts[len(gram) - 2][context]
        lower = probability(gram[1:])
        return (counts[len(gram) - 1][gram] + kinds * lower) / (seen + kinds) if seen else lower

    for first in size:
        for second in size:
            logs = [-math.log(probability((first, second, third))) / STEP for third in size]
            lines.append("".join(chr(33 + min(round(log), 93)) for log in logs))
    TARGET.write_text(HEADER + "\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
