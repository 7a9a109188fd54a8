"""The whole way from examples and trees to records, on a corpus in which phrases were planted."""

import json

import numpy as np
import pytest

from augkit.core.errors import DataError
from augkit.core.types import example
from augkit.grammars.features.feature_groups import PickConfig, pick
from augkit.grammars.features.mutual_information import Labelled
from augkit.grammars.features.records import group_records, rule_records
from augkit.grammars.features.subtrees import subtrees
from augkit.grammars.features.survey import SurveyConfig, label_rows, survey_trees
from augkit.grammars.features.tree_text import patterns
from augkit.grammars.model.corpus import CorpusConfig, cut_corpus, read_corpus
from augkit.grammars.model.vocabulary import UNKNOWN, Vocabulary, learn_vocabulary, split_words
from augkit.grammars.planted import LABELS, PLANTED, Planting, plant


def found_phrases(corpus, labels, seed=0):
    """The significant features, the most telling first, with the label each gives away."""
    held_out = np.random.default_rng(seed).random(len(labels)) < 0.3
    labelled = Labelled(LABELS, labels, held_out)
    picked = pick(corpus.trees, subtrees(corpus.trees), corpus.trees.doc, labelled, PickConfig())
    names = patterns(picked.trees, corpus.vocabulary, paired=False)
    kept = np.flatnonzero(picked.measured.corrected <= 0.05)
    return [(names[place], LABELS[picked.measured.label[place]]) for place in kept]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_planted_phrases_are_found_first(seed):
    """The four planted subtrees are the significant ones, with the right labels."""
    corpus = plant(2500, Planting(strength=0.85), seed=seed)
    found = found_phrases(corpus, corpus.labels, seed)
    assert {(phrase, label) for label in LABELS for phrase in PLANTED[label]} == set(found[:4])
    assert all(any(part in name for part in ("at ", "in ")) for name, _ in found)


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 4])
def test_shuffled_labels_give_nothing(seed):
    """Where labels were shuffled nothing is significant after correction."""
    corpus = plant(2500, Planting(strength=0.85), seed=seed)
    shuffled = np.random.default_rng(seed).permutation(corpus.labels)
    assert found_phrases(corpus, shuffled, seed) == []


def planted_survey(**settings):
    """A survey of a planted corpus from examples on, with its own trees."""
    planted = plant(1200, seed=4)
    rows = [
        example(f"{text}", LABELS[label], occurrence=place)
        for place, (text, label) in enumerate(zip(planted.sentences, planted.labels, strict=True))
    ]
    config = SurveyConfig(min_count=1, **settings)
    corpus = read_corpus(rows, config)
    labelled = label_rows(corpus.examples, config)
    return survey_trees(corpus, planted.vocabulary, planted.trees, labelled, config)


def test_records_say_what_was_found():
    """Groups carry root, label, patterns, figures of both parts and ids, all plain JSON values."""
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


def test_rules_are_recorded_too():
    """Rules stand with the words of a place that uses them."""
    records = rule_records(planted_survey())
    tail = next(record for record in records if record["rule"] == "4 → 9 10")
    assert tail["example"].split()[0] in {"at", "in"}
    assert tail["count"] > 100


def test_a_shared_first_text_is_on_one_side():
    """Pairs with one premise are all held out or all used for picking."""
    rows = [
        example(
            {"premise": f"A man number {n // 3} runs.", "hypothesis": f"He runs {n}."}, "ab"[n % 2]
        )
        for n in range(300)
    ]
    held = label_rows(rows, SurveyConfig()).held_out
    assert 0.15 < held.mean() < 0.45
    assert (held.reshape(100, 3).min(axis=1) == held.reshape(100, 3).max(axis=1)).all()


def test_one_label_or_too_few_rows_are_told():
    """Without two labels, or without rows to hold out, the error says what to do."""
    with pytest.raises(DataError, match="one label, 'pos'"):
        label_rows([example("Good film."), example("Fine.", "pos")][1:], SurveyConfig())
    with pytest.raises(DataError, match="too few"):
        label_rows([example("Same.", "a"), example("Same.", "b")], SurveyConfig())


def test_texts_over_the_limit_are_named():
    """A pair or a sentence that is too long is left out by name, and the others stay."""
    long = " ".join(["word"] * 30)
    pairs = [
        example({"premise": long, "hypothesis": "Six words are too many here."}, "a"),
        example({"premise": "A man runs.", "hypothesis": "He runs."}, "b"),
    ]
    corpus = read_corpus(pairs, CorpusConfig())
    assert [row.id for row in corpus.examples] == [pairs[1].id]
    assert [(left.id, left.reason) for left in corpus.left_out] == [(pairs[0].id, "pair too long")]
    single = [example(f"Short one here. {long}. No! Oh", "a"), example("!?", "b"), example("", "b")]
    corpus = cut_corpus(single, CorpusConfig(longest=20))
    assert [left.reason for left in corpus.left_out] == [
        "sentence too long",
        "sentence of one word",
        "no word",
    ]
    assert [len(piece.sides[0]) for piece in corpus.pieces] == [4, 2, 2]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], "no row"),
        ([example("word", "a")], "none of the 1 rows can be parsed"),
        ([example({"a": "x y", "b": "x y", "c": "x y"}, "a")], "one text or two"),
    ],
)
def test_rows_without_a_tree_are_refused(rows, said):
    """Nothing to parse is an error that says why."""
    with pytest.raises(DataError, match=said):
        read_corpus(rows, CorpusConfig())


def test_the_limit_counts_both_boundaries():
    """(a+2)(b+2) may be 225 and not more: 13 by 13 words."""
    side = " ".join("w" * 13)
    assert cut_corpus([example({"a": side, "b": side}, "x")], CorpusConfig()).pieces
    longer = example({"a": side + " w", "b": side}, "x")
    assert not cut_corpus([longer], CorpusConfig()).pieces


def test_vocabulary(tmp_path):
    """Rare words are unknown, ties go by the alphabet, and the words survive being saved."""
    known = learn_vocabulary([["b", "a", "b", "a", "c"], ["[UNK]", "[UNK]"]], size=3, min_count=2)
    assert known.words == (UNKNOWN, "a", "b")
    assert known.encode(["b", "zebra"]).tolist() == [2, 0]
    known.save(tmp_path / "words.json")
    assert Vocabulary.load(tmp_path / "words.json") == known
    (tmp_path / "bad.json").write_text('["a"]')
    with pytest.raises(DataError, match="damaged"):
        Vocabulary.load(tmp_path / "bad.json")
    with pytest.raises(DataError, match="no vocabulary"):
        Vocabulary.load(tmp_path / "none.json")
    with pytest.raises(DataError, match="vocabulary is empty"):
        learn_vocabulary([["a", "b"]])


def test_words_know_their_places():
    """A word's place gives it back, whatever lower-casing does to its length."""
    text = "İt<br/>cost 4/10, naïve!"
    assert [text[word.start : word.end] for word in split_words(text)] == [
        "İt", "cost", "4", "/", "10", ",", "naïve", "!",
    ]  # fmt: skip
