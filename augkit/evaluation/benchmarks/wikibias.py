"""Biased wording: do a model's vectors tell a biased sentence from its neutral twin?

The sentences are embedded once; a logistic regression on the vectors is trained and tested in
five folds, the two sentences of an edit always in the same one. Higher means that the model's
vectors hold what the detection of biased wording needs.

Reference: zhong2021wikibias. Its data are not to be had here; the Wiki Neutrality Corpus
(pryzant2020automatically) stands in, and the result is named after what was measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from augkit.core.errors import DataError
from augkit.core.protocols import Vectors
from augkit.core.types import Score, digest, value
from augkit.evaluation.benchmarks.benchmark import Benchmark, Way
from augkit.evaluation.benchmarks.files import read_jsonl
from augkit.evaluation.statistics.intervals import exact_share

_FOLDS = 5


@value
class WordedSentence:
    """A sentence, whether its wording is biased, and the edit it belongs to."""

    text: str
    biased: bool
    edit: str


def read(path: Path) -> list[WordedSentence]:
    """The sentences of ``pairs.jsonl[.gz]``: ``{text, label, pair_id}``."""
    rows = read_jsonl(path, ("text", "label", "pair_id"))
    return [WordedSentence(row["text"], row["label"] == "biased", row["pair_id"]) for row in rows]


def classified(model: Vectors, sentences: Sequence[WordedSentence]) -> list[Score]:
    """Accuracy and F1 of the biased class, out of fold."""
    import numpy as np
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    vectors = model.sentences([sentence.text for sentence in sentences])
    gold = np.array([sentence.biased for sentence in sentences])
    folds = np.array([int(digest(sentence.edit), 16) % _FOLDS for sentence in sentences])
    guessed = np.zeros(len(gold), dtype=bool)
    for fold in range(_FOLDS):
        train, test = folds != fold, folds == fold
        if not test.any():
            continue
        if len(set(gold[train].tolist())) < 2:
            raise DataError("wikibias: too few sentences of both kinds to train on")
        learner = make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=1000))
        guessed[test] = learner.fit(vectors[train], gold[train]).predict(vectors[test])
    return [exact_share("accuracy", int((guessed == gold).sum()), len(gold)), _f1(guessed, gold)]


def _f1(guessed: object, gold: object) -> Score:
    """F1 with an interval from a bootstrap over sentences."""
    import numpy as np

    from augkit.evaluation.statistics.intervals import LEVEL, keyed_generator

    said, true = np.asarray(guessed), np.asarray(gold)
    kinds = [(said & true).sum(), (said & ~true).sum(), (~said & true).sum()]
    counts = np.array([*kinds, len(true) - sum(kinds)])
    draws = keyed_generator(0, "f1").multinomial(len(true), counts / len(true), size=2_000)
    below, above = (1 - LEVEL) / 2, (1 + LEVEL) / 2
    low, high = np.quantile([_f1_of(*draw[:3]) for draw in draws], [below, above])
    return Score("f1", _f1_of(*kinds), float(low), float(high), len(true))


def _f1_of(hits: int, false: int, missed: int) -> float:
    """F1 from counts; 0 where nothing is found and nothing is there.

    >>> _f1_of(2, 1, 1)
    0.6666666666666666
    """
    return float(2 * hits / (2 * hits + false + missed)) if hits else 0.0


BENCHMARK = Benchmark(
    name="wikibias",
    about="a classifier of biased sentences on the model's vectors; higher is better",
    place="wnc_sample/pairs.jsonl",
    read=read,
    ways={"vectors": Way("vectors", "vectors of the model, a linear head", classified)},
    faults="the Wiki Neutrality Corpus stands in for WIKIBIAS: not comparable with its figures",
    cite="zhong2021wikibias",
)
