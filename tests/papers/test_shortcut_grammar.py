"""Parts of the ShortcutGrammar paper by hand, as ``docs/paper-map/shortcut-grammar.yaml`` names."""

import json
import math
import sys

import numpy as np
import pytest
import torch

import augkit
from augkit.core.types import example
from augkit.datasets.named import known_datasets
from augkit.grammars.charts.batches import make_batch
from augkit.grammars.features.feature_groups import (
    SelectionConfig,
    group_features,
    select_features,
)
from augkit.grammars.features.mutual_information import LabelledRows, mutual_information
from augkit.grammars.features.subtrees import subtrees
from augkit.grammars.model.corpus import CorpusConfig, read_corpus
from augkit.grammars.model.grammar import grammar_potentials
from augkit.grammars.model.induce import EncodedTexts, InduceConfig, induce_grammar
from augkit.grammars.model.parameters import (
    GrammarShape,
    init_parameters,
    probability_tables,
    rule_potentials,
    run_network,
    word_emissions,
)
from augkit.grammars.trees import Trees
from augkit.models.robust.config import RobustConfig
from augkit.models.robust.methods import (
    bias_log_probabilities,
    linear_scores,
    residual_fit,
)

SMALL = GrammarShape(words=3, symbols=2, leaves=3, width=4)


def test_mutual_information_by_hand():
    """Of three rows of each label, two of the first have the feature: counts 3, 2, 1 and 4."""
    joint = {("a", 1): 3 / 10, ("a", 0): 2 / 10, ("b", 1): 1 / 10, ("b", 0): 4 / 10}
    label, present = {"a": 0.5, "b": 0.5}, {1: 0.4, 0: 0.6}
    expected = sum(p * math.log(p / (label[y] * present[z])) for (y, z), p in joint.items())
    value = mutual_information(np.array([[2, 0]]), np.array([3, 3]))
    assert value.tolist() == pytest.approx([expected])


def leaves_of_documents(symbols, words):
    """One-leaf trees: the symbol and the word of each document."""
    none = np.full(len(words), -1, dtype=np.int32)
    return Trees(
        label=np.array(symbols, dtype=np.int32),
        left=none,
        right=none,
        leaf_a=np.array(words, dtype=np.int32),
        leaf_b=none,
        doc=np.arange(len(words), dtype=np.int32),
    )


def test_groups_join_subtrees_of_one_root_and_label():
    """Words 0 and 1 under symbol 5 go with label a, word 2 with b: two groups of one symbol."""
    trees = leaves_of_documents([5] * 8, [0, 0, 1, 1, 2, 2, 0, 2])
    labelled = LabelledRows(
        ("a", "b"), np.array([0, 0, 0, 0, 1, 1, 0, 1]), np.array([False] * 6 + [True] * 2)
    )
    config = SelectionConfig(min_rows=2)
    selected = select_features(trees, subtrees(trees), trees.doc, labelled, config)
    groups = group_features(selected, labelled)
    rows = {
        (int(root), labelled.names[label]): column.nonzero()[0].tolist()
        for root, label, column in zip(
            groups.root, groups.statistics.label, groups.occurrences.toarray().T, strict=True
        )
    }
    assert rows == {(5, "a"): [0, 1, 2, 3, 6], (5, "b"): [4, 5, 7]}


def test_the_datasets_have_their_fields_and_labels():
    """IMDb and SUBJ are single texts of two labels; SNLI and QQP are pairs of three and two."""
    found = known_datasets()
    sizes = {
        name: (len(found[name].fields), len(found[name].label_names))
        for name in ("imdb", "subj", "snli", "qqp")
    }
    assert sizes == {"imdb": (1, 2), "subj": (1, 2), "snli": (2, 3), "qqp": (2, 2)}


def test_a_sample_has_labels_of_equal_size(tmp_path, monkeypatch, capsys):
    """Of eight rows of one label and three of another, three of each are drawn; long pairs go."""
    from lab import grammar_sample

    rows = [{"text_a": f"a b c {n}", "text_b": "d e", "label": "yes"} for n in range(8)]
    rows += [{"text_a": f"a b c {n}", "text_b": "d e", "label": "no"} for n in range(3)]
    rows += [{"text_a": "a " * 40, "text_b": "d " * 40, "label": "no"}]
    (tmp_path / "pairs").mkdir()
    lines = "\n".join(json.dumps(row) for row in rows)
    (tmp_path / "pairs" / "train.jsonl").write_text(lines + "\n", encoding="utf-8")
    monkeypatch.setenv("AUGKIT_DATA", str(tmp_path))
    out = tmp_path / "sample.jsonl"
    monkeypatch.setattr(sys, "argv", ["x", "pairs:train", "--rows", "20", "--out", str(out)])
    grammar_sample.main()
    labels = [json.loads(line)["label"] for line in out.read_text("utf-8").splitlines()]
    assert sorted(labels) == ["no"] * 3 + ["yes"] * 3
    assert json.loads(capsys.readouterr().out)["short_enough"] == pytest.approx(11 / 12, abs=1e-4)


def test_the_grammar_is_of_the_papers_size(tmp_path, monkeypatch):
    """What is set is what is trained, on any machine, and the rate of these batches is 1e-3."""
    trained = []

    def record(train, heldout, config, *_):
        trained.append(config)
        raise KeyboardInterrupt

    monkeypatch.setattr("augkit.grammars.model.train.train_best", record)
    (tmp_path / "grammar").mkdir()  # as if interrupted: no trial before the training
    texts = [np.array([0, 1, 2]), np.array([1, 2])]
    encoded = EncodedTexts(texts, np.array([False, True]), 3)
    config = InduceConfig(symbols=32, leaves=64, width=256, batch_size=16, epochs=40, device="cpu")
    with pytest.raises(KeyboardInterrupt):
        induce_grammar(encoded, config, tmp_path)
    (used,) = trained
    assert (used.symbols, used.leaves, used.width) == (32, 64, 256)
    assert (used.batch_size, used.epochs, used.learning_rate) == (16, 40, 1e-3)


def test_sentences_are_parsed_and_reviews_counted():
    """A review of two sentences has two trees and is one row."""
    reviews = [example("It is good. I liked it.", "pos"), example("It is bad.", "neg")]
    corpus = read_corpus(reviews, CorpusConfig())
    assert corpus.rows().tolist() == [0, 0, 1]
    assert len(corpus.examples) == 2


@pytest.mark.slow
def test_error_of_contrast_sets_by_hand():
    """A set counts as misled by any variant; sets whose original is wrong do not count."""
    from lab.grammar_robust import Material, measured

    places = ("street", "beach", "garden")
    rows = [
        example({"premise": f"A man is in the {place}.", "hypothesis": "A man is at home."}, "C")
        for place in places
    ]
    names = {"contradiction": "C", "entailment": "E", "neutral": "N"}
    method = augkit.create("contrast", edits=["hypernym"], copies=2, labels=names)
    pairs = list(method(rows))
    labels = ("C", "E", "N")
    material = Material([], None, None, rows, np.array([0, 0, 0]), pairs, labels, None, [])
    originals = np.array([0, 0, 2])  # the third is wrong
    first = next(pair for pair in pairs if pair.original.id == rows[0].id)
    third = [pair.original.id == rows[2].id for pair in pairs]
    answers = np.where(third, 1, [1 if pair is first else 0 for pair in pairs])
    scores = measured(material, originals, answers)
    assert scores["hypernym sets"] == 2
    assert scores["hypernym error"] == 0.5


def test_drift_is_fitted_beside_the_bias_model():
    """The scores of f plus log p_b have no slope left but the penalty's, by plain formulas."""
    rng = np.random.default_rng(0)
    bias = rng.integers(0, 2, (60, 1)).astype(float)
    features = np.hstack([bias, rng.normal(size=(60, 2))])
    targets = (bias[:, 0] + features[:, 1] > 0.5).astype(int)
    config = RobustConfig(folds=1, strength=1.0, iterations=2000)
    fitted = residual_fit(features, targets, 2, bias, config)
    joint = linear_scores(fitted, features) + bias_log_probabilities(bias, targets, 2, config)
    p = np.exp(joint) / np.exp(joint).sum(axis=1, keepdims=True)
    slope = (p - np.eye(2)[targets]).T @ features + np.asarray(fitted.weights) / config.strength
    assert np.abs(slope).max() < 1e-2


def test_rules_are_normalised():
    """S → A over the internal symbols; A → B C over all pairs of internal and pre-terminal ones."""
    parameters = init_parameters(SMALL, 0)
    tables = probability_tables(parameters, SMALL)
    potentials = rule_potentials(SMALL, tables, torch.zeros(1, 3))
    assert potentials.root.shape == (2,)
    assert potentials.rules.shape == (2, 5, 5)
    assert potentials.root.exp().sum().item() == pytest.approx(1)
    assert potentials.rules.exp().sum((1, 2)).tolist() == pytest.approx([1, 1])


def test_a_network_by_hand():
    """With all weights and biases 1 and one unit: 1 → 2, + relu(relu(3) + 1) = 6, then 14."""
    ones = {f"net.weight{n}": torch.ones(1, 1) for n in range(5)}
    ones |= {f"net.bias{n}": torch.ones(1) for n in range(5)}
    assert run_network(ones, "net", torch.ones(1, 1)).item() == 2 + 4 + 8


def test_rule_probabilities_by_hand():
    """Each is a softmax of f(v) · u over its right-hand sides, in plain loops."""
    parameters = init_parameters(SMALL, 3)
    outputs = run_network(parameters, "small", parameters["small.state"])
    states = dict(zip(("root", "rules", "word"), outputs, strict=True))
    batch = make_batch([np.array([0, 1, 2])], 3)
    potentials = grammar_potentials(parameters, SMALL, batch)

    def softmax(state, sides):
        scores = [math.exp(sum(a * b for a, b in zip(state, u, strict=True))) for u in sides]
        return [score / sum(scores) for score in scores]

    children = parameters["rules.children"].tolist()
    for symbol in range(2):
        expected = softmax(states["rules"][symbol].tolist(), children)
        assert potentials.rules[symbol].exp().flatten().tolist() == pytest.approx(expected)
    expected = softmax(states["root"][0].tolist(), parameters["root.symbols"].tolist())
    assert potentials.root.exp().tolist() == pytest.approx(expected)
    emissions = word_emissions(batch, probability_tables(parameters, SMALL))[1:].exp()
    for leaf in range(3):
        expected = softmax(states["word"][leaf].tolist(), parameters["word.words"].tolist())
        assert emissions[:, leaf].tolist() == pytest.approx(expected)
