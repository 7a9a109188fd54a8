"""From examples and trees to records, on a corpus with planted phrases."""

import json
from functools import cache

import numpy as np
import pytest

from augkit.core.errors import DataError
from augkit.core.types import example
from augkit.grammars.features.feature_groups import SelectionConfig, select_features
from augkit.grammars.features.mutual_information import LabelledRows
from augkit.grammars.features.subtrees import subtrees
from augkit.grammars.features.survey import (
    SurveyConfig,
    group_records,
    label_rows,
    rule_records,
    survey_trees,
)
from augkit.grammars.model.corpus import read_corpus
from augkit.grammars.trees import patterns
from lab.planted_phrases import LABELS, PLANTED, Planting, plant


@cache
def planted_texts(seed):
    return plant(2500, Planting(strength=0.85), seed=seed)


def found_phrases(corpus, labels, seed=0):
    """The significant features, the most informative first, with their labels."""
    held_out = np.random.default_rng(seed).random(len(labels)) < 0.3
    labelled = LabelledRows(LABELS, labels, held_out)
    selected = select_features(
        corpus.trees, subtrees(corpus.trees), corpus.trees.doc, labelled, SelectionConfig()
    )
    names = patterns(selected.trees, corpus.vocabulary, paired=False)
    kept = np.flatnonzero(selected.statistics.corrected <= 0.05)
    return [(names[index], LABELS[selected.statistics.label[index]]) for index in kept]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_planted_phrases_are_found_first(seed):
    corpus = planted_texts(seed)
    found = found_phrases(corpus, corpus.labels, seed)
    assert {(phrase, label) for label in LABELS for phrase in PLANTED[label]} == set(found[:4])
    assert all(any(part in name for part in ("at ", "in ")) for name, _ in found)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_shuffled_labels_give_nothing(seed):
    corpus = planted_texts(seed)
    shuffled = np.random.default_rng(seed).permutation(corpus.labels)
    assert found_phrases(corpus, shuffled, seed) == []


def planted_survey(**settings):
    """A survey of a planted corpus from examples on, with its own trees."""
    planted = plant(1200, seed=4)
    rows = [
        example(f"{text}", LABELS[label], occurrence=index)
        for index, (text, label) in enumerate(zip(planted.sentences, planted.labels, strict=True))
    ]
    config = SurveyConfig(min_count=1, **settings)
    corpus = read_corpus(rows, config)
    labelled = label_rows(corpus.examples, config)
    return survey_trees(corpus, planted.vocabulary, planted.trees, labelled, config)


@pytest.mark.slow
def test_records_say_what_was_found():
    """Groups have root, label, patterns, statistics of both parts and ids, as plain JSON values."""
    records = group_records(planted_survey(min_leaves=2))
    assert json.loads(json.dumps(records, allow_nan=False)) == records
    best = records[:2]
    assert {record["label"] for record in best} == set(LABELS)
    for record in best:
        names = [pattern["pattern"] for pattern in record["patterns"]]
        assert set(names) >= set(PLANTED[record["label"]])
        assert record["corrected_p"] < 0.001
        assert record["held_out_share"] > 0.7
        assert record["count"] == sum(record["counts"].values())
        assert record["examples"]
        assert record["counter_examples"]
    assert "(4 (9 at) (10 night))" in {p["tree"] for r in best for p in r["patterns"]}


@pytest.mark.slow
def test_rules_are_recorded_too():
    """Rules have the words of one use."""
    records = rule_records(planted_survey())
    tail = next(record for record in records if record["rule"] == "4 → 9 10")
    assert tail["example"].split()[0] in {"at", "in"}
    assert tail["count"] > 100


def test_a_shared_first_text_is_on_one_side():
    """Pairs with one premise are all held out or all used for selection."""
    rows = [
        example(
            {"premise": f"A man number {n // 3} runs.", "hypothesis": f"He runs {n}."}, "ab"[n % 2]
        )
        for n in range(300)
    ]
    held = label_rows(rows, SurveyConfig()).held_out
    assert 0.15 < held.mean() < 0.45
    assert (held.reshape(100, 3).min(axis=1) == held.reshape(100, 3).max(axis=1)).all()


def test_one_label_or_too_few_rows_are_an_error():
    with pytest.raises(DataError, match="one label, 'pos'"):
        label_rows([example("Good film."), example("Fine.", "pos")][1:], SurveyConfig())
    with pytest.raises(DataError, match="too few"):
        label_rows([example("Same.", "a"), example("Same.", "b")], SurveyConfig())
