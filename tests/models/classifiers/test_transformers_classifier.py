import builtins
import random

import numpy as np
import pytest

from augkit.core.config import validate
from augkit.core.errors import BackendFailed, ConfigError, DataError, MissingExtra, UnknownName
from augkit.core.types import example
from augkit.models.classifiers.encoder import EncoderClassifier, embed, train_encoder
from augkit.models.classifiers.labels import label_indices
from augkit.models.classifiers.settings import (
    EncoderConfig,
    LinearConfig,
    LoraConfig,
    TransformersConfig,
)
from augkit.models.classifiers.transformers_classifier import (
    TransformersClassifier,
    train_transformers,
)
from augkit.models.ensembles.crossfit import (
    LINEAR_FIVE,
    CrossFitted,
    EnsembleConfig,
    ensemble_names,
    load_ensemble,
    train_crossfitted,
)
from augkit.models.training import TrainingLoop

pytest.importorskip("torch")


def pairs(count=30):
    """Pairs that say the same or not."""
    rng = random.Random(1)
    rows = []
    for number in range(count):
        first = rng.choice(["warm", "clever"])
        second = first if number % 2 else rng.choice(["dull", "grim"])
        fields = {"premise": f"A {first} film {number}.", "hypothesis": f"A {second} film."}
        rows.append(example(fields, "same" if number % 2 else "other"))
    return rows


def quick(model, **more):
    constant = {"warmup": 0, "decay": "none"}
    return TransformersConfig(
        model=str(model),
        **{"epochs": 6, "batch_size": 8, "learning_rate": 3e-3, **constant, **more},
    )


@pytest.fixture(scope="module")
def tuned(tiny_bert, reviews):
    return train_transformers(reviews(), quick(tiny_bert))


@pytest.mark.slow
def test_a_tiny_model_learns_reviews(tuned, reviews):
    """Words that decide the label are learned in a few steps."""
    unseen = reviews(20, seed=9)
    answers = [tuned.labels[number] for number in tuned.predict(unseen).argmax(axis=1)]
    assert answers == [row.label for row in unseen]


@pytest.mark.slow
def test_the_same_seed_gives_the_same_weights(tuned, tiny_bert, reviews):
    """To the last bit, whatever was drawn before; another seed gives others."""
    import torch

    torch.manual_seed(77)
    again = train_transformers(reviews(), quick(tiny_bert))
    assert (again.predict(reviews()) == tuned.predict(reviews())).all()
    other = train_transformers(reviews(), quick(tiny_bert, seed=1, epochs=1))
    assert (other.predict(reviews()) != tuned.predict(reviews())).any()


@pytest.mark.slow
def test_the_best_epoch_is_kept(tiny_bert, monkeypatch, reviews):
    """The weights of the best epoch are restored, here before a learning rate ruins the model."""
    loops, run = [], TrainingLoop.run
    monkeypatch.setattr(
        TrainingLoop,
        "run",
        lambda loop, *args, **more: loops.append(loop) or run(loop, *args, **more),
    )
    config = quick(tiny_bert, epochs=5, learning_rate=0.1, patience=5)
    validation = reviews(20, seed=9)
    trained = train_transformers(reviews(), config, validation)
    probabilities = trained.predict(validation)
    gold = label_indices(validation, trained.labels)
    accuracy = (probabilities.argmax(axis=1) == gold).mean()
    log_likelihood = np.log(probabilities[np.arange(len(gold)), gold]).mean()
    assert len(loops[0].history) == 5
    assert max(loops[0].history) > loops[0].history[-1]
    assert (accuracy, log_likelihood) == pytest.approx(max(loops[0].history), abs=1e-5)


@pytest.mark.slow
def test_a_saved_classifier_predicts_the_same(tuned, tmp_path, reviews):
    """The weights are safetensors, and every probability is equal but for rounding."""
    tuned.save(tmp_path / "model")
    assert (tmp_path / "model" / "model.safetensors").is_file()
    assert not list((tmp_path / "model").glob("*.bin"))
    loaded = TransformersClassifier.load(tmp_path / "model")
    np.testing.assert_allclose(loaded.predict(reviews()), tuned.predict(reviews()), atol=1e-6)
    assert (loaded.labels, loaded.fields) == (tuned.labels, tuned.fields)
    assert loaded.predict([]).shape == (0, 2)


def test_probabilities_do_not_depend_on_the_batch(tuned, reviews):
    """Padding changes nothing, and long texts are cut, not refused."""
    rows = [*reviews(5), example("warm " * 500), example("")]
    together = tuned.predict(rows)
    alone = np.vstack([tuned.predict([row]) for row in rows])
    np.testing.assert_allclose(together, alone, atol=1e-6)


@pytest.mark.slow
def test_low_rank_updates_learn_too_and_are_merged(tiny_bert, tmp_path, reviews):
    pytest.importorskip("peft")
    config = quick(tiny_bert, lora=LoraConfig(rank=4, dropout=0), learning_rate=0.01)
    trained = train_transformers(reviews(), config)
    unseen = reviews(20, seed=9)
    right = [trained.labels[n] for n in trained.predict(unseen).argmax(axis=1)]
    assert sum(a == row.label for a, row in zip(right, unseen, strict=True)) >= 16
    trained.save(tmp_path / "lora")
    loaded = TransformersClassifier.load(tmp_path / "lora")
    np.testing.assert_allclose(loaded.predict(unseen), trained.predict(unseen), atol=1e-6)
    assert config.name.endswith("-lora")


def test_pairs_are_read_as_pairs(tiny_bert):
    """Both fields reach the model; a third is refused."""
    trained = train_transformers(pairs(), quick(tiny_bert, epochs=1))
    one, other = pairs(2)
    swapped = example({**one.fields, "hypothesis": other.fields["hypothesis"]})
    assert (trained.predict([one]) != trained.predict([swapped])).any()
    three = [example({"a": "x", "b": "y", "c": str(n)}, "ab"[n % 2]) for n in range(12)]
    with pytest.raises(DataError, match="one text or a pair, and the rows have 3 text fields"):
        train_transformers(three, quick(tiny_bert))


def test_texts_are_encoded_once_and_a_head_is_trained(tiny_bert, tmp_path, reviews):
    """Saved are the head and the encoder's name; single texts and pairs both work."""
    config = EncoderConfig(model=str(tiny_bert), strength=1.0)
    trained = train_encoder(reviews(), config)
    assert trained.weights.shape == (2, 32)
    unseen = reviews(20, seed=9)
    answers = [trained.labels[number] for number in trained.predict(unseen).argmax(axis=1)]
    assert sum(a == row.label for a, row in zip(answers, unseen, strict=True)) >= 16
    trained.save(tmp_path / "head")
    assert not list((tmp_path / "head").glob("*.safetensors"))
    loaded = EncoderClassifier.load(tmp_path / "head")
    assert (loaded.predict(unseen) == trained.predict(unseen)).all()
    assert loaded.predict([]).shape == (0, 2)


def test_a_pair_is_seen_from_four_sides(tiny_bert):
    """[u, v, |u - v|, u·v] of the two vectors, each of length 1."""
    config = EncoderConfig(model=str(tiny_bert))
    row = pairs(1)
    both = embed(row, ("premise", "hypothesis"), config)[0]
    first, second = (
        embed([example(row[0].fields[name])], ("text",), config)[0]
        for name in ("premise", "hypothesis")
    )
    expected = np.hstack([first, second, abs(first - second), first * second])
    np.testing.assert_allclose(both, expected, atol=1e-6)
    assert np.linalg.norm(first) == pytest.approx(1)
    assert train_encoder(pairs(), config).weights.shape == (2, 128)


@pytest.mark.slow
def test_members_of_all_kinds_are_cross_fitted(tiny_bert, tmp_path, reviews):
    """A linear one, an encoder and a transformer in one ensemble, saved and loaded."""
    config = EnsembleConfig(
        members=(
            LinearConfig(ngrams=1),
            EncoderConfig(model=str(tiny_bert), strength=1.0),
            quick(tiny_bert, epochs=2),
        ),
        folds=2,
    )
    ensemble = train_crossfitted(reviews(), config)
    assert next(iter(ensemble.held_out_accuracy)) == "tfidf1-logistic"
    ensemble.save(tmp_path / "ensemble")
    loaded = CrossFitted.load(tmp_path / "ensemble")
    np.testing.assert_allclose(loaded.predict(reviews()), ensemble.predict(reviews()), atol=1e-6)
    with pytest.raises(ConfigError, match="for ensembles of linear classifiers"):
        loaded.contributions_each(reviews(2), ["pos", "neg"])


def test_missing_models_and_settings_are_explained(tiny_bert, tmp_path, reviews):
    """No folder, no model name, too few rows and a ruined loss each say what to do."""
    with pytest.raises(ConfigError, match=r"no folder .* with a model in it"):
        train_transformers(reviews(), quick(tmp_path / "nowhere"))
    with pytest.raises(ConfigError, match=r"members\.0\.model: is missing"):
        validate(EnsembleConfig, {"members": [{"kind": "transformers"}]})
    with pytest.raises(DataError, match="too few to fine-tune on"):
        train_transformers([example("x", "a"), example("X", "b")], quick(tiny_bert))
    with pytest.raises(ConfigError, match="set a smaller learning_rate"):
        train_transformers(reviews(), quick(tiny_bert, learning_rate=1e30))
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(BackendFailed, match="cannot be loaded"):
        train_encoder(reviews(), EncoderConfig(model=str(tmp_path)))


@pytest.mark.parametrize("train", [train_encoder, train_transformers])
def test_without_torch_the_command_is_named(monkeypatch, train, reviews):
    real = builtins.__import__

    def no_torch(name, *rest, **more):
        if name.partition(".")[0] == "torch":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", no_torch)
    kind = EncoderConfig if train is train_encoder else TransformersConfig
    with pytest.raises(MissingExtra, match=r"pip install 'augkit\[nn\]'"):
        train(reviews(), kind(model="owner/not-opened-yet"))


@pytest.mark.parametrize("name", ensemble_names())
def test_every_ensemble_of_the_package_can_vote(name):
    """Their files are valid; the default one is what the code has."""
    config = load_ensemble(name)
    assert len(config.members) % 2 == 1
    assert len(set(config.names())) == len(config.members)
    if name == "linear-five":
        assert config.members == LINEAR_FIVE


def test_an_ensemble_of_ones_own(tmp_path):
    """A file gives settings, and the error of a mistake names file and line."""
    path = tmp_path / "mine.yaml"
    path.write_text("folds: 3\nmembers:\n  - {learner: ridge}\n")
    assert load_ensemble(str(path)).names() == ("tfidf2-ridge",)
    path.write_text("folds: 3\nmembers:\n  - {kind: encoder, modl: x, model: x}\n")
    with pytest.raises(
        ConfigError, match=r"mine\.yaml:3: members\.0\.modl: .* Did you mean 'model'"
    ):
        load_ensemble(str(path))
    path.write_text("folds: 1\n")
    with pytest.raises(ConfigError, match=r"mine\.yaml:1: folds"):
        load_ensemble(str(path))
    with pytest.raises(UnknownName, match="Did you mean 'linear-five'"):
        load_ensemble("linear-fife")
