"""What scoring costs beside scikit-learn's TfidfVectorizer. One JSON line.

    OMP_NUM_THREADS=1 python -m benchmarks.speed.razor_speed [--rows 100000] [--words 20]
    AUGKIT_DATA=DIR OMP_NUM_THREADS=1 python -m benchmarks.speed.razor_speed --rewrite adverb
    AUGKIT_DATA=DIR OMP_NUM_THREADS=1 python -m benchmarks.speed.razor_speed --corpus 100000
        [--top 2500]

Documents of random words (Zipf, 50,000 different ones). Times are CPU-seconds of one run; memory is
the peak of the process in GB, the documents included. ``--rewrite`` measures the offline rewriting
of 2,000 SST-2 sentences with a planted shortcut (``razor_planted.py``) instead: sentences that were
tried, those that were rewritten, and CPU-seconds without the training of the judge and the loading
of the parser, the lexicons and the inflections (a few rows are rewritten first). ``--corpus`` is a
whole run, judge included, over so many SST-2 phrases, some with a planted adverb; of each label
``--top`` rows are tried.
"""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Callable
from itertools import cycle, islice

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from augkit.augmenters.create import create
from augkit.augmenters.razor.paper_score import (
    LabelSums,
    PositionalEncoding,
    cosine_similarity,
    kl_divergence,
    surface_space,
    surface_vectors,
)
from augkit.augmenters.razor.token_score import FeatureCounts
from augkit.core.types import Pair, Rejection
from augkit.datasets.load import load_dataset
from augkit.english.morphology import inflect_verb
from augkit.lexicons.taxonomy import taxonomy
from augkit.text.features.kinds import lowered_words
from augkit.text.features.numbering import number_texts
from benchmarks.command_line import argument, arguments, print_line
from benchmarks.release.razor_planted import ROWS, SHARES, planted

KINDS = 50_000
WARM_UP = 100
"""Rows rewritten before the clock starts, so that the parser and the lexicons are loaded."""


def main() -> None:
    """Score, time, print."""
    asked = arguments(
        __doc__,
        argument("--rows", type=int, default=100_000),
        argument("--words", type=int, default=20),
        argument("--rewrite", metavar="KIND"),
        argument("--corpus", type=int, metavar="ROWS"),
        argument("--top", type=int, default=2500, help="of --corpus: rows of each label"),
    )
    if asked.corpus:
        print_line(whole_run(asked.corpus, asked.top))
        return
    if asked.rewrite:
        print_line(rewriting(asked.rewrite))
        return
    texts = documents(asked.rows, asked.words)
    labels = np.random.default_rng(1).integers(0, 2, asked.rows)
    record: dict[str, object] = {"rows": asked.rows, "words": asked.words}
    record["tfidf"] = seconds(lambda: TfidfVectorizer().fit_transform(texts))
    record["paper"] = seconds(lambda: paper(texts, labels))
    record["paper, peak GB"] = peak()
    record["token"] = seconds(lambda: FeatureCounts(texts, labels, 2, marks=True).scores(labels))
    record["token, peak GB"] = peak()
    record |= replacements(texts[:5000], labels[:5000])
    print_line(record)


def rewriting(kind: str) -> dict[str, object]:
    """Sentences a CPU-second, all that razor does after fitting."""
    loaded = load_dataset("sst2_sentences:train", data_folder=os.environ.get("AUGKIT_DATA"))
    rows = planted(kind, list(loaded)[:ROWS], SHARES, 0)
    step = create("razor").fit(rows)
    list(step.outcomes(rows[:WARM_UP]))
    inflect_verb("go", "VBD")
    taxonomy()
    outcomes: list[Pair | Rejection] = []
    spent = seconds(lambda: outcomes.extend(step.outcomes(rows)))
    done = sum(isinstance(one, Pair) for one in outcomes)
    untouched = "not among the highest scores"
    left = sum(isinstance(one, Rejection) and one.reason == untouched for one in outcomes)
    tried = len(outcomes) - left
    return {
        "kind": kind,
        "tried": tried,
        "rewritten": done,
        "seconds": spent,
        "tried a second": round(tried / spent, 1),
        "peak GB": peak(),
    }


def whole_run(size: int, top: int) -> dict[str, object]:
    """Fitting and one round over a large corpus: CPU-seconds and the peak of the memory."""
    loaded = list(load_dataset("sst2:train", data_folder=os.environ.get("AUGKIT_DATA")))
    rows = planted("adverb", list(islice(cycle(loaded), size)), SHARES, 0)
    steps = [create("razor", top=top, rounds=1)]
    fitting = seconds(lambda: steps.append(steps[0].fit(rows)))
    record: dict[str, object] = {"rows": len(rows), "fitting": fitting, "fitted, peak GB": peak()}
    done = 0

    def run() -> None:
        nonlocal done
        done = sum(isinstance(one, Pair) for one in steps[-1].outcomes(rows))

    spent = seconds(run)
    return record | {"run": spent, "tried": 2 * top, "rewritten": done, "peak GB": peak()}


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
    tokens = number_texts(texts, lowered_words)
    vectors = surface_vectors(tokens, surface_space(tokens, PositionalEncoding()))
    sums = LabelSums(vectors, labels, 2)
    sums.scores(vectors, labels)
    cosine_similarity(sums)
    kl_divergence(sums)


def replacements(texts: list[str], labels: np.ndarray) -> dict[str, float]:
    """Microseconds for one replaced document."""
    tokens = number_texts(texts, lowered_words)
    vectors = surface_vectors(tokens, surface_space(tokens, PositionalEncoding()))
    sums, counts = LabelSums(vectors, labels, 2), FeatureCounts(texts, labels, 2)
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
