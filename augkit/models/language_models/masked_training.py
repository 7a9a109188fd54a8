"""Continued pre-training of a masked language model on plain texts, as FairBERTa and CoBA-PT do.

A share of the tokens of each text is selected (of these most are masked, some replaced, some left),
and the model is trained to predict them. The same seed gives the same weights on one machine:
randomness is keyed by the seed and the epoch, so an interrupted training resumes to the same end.

References: devlin2019bert (masking), qian2022perturbation (texts perturbed first).
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from augkit.core.config import StrictModel
from augkit.core.errors import ConfigError, DataError, OutputExists
from augkit.core.types import digest
from augkit.models.pretrained import load_checkpoint
from augkit.models.token_batches import max_positions, padded, padded_inputs
from augkit.models.training import IGNORED, AdamWSteps, check_finite, chunked

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
    kept, held_out = _hold_out(sorted(set(texts)), config)
    import torch

    model, tokenizer = load_checkpoint(config.model, "masked")
    if tokenizer.mask_token_id is None:
        raise ConfigError(f"{config.model}: its tokenizer has no mask token: nothing can be masked")
    key = digest(config.model_dump_json(exclude={"epochs"}), *kept, *held_out)
    loop = _MaskedTrainer(model, tokenizer, config, folder / "work", key)
    with torch.random.fork_rng():
        epochs = loop.run(loop.read(kept), loop.read(held_out), on_epoch)
    best = min(epochs, key=lambda one: (one.validation_loss, one.number)).number
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    shutil.rmtree(folder / "work", ignore_errors=True)
    return MaskedTraining(tuple(epochs), best, len(kept), len(held_out))


class _MaskedTrainer:
    """AdamW over selected tokens; the randomness of an epoch depends on the seed and its number."""

    def __init__(
        self, model: Any, tokenizer: Any, config: MaskedTrainingConfig, work: Path, key: str
    ) -> None:
        self.work = work
        self.key = key
        self.model = model
        self.tokenizer = tokenizer
        self.config = config
        self.optimizer = AdamWSteps(
            model, config.clip, lr=config.learning_rate, weight_decay=config.weight_decay
        )

    def read(self, texts: Sequence[str]) -> list[list[int]]:
        given = self.config.max_tokens
        most = min(given, max_positions(self.model.config) or given)
        read = self.tokenizer(list(texts), truncation=True, max_length=most)["input_ids"]
        return [list(ids) for ids in read]

    def run(
        self, rows: list[list[int]], held_out: list[list[int]], on_epoch: OnMaskedEpoch
    ) -> list[MaskedEpoch]:
        """All epochs; afterwards the model has the weights of the best one."""
        epochs = self._restore("last") if (self.work / "last.safetensors").is_file() else []
        if not epochs:
            epochs = [MaskedEpoch(0, None, self._validate(held_out))]
            self._save("best")
            on_epoch(epochs[0])
        lowest = min(one.validation_loss for one in epochs)
        for number in range(len(epochs), self.config.epochs + 1):
            epoch = MaskedEpoch(number, self._train(rows, number), self._validate(held_out))
            check_finite(number, epoch.validation_loss, epoch.validation_loss)
            epochs.append(epoch)
            if epoch.validation_loss < lowest:
                lowest = epoch.validation_loss
                self._save("best")
            self._save("last", epochs)
            on_epoch(epoch)
        self._restore("best")
        return epochs

    def _train(self, rows: list[list[int]], number: int) -> float:
        import numpy as np
        import torch

        rng = np.random.default_rng(_epoch_seed(self.config.seed, "learn", number))
        torch.manual_seed(_epoch_seed(self.config.seed, "dropout", number) % 2**31)
        self.model.train()
        order = rng.permutation(len(rows)).tolist()
        total, selected = 0.0, 0
        for chosen in chunked([rows[row] for row in order], self.config.batch_size):
            loss, count = self._loss(chosen, rng)
            if not count:
                continue
            self.optimizer.step(loss / count)
            total, selected = total + loss.item(), selected + count
        return total / max(selected, 1)

    def _validate(self, rows: list[list[int]]) -> float:
        """The loss per selected token; the same tokens are selected every time."""
        import numpy as np
        import torch

        rng = np.random.default_rng(_epoch_seed(self.config.seed, "measure", 0))
        self.model.eval()
        total, selected = 0.0, 0
        with torch.inference_mode():
            for chosen in chunked(rows, self.config.batch_size):
                loss, count = self._loss(chosen, rng)
                total, selected = total + float(loss), selected + count
        return total / selected if selected else inf

    def _loss(self, rows: Sequence[list[int]], rng: np.random.Generator) -> tuple[Any, int]:
        """The summed loss over the selected tokens of a batch, and their number."""
        import torch

        shown, wanted = zip(*(self._mask(ids, rng) for ids in rows), strict=True)
        device, fill = self.model.device, self.tokenizer.pad_token_id or 0
        logits = self.model(**padded_inputs(shown, fill, device)).logits
        gold = padded(wanted, IGNORED, device)
        loss = torch.nn.functional.cross_entropy(
            logits.flatten(0, 1), gold.flatten(), ignore_index=IGNORED, reduction="sum"
        )
        return loss, int((gold != IGNORED).sum())

    def _mask(self, ids: list[int], rng: np.random.Generator) -> tuple[list[int], list[int]]:
        """The input tokens, and the labels of those that are selected."""
        special = self.tokenizer.get_special_tokens_mask(ids, already_has_special_tokens=True)
        chosen, action = rng.random(len(ids)), rng.random(len(ids))
        other = rng.integers(len(self.tokenizer), size=len(ids))
        shown, wanted = list(ids), [IGNORED] * len(ids)
        for at, own in enumerate(ids):
            if special[at] or chosen[at] >= self.config.hidden:
                continue
            wanted[at] = own
            if action[at] < self.config.masked:
                shown[at] = self.tokenizer.mask_token_id
            elif action[at] < self.config.masked + self.config.replaced:
                shown[at] = int(other[at])
        return shown, wanted

    def _save(self, name: str, epochs: Sequence[MaskedEpoch] = ()) -> None:
        """Write the weights and, beside some epochs, the optimiser's state to resume from."""
        from safetensors.torch import save_file

        tensors = {
            f"model.{name}": one.detach().clone() for name, one in self.model.named_parameters()
        }
        if epochs:
            for number, state in self.optimizer.adamw.state_dict()["state"].items():
                tensors |= {f"adam.{number}.{kind}": one for kind, one in state.items()}
        notes = {"key": self.key, "epochs": json.dumps([asdict(one) for one in epochs])}
        self.work.mkdir(parents=True, exist_ok=True)
        draft = self.work / f"{name}.new"
        plain = {name: one.contiguous().cpu() for name, one in tensors.items()}
        save_file(plain, draft, metadata=notes)
        draft.replace(self.work / f"{name}.safetensors")

    def _restore(self, name: str) -> list[MaskedEpoch]:
        """Load the weights, and the optimiser's state where it was saved; the epochs so far."""
        from safetensors import safe_open

        with safe_open(self.work / f"{name}.safetensors", framework="pt") as file:
            notes = file.metadata()
            tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118 - the file is no mapping
        if notes["key"] != self.key:
            raise OutputExists(
                f"{self.work.parent}: holds an interrupted training with other texts or settings. "
                "Choose another folder, or remove it"
            )
        own: dict[str, Any] = {}
        state: dict[int, dict[str, Any]] = {}
        for key, one in tensors.items():
            owner, _, rest = key.partition(".")
            if owner == "model":
                own[rest] = one
            else:
                number, kind = rest.split(".")
                state.setdefault(int(number), {})[kind] = one
        self.model.load_state_dict(own, strict=False)
        if state:
            groups = self.optimizer.adamw.state_dict()["param_groups"]
            self.optimizer.adamw.load_state_dict({"state": state, "param_groups": groups})
        return [MaskedEpoch(**one) for one in json.loads(notes["epochs"])]


def _hold_out(texts: Sequence[str], config: MaskedTrainingConfig) -> tuple[list[str], list[str]]:
    """Texts to train on and texts that choose the best epoch, by content alone."""
    kept: list[str] = []
    held_out: list[str] = []
    for text in texts:
        share = int(digest("validation", str(config.seed), text)[:8], 16) / 16**8
        (held_out if share < config.validation else kept).append(text)
    if len(kept) < _FEWEST or not held_out:
        raise DataError(
            f"{len(texts)} different texts are too few to train on: some must be held out to "
            "choose the best epoch"
        )
    return kept, held_out


def _epoch_seed(seed: int, what: str, number: int) -> int:
    return int(digest(str(seed), what, str(number)), 16)
