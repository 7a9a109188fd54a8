"""What the training loops of all neural models share: steps, the best epoch, errors."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

from augkit.core.errors import ConfigError, MissingExtra, OutputExists

T = TypeVar("T")

IGNORED = -100
"""The label of a token without a loss, which torch's cross entropy ignores."""


class AdamWSteps:
    """AdamW on the trainable parameters of a model, with gradients clipped."""

    def __init__(self, model: Any, clip: float, **options: Any) -> None:
        """``clip`` is the maximum norm of the gradient, ``options`` are those of AdamW."""
        import torch

        self.trainable = [one for one in model.parameters() if one.requires_grad]
        self.clip = clip
        self.adamw = torch.optim.AdamW(self.trainable, **options)

    def set_rate(self, rate: float) -> None:
        """Take the following steps at this learning rate."""
        for group in self.adamw.param_groups:
            group["lr"] = rate

    def step(self, loss: Any) -> None:
        """One update."""
        import torch

        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.trainable, self.clip)
        self.adamw.step()
        self.adamw.zero_grad(set_to_none=True)


class BestEpoch:
    """The epoch of the highest score so far, and a copy of its weights."""

    def __init__(self, model: Any) -> None:
        """No epoch yet."""
        self.model = model
        self.number = 0
        self.score: Any = None
        self.weights: dict[str, Any] = {}

    def update(self, number: int, score: Any) -> int:
        """Compare an epoch with the best one; the number of epochs since the best one."""
        if self.score is None or score > self.score:
            trainable = {name for name, one in self.model.named_parameters() if one.requires_grad}
            self.number, self.score = number, score
            self.weights = {
                name: tensor.detach().cpu().clone()
                for name, tensor in self.model.state_dict().items()
                if name in trainable
            }
        return number - self.number

    def restore(self) -> None:
        """Give the model the weights of the best epoch."""
        self.model.load_state_dict(self.weights, strict=False)


def chunked(rows: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Consecutive parts of ``size`` rows; the last one may be shorter."""
    return (rows[start : start + size] for start in range(0, len(rows), size))


def check_finite(epoch: int, train_loss: float, validation_loss: float) -> None:
    """Raise ``ConfigError`` where training has diverged."""
    if not isfinite(train_loss + validation_loss):
        raise ConfigError(
            f"epoch {epoch}: the loss is {train_loss}, so training has diverged: "
            "set a smaller learning_rate"
        )


def check_output(out: Path) -> None:
    """Raise ``OutputExists`` where the folder to write into is not empty."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise OutputExists(f"{out} is not empty. Choose another folder")


def save_trained(model: Any, tokenizer: Any, out: Path, record: Mapping[str, Any]) -> None:
    """Save a model as ``transformers`` does, and how it was trained in ``training.json``."""
    out.mkdir(parents=True, exist_ok=True)
    model.save_pretrained(out)
    tokenizer.save_pretrained(out)
    (out / "training.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def import_torch(purpose: str) -> Any:
    """Torch, or the error that names the extra to install."""
    try:
        import torch
    except ImportError as error:
        raise MissingExtra("nn", purpose) from error
    return torch
