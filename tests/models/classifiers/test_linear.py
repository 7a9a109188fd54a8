import json
import random

import numpy as np
import pytest

from augkit.core.config import validate
from augkit.core.errors import ConfigError, DataError
from augkit.core.types import example
from augkit.models.classifiers.labels import class_labels, is_scale
from augkit.models.classifiers.linear import LinearClassifier, train_linear
from augkit.models.classifiers.settings import LinearConfig


def claims(count=60, seed=0):
    """Pairs whose label stands in the second field alone."""
    rng = random.Random(seed)
    labels = {"yes": "surely", "no": "never", "open": "maybe"}
    rows = []
    for number, label in enumerate(list(labels) * (count // 3)):
        premise = f"It {rng.choice(list(labels.values()))} rains."
        fields = {"premise": premise, "hypothesis": f"It {labels[label]} snows."}
        rows.append(example(fields, label, occurrence=number))
    return rows


def test_probabilities_are_those_of_scikit_learn(reviews):
    """The classifier is TfidfVectorizer and LogisticRegression with the same settings."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    rows, unseen = reviews(), reviews(20, seed=9)
    vectorizer = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True)
    features = vectorizer.fit_transform([row.fields["text"] for row in rows])
    model = LogisticRegression(C=10.0, max_iter=1000).fit(features, [row.label for row in rows])
    expected = model.predict_proba(vectorizer.transform([row.fields["text"] for row in unseen]))
    trained = train_linear(rows)
    assert trained.labels == ("neg", "pos")
    np.testing.assert_allclose(trained.predict(unseen), expected, atol=1e-6)


@pytest.mark.parametrize("kind", ["texts", "pairs"])
def test_a_saved_classifier_predicts_the_same(kind, tmp_path, reviews):
    """Saved without pickles and loaded again, every probability is equal to the last bit."""
    rows = reviews() if kind == "texts" else claims()
    trained = train_linear(rows, LinearConfig(min_df=1, strength=3.0))
    trained.save(tmp_path / "model")
    loaded = LinearClassifier.load(tmp_path / "model")
    assert (loaded.predict(rows) == trained.predict(rows)).all()
    assert (loaded.config, loaded.labels, loaded.fields) == (
        trained.config, trained.labels, trained.fields,
    )  # fmt: skip
    with np.load(tmp_path / "model" / "model.npz", allow_pickle=False) as arrays:
        assert {array.dtype.kind for array in map(arrays.get, arrays.files)} == {"f"}


def test_fields_of_a_pair_have_their_own_features():
    """A word counts by the field it stands in, also where both fields hold it."""
    trained = train_linear(claims())
    swapped = [
        example({"premise": "It never rains.", "hypothesis": "It surely snows."}),
        example({"premise": "It surely rains.", "hypothesis": "It never snows."}),
    ]
    chosen = [trained.labels[number] for number in trained.predict(swapped).argmax(axis=1)]
    assert chosen == ["yes", "no"]
    assert [one.fields for one in trained.vocabularies] == [
        ("premise",), ("hypothesis",), ("premise", "hypothesis"),
    ]  # fmt: skip


def test_no_n_gram_reaches_across_fields():
    """The last word of the premise and the first of the hypothesis are no bigram."""
    rows = [
        example({"premise": "alpha omega", "hypothesis": "beta gamma"}, label) for label in "ab"
    ]
    trained = train_linear(rows, LinearConfig(min_df=1))
    assert "omega beta" not in trained.vocabularies[-1].terms
    assert "alpha omega" in trained.vocabularies[-1].terms


def test_probabilities_sum_to_one_whatever_the_text(reviews):
    """Unseen words and empty texts still give a distribution; no rows give no rows."""
    trained = train_linear(reviews())
    odd = [example(text) for text in ("", "?!", "здравствуй", "warm " * 5000)]
    probabilities = trained.predict(odd)
    assert probabilities.shape == (4, 2)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert trained.predict([]).shape == (0, 2)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "no row to train on"),
        ([example("a b"), example("c d")], "no row has a label"),
        ([example("good film", "pos"), example("where is it")], "1 of 2 .*'where is it'"),
        ([example("good film", "pos")] * 4, "one label, 'pos'"),
        ([example("?!", "pos"), example("...", "neg")], "nothing to train on"),
        ([example("one", "pos"), example("two", "neg")], "min_df"),
        (
            [example(f"pair {n}", str(n / 5)) for n in range(26)],
            "26 different numbers .*regression task",
        ),
    ],
)
def test_rows_that_cannot_be_trained_on_are_errors(rows, message):
    with pytest.raises(DataError, match=message):
        train_linear(rows)


@pytest.mark.parametrize(
    ("labels", "scale"),
    [
        ([str(n / 5) for n in range(26)], True),
        ([str(n) for n in range(26)], False),
        (["0.0", "0.5", "1.0"], False),
        ([f"{n}.5 stars" for n in range(20)], False),
        (["nan", *(str(n / 7) for n in range(20))], True),
    ],
)
def test_a_scale_is_many_numbers_with_fractions(labels, scale):
    """Few numbers, whole numbers and words are classes."""
    assert is_scale(labels) is scale


def test_star_ratings_are_classes():
    assert class_labels([example("x", star) for star in "54321"]) == ("1", "2", "3", "4", "5")


def test_another_field_is_refused(reviews):
    """A classifier of single texts does not guess at pairs."""
    trained = train_linear(reviews())
    with pytest.raises(DataError, match="reads text, and a row has premise, hypothesis"):
        trained.predict([example({"premise": "a", "hypothesis": "b"})])


def test_settings_are_strict():
    with pytest.raises(ConfigError, match="min_df"):
        validate(LinearConfig, {"min_df": 0})


def test_damaged_files_are_explained(tmp_path, reviews):
    with pytest.raises(DataError, match="no classifier is saved there"):
        LinearClassifier.load(tmp_path)
    train_linear(reviews()).save(tmp_path)
    numbers = (tmp_path / "model.npz").read_bytes()
    (tmp_path / "model.npz").write_bytes(numbers[: len(numbers) // 2])
    with pytest.raises(DataError, match=r"model\.npz: missing or damaged"):
        LinearClassifier.load(tmp_path)
    record = json.loads((tmp_path / "model.json").read_text())
    (tmp_path / "model.json").write_text(json.dumps({**record, "format": 99}))
    with pytest.raises(DataError, match="another version"):
        LinearClassifier.load(tmp_path)
    (tmp_path / "model.json").write_text("{")
    with pytest.raises(DataError, match="damaged"):
        LinearClassifier.load(tmp_path)
