"""Exact contributions, held against integrals and against enumeration of all subsets of words."""

import itertools
import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.attribution.ensemble import Voting, important_words, vote_words
from augkit.attribution.explanation import by_word, top_words
from augkit.attribution.linear import explain_linear, token_contributions
from augkit.attribution.majority_vote import majority_vote
from augkit.core.errors import ConfigError, DataError
from augkit.core.types import example
from augkit.models.classifiers.linear import train_linear
from augkit.models.classifiers.ngrams import find_ngrams, tokenise, tokens_of
from augkit.models.classifiers.settings import LinearConfig
from augkit.models.ensembles.crossfit import EnsembleConfig, train_crossfitted

WORDS = ["warm", "clever", "dull", "grim", "film", "plot", "not", "very"]
CONFIGS = [
    LinearConfig(min_df=1),
    LinearConfig(min_df=1, ngrams=3, features="counts", learner="naive-bayes"),
    LinearConfig(min_df=1, ngrams=2, features="binary", learner="ridge"),
    LinearConfig(min_df=1, ngrams=1, learner="svm", strength=1.0),
]


def texts(count=80, seed=0, labels=("neg", "pos")):
    """Texts of few words with labels drawn by lot, so that every word has some weight."""
    draw = random.Random(seed)
    return [
        example(
            " ".join(draw.choices(WORDS, k=draw.randint(2, 7))), draw.choice(labels), occurrence=n
        )
        for n in range(count)
    ]


@pytest.fixture(scope="module", params=range(len(CONFIGS)), ids=[one.name for one in CONFIGS])
def classifier(request):
    labels = ("neg", "pos") if request.param % 2 else ("a", "b", "c")
    return train_linear(texts(labels=labels), CONFIGS[request.param])


def margin(classifier, row, label):
    """The score of a label, less the mean of all: from the probabilities alone."""
    logs = np.log(classifier.predict([row])[0])
    return logs[classifier.labels.index(label)] - logs.mean()


def frozen_game(classifier, row, label):
    """v(z) as the docstring has it, written out by hand; players are the words where they stand."""
    words = [token.word for token in tokens_of(row.fields["text"])]
    (space,) = classifier.spaces
    numbers = {term: column for column, term in enumerate(space.vocabulary.terms)}
    values = classifier.features([row]).toarray()[0]
    weights = classifier.weights - classifier.weights.mean(axis=0)
    weights = weights[classifier.labels.index(label)]
    runs = [
        (range(start, start + size), numbers.get(" ".join(words[start : start + size])))
        for size in range(1, classifier.config.ngrams + 1)
        for start in range(len(words) - size + 1)
    ]
    runs = [(places, column) for places, column in runs if column is not None]
    times = {c: sum(1 for _, other in runs if other == c) for _, c in runs}
    addends = [(places, values[c] * weights[c] / times[c]) for places, c in runs]
    bias = (classifier.bias - classifier.bias.mean())[classifier.labels.index(label)]
    return len(
        words
    ), lambda z: bias + sum(a * math.prod(z[i] for i in places) for places, a in addends)


def shapley(players, game):
    """Shapley values by enumeration of all subsets."""
    values = np.zeros(players)
    for player in range(players):
        others = [one for one in range(players) if one != player]
        for size in range(players):
            share = math.factorial(size) * math.factorial(players - size - 1)
            for subset in itertools.combinations(others, size):
                z = [float(one in subset) for one in range(players)]
                without = game(z)
                z[player] = 1.0
                values[player] += share * (game(z) - without)
    return values / math.factorial(players)


def integrated_gradients(players, game):
    """The path integral by Gauss-Legendre nodes, the gradient by central differences.

    The game is linear in each player alone, so that both are exact but for rounding.
    """
    nodes, weights = np.polynomial.legendre.leggauss(6)
    values = np.zeros(players)
    for node, weight in zip((nodes + 1) / 2, weights / 2, strict=True):
        for player in range(players):
            z = [node] * players
            z[player] = 1.0
            above = game(z)
            z[player] = 0.0
            values[player] += weight * (above - game(z))
    return values


@pytest.mark.slow
@pytest.mark.parametrize("oracle", [shapley, integrated_gradients])
def test_contributions_are_shapley_values_and_integrated_gradients(classifier, oracle):
    """On every text the shares equal both, to 1e-6."""
    for row in texts(12, seed=5):
        label = classifier.labels[0]
        expected = oracle(*frozen_game(classifier, row, label))
        found = token_contributions(classifier.contributions([row], [label]))
        np.testing.assert_allclose(found, expected, atol=1e-6)


@pytest.mark.slow
def test_on_plain_counts_nothing_is_held_still():
    """There the game is the model itself, asked about the text with words taken out."""
    classifier = train_linear(texts(), CONFIGS[1])
    for row in texts(3, seed=6):
        words = row.fields["text"].split()

        def game(z, words=words):
            kept = [word if there else "unknownword" for word, there in zip(words, z, strict=True)]
            return margin(classifier, example(" ".join(kept)), "pos")

        found = [word.weight for word in explain_linear(classifier, [row], ["pos"])[0].words]
        np.testing.assert_allclose(found, shapley(len(words), game), atol=1e-6)


def test_a_batch_gives_what_single_examples_give(classifier):
    rows = texts(9, seed=8)
    labels = [classifier.labels[n % 2] for n in range(9)]
    together = explain_linear(classifier, rows, labels)
    alone = [
        explain_linear(classifier, [row], [label])[0]
        for row, label in zip(rows, labels, strict=True)
    ]
    for one, other in zip(together, alone, strict=True):
        assert by_word(one) == pytest.approx(by_word(other))


def test_words_of_both_fields_are_distinguished():
    """Each word has its field and its place, and n-grams of both spaces are shared out."""
    rows = [
        example({"premise": f"It rains {n}.", "hypothesis": f"It {word} rains."}, label)
        for n in range(20)
        for label, word in (("yes", "surely"), ("no", "never"), ("open", "maybe"))
    ]
    classifier = train_linear(rows)
    (one,) = explain_linear(classifier, rows[:1], ["yes"])
    assert top_words(one, 1) == ["surely"]
    found = next(word for word in one.words if word.word == "surely")
    assert (found.field, found.start, found.end) == ("hypothesis", 3, 9)
    evidence = classifier.contributions(rows[:1], ["yes"])
    total = sum(word.weight for word in one.words) + evidence.bias[0]
    assert total == pytest.approx(margin(classifier, rows[0], "yes"))


ODD = st.lists(
    st.sampled_from(
        [*WORDS, "Warm", "a", "x-ray", "well-made", "don't", "İ", "é", "", "!", "  ", "9"]
    ),
    max_size=12,
).map(" ".join)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.lists(ODD, min_size=1, max_size=5), st.integers(0, len(CONFIGS) - 1))
def test_odd_texts_are_explained_too(odd, number):
    """Empty texts, repeated, unknown and one-letter words: what is explained adds up."""
    classifier = _trained(number)
    rows = [example(text) for text in odd]
    evidence = classifier.contributions(rows, ["pos"] * len(rows))
    for place, one in enumerate(explain_linear(classifier, rows, ["pos"] * len(rows))):
        total = sum(word.weight for word in one.words) + one.rest + evidence.bias[place]
        assert total == pytest.approx(margin(classifier, rows[place], "pos"), abs=1e-9)
        assert (one.error, one.measure) == (0.0, "exact")
        text = rows[place].fields["text"]
        assert all(text[word.start : word.end].casefold() == word.word for word in one.words)


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.lists(ODD | st.text(max_size=20), min_size=1, max_size=5), st.integers(1, 3))
def test_ngrams_are_found_where_scikit_learn_counts_them(odd, ngrams):
    from augkit.models.classifiers.ngrams import fit_ngrams

    learnt = fit_ngrams({"text": odd}, ("text",), ngrams, 1)
    if learnt is None:
        assert not any(tokens_of(text) for text in odd)
        return
    vocabulary, counts = learnt
    found = find_ngrams(tokenise([example(text) for text in odd], ("text",)), vocabulary)
    assert (found.counts.toarray() == counts.toarray()).all()


def _trained(number, known={}):  # noqa: B006 - trained once for all examples of hypothesis
    if number not in known:
        known[number] = train_linear(texts(), CONFIGS[number])
    return known[number]


@pytest.mark.slow
def test_an_ensemble_gives_the_same_words_in_whole_columns():
    """The fast way over all rows names what each member, asked for one row, names."""
    rows = [*texts(60), example("", "pos"), example("I", "neg"), example("Well-made!", "pos")]
    config = EnsembleConfig(members=(CONFIGS[0], CONFIGS[1], CONFIGS[3]), folds=3)
    ensemble = train_crossfitted(rows, config)
    expected = [
        [
            top_words(explain_linear(one, [row], [row.label])[0], 3)
            for one in ensemble.classifiers_for(row)
        ]
        for row in rows
    ]
    assert important_words(ensemble, rows, 3) == expected
    accuracies = list(ensemble.held_out_accuracy.values())
    assert vote_words(ensemble, rows, Voting(3, spurious=["film"])) == [
        majority_vote(lists, spurious=["film"]) for lists in expected
    ]
    assert vote_words(ensemble, rows, Voting(3, "weighted")) == [
        majority_vote(lists, accuracies) for lists in expected
    ]
    assert important_words(ensemble, []) == []


def test_only_words_that_speak_for_the_label_are_important():
    rows = [*(example("warm", "pos"),) * 5, *(example("grim", "neg"),) * 5]
    classifier = train_linear(rows, LinearConfig(min_df=1))
    (against,) = explain_linear(classifier, [example("so grim")], ["pos"])
    assert top_words(against) == []
    (for_it,) = explain_linear(classifier, [example("so GRIM")], ["neg"])
    assert top_words(for_it) == ["grim"]


def test_an_unknown_label_and_another_model_are_refused():
    classifier = train_linear(texts(), CONFIGS[0])
    with pytest.raises(DataError, match=r"'mild'.*neg, pos"):
        explain_linear(classifier, texts(1), ["mild"])
    with pytest.raises(ConfigError, match="lime, integrated-gradients or shapley"):
        explain_linear(object(), texts(1), ["pos"])
    assert explain_linear(classifier, [], []) == []
