"""Continued pre-training of a masked language model on plain texts: FairBERTa, CoBA-PT in kind.

A share of the tokens of each text is hidden (of these most are masked, some replaced, some left),
and the model learns to say what they were. The same seed gives the same weights on one machine:
what is drawn is keyed by the seed and the pass, so a training that was stopped goes on to the same
end.

References: devlin2019bert (what is hidden), qian2022perturbation (texts perturbed first).
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from math import inf, isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from augkit.core.config import StrictModel
from augkit.core.errors import ConfigError, DataError, OutputExists
from augkit.core.types import digest
from augkit.models.language_models.checkpoints import load_checkpoint
from augkit.models.language_models.token_batches import padded, places

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

_IGNORED = -100
"""The label of a token that was not hidden, which torch's cross entropy leaves out."""
_FEWEST = 10


class MaskedTrainingConfig(StrictModel):
    """A masked language model and how it goes on learning; the shares are those of BERT."""

    kind: Literal["mlm"] = Field("mlm", description="continued masked-language-model training")
    model: str = Field(description="a folder with a saved masked model, or a hub id")
    epochs: int = Field(3, ge=1, description="passes over the texts; the best one is kept")
    batch_size: int = Field(32, ge=1, description="texts of an update")
    learning_rate: float = Field(5e-5, gt=0, description="of AdamW")
    weight_decay: float = Field(0.01, ge=0, description="of AdamW")
    clip: float = Field(1.0, gt=0, description="greatest length of the gradient")
    hidden: float = Field(0.15, gt=0, lt=1, description="share of the tokens that are hidden")
    masked: float = Field(0.8, ge=0, le=1, description="of these, the share shown as the mask")
    replaced: float = Field(0.1, ge=0, le=1, description="of these, the share shown as another")
    max_tokens: int = Field(128, ge=4, description="longer texts are cut")
    validation: float = Field(
        0.1, gt=0, lt=1, description="share of the texts that choose the best pass"
    )
    seed: int = Field(0, description="of what is hidden, the order of texts and dropout")


@dataclass(frozen=True)
class MaskedPass:
    """The mean loss per hidden token of one pass, in nats; pass 0 is the model as it came."""

    number: int
    train_loss: float | None
    validation_loss: float


@dataclass(frozen=True)
class MaskedTraining:
    """Every pass, the one whose weights were kept, and how many texts there were."""

    passes: tuple[MaskedPass, ...]
    best: int
    trained_on: int
    validated_on: int


Watch = Callable[[MaskedPass], None]


def continue_training(
    texts: Sequence[str],
    config: MaskedTrainingConfig,
    folder: Path,
    watch: Watch = lambda _: None,
) -> MaskedTraining:
    """Train on texts and save the best pass into ``folder`` as any transformers model is saved.

    After every pass ``folder/work`` holds all that is needed to go on; it is removed at the end.
    """
    learnt, unseen = _split(sorted(set(texts)), config)
    import torch

    model, tokenizer = load_checkpoint(config.model, "masked")
    if tokenizer.mask_token_id is None:
        raise ConfigError(f"{config.model}: its tokenizer has no mask token: nothing can be hidden")
    key = digest(config.model_dump_json(exclude={"epochs"}), *learnt, *unseen)
    loop = _Loop(model, tokenizer, config, _Progress(folder / "work", key))
    with torch.random.fork_rng():
        passes = loop.run(loop.read(learnt), loop.read(unseen), watch)
    best = min(passes, key=lambda one: (one.validation_loss, one.number)).number
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    shutil.rmtree(folder / "work", ignore_errors=True)
    return MaskedTraining(tuple(passes), best, len(learnt), len(unseen))


@dataclass(frozen=True)
class _Progress:
    """Where the passes of a training are written, and the key of what it trains on and how."""

    work: Path
    key: str

    def passes(self) -> list[MaskedPass]:
        """Those of a training that was stopped; one with other texts or settings is refused."""
        path = self.work / "passes.json"
        if not path.is_file():
            return []
        told = json.loads(path.read_text(encoding="utf-8"))
        if told["key"] != self.key:
            raise OutputExists(
                f"{self.work.parent}: another training was stopped there, of other texts or with "
                "other settings. Choose another place, or remove it yourself"
            )
        return [MaskedPass(**one) for one in told["passes"]]

    def write(self, passes: Sequence[MaskedPass]) -> None:
        path = self.work / "passes.json"
        told = {"key": self.key, "passes": [asdict(one) for one in passes]}
        draft = path.with_suffix(".new")
        draft.write_text(json.dumps(told) + "\n", encoding="utf-8")
        draft.replace(path)


class _Loop:
    """AdamW over hidden tokens; what a pass draws hangs on the seed and its number alone."""

    def __init__(
        self, model: Any, tokenizer: Any, config: MaskedTrainingConfig, progress: _Progress
    ) -> None:
        import torch

        self.progress = progress
        self.model = model
        self.tokenizer = tokenizer
        self.config = config
        self.optimizer = torch.optim.AdamW(
            model.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay
        )

    def read(self, texts: Sequence[str]) -> list[list[int]]:
        most = min(self.config.max_tokens, places(self.model.config) or self.config.max_tokens)
        read = self.tokenizer(list(texts), truncation=True, max_length=most)["input_ids"]
        return [list(ids) for ids in read]

    def run(self, rows: list[list[int]], unseen: list[list[int]], watch: Watch) -> list[MaskedPass]:
        """All passes; the model has the weights of the best one afterwards."""
        work, passes = self.progress.work, self.progress.passes()
        if passes:
            self._restore(work / "last")
        else:
            passes = [MaskedPass(0, None, self._measure(unseen))]
            self._keep(work / "best", with_optimizer=False)
            watch(passes[0])
        lowest = min(one.validation_loss for one in passes)
        for number in range(len(passes), self.config.epochs + 1):
            told = MaskedPass(number, self._learn(rows, number), self._measure(unseen))
            if not isfinite(told.validation_loss):
                raise ConfigError(f"pass {number}: the loss is no number: set a smaller rate")
            passes.append(told)
            if told.validation_loss < lowest:
                lowest = told.validation_loss
                self._keep(work / "best", with_optimizer=False)
            self._keep(work / "last", with_optimizer=True)
            self.progress.write(passes)
            watch(told)
        self._restore(work / "best")
        return passes

    def _learn(self, rows: list[list[int]], number: int) -> float:
        import numpy as np
        import torch

        draw = np.random.default_rng(_key(self.config.seed, "learn", number))
        torch.manual_seed(_key(self.config.seed, "dropout", number) % 2**31)
        self.model.train()
        order = draw.permutation(len(rows)).tolist()
        total, hidden = 0.0, 0
        for start in range(0, len(order), self.config.batch_size):
            chosen = [rows[row] for row in order[start : start + self.config.batch_size]]
            loss, count = self._loss(chosen, draw)
            if not count:
                continue
            (loss / count).backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.config.clip)
            self.optimizer.step()
            self.optimizer.zero_grad(set_to_none=True)
            total, hidden = total + loss.item(), hidden + count
        return total / max(hidden, 1)

    def _measure(self, rows: list[list[int]]) -> float:
        """The loss per hidden token; the same tokens are hidden every time."""
        import numpy as np
        import torch

        draw = np.random.default_rng(_key(self.config.seed, "measure", 0))
        self.model.eval()
        total, hidden = 0.0, 0
        with torch.inference_mode():
            for start in range(0, len(rows), self.config.batch_size):
                loss, count = self._loss(rows[start : start + self.config.batch_size], draw)
                total, hidden = total + float(loss), hidden + count
        return total / hidden if hidden else inf

    def _loss(self, rows: list[list[int]], draw: np.random.Generator) -> tuple[Any, int]:
        """The summed loss over the hidden tokens of a batch, and their number."""
        import torch

        shown, wanted = zip(*(self._hide(ids, draw) for ids in rows), strict=True)
        device, fill = self.model.device, self.tokenizer.pad_token_id or 0
        present = padded([[1] * len(ids) for ids in rows], 0, device)
        logits = self.model(input_ids=padded(shown, fill, device), attention_mask=present).logits
        gold = padded(wanted, _IGNORED, device)
        loss = torch.nn.functional.cross_entropy(
            logits.flatten(0, 1), gold.flatten(), ignore_index=_IGNORED, reduction="sum"
        )
        return loss, int((gold != _IGNORED).sum())

    def _hide(self, ids: list[int], draw: np.random.Generator) -> tuple[list[int], list[int]]:
        """What is shown in the place of each token, and what is asked for there."""
        special = self.tokenizer.get_special_tokens_mask(ids, already_has_special_tokens=True)
        chosen, fate = draw.random(len(ids)), draw.random(len(ids))
        other = draw.integers(len(self.tokenizer), size=len(ids))
        shown, wanted = list(ids), [_IGNORED] * len(ids)
        for at, own in enumerate(ids):
            if special[at] or chosen[at] >= self.config.hidden:
                continue
            wanted[at] = own
            if fate[at] < self.config.masked:
                shown[at] = self.tokenizer.mask_token_id
            elif fate[at] < self.config.masked + self.config.replaced:
                shown[at] = int(other[at])
        return shown, wanted

    def _keep(self, place: Path, *, with_optimizer: bool) -> None:
        from safetensors.torch import save_file

        tensors = {
            f"model.{name}": one.detach().clone() for name, one in self.model.named_parameters()
        }
        if with_optimizer:
            for number, state in self.optimizer.state_dict()["state"].items():
                tensors |= {f"adam.{number}.{name}": one for name, one in state.items()}
        place.parent.mkdir(parents=True, exist_ok=True)
        draft = place.with_suffix(".new")
        save_file({name: one.contiguous().cpu() for name, one in tensors.items()}, draft)
        draft.replace(place.with_suffix(".safetensors"))

    def _restore(self, place: Path) -> None:
        """Put back the weights, and the optimiser's state where it was kept."""
        from safetensors.torch import load_file

        tensors = load_file(place.with_suffix(".safetensors"))
        own: dict[str, Any] = {}
        state: dict[int, dict[str, Any]] = {}
        for name, one in tensors.items():
            whose, _, rest = name.partition(".")
            if whose == "model":
                own[rest] = one
            else:
                number, kind = rest.split(".")
                state.setdefault(int(number), {})[kind] = one
        self.model.load_state_dict(own, strict=False)
        if state:
            groups = self.optimizer.state_dict()["param_groups"]
            self.optimizer.load_state_dict({"state": state, "param_groups": groups})


def _split(texts: Sequence[str], config: MaskedTrainingConfig) -> tuple[list[str], list[str]]:
    """Texts to learn from and texts to choose the best pass with, by content alone."""
    kept: list[str] = []
    held_out: list[str] = []
    for text in texts:
        share = int(digest("validation", str(config.seed), text)[:8], 16) / 16**8
        (held_out if share < config.validation else kept).append(text)
    if len(kept) < _FEWEST or not held_out:
        raise DataError(
            f"{len(texts)} different texts are too few to go on training with: some must be held "
            "out to choose the best pass"
        )
    return kept, held_out


def _key(seed: int, what: str, number: int) -> int:
    return int(digest(str(seed), what, str(number)), 16)
