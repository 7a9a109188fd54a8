import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.core.config import validate
from augkit.core.errors import ConfigError, DataError
from augkit.core.types import Example, example
from augkit.models.classifiers.linear import train_linear
from augkit.models.classifiers.settings import LinearConfig
from augkit.models.ensembles.crossfit import (
    LINEAR_FIVE,
    CrossFitted,
    EnsembleConfig,
    train_crossfitted,
)
from augkit.models.folds import assign_folds, content_key

SMALL = EnsembleConfig(
    members=(
        LinearConfig(ngrams=1),
        LinearConfig(features="counts", learner="naive-bayes"),
        LinearConfig(features="binary", ngrams=1, learner="ridge"),
    ),
    folds=3,
)


@pytest.fixture(scope="module")
def ensemble(reviews):
    return train_crossfitted(reviews(), SMALL)


@pytest.mark.slow
def test_the_models_of_a_fold_are_those_trained_on_the_other_rows(ensemble, reviews):
    """Counting once and slicing gives what training on the other folds' rows alone gives."""
    rows = reviews()
    probe = reviews(20, seed=9)
    for fold, models in enumerate(ensemble.models):
        others = [row for row in rows if ensemble.fold_of(row) != fold]
        others.sort(key=lambda row: (content_key(row), row.label))
        held_out = next(row for row in rows if ensemble.fold_of(row) == fold)
        assert ensemble.classifiers_for(held_out) is models
        for model in models:
            alone = train_linear(others, model.config)
            np.testing.assert_allclose(model.predict(probe), alone.predict(probe), atol=1e-5)


@pytest.mark.slow
def test_the_order_of_the_rows_does_not_matter(ensemble, reviews):
    """Shuffled rows give the same folds and, to the last bit, the same weights."""
    rows = reviews()
    random.Random(4).shuffle(rows)
    again = train_crossfitted(rows, SMALL)
    assert again.folds == ensemble.folds
    for models, others in zip(again.models, ensemble.models, strict=True):
        assert all(
            (one.weights == two.weights).all() for one, two in zip(models, others, strict=True)
        )


@pytest.mark.slow
def test_a_variant_is_judged_like_its_original(ensemble, reviews):
    """Given its origin, a variant gets the models that held the original out."""
    rows = reviews()
    variants = [example(row.fields["text"].replace("film", "picture")) for row in rows]
    expected = [
        np.mean([model.predict([variant])[0] for model in ensemble.classifiers_for(row)], axis=0)
        for variant, row in zip(variants, rows, strict=True)
    ]
    np.testing.assert_allclose(ensemble.predict(variants, rows), expected)


@pytest.mark.slow
@pytest.mark.parametrize("cross", [False, True])
def test_rows_of_several_folds_together_are_as_each_by_its_own_model(cross, reviews):
    """Probabilities and contributions are those of the classifier that did not see the row."""
    singles = [*reviews(40), example("", "pos"), example("Nothing known", "neg")]
    pairs = [
        example({"premise": f"It is {row.fields['text']}", "hypothesis": "dull, clumsy"}, row.label)
        for row in reviews(24)
    ]
    members = LINEAR_FIVE[:3]
    if cross:
        members = tuple(member.model_copy(update={"cross": True}) for member in members)
    rows = pairs if cross else singles
    fitted = train_crossfitted(rows, EnsembleConfig(members=members, folds=3))
    labels = [str(row.label) for row in rows]
    together = fitted.predict_each(rows)
    gathered = fitted.contributions_each(rows, labels)
    for number, row in enumerate(rows):
        for member, model in enumerate(fitted.classifiers_for(row)):
            assert together[member, number] == pytest.approx(model.predict([row])[0], abs=1e-12)
            alone = model.contributions([row], [str(row.label)])
            summed = _sum_by_row(gathered[member], number)
            assert summed == pytest.approx(alone.scores.sum() + alone.bias[0], abs=1e-9)


def _sum_by_row(contributions, row):
    """What all n-grams of a row add to the score of its label, and the bias."""
    first_token = dict(contributions.parts[::-1].tolist())
    rows = [contributions.tokens[first_token[n], 0] for n in range(len(contributions.scores))]
    return contributions.scores[np.array(rows) == row].sum() + contributions.bias[row]


def test_an_unknown_row_gets_the_same_models_each_time(ensemble, reviews):
    """Its content draws the fold; ``knows`` tells that no model has seen it."""
    unknown = example("A film that nobody has written of.")
    assert content_key(unknown) not in ensemble.folds
    assert content_key(reviews()[0]) in ensemble.folds
    assert ensemble.classifiers_for(unknown) is ensemble.classifiers_for(unknown)


def test_a_saved_ensemble_predicts_the_same(ensemble, tmp_path, reviews):
    ensemble.save(tmp_path / "ensemble")
    loaded = CrossFitted.load(tmp_path / "ensemble")
    assert (loaded.predict(reviews()) == ensemble.predict(reviews())).all()
    assert loaded.held_out == ensemble.held_out
    assert loaded.config == ensemble.config
    assert loaded.folds == ensemble.folds


def test_held_out_accuracy_is_that_of_predictions(ensemble, reviews):
    """The figure of each member is the share of rows it gets right out of fold."""
    rows = reviews()
    gold = np.array([ensemble.labels.index(row.label) for row in rows])
    shares = (ensemble.predict_each(rows).argmax(axis=2) == gold).mean(axis=1)
    assert list(ensemble.held_out_accuracy.values()) == pytest.approx(shares.tolist())
    assert ensemble.warnings == []


@pytest.mark.slow
def test_members_no_better_than_chance_are_warned_of(reviews):
    """On labels drawn by lot every member is warned of, with its accuracy and that of chance."""
    fitted = train_crossfitted(reviews(120, noise=1.0), SMALL)
    assert len(fitted.warnings) == 3
    assert "tfidf1-logistic" in fitted.warnings[0]
    assert f"{fitted.held_out[0].accuracy:.1%}" in fitted.warnings[0]
    assert "no better than chance" in fitted.warnings[0]


@pytest.mark.slow
@pytest.mark.parametrize("learner", ["logistic", "svm", "naive-bayes", "ridge"])
@pytest.mark.parametrize("features", ["tfidf", "counts", "binary"])
def test_every_learner_learns_from_every_kind_of_features(learner, features, adjectives):
    """Two labels and three: the answers for unseen rows are right."""
    config = LinearConfig(learner=learner, features=features, ngrams=1, strength=1.0)
    for labels in (("pos", "neg"), ("pos", "neg", "odd")):
        words = dict(zip(labels, (*adjectives, ["strange", "weird"]), strict=False))
        rows = [
            example(f"The {word} film number {number}.", label)
            for number in range(8)
            for label, several in words.items()
            for word in several
        ]
        trained = train_linear(rows, config)
        unseen = [example(f"A {word} film.", label) for label in labels for word in words[label]]
        answers = [trained.labels[number] for number in trained.predict(unseen).argmax(axis=1)]
        assert answers == [row.label for row in unseen]


def test_naive_bayes_is_that_of_scikit_learn_but_for_the_stretch(reviews):
    """Its scores are log-probabilities times one factor for all words."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB

    rows = reviews()
    counter = CountVectorizer(min_df=2)
    counts = counter.fit_transform([row.fields["text"] for row in rows])
    expected = MultinomialNB().fit(counts, [row.label for row in rows]).feature_log_prob_
    config = LinearConfig(learner="naive-bayes", features="counts", ngrams=1)
    ratio = train_linear(rows, config).weights / expected
    np.testing.assert_allclose(ratio, ratio[0, 0])
    assert ratio[0, 0] > 0


def test_stretched_scores_are_better_probabilities(reviews):
    """On noisy labels naive Bayes is too sure of itself; its held-out log loss goes down."""
    rows, unseen = reviews(300, noise=0.4), reviews(300, seed=5, noise=0.4)
    config = LinearConfig(learner="naive-bayes", features="counts")
    trained = train_linear(rows, config)
    gold = [trained.labels.index(row.label) for row in unseen]
    loss = -np.log(trained.predict(unseen)[range(300), gold]).mean()
    assert loss < np.log(2)


@pytest.mark.parametrize(
    ("members", "message"),
    [
        (LINEAR_FIVE[:2], "2 classifiers can tie. Give an odd number"),
        (LINEAR_FIVE[:4], "4 classifiers can tie"),
        ((LINEAR_FIVE[0],) * 3, "two members are the same"),
        ((), "at least 1"),
    ],
)
def test_ensembles_that_cannot_vote_are_refused(members, message):
    """An even number, a doubled member and none at all are the user's mistake."""
    with pytest.raises(ConfigError, match=message):
        validate(EnsembleConfig, {"members": [one.model_dump() for one in members]})


def test_l1_is_for_the_svm():
    """The other learners do not take it."""
    with pytest.raises(ConfigError, match="penalty l1 is for the learner svm, not for ridge"):
        validate(LinearConfig, {"learner": "ridge", "penalty": "l1"})


def test_one_label_and_a_label_of_one_row_are_refused(reviews):
    """There is nothing to tell apart, or nothing left to learn a label from."""
    with pytest.raises(DataError, match="one label, 'pos'"):
        train_crossfitted([example("good film", "pos")] * 4)
    with pytest.raises(DataError, match="all rows with the label 'odd' are held out together"):
        train_crossfitted([*reviews(), example("A strange film.", "odd")], SMALL)


def test_twins_are_held_out_together():
    """Equal texts and equal values of the group column share a fold, also in a chain."""
    rows = [Example({"text": f"text {n}"}, "ab"[n % 2], str(n)) for n in range(40)]
    first = Example({"text": "one way"}, "a", columns={"pair_id": "7"})
    other = Example({"text": "another way"}, "b", columns={"pair_id": "7"})
    repeated = Example({"text": "Another  WAY"}, "b", columns={"pair_id": "8"})
    last = Example({"text": "a third way"}, "a", columns={"pair_id": "8"})
    folds = assign_folds([*rows, first, other, repeated, last], 5, 0, "pair_id")
    assert len(set(folds[-4:])) == 1
    assert len(set(assign_folds([*rows, first, other, repeated, last], 5, 0, None)[-4:])) > 1


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.text("ab c", max_size=4), st.sampled_from("xyz")), max_size=40),
    st.integers(2, 6),
    st.randoms(use_true_random=False),
)
def test_folds_depend_on_content_alone(pairs, folds, shuffle):
    """Whatever the order, a row keeps its fold; rows of equal texts are never apart."""
    rows = [Example({"text": text}, label) for text, label in pairs]
    assigned = assign_folds(rows, folds, 0, None)
    fold_of = dict(zip(map(content_key, rows), assigned, strict=True))
    assert [fold_of[content_key(row)] for row in rows] == assigned
    shuffle.shuffle(rows)
    again = assign_folds(rows, folds, 0, None)
    assert dict(zip(map(content_key, rows), again, strict=True)) == fold_of


def test_the_hypotheses_of_a_premise_are_held_out_together():
    """Else a classifier knows a premise with other labels, and guesses those."""
    rows = [
        Example({"premise": f"Premise {n // 3}", "hypothesis": f"It says {n}"}, "abc"[n % 3])
        for n in range(60)
    ]
    folds = assign_folds(rows, 4, 0, None)
    assert len(set(folds)) == 4
    for first in range(0, 60, 3):
        assert len(set(folds[first : first + 3])) == 1


def test_a_question_that_all_rows_share_joins_none():
    """It is no premise: joined, the rows could not be split."""
    rows = [
        Example({"question": "Is it rude?", "text": f"Row {n}"}, "ab"[n % 2]) for n in range(40)
    ]
    assert np.bincount(assign_folds(rows, 4, 0, None)).tolist() == [10] * 4


def test_every_fold_has_its_share_of_each_label():
    """With one row in ten of a label, each of five folds has one in ten of it too."""
    rows = [Example({"text": f"row {n}"}, "rare" if n % 10 == 0 else "common") for n in range(500)]
    folds = np.array(assign_folds(rows, 5, 0, None))
    rare = np.array([row.label == "rare" for row in rows])
    assert np.bincount(folds[rare]).tolist() == [10] * 5
    assert np.bincount(folds).tolist() == [100] * 5
