"""Biased wording: do a model's vectors separate a biased sentence from its neutral version?

The sentences are embedded once; a logistic regression on the vectors is trained and tested in
five folds, the two sentences of an edit always in the same one. Higher means that biased wording
is easier to detect from the model's vectors.

Reference: zhong2021wikibias. Its data are not public; the Wiki Neutrality Corpus
(pryzant2020automatically) is used instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from augkit.core.errors import DataError
from augkit.core.protocols import Vectors
from augkit.core.results import Score
from augkit.core.types import digest, value
from augkit.evaluation.bias.benchmark import Benchmark, ScoringRule
from augkit.evaluation.bias.files import read_jsonl
from augkit.evaluation.statistics.intervals import exact_share, keyed_generator, percentiles

_FOLDS = 5


@value
class WikiSentence:
    """A sentence, whether its wording is biased, and the edit it belongs to."""

    text: str
    biased: bool
    edit: str


def read(path: Path) -> list[WikiSentence]:
    """The sentences of ``pairs.jsonl[.gz]``: ``{text, label, pair_id}``."""
    rows = read_jsonl(path, ("text", "label", "pair_id"))
    return [WikiSentence(row["text"], row["label"] == "biased", row["pair_id"]) for row in rows]


def classification_score(model: Vectors, sentences: Sequence[WikiSentence]) -> list[Score]:
    """Accuracy and F1 of the biased class, out of fold."""
    import numpy as np
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    vectors = model.sentences([sentence.text for sentence in sentences])
    gold = np.array([sentence.biased for sentence in sentences])
    folds = np.array([int(digest(sentence.edit), 16) % _FOLDS for sentence in sentences])
    predicted = np.zeros(len(gold), dtype=bool)
    for fold in range(_FOLDS):
        train = folds != fold
        test = folds == fold
        if not test.any():
            continue
        if len(set(gold[train].tolist())) < 2:
            raise DataError("wikibias: too few sentences of both kinds to train on")
        learner = make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=1000))
        predicted[test] = learner.fit(vectors[train], gold[train]).predict(vectors[test])
    return [
        exact_share("accuracy", int((predicted == gold).sum()), len(gold)),
        _f1(predicted, gold),
    ]


def _f1(predicted: Any, gold: Any) -> Score:
    """F1 with an interval from a bootstrap over sentences; 0 where none is found."""
    import numpy as np

    kinds = [(predicted & gold).sum(), (predicted & ~gold).sum(), (~predicted & gold).sum()]
    counts = np.array([*kinds, len(gold) - sum(kinds)])
    draws = keyed_generator("f1").multinomial(len(gold), counts / len(gold), size=2_000)
    hits, false, missed, _ = np.vstack([counts, draws]).T
    f1 = 2 * hits / np.maximum(2 * hits + false + missed, 1)
    return Score("f1", float(f1[0]), *percentiles(f1[1:]), len(gold))


BENCHMARK = Benchmark(
    name="wikibias",
    about="a classifier of biased sentences on the model's vectors; higher is better",
    direction="higher",
    unbiased=1.0,
    path="wnc_sample/pairs.jsonl",
    read=read,
    rules={
        "vectors": ScoringRule(
            "vectors", "vectors of the model, a linear head", classification_score
        )
    },
    caveats="the Wiki Neutrality Corpus replaces WIKIBIAS: not comparable with its results",
    reference="zhong2021wikibias",
)
