"""``TextTransformer`` in the hands of scikit-learn."""

import numpy as np
import pytest
from imblearn.pipeline import make_pipeline as resampling_pipeline
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from augkit import TextResampler, TextTransformer, create
from augkit.core.errors import ConfigError, NotFitted

SWAP = {"pairs": [["film", "movie"]]}
TEXTS = ["a good film", "a bad film", "good fun", "bad food"] * 3
LABELS = [1, 0, 1, 0] * 3


def test_transform_is_one_to_one():
    """As many texts out as in; a refused text is itself."""
    assert TextTransformer("swap", SWAP).fit_transform(["A film.", "Fine.", "A film."]) == [
        "A movie.",
        "Fine.",
        "A movie.",
    ]


def test_it_works_inside_a_pipeline_and_a_grid_search():
    """It is cloned, its parameters are set, and the pipeline learns and predicts."""
    pipeline = make_pipeline(TextTransformer("swap"), CountVectorizer(), LogisticRegression())
    search = GridSearchCV(pipeline, {"texttransformer__settings": [None, SWAP]}, cv=2)
    search.fit(TEXTS, LABELS)
    assert list(search.predict(["good", "bad"])) == [1, 0]


def test_a_clone_shares_the_step():
    """A step with live tools behind it is not copied, and the clone is not fitted."""
    step = create("swap", **SWAP)
    cloned = clone(TextTransformer(step).fit(["A film."]))
    assert cloned.get_params()["step"] is step
    with pytest.raises(NotFitted, match="is not fitted yet"):
        cloned.transform(["A film."])


def test_the_resampler_works_in_a_pipeline_of_imbalanced_learn():
    """Training texts are augmented, texts to predict are not."""
    model = resampling_pipeline(
        TextResampler("swap", SWAP), CountVectorizer(), LogisticRegression()
    ).fit(TEXTS, LABELS)
    assert list(model.predict(["good", "bad"])) == [1, 0]
    assert "movie" in model.named_steps["countvectorizer"].vocabulary_


def test_what_is_no_text_is_passed_on_unchanged():
    """None never becomes the text "None"."""
    assert TextTransformer("swap", SWAP).fit_transform(["A film.", None]) == ["A movie.", None]
    texts, labels = TextResampler("swap", SWAP).fit_resample(["A film.", None], [0, 1])
    assert (texts, labels) == (["A film.", "A movie.", None], [0, 0, 1])


def test_x_and_y_of_different_lengths_are_named():
    """For lists and arrays, when fitting too; an empty list of labels is not "no labels"."""
    for estimator in (TextResampler("swap", SWAP).fit_resample, TextTransformer("swap", SWAP).fit):
        with pytest.raises(ConfigError, match="1 text and y has 2 labels"):
            estimator(np.array(["a film"]), np.array([1, 2]))
        with pytest.raises(ConfigError, match="2 texts and y has 0 labels"):
            estimator(["a film", "fine"], [])
    with pytest.raises(ConfigError, match="give a list"):
        TextTransformer("swap", SWAP).fit_transform("a film")


def test_any_step_is_taken():
    """A plain function is a step too."""
    assert TextTransformer(lambda examples: iter(())).fit_transform(["A film."]) == ["A film."]
