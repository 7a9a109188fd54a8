"""C-BERT: words replaced by those that go with the label."""

from random import Random

import pytest

from augkit.augmenters.baselines.c_bert import sample_word
from augkit.augmenters.create import create
from augkit.core.errors import ConfigError
from augkit.core.types import example

ROWS = [example(f"The {noun} was great", "good") for noun in ("film", "movie", "story", "cast")]
ROWS += [example(f"The {noun} was awful", "bad") for noun in ("film", "movie", "story", "cast")]
LEARNING = {"epochs": 60, "learning_rate": 1e-2, "batch_size": 8, "masked": 0.3}


@pytest.fixture(scope="module")
def fitted(tiny_masked_model):
    return create("c-bert", model=str(tiny_masked_model), training=LEARNING, top=1).fit(ROWS)


@pytest.mark.slow
def test_a_replacement_goes_with_the_label(fitted):
    """Under "good" the model puts "great" where another adjective stood; the label is kept."""
    rows = [example("The film was funny", label) for label in ("good", "bad")]
    texts: dict[str, list[str]] = {"good": [], "bad": []}
    for pair in fitted.with_copies(8)(rows):
        texts[pair.variant.label].append(pair.variant.fields["text"])
    assert any("great" in text for text in texts["good"])
    assert not any("awful" in text for text in texts["good"])
    assert any("awful" in text for text in texts["bad"])


@pytest.mark.slow
def test_casing_and_the_rest_of_the_text_stay(fitted):
    """A replaced word has the casing of the old one, and only words are edited."""
    row = example("FILM, <b>great</b> 10/10", "good")
    for pair in fitted.with_copies(4)([row]):
        for edit in pair.provenance.edits:
            assert edit.before in {"FILM", "great"}
            assert edit.after.isupper() == edit.before.isupper()


@pytest.mark.slow
def test_an_unknown_label_is_refused(fitted):
    (rejection,) = fitted.outcomes([example("The film", "so-so")])
    assert rejection.reason == "label not in the corpus"


def test_without_a_model_it_says_what_it_needs():
    with pytest.raises(ConfigError, match=r"masked language model is needed.*--set model=FOLDER"):
        create("c-bert")


def test_a_word_is_drawn_by_its_probability():
    """Nothing to draw from gives nothing."""
    draws = [sample_word([("a", 0.9), ("b", 0.1)], Random(n)) for n in range(200)]
    assert 150 < draws.count("a") < 200
    assert sample_word([], Random(0)) == ""
