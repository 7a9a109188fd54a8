"""The label-conditional masked model, on a tiny one made on the spot."""

import json

import pytest

from augkit.core.errors import ConfigError, DataError
from augkit.core.types import example
from augkit.models.language_models.conditional_lm import (
    ConditionalLM,
    ConditionalTraining,
    train_conditional,
)

pytestmark = pytest.mark.slow

ROWS = [example(f"the {noun} was great", "good") for noun in ("film", "movie", "story", "cast")]
ROWS += [example(f"the {noun} was awful", "bad") for noun in ("film", "movie", "story", "cast")]
TEXT, GAP = "the film was boring", (13, 19)


@pytest.fixture(scope="module")
def fitted(tiny_masked_model):
    """The tiny model trained until it knows which word goes with which label."""
    training = ConditionalTraining(epochs=60, learning_rate=1e-2, batch_size=8, masked=0.3)
    return train_conditional(ROWS, str(tiny_masked_model), training, seed=0)


def test_the_label_decides_what_fills_the_gap(fitted):
    """One sentence, two labels: the likeliest word is that of the label."""
    for label, word in (("good", "great"), ("bad", "awful")):
        ((words),) = fitted.fill(TEXT, [GAP], label)
        assert words[0][0] == word


def test_the_word_itself_and_word_pieces_are_no_candidates(fitted):
    """Whole words of letters only, each with its probability, likeliest first."""
    (words,) = fitted.fill("the film was great", [(13, 18)], "good")
    assert "great" not in [word for word, _ in words]
    assert all(word.isalpha() for word, _ in words)
    assert [p for _, p in words] == sorted((p for _, p in words), reverse=True)


def test_a_gap_beyond_the_window_has_no_candidate(fitted):
    """What the model does not read is left alone."""
    text = "film " * 100 + "great"
    near, far = fitted.fill(text, [(0, 4), (500, 505)], "good")
    assert near
    assert far == []


def test_it_is_saved_and_read_back(fitted, tmp_path):
    """The answers of the model read back are the same; the labels are plain JSON."""
    fitted.save(tmp_path)
    again = ConditionalLM.load(tmp_path)
    assert again.fill(TEXT, [GAP], "bad") == fitted.fill(TEXT, [GAP], "bad")
    assert json.loads((tmp_path / "labels.json").read_text())["labels"] == ["bad", "good"]


def test_the_same_seed_gives_the_same_weights(tiny_masked_model):
    """Whatever the order of the rows, and whatever a seed is as large as."""
    training = ConditionalTraining(epochs=1)
    models = [
        train_conditional(rows, str(tiny_masked_model), training, seed=2**70)
        for rows in (ROWS, ROWS[::-1])
    ]
    assert models[0].fill(TEXT, [GAP], "bad") == models[1].fill(TEXT, [GAP], "bad")


def test_rows_without_labels_are_an_error(tiny_masked_model):
    with pytest.raises(DataError, match="no row has a label"):
        train_conditional([example("film")], str(tiny_masked_model), ConditionalTraining(), 0)


def test_a_model_without_segments_is_refused(tmp_path, tiny_masked_model):
    transformers = pytest.importorskip("transformers")
    config = transformers.DistilBertConfig(vocab_size=90, dim=8, n_heads=2, n_layers=1)
    transformers.DistilBertForMaskedLM(config).save_pretrained(tmp_path)
    transformers.AutoTokenizer.from_pretrained(tiny_masked_model).save_pretrained(tmp_path)
    with pytest.raises(ConfigError, match="no segment embeddings"):
        train_conditional(ROWS, str(tmp_path), ConditionalTraining(), 0)
