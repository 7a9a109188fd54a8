"""Grammar training: maximise the likelihood of unlabelled texts, with early stopping."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from pydantic import Field

from augkit.core.errors import DataError, OutputExists
from augkit.core.types import digest
from augkit.grammars.charts.batches import Text, TextBatch, as_sides, check_texts, make_batch
from augkit.grammars.charts.likelihood import log_likelihood
from augkit.grammars.model.grammar import (
    Grammar,
    explain_out_of_memory,
    float32_products,
    grammar_potentials,
    load_tensors,
    pick_device,
    save_tensors,
)
from augkit.grammars.model.parameters import GrammarShape, Tensors, init_parameters

_CHECKPOINT = "checkpoint.safetensors"


class GrammarConfig(GrammarShape):
    """The size of a grammar, and how it is trained."""

    batch_size: int = Field(16, ge=1, description="texts per step")
    epochs: int | None = Field(
        None, ge=1, description="maximum epochs; as published 40, for pairs 10"
    )
    patience: int = Field(5, ge=1, description="epochs without a better held-out likelihood")
    learning_rate: float = Field(1e-3, gt=0, description="step size of AdamW")
    momentum: float = Field(0.75, ge=0, lt=1, description="first beta of AdamW")
    weight_decay: float = Field(0.01, ge=0, description="of AdamW")
    clip: float = Field(1.0, gt=0, description="maximum norm of the gradient")
    seed: int = Field(0, description="of the initial parameters and of the order of the texts")
    restarts: int = Field(
        1, ge=1, description="random restarts; the grammar of the best held-out likelihood is kept"
    )
    device: str = Field("auto", description="cpu, cuda, or auto: the GPU where there is one")


@dataclass(frozen=True)
class EpochProgress:
    """The state after an epoch: mean log-likelihoods per text, texts per second."""

    epoch: int
    train: float
    heldout: float
    texts_per_second: float
    seconds: float
    best: bool


ReportProgress = Callable[[EpochProgress], None]


def train_grammar(
    train: Sequence[Text],
    heldout: Sequence[Text],
    config: GrammarConfig,
    folder: Path | None = None,
    report: ReportProgress | None = None,
) -> Grammar:
    """The grammar with the best held-out likelihood.

    Texts are arrays of word ids, for ``config.pairs`` two each. With a ``folder`` an
    interrupted training resumes after its last whole epoch, to the same result; ``report`` is
    called after every epoch.
    """
    _check(train, heldout, config)
    trainer = GrammarTrainer(train, heldout, config, folder)
    with float32_products("high"):
        while not trainer.is_done:
            progress = trainer.run_epoch()
            if report is not None:
                report(progress)
    return trainer.best()


def train_best(
    train: Sequence[Text],
    heldout: Sequence[Text],
    config: GrammarConfig,
    folder: Path | None = None,
    report: ReportProgress | None = None,
) -> Grammar:
    """The best of ``config.restarts`` grammars by held-out likelihood; labels are not used.

    The likelihood has many local maxima: grammars from other initial parameters differ in their
    phrases by far more than longer training changes.

    The k-th has the seed ``config.seed + k``. With a ``folder`` each has a part ``start-k`` in
    it, so that an interrupted training resumes, and the best is saved in the folder itself.
    """
    if config.restarts == 1:
        return train_grammar(train, heldout, config, folder, report)
    found: list[Grammar] = []
    for start in range(config.restarts):
        own = config.model_copy(update={"seed": config.seed + start})
        part = None if folder is None else folder / f"start-{start}"
        found.append(train_grammar(train, heldout, own, part, report))
    best = max(found, key=lambda grammar: float(grammar.log_likelihood(heldout).mean()))
    if folder is not None:
        best.save(folder)
    return best


def _check(train: Sequence[Text], heldout: Sequence[Text], config: GrammarConfig) -> None:
    if not train or not heldout:
        raise DataError("a grammar needs training texts and held-out texts: got none")
    wrong = sum(isinstance(text, tuple) != config.pairs for text in [*train, *heldout])
    if wrong:
        kind = "pairs" if config.pairs else "single texts"
        raise DataError(f"{wrong} of the texts are not {kind}: set 'pairs' as the texts are")
    for texts in (train, heldout):
        check_texts(texts, config.words)


class GrammarTrainer:
    """Parameters, optimiser and the epochs so far."""

    def __init__(
        self,
        train: Sequence[Text],
        heldout: Sequence[Text],
        config: GrammarConfig,
        folder: Path | None,
    ) -> None:
        self.texts, self.heldout, self.config, self.folder = train, heldout, config, folder
        self.device = pick_device(config.device)
        initial = init_parameters(config, config.seed)
        self.parameters = {name: one.to(self.device) for name, one in initial.items()}
        for one in self.parameters.values():
            one.requires_grad_()
        self.optimiser = torch.optim.AdamW(
            list(self.parameters.values()),
            lr=config.learning_rate,
            betas=(config.momentum, 0.999),
            weight_decay=config.weight_decay,
            fused=self.device.type == "cuda",
        )
        self.shape = GrammarShape(**{n: getattr(config, n) for n in GrammarShape.model_fields})
        self.history: list[EpochProgress] = []
        self.kept = self._copy()
        settings = config.model_dump_json(exclude={"epochs", "device", "restarts"})
        self.key = digest(settings, texts_digest(train))
        if folder is not None and (folder / _CHECKPOINT).exists():
            self._resume(folder / _CHECKPOINT)

    @property
    def is_done(self) -> bool:
        """Whether all epochs are run, or the last ones were not better."""
        most = self.config.epochs or (10 if self.config.pairs else 40)
        scores = [one.best for one in self.history]
        stuck = len(scores) > self.config.patience and not any(scores[-self.config.patience :])
        return stuck or len(scores) >= most

    def run_epoch(self) -> EpochProgress:
        """One pass over the texts in a new order, the held-out likelihood, and a checkpoint."""
        epoch = len(self.history)
        started = time.perf_counter()
        total = self._pass(epoch)
        train = total / len(self.texts)
        seconds = time.perf_counter() - started
        heldout = float(Grammar(self.shape, self._copy()).log_likelihood(self.heldout).mean())
        best = all(heldout > one.heldout for one in self.history)
        before = self.history[-1].seconds if self.history else 0.0
        whole = before + time.perf_counter() - started
        speed = len(self.texts) / seconds
        self.history.append(EpochProgress(epoch, train, heldout, speed, whole, best))
        if best:
            self.kept = self._copy()
        self._save()
        return self.history[-1]

    def _pass(self, epoch: int) -> float:
        """Train on every text once; their summed log-likelihood."""
        total = torch.zeros((), device=self.device)
        for batch in prepare_batches(self.texts, self.config, epoch):
            with explain_out_of_memory(len(batch.lattice.source)):
                total += self.step(batch.to(self.device))
        return float(total)

    def step(self, batch: TextBatch) -> torch.Tensor:
        """One step of the optimiser; the summed log-likelihood before it."""
        potentials = grammar_potentials(self.parameters, self.shape, batch)
        found = log_likelihood(potentials, batch.lattice, published=self.config.published)
        (-found.mean()).backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.parameters.values(), self.config.clip)
        self.optimiser.step()
        self.optimiser.zero_grad()
        return found.detach().sum()

    def best(self) -> Grammar:
        """The grammar of the best epoch, saved where there is a folder."""
        grammar = Grammar(self.shape, self.kept)
        if self.folder is not None:
            grammar.save(self.folder)
        return grammar

    def _copy(self) -> Tensors:
        return {name: one.detach().clone() for name, one in self.parameters.items()}

    def _save(self) -> None:
        if self.folder is None:
            return
        tensors = {f"now.{name}": one for name, one in self.parameters.items()}
        tensors |= {f"best.{name}": one for name, one in self.kept.items()}
        for name, one in self.parameters.items():
            state = self.optimiser.state[one]
            tensors |= {f"{key}.{name}": state[key] for key in _MOMENTS}
        history = json.dumps([asdict(one) for one in self.history])
        notes = {"key": self.key, "history": history}
        save_tensors(self.folder / _CHECKPOINT, tensors, notes)

    def _resume(self, path: Path) -> None:
        tensors, notes = load_tensors(path, self.device)
        if notes.get("key") != self.key:
            raise OutputExists(
                f"{path}: belongs to a training with other settings or texts. Choose another "
                "folder, or remove it"
            )
        self.history = [EpochProgress(**one) for one in json.loads(notes["history"])]
        self.kept = {name: tensors[f"best.{name}"] for name in self.parameters}
        for name, one in self.parameters.items():
            one.data.copy_(tensors[f"now.{name}"])
            self.optimiser.state[one] = {key: tensors[f"{key}.{name}"] for key in _MOMENTS}


_MOMENTS = ("step", "exp_avg", "exp_avg_sq")


def texts_digest(texts: Sequence[Text]) -> str:
    """A digest of the words of all texts."""
    sides = [side for text in texts for side in as_sides(text)]
    lengths = np.array([len(side) for side in sides])
    return digest(lengths.tobytes().hex(), np.concatenate(sides).astype(np.int64).tobytes().hex())


def prepare_batches(
    texts: Sequence[Text], config: GrammarConfig, epoch: int
) -> Iterator[TextBatch]:
    """The epoch's batches, in a new order.

    No thread prepares them ahead: a GPU keeps working meanwhile, and a second thread would delay
    the launch of its kernels.
    """
    rng = torch.Generator().manual_seed(config.seed * 1_000_003 + epoch)
    order = torch.randperm(len(texts), generator=rng).tolist()
    pin = pick_device(config.device).type == "cuda"
    for start in range(0, len(order), config.batch_size):
        some = [texts[number] for number in order[start : start + config.batch_size]]
        batch = make_batch(some, config.words, published=config.published)
        yield batch.pinned() if pin else batch
