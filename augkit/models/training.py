"""The training loop of all neural models, and what is written around it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import inf, isfinite
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

from typing_extensions import Self

from augkit.core.errors import ConfigError, MissingExtra, OutputExists
from augkit.core.json_files import replacing

T = TypeVar("T")
Epoch = TypeVar("Epoch")
"""A dataclass that records an epoch."""

Decay = Literal["linear", "none"]
"""What the learning rate does after its warm-up: it falls linearly to 0, or stays."""
IGNORED = -100
"""The label of a token without a loss, which torch's cross entropy ignores."""


@dataclass(frozen=True)
class Checkpoint(Generic[Epoch]):
    """Where an interrupted training resumes; ``key`` is a digest of its texts and settings."""

    path: Path
    key: str
    epoch_type: type[Epoch]


class TrainingLoop(Generic[T, Epoch]):
    """AdamW on batches, gradients clipped; the parameters of the best epoch are put back.

    ``history`` has the epochs so far, ``best`` the index of the best one in it.
    """

    def __init__(
        self,
        parameters: Mapping[str, Any],
        loss: Callable[[T], tuple[Any, int]],
        clip: float,
        rate: Callable[[int], float] = lambda _: 1.0,
        **options: Any,
    ) -> None:
        """Set up the optimiser.

        Args:
            parameters: What is trained, by name.
            loss: The mean loss of a batch, and of how many rows or tokens it is the mean; a batch
                with none of them is skipped.
            clip: Maximum norm of the gradient.
            rate: The factor of the learning rate by the number of the update, from 1.
            options: Those of AdamW.
        """
        import torch

        self.parameters = dict(parameters)
        self.loss = loss
        self.clip = clip
        self.rate = rate
        self.optimizer = torch.optim.AdamW(list(self.parameters.values()), **options)
        self.updates = 0
        self.history: list[Epoch] = []
        self.best = 0
        self._best_weights: dict[str, Any] = {}
        self._checkpoint: Checkpoint[Epoch] | None = None

    @classmethod
    def of(
        cls,
        model: Any,
        loss: Callable[[T], tuple[Any, int]],
        settings: Any,
        rate: Callable[[int], float] = lambda _: 1.0,
        **options: Any,
    ) -> Self:
        """The loop of a torch model, with the rate, weight decay and clipping of its settings."""
        return cls(
            trainable(model),
            loss,
            settings.clip,
            rate,
            lr=settings.learning_rate,
            weight_decay=settings.weight_decay,
            **options,
        )

    @property
    def stalled(self) -> int:
        """Epochs since the best one."""
        return len(self.history) - 1 - self.best if self.history else 0

    def resume(self, checkpoint: Checkpoint[Epoch]) -> None:
        """Save the state after every epoch there; go on from it where it was saved before."""
        self._checkpoint = checkpoint
        if checkpoint.path.is_file():
            self._load(checkpoint)

    def run(
        self,
        numbers: range,
        run_epoch: Callable[[int], Epoch],
        score: Callable[[Epoch], Any],
        *,
        patience: float = inf,
        on_epoch: Callable[[Epoch], None] = lambda _: None,
    ) -> Epoch:
        """Run the epochs of these numbers; the one with the highest score, the first of equals.

        It stops after ``patience`` epochs that were not better.
        """
        for number in numbers[len(self.history) :]:
            if self.stalled >= patience:
                break
            epoch = run_epoch(number)
            if not self.history or score(epoch) > score(self.history[self.best]):
                self.best = len(self.history)
                self._best_weights = _copied(self.parameters)
            self.history.append(epoch)
            if self._checkpoint is not None:
                self._save(self._checkpoint)
            on_epoch(epoch)
        for name, tensor in self._best_weights.items():
            self.parameters[name].data.copy_(tensor)
        return self.history[self.best]

    def train(self, batches: Iterable[T]) -> float:
        """One update a batch; the mean loss."""
        import torch

        total: Any = 0.0
        count = 0
        for batch in batches:
            loss, size = self.loss(batch)
            if not size:
                continue
            self.updates += 1
            for group in self.optimizer.param_groups:
                highest = group.setdefault("highest_rate", group["lr"])
                group["lr"] = highest * self.rate(self.updates)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.parameters.values(), self.clip)
            self.optimizer.step()
            self.optimizer.zero_grad(set_to_none=True)
            total = total + loss.detach().double() * size
            count = count + size
        return float(total) / max(count, 1)

    def measure(self, batches: Iterable[T]) -> float:
        """The mean loss without updates; infinite where there is nothing to measure."""
        import torch

        total: Any = 0.0
        count = 0
        with torch.inference_mode():
            for batch in batches:
                loss, size = self.loss(batch)
                if size:
                    total = total + loss.double() * size
                    count = count + size
        return float(total) / count if count else inf

    def _save(self, checkpoint: Checkpoint[Epoch]) -> None:
        """Write parameters, the best ones, the state of the optimiser and the epochs so far."""
        from safetensors.torch import save_file

        tensors = {f"last.{name}": tensor for name, tensor in _copied(self.parameters).items()}
        tensors |= {f"best.{name}": tensor for name, tensor in self._best_weights.items()}
        names = list(self.parameters)
        for number, state in self.optimizer.state_dict()["state"].items():
            moments = {f"{kind}.{names[number]}": tensor for kind, tensor in state.items()}
            tensors |= _copied(moments)
        notes = {
            "key": checkpoint.key,
            "epochs": json.dumps([asdict(epoch) for epoch in self.history]),  # type: ignore[call-overload] # dataclasses
            "best": str(self.best),
        }
        checkpoint.path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(checkpoint.path) as draft:
            save_file(tensors, draft, metadata=notes)

    def _load(self, checkpoint: Checkpoint[Epoch]) -> None:
        """Read what ``_save`` wrote."""
        from safetensors import safe_open

        with safe_open(checkpoint.path, framework="pt") as file:
            notes = file.metadata()
            tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118 - the file is no mapping
        if notes.get("key") != checkpoint.key:
            raise OutputExists(
                f"{checkpoint.path}: belongs to a training with other settings or texts. Choose "
                "another folder, or remove it"
            )
        self.history = [checkpoint.epoch_type(**epoch) for epoch in json.loads(notes["epochs"])]
        self.best = int(notes["best"])
        numbers = {name: number for number, name in enumerate(self.parameters)}
        state: dict[int, dict[str, Any]] = {}
        for key, tensor in tensors.items():
            kind, _, name = key.partition(".")
            if kind == "last":
                self.parameters[name].data.copy_(tensor)
            elif kind == "best":
                self._best_weights[name] = tensor
            else:
                state.setdefault(numbers[name], {})[kind] = tensor
        groups = self.optimizer.state_dict()["param_groups"]
        self.optimizer.load_state_dict({"state": state, "param_groups": groups})


def warmup_rate(warmup: int, updates: int, decay: Decay) -> Callable[[int], float]:
    """The factor of the learning rate: it rises linearly, then stays or falls linearly.

        r(u) = u / w                         for u ≤ w
        r(u) = (n + 1 - u) / (n + 1 - w)     for u > w; 1 where nothing decays

    u is the number of the update, from 1 to n (``updates``), and w is ``warmup``. These are the
    values of ``transformers.get_linear_schedule_with_warmup`` without the one at 0.
    """

    def rate(update: int) -> float:
        if update <= warmup:
            return update / warmup
        return (updates + 1 - update) / (updates + 1 - warmup) if decay == "linear" else 1.0

    return rate


def trainable(model: Any) -> dict[str, Any]:
    """The parameters of a model that are trained, by name."""
    return {name: tensor for name, tensor in model.named_parameters() if tensor.requires_grad}


def _copied(tensors: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tensor.detach().cpu().clone().contiguous() for name, tensor in tensors.items()}


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
