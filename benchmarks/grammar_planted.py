"""Is a planted structure found by an induced grammar, and nothing where labels are shuffled?

    OMP_NUM_THREADS=1 python benchmarks/grammar_planted.py [--sentences 4000] [--symbols 5]
        [--leaves 8] [--epochs 8] [--shuffles 200] [--seed 0]

Sentences are drawn from a grammar of ours (``augkit.grammars.planted``) in which phrases of two
words go with a label. A grammar is induced from the words alone. One JSON line: the most telling
subtrees with their held-out shares, the rank of every planted phrase (None: the induced grammar
does not take it for a phrase), how many subtrees are significant, and in how many of ``--shuffles``
shuffles of the labels anything is (at 0.05 no more than about 5 % may be). ``with_the_true_trees``:
the same from the trees that the sentences were drawn with, for phrases whose single words tell
nothing ("at night" and "in town" against "at town" and "in night").
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace
from typing import Any

import numpy as np

from augkit.data import example
from augkit.grammars.corpus import read_corpus
from augkit.grammars.features import subtrees
from augkit.grammars.groups import PickConfig, pick
from augkit.grammars.induce import InduceConfig, Texts, induce
from augkit.grammars.planted import FIXED, LABELS, PLANTED, plant
from augkit.grammars.spelling import patterns
from augkit.grammars.statistics import Labelled
from augkit.grammars.survey import Survey, SurveyConfig, label_rows, survey_trees


def surveyed(asked: argparse.Namespace) -> Survey:
    """Draw the corpus, induce a grammar and look for features."""
    planted = plant(asked.sentences, seed=asked.seed, phrases=FIXED)
    rows = [
        example(text, LABELS[label], occurrence=place)
        for place, (text, label) in enumerate(zip(planted.sentences, planted.labels, strict=True))
    ]
    config = SurveyConfig(min_count=1, seed=asked.seed)
    corpus = read_corpus(rows, config)
    labelled = label_rows(corpus.examples, config)
    vocabulary = corpus.vocabulary(config)
    texts = Texts(corpus.encoded(vocabulary), labelled.held_out, len(vocabulary))
    sizes = {
        name: getattr(asked, name)
        for name in ("symbols", "leaves", "width", "epochs", "batch_size")
    }
    induced = induce(texts, InduceConfig(**sizes, seed=asked.seed, device="cpu"))
    return survey_trees(corpus, vocabulary, induced.trees, labelled, config)


def true_trees(asked: argparse.Namespace) -> dict[str, Any]:
    """The most telling subtrees of the trees that the sentences were drawn with."""
    planted = plant(asked.sentences, seed=asked.seed)
    held = np.random.default_rng(asked.seed).random(asked.sentences) < 0.3
    labelled = Labelled(LABELS, planted.labels, held)
    trees = planted.trees
    picked = pick(trees, subtrees(trees), trees.doc, labelled, PickConfig())
    names = patterns(picked.trees, planted.vocabulary, paired=False)
    return {
        "rank_of_planted": {
            phrase: names.index(phrase) + 1 for some in PLANTED.values() for phrase in some
        },
        "significant": int((picked.measured.corrected <= 0.05).sum()),
    }


def false_alarms(survey: Survey, shuffles: int) -> int:
    """In how many shuffles of the labels any subtree or group is significant."""
    draw = np.random.default_rng(1)
    found = 0
    for _ in range(shuffles):
        shuffled = replace(survey.labelled, numbers=draw.permutation(survey.labelled.numbers))
        again = survey_trees(
            survey.corpus, survey.vocabulary, survey.trees, shuffled, SurveyConfig(min_count=1)
        )
        found += bool((again.picked.measured.corrected <= 0.05).any())
    return found


def main() -> None:
    """Print one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sentences", type=int, default=4_000)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--symbols", type=int, default=5)
    parser.add_argument("--leaves", type=int, default=8)
    parser.add_argument("--width", type=int, default=16)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--shuffles", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    started = time.process_time()
    survey = surveyed(asked)
    measured = survey.picked.measured
    names = patterns(survey.picked.trees, survey.vocabulary, paired=False)
    shares = measured.share(held_out=True)
    told: dict[str, Any] = {
        "sentences": asked.sentences,
        "top": [
            (names[place], LABELS[measured.label[place]], round(float(shares[place]), 3))
            for place in range(6)
        ],
        "rank_of_planted": {
            phrase: names.index(phrase) + 1 if phrase in names else None
            for some in FIXED.values()
            for phrase in some
        },
        "with_the_true_trees": true_trees(asked),
        "examined": survey.picked.examined,
        "significant": int((measured.corrected <= 0.05).sum()),
        "shuffles": asked.shuffles,
        "shuffles_with_any": false_alarms(survey, asked.shuffles),
        "cpu_seconds": round(time.process_time() - started, 1),
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
