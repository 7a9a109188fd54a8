"""What scoring costs beside scikit-learn's TfidfVectorizer. One JSON line.

    OMP_NUM_THREADS=1 python benchmarks/razor_speed.py [--rows 100000] [--words 20]

Documents of random words (Zipf, 50,000 different ones). Times are CPU-seconds of one run; memory is
the peak of the process in GB, the documents included.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections.abc import Callable

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from augkit.augmenters.razor.objective import cosine_similarity, kl_divergence
from augkit.augmenters.razor.shortcut_score import LabelSums
from augkit.augmenters.razor.surface_features import (
    PositionalEncoding,
    surface_space,
    surface_vectors,
    tokenize,
)
from augkit.augmenters.razor.token_score import FeatureCounts

KINDS = 50_000


def main() -> None:
    """Score, time, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--words", type=int, default=20)
    asked = parser.parse_args()
    texts = documents(asked.rows, asked.words)
    labels = np.random.default_rng(1).integers(0, 2, asked.rows)
    told: dict[str, object] = {"rows": asked.rows, "words": asked.words}
    told["tfidf"] = seconds(lambda: TfidfVectorizer().fit_transform(texts))
    told["paper"] = seconds(lambda: paper(texts, labels))
    told["paper, peak GB"] = peak()
    told["token"] = seconds(
        lambda: FeatureCounts(tokenize(texts, marks=True), labels, 2).scores(labels)
    )
    told["token, peak GB"] = peak()
    told |= replacements(texts[:5000], labels[:5000])
    print(json.dumps(told))


def documents(rows: int, words: int) -> list[str]:
    """Random words by Zipf's law, in blocks so that the numbers do not fill the memory."""
    draw = np.random.default_rng(0)
    shares = 1 / np.arange(1, KINDS + 1)
    names = np.array([f"w{number}" for number in range(KINDS)])
    made: list[str] = []
    for start in range(0, rows, 10_000):
        size = (min(10_000, rows - start), words)
        chosen = draw.choice(KINDS, size=size, p=shares / shares.sum())
        made += [" ".join(row) for row in names[chosen].tolist()]
    return made


def paper(texts: list[str], labels: np.ndarray) -> None:
    """Eq. 7-12 and both forms of Eq. 14."""
    tokens = tokenize(texts)
    vectors = surface_vectors(tokens, surface_space(tokens, PositionalEncoding()))
    sums = LabelSums(vectors, labels, 2)
    sums.scores(vectors, labels)
    cosine_similarity(sums)
    kl_divergence(sums)


def replacements(texts: list[str], labels: np.ndarray) -> dict[str, float]:
    """Microseconds for one replaced document."""
    tokens = tokenize(texts)
    vectors = surface_vectors(tokens, surface_space(tokens, PositionalEncoding()))
    sums, counts = LabelSums(vectors, labels, 2), FeatureCounts(tokens, labels, 2)
    rounds = range(2000)
    by_paper = seconds(lambda: [sums.replace(0, vectors[0], vectors[1]) for _ in rounds])
    by_token = seconds(lambda: [counts.replace(0, texts[0], texts[1]) for _ in rounds])
    return {
        "paper, µs a replacement": round(by_paper / len(rounds) * 1e6, 1),
        "token, µs a replacement": round(by_token / len(rounds) * 1e6, 1),
    }


def seconds(work: Callable[[], object]) -> float:
    """CPU-seconds of this process."""
    start = time.process_time()
    work()
    return round(time.process_time() - start, 3)


def peak() -> float:
    """Largest memory so far, in GB."""
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, 2)


if __name__ == "__main__":
    main()
