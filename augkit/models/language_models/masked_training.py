"""Continued pre-training of a masked language model on plain texts, as FairBERTa and CoBA-PT do.

A share of the tokens of each text is selected (of these most are masked, some replaced, some left),
and the model is trained to predict them. The same seed gives the same weights on one machine:
randomness is keyed by the seed and the epoch, so an interrupted training resumes to the same end.

References: devlin2019bert (masking), qian2022perturbation (texts perturbed first).
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pydantic import Field

from augkit.core.config import StrictModel
from augkit.core.errors import ConfigError, DataError
from augkit.core.types import digest
from augkit.models.pretrained import load_checkpoint
from augkit.models.token_batches import max_positions, padded, padded_inputs
from augkit.models.training import IGNORED, Checkpoint, TrainingLoop, check_finite, chunked

if TYPE_CHECKING:
    import numpy as np


_FEWEST = 10


class MaskedTrainingConfig(StrictModel):
    """A masked language model and how it is trained further; the shares are those of BERT."""

    kind: Literal["mlm"] = Field("mlm", description="continued masked-language-model training")
    model: str = Field(description="a folder with a saved masked model, or a hub id")
    epochs: int = Field(3, ge=1, description="epochs; the best one is kept")
    batch_size: int = Field(32, ge=1, description="texts per update")
    learning_rate: float = Field(5e-5, gt=0, description="of AdamW")
    weight_decay: float = Field(0.01, ge=0, description="of AdamW")
    clip: float = Field(1.0, gt=0, description="maximum norm of the gradient")
    hidden: float = Field(0.15, gt=0, lt=1, description="share of the tokens that are selected")
    masked: float = Field(0.8, ge=0, le=1, description="of these, the share shown as the mask")
    replaced: float = Field(0.1, ge=0, le=1, description="of these, the share shown as another")
    max_tokens: int = Field(128, ge=4, description="longer texts are truncated")
    validation: float = Field(
        0.1, gt=0, lt=1, description="share of the texts that choose the best epoch"
    )
    seed: int = Field(0, description="of the masking, the order of texts and dropout")


@dataclass(frozen=True)
class MaskedEpoch:
    """The mean loss per selected token of one epoch, in nats; epoch 0 is the model as given."""

    number: int
    train_loss: float | None
    validation_loss: float


@dataclass(frozen=True)
class MaskedTraining:
    """All epochs, the one whose weights were kept, and the number of texts."""

    epochs: tuple[MaskedEpoch, ...]
    best: int
    trained_on: int
    validated_on: int


OnMaskedEpoch = Callable[[MaskedEpoch], None]


def continue_training(
    texts: Sequence[str],
    config: MaskedTrainingConfig,
    folder: Path,
    on_epoch: OnMaskedEpoch = lambda _: None,
) -> MaskedTraining:
    """Train on texts and save the best epoch into ``folder`` in the format of transformers.

    After every epoch ``folder/work`` holds what is needed to resume; it is removed at the end.
    """
    train_texts, held_out_texts = _hold_out(sorted(set(texts)), config)
    import numpy as np
    import torch

    model, tokenizer = load_checkpoint(config.model, "masked")
    if tokenizer.mask_token_id is None:
        raise ConfigError(f"{config.model}: its tokenizer has no mask token: nothing can be masked")
    most = min(config.max_tokens, max_positions(model.config) or config.max_tokens)
    train, held_out = (
        tokenizer(part, truncation=True, max_length=most)["input_ids"]
        for part in (train_texts, held_out_texts)
    )
    loop = TrainingLoop[Sequence[MaskedText], MaskedEpoch].of(
        model, lambda batch: masked_loss(model, tokenizer, batch), config
    )

    def run_epoch(number: int) -> MaskedEpoch:
        train_loss = None
        if number:
            torch.manual_seed(_epoch_seed(config.seed, "dropout", number) % 2**31)
            rng = np.random.default_rng(_epoch_seed(config.seed, "learn", number))
            rows = [train[row] for row in rng.permutation(len(train)).tolist()]
            model.train()
            train_loss = loop.train(_masked_batches(rows, tokenizer, config, rng))
        model.eval()
        # The same tokens are selected every time.
        rng = np.random.default_rng(_epoch_seed(config.seed, "measure", 0))
        validation_loss = loop.measure(_masked_batches(held_out, tokenizer, config, rng))
        if number:
            check_finite(number, validation_loss, validation_loss)
        return MaskedEpoch(number, train_loss, validation_loss)

    key = digest(config.model_dump_json(exclude={"epochs"}), *train_texts, *held_out_texts)
    loop.resume(Checkpoint(folder / "work" / "checkpoint.safetensors", key, MaskedEpoch))
    with torch.random.fork_rng():
        best = loop.run(
            range(config.epochs + 1),
            run_epoch,
            lambda epoch: -epoch.validation_loss,
            on_epoch=on_epoch,
        )
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    shutil.rmtree(folder / "work", ignore_errors=True)
    return MaskedTraining(tuple(loop.history), best.number, len(train), len(held_out))


class MaskingShares(NamedTuple):
    """The share of the tokens that are selected; of these, those masked and those replaced."""

    selected: float
    masked: float = 0.8
    replaced: float = 0.1


class MaskedText(NamedTuple):
    """The tokens that the model reads, and the labels of the selected ones."""

    shown: list[int]
    wanted: list[int]


def mask_tokens(
    ids: list[int], tokenizer: Any, shares: MaskingShares, rng: np.random.Generator
) -> MaskedText:
    """Select tokens at random; most are masked, some replaced by a random token, some left."""
    special = tokenizer.get_special_tokens_mask(ids, already_has_special_tokens=True)
    chosen = rng.random(len(ids))
    action = rng.random(len(ids))
    random_tokens = rng.integers(len(tokenizer), size=len(ids))
    shown = list(ids)
    wanted = [IGNORED] * len(ids)
    for position, token in enumerate(ids):
        if special[position] or chosen[position] >= shares.selected:
            continue
        wanted[position] = token
        if action[position] < shares.masked:
            shown[position] = tokenizer.mask_token_id
        elif action[position] < shares.masked + shares.replaced:
            shown[position] = int(random_tokens[position])
    return MaskedText(shown, wanted)


def masked_loss(
    model: Any, tokenizer: Any, batch: Sequence[MaskedText], **inputs: Any
) -> tuple[Any, int]:
    """The mean loss over the selected tokens of a batch, and their number."""
    import torch

    fill = tokenizer.pad_token_id or 0
    inputs |= padded_inputs([text.shown for text in batch], fill, model.device)
    wanted = padded([text.wanted for text in batch], IGNORED, model.device)
    selected = int((wanted != IGNORED).sum())
    loss = torch.nn.functional.cross_entropy(
        model(**inputs).logits.flatten(0, 1),
        wanted.flatten(),
        ignore_index=IGNORED,
        reduction="sum",
    )
    return loss / max(selected, 1), selected


def _masked_batches(
    rows: Sequence[list[int]],
    tokenizer: Any,
    config: MaskedTrainingConfig,
    rng: np.random.Generator,
) -> Iterator[Sequence[MaskedText]]:
    shares = MaskingShares(config.hidden, config.masked, config.replaced)
    for batch in chunked(rows, config.batch_size):
        yield [mask_tokens(ids, tokenizer, shares, rng) for ids in batch]


def _hold_out(texts: Sequence[str], config: MaskedTrainingConfig) -> tuple[list[str], list[str]]:
    """Texts to train on and texts that choose the best epoch, by content alone."""
    train: list[str] = []
    held_out: list[str] = []
    for text in texts:
        share = int(digest("validation", str(config.seed), text)[:8], 16) / 16**8
        (held_out if share < config.validation else train).append(text)
    if len(train) < _FEWEST or not held_out:
        raise DataError(
            f"{len(texts)} different texts are too few to train on: some must be held out to "
            "choose the best epoch"
        )
    return train, held_out


def _epoch_seed(seed: int, what: str, number: int) -> int:
    return int(digest(str(seed), what, str(number)), 16)
