"""Continued masked-language-model training: it learns, it is reproducible, it resumes."""

import pytest

from augkit.core.errors import ConfigError, DataError, OutputExists
from augkit.models.language_models.masked_lm import open_masked
from augkit.models.language_models.masked_training import MaskedTrainingConfig, continue_training

pytest.importorskip("torch")

TEXTS = [
    f"the {old} {who} was a {kind} {job} ."
    for old in ("old", "young")
    for who in ("man", "woman")
    for kind in ("good", "bad", "kind", "cruel")
    for job in ("cook", "nurse", "doctor")
]


def quick(model, **more):
    options = {"epochs": 4, "batch_size": 8, "learning_rate": 3e-3, "max_tokens": 24, **more}
    return MaskedTrainingConfig(model=str(model), **options)


def weights(folder):
    return {
        name: tensor.detach().numpy().copy()
        for name, tensor in open_masked(str(folder)).model.named_parameters()
    }


@pytest.fixture(scope="module")
def trained(tiny_masked, tmp_path_factory):
    folder = tmp_path_factory.mktemp("mlm") / "out"
    return folder, continue_training(TEXTS, quick(tiny_masked), folder)


@pytest.mark.slow
def test_the_loss_falls(trained):
    """On texts that were held out, below that of the model as it came."""
    _, result = trained
    losses = [one.validation_loss for one in result.epochs]
    assert losses[result.best] == min(losses) < losses[0] - 0.3
    assert result.trained_on + result.validated_on == len(TEXTS)


@pytest.mark.slow
def test_the_folder_is_an_ordinary_model(trained):
    """A masked model that other tools open, without anything left over."""
    folder, _ = trained
    model = open_masked(str(folder))
    assert model.tokenizer.mask_token == "[MASK]"
    assert not (folder / "work").exists()
    assert not [path for path in folder.iterdir() if path.suffix in {".bin", ".pt", ".pkl"}]


@pytest.mark.slow
def test_the_same_seed_gives_the_same_weights(trained, tiny_masked, tmp_path):
    """To the last bit, whatever was drawn before; another seed gives others."""
    import torch

    torch.manual_seed(99)
    folder, _ = trained
    continue_training(TEXTS, quick(tiny_masked), tmp_path / "again")
    first, again = weights(folder), weights(tmp_path / "again")
    assert all((first[name] == again[name]).all() for name in first)
    continue_training(TEXTS, quick(tiny_masked, seed=1, epochs=1), tmp_path / "other")
    other = weights(tmp_path / "other")
    assert any((first[name] != other[name]).any() for name in first)


class Stopped(Exception):
    """What a watcher raises to stop a training."""


@pytest.mark.slow
def test_an_interrupted_training_resumes_to_the_same_end(trained, tiny_masked, tmp_path):
    """Interrupted after the second epoch and called again, it ends with the same weights."""
    folder, whole = trained

    def stop(result):
        if result.number == 2:
            raise Stopped

    with pytest.raises(Stopped):
        continue_training(TEXTS, quick(tiny_masked), tmp_path / "out", stop)
    assert (tmp_path / "out" / "work" / "checkpoint.safetensors").is_file()
    with pytest.raises(OutputExists, match="a training with other settings or texts"):
        continue_training(TEXTS[:40], quick(tiny_masked), tmp_path / "out")
    seen = []
    result = continue_training(TEXTS, quick(tiny_masked), tmp_path / "out", seen.append)
    assert [one.number for one in seen] == [3, 4]
    assert result == whole
    first, again = weights(folder), weights(tmp_path / "out")
    assert all((first[name] == again[name]).all() for name in first)


def test_mistakes_are_errors(tiny_masked, tiny_bert, tmp_path):
    with pytest.raises(DataError, match="too few"):
        continue_training(TEXTS[:5], quick(tiny_masked), tmp_path / "few")
    with pytest.raises(ConfigError, match="needs a masked language model"):
        continue_training(TEXTS, quick(tiny_bert), tmp_path / "encoder")
