"""An edit tagger: windows, outputs by axis, and a tiny one that learns a few pairs by heart."""

from __future__ import annotations

import json

import pytest

from augkit.core.errors import ConfigError, DataError, OutputExists
from augkit.models.language_models.edit_tagger import (
    EditTagger,
    TaggerInput,
    WordTag,
    load_tagger,
    new_tagger,
    output_names,
)
from augkit.models.language_models.tagger_training import (
    LabelledText,
    TaggerSettings,
    axis_scores,
    labelled_texts,
    train_tagger,
)
from augkit.text.tokens import words

pytest.importorskip("torch")
pytest.importorskip("transformers")


@pytest.fixture(scope="module")
def tagger(tiny_bert):
    return new_tagger(str(tiny_bert), ["gender", "race", "age"])


def test_every_word_is_read_once_however_long_the_text(tagger):
    """The encoder reads 64 tokens; the selected word is marked wherever a window holds it."""
    text = "He saw a man. " * 40 + "Then she left."
    start = text.index("she")
    windows = list(tagger.windows(TaggerInput(text, start, start + 3, "age", "young")))
    assert len(windows) > 2
    assert max(len(window.tokens) for window in windows) <= 64
    read = sorted(word for window in windows for _, word in window.places)
    assert read == list(range(len(words(text))))
    marked = [sum(window.segments) for window in windows]
    assert marked[-1] > 0 == marked[0]
    assert {window.axis for window in windows} == {2}


def test_tags_do_not_depend_on_what_else_is_read(tagger):
    """Alone or in a batch of other lengths, the probabilities are the same."""
    inputs = [
        TaggerInput("He left.", 0, 2, "gender", "woman"),
        TaggerInput("A man saw him. " * 9, 2, 5, "gender", "woman"),
        TaggerInput("", 0, 0, "race", "asian"),
    ]
    together = tagger.tag(inputs)
    assert [len(some) for some in together] == [2, 36, 0]
    for each, found in zip(inputs, together, strict=True):
        [alone] = tagger.tag([each])
        for one, other in zip(alone, found, strict=True):
            assert one == pytest.approx(other, abs=1e-5)


def test_axes_have_outputs_of_their_own(tagger):
    """The same text and word on another axis has other probabilities."""
    one, other = (
        tagger.tag([TaggerInput("He left.", 0, 2, axis, "woman")])[0] for axis in ("gender", "race")
    )
    assert one[0].replace != other[0].replace


def test_a_model_that_is_no_tagger_is_an_error(tiny_bert):
    """Its outputs are not named by axis."""
    with pytest.raises(ConfigError, match="no edit tagger"):
        load_tagger(str(tiny_bert))


def test_the_best_threshold_is_found_by_counting(monkeypatch, tagger):
    """Words of one person's rewrite; the slow count of every threshold agrees."""
    text = LabelledText(
        TaggerInput("a b c d", 0, 1, "gender", "man"), ((0, 1, 0), (1, 0, 0), (0, 1, 0), (1, 0, 0))
    )
    chances = [0.82, 0.41, 0.33, 0.12]
    found = [WordTag(0, 1, chance, 0.0) for chance in chances]
    monkeypatch.setattr(EditTagger, "tag", lambda *_: [found])
    score = axis_scores(tagger, [text])["gender"]
    assert 0.12 < score.threshold <= 0.33
    assert (score.precision, score.recall) == (pytest.approx(2 / 3), 1.0)
    assert score.f1 == pytest.approx(0.8)


QUICK = TaggerSettings(learning_rate=5e-3, batch_size=8, epochs=2, held_out=0.4, warmup=0)


@pytest.mark.slow
def test_a_few_pairs_are_learned_by_heart(trained_tagger, eight_pairs):
    """The loss falls, and the folder tags what people changed, at its own thresholds."""
    folder, training = trained_tagger
    assert training.epochs[-1].train_loss < 0.5 * training.epochs[0].train_loss
    assert training.epochs[training.best - 1].scores["gender"].f1 > 0.9
    tagger = load_tagger(str(folder))
    texts = labelled_texts(eight_pairs)
    least = tagger.threshold("gender")
    assert least == training.epochs[training.best - 1].scores["gender"].threshold
    found = [
        [tag.replace >= least for tag in some] for some in tagger.tag([t.input for t in texts])
    ]
    expected = [[replaced > 0 for _, replaced, _ in text.counts] for text in texts]
    right = sum(
        a == b
        for one, other in zip(found, expected, strict=True)
        for a, b in zip(one, other, strict=True)
    )
    assert right >= sum(map(len, expected)) - 2
    record = json.loads((folder / "training.json").read_text(encoding="utf-8"))
    assert record["trained_on"] == 8
    assert record["settings"]["epochs"] == 40


def test_training_repeats(tmp_path, tiny_bert, eight_pairs):
    """The same seed gives the same losses."""
    one, other = (
        train_tagger(eight_pairs, str(tiny_bert), tmp_path / name, QUICK) for name in "ab"
    )
    assert [e.train_loss for e in one.epochs] == [e.train_loss for e in other.epochs]


def test_mistakes_are_errors_before_training(tmp_path, tiny_bert, eight_pairs):
    """A folder that is in use; pairs of which none can be used."""
    (tmp_path / "file").touch()
    with pytest.raises(OutputExists):
        train_tagger(eight_pairs, str(tiny_bert), tmp_path)
    odd = [pair.model_copy(update={"target_attribute": "tall"}) for pair in eight_pairs]
    with pytest.raises(DataError, match="no pair has its word"):
        train_tagger(odd, str(tiny_bert), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_outputs_are_named_by_axis_and_label():
    """So that a saved folder says what it is."""
    assert output_names(["gender"]) == ["gender:keep", "gender:replace", "gender:insert"]
