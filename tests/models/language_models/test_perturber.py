"""Training a perturber: a tiny model that is made on the spot learns eight pairs by heart."""

import json

import pytest

from augkit.core.errors import ConfigError, DataError, OutputExists
from augkit.models.language_models.perturber import (
    PerturberPair,
    PerturberSettings,
    perturber_input,
    read_pairs,
    train_perturber,
)

pytest.importorskip("torch")
pytest.importorskip("transformers")


def rows(pairs):
    return [
        {
            "original": pair.original,
            "selected_word": pair.selected_word,
            "target_attribute": pair.target_attribute,
            "perturbed": pair.perturbed,
        }
        for pair in pairs
    ]


def test_the_input_is_that_of_the_released_model():
    """Word, comma, attribute, separator, text."""
    pair = PerturberPair(
        original="He left. <SEP> Who left?",
        selected_word="He",
        target_attribute="woman",
        perturbed="She left. <SEP> Who left?",
    )
    assert pair.source == "He, woman <PERT_SEP> He left. <SEP> Who left?"
    assert perturber_input("a", "b", "c") == "a, b <PERT_SEP> c"


def test_pairs_are_read_from_lines_with_other_columns_too(write_rows, eight_pairs):
    """PANDA has more columns than a pair needs."""
    path = write_rows([row | {"axis": "gender", "n": 1} for row in rows(eight_pairs)])
    assert read_pairs(path) == eight_pairs


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no pairs"),
        ('{"original": "He."}', "selected_word"),
        ("{", "rows.jsonl:1"),
        ('{"original": "", "selected_word": "", "target_attribute": "", "perturbed": ""}', "orig"),
    ],
)
def test_the_error_of_a_bad_file_names_its_line(tmp_path, text, message):
    path = tmp_path / "rows.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        read_pairs(path)
    with pytest.raises(DataError, match="no such file"):
        read_pairs(tmp_path / "absent.jsonl")


@pytest.mark.slow
def test_the_loss_falls_and_the_folder_says_how_it_was_made(trained, eight_pairs):
    """Eight pairs are learnt; every epoch and all settings stand beside the weights."""
    folder, training = trained
    assert training.trained_on == 8
    assert training.epochs[training.best - 1].train_loss < 0.1 < training.epochs[0].train_loss
    record = json.loads((folder / "training.json").read_text(encoding="utf-8"))
    assert record["settings"]["learning_rate"] == 5e-3
    assert len(record["epochs"]) == len(training.epochs)
    assert (folder / "tokenizer.json").is_file()


@pytest.mark.slow
def test_the_separators_are_single_tokens(trained):
    """A tokenizer that did not know them learns them, and the model has a place for each."""
    from augkit.models.language_models.seq2seq import load_seq2seq

    model = load_seq2seq(str(trained[0]))
    signs = ["<PERT_SEP>", "<SEP>"]
    ids = [model.tokenizer(sign, add_special_tokens=False)["input_ids"] for sign in signs]
    assert [len(one) for one in ids] == [1, 1]
    assert max(max(ids)) < model.model.get_input_embeddings().num_embeddings


@pytest.mark.slow
def test_the_same_seed_gives_the_same_losses(tiny_model, eight_pairs, tmp_path, quick_training):
    """Order, dropout and new tokens follow from the seed, and torch's own randomness is kept."""
    import torch

    settings = quick_training.model_copy(update={"epochs": 2, "batch_size": 3, "held_out": 0.3})
    torch.manual_seed(3)
    expected = torch.rand(2).tolist()
    torch.manual_seed(3)
    first = train_perturber(eight_pairs, str(tiny_model), tmp_path / "a", settings)
    assert torch.rand(2).tolist() == expected
    second = train_perturber(eight_pairs, str(tiny_model), tmp_path / "b", settings)
    other = settings.model_copy(update={"seed": 1})
    third = train_perturber(eight_pairs, str(tiny_model), tmp_path / "c", other)
    assert first == second != third
    assert first.trained_on + first.validated_on == 8
    assert first.validated_on >= 2


@pytest.mark.slow
def test_it_stops_when_the_validation_loss_stalls(
    tiny_model, eight_pairs, tmp_path, write_rows, quick_training
):
    """Pairs that contradict those trained on get worse; the best epoch is the one that is kept."""
    twisted = [row | {"perturbed": "keys keys keys keys keys"} for row in rows(eight_pairs)]
    updates = {"patience": 4, "rate_patience": 2, "validation": write_rows(twisted)}
    seen = []
    training = train_perturber(
        eight_pairs,
        str(tiny_model),
        tmp_path / "out",
        quick_training.model_copy(update=updates),
        seen.append,
    )
    losses = [epoch.validation_loss for epoch in training.epochs]
    assert seen == list(training.epochs)
    assert len(losses) == training.best + 4 < quick_training.epochs
    assert min(losses) == losses[training.best - 1]
    assert (
        training.epochs[-1].learning_rate
        < quick_training.learning_rate * quick_training.rate_decay * 1.01
    )


@pytest.mark.slow
@pytest.mark.parametrize("decay", ["none", "linear"])
def test_the_rate_warms_up(tiny_model, eight_pairs, tmp_path, quick_training, decay):
    """One update an epoch: the rate grows by the same step until it is the one asked for.

    Afterwards it stays, or falls by the same step.
    """
    updates = {"epochs": 6, "warmup_updates": 4, "learning_rate": 0.004, "decay": decay}
    training = train_perturber(
        eight_pairs, str(tiny_model), tmp_path / "out", quick_training.model_copy(update=updates)
    )
    rates = [epoch.learning_rate for epoch in training.epochs]
    after = {"none": [0.004, 0.004], "linear": [0.008 / 3, 0.004 / 3]}
    assert rates == pytest.approx([0.001, 0.002, 0.003, 0.004, *after[decay]])


def test_long_pairs_are_left_out_and_counted(tiny_model, eight_pairs, tmp_path, quick_training):
    """A pair beyond the limit is not cut: half a text would teach to stop early."""
    long = eight_pairs[0].model_copy(update={"original": "He lost his keys. " * 30})
    quick = quick_training.model_copy(update={"epochs": 1, "max_tokens": 40})
    training = train_perturber([*eight_pairs, long], str(tiny_model), tmp_path / "out", quick)
    assert (training.trained_on, training.too_long) == (8, 1)
    with pytest.raises(DataError, match="none is short enough"):
        train_perturber([long], str(tiny_model), tmp_path / "none", quick)


def test_nothing_is_overwritten(tiny_model, eight_pairs, tmp_path, quick_training):
    (tmp_path / "thesis.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(OutputExists, match="another folder"):
        train_perturber(eight_pairs, str(tiny_model), tmp_path, quick_training)
    with pytest.raises(ConfigError, match="no folder"):
        train_perturber(eight_pairs, str(tmp_path / "absent"), tmp_path / "out", quick_training)


def test_the_defaults_are_those_of_the_paper():
    """Table 10."""
    paper = PerturberSettings()
    assert (paper.learning_rate, paper.batch_size, paper.weight_decay) == (1e-5, 64, 0.01)
    assert (paper.patience, paper.rate_decay, paper.warmup_updates) == (10, 0.01, 1200)
    assert (paper.epsilon, paper.betas, paper.clip) == (1e-8, (0.9, 0.999), 0.1)
