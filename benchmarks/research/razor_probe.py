"""Does a score of RAZOR see a planted shortcut? One JSON line.

    AUGKIT_DATA=DIR python -m benchmarks.research.razor_probe [--rows 2000] [--seeds 5]

Natural sentences (SNLI hypotheses) get labels by a coin, so that nothing gives them away; then a
word is put at a random place into 60 % of one label's sentences and 2 % of the other's. Given is
the AUC of each score for "this sentence holds the planted word" (0.5 is chance), the mean over the
seeds and the smallest, and the AUC among sentences of the shortcut's own label alone. ``length`` is
the rank correlation of each score with the number of words of the sentence, the mean over seeds.
"""

from __future__ import annotations

import os
import random
from statistics import fmean

import numpy as np
from scipy.stats import spearmanr
from sklearn.metrics import roc_auc_score

from augkit.augmenters.razor.paper_score import (
    LabelSums,
    PositionalEncoding,
    surface_space,
    surface_vectors,
)
from augkit.augmenters.razor.released_score import ReleasedScore
from augkit.augmenters.razor.token_score import FeatureCounts
from augkit.datasets.load import load_dataset
from augkit.text.features.kinds import lowered_words
from augkit.text.features.numbering import number_texts
from augkit.text.tokens import words
from benchmarks.command_line import argument, arguments, print_line

PLANTED = "actually"


def main() -> None:
    """Plant, score, print."""
    asked = arguments(
        __doc__,
        argument("--rows", type=int, default=2000),
        argument("--seeds", type=int, default=5),
        argument("--dataset", default="snli:dev"),
    )
    pool = sorted(
        {
            list(row.fields.values())[-1]
            for row in load_dataset(asked.dataset, data_folder=os.environ.get("AUGKIT_DATA"))
        }
    )
    found: dict[str, list[float]] = {}
    lengths: dict[str, list[float]] = {}
    for seed in range(asked.seeds):
        for measured, values in zip((found, lengths), probe(pool, asked.rows, seed), strict=True):
            for name, value in values.items():
                measured.setdefault(name, []).append(value)
    record = {
        name: {"mean": round(fmean(values), 4), "least": round(min(values), 4)}
        for name, values in found.items()
    }
    length = {name: round(fmean(values), 4) for name, values in lengths.items()}
    print_line({"rows": asked.rows, "seeds": asked.seeds, "auc": record, "length": length})


def probe(pool: list[str], rows: int, seed: int) -> tuple[dict[str, float], dict[str, float]]:
    """The AUC of each score on one planted corpus, and its correlation with the length."""
    draw = random.Random(seed)
    texts = draw.sample(pool, rows)
    labels = np.array([number % 2 for number in range(rows)])
    texts = [planted(text, label, draw) for text, label in zip(texts, labels, strict=True)]
    holds = np.array([PLANTED in words(text) for text in texts])
    tokens = number_texts(texts, lowered_words)
    scores = {"token": FeatureCounts(texts, labels, 2).scores(labels)}
    for exponent in ("paper", "usual"):
        vectors = surface_vectors(
            tokens, surface_space(tokens, PositionalEncoding(exponent=exponent))
        )
        scores[f"paper, exponent {exponent}"] = LabelSums(vectors, labels, 2).scores(
            vectors, labels
        )
    dimensions = PositionalEncoding().dimensions
    scores["released"] = ReleasedScore(texts, labels, 2, dimensions).corpus_scores(labels)
    own = labels == 1
    auc = {
        name + part: roc_auc_score(holds[chosen], values[chosen])
        for name, values in scores.items()
        for part, chosen in (("", slice(None)), (", own label", own))
    }
    sizes = [len(lowered_words(text)) for text in texts]
    return auc, {name: spearmanr(values, sizes).statistic for name, values in scores.items()}


def planted(text: str, label: int, draw: random.Random) -> str:
    """The text, with the word at a random place by the label's chance."""
    parts = text.split()
    if draw.random() < (0.6 if label == 1 else 0.02):
        parts.insert(draw.randrange(len(parts) + 1), PLANTED)
    return " ".join(parts)


if __name__ == "__main__":
    main()
