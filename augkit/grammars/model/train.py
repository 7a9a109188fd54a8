"""Grammar training: maximise the likelihood of unlabelled texts, with early stopping."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from pydantic import Field

from augkit.core.errors import DataError
from augkit.core.types import digest
from augkit.grammars.charts.batches import Text, TextBatch, as_sides, check_texts, make_batch
from augkit.grammars.charts.likelihood import log_likelihood
from augkit.grammars.model.grammar import (
    Grammar,
    explain_out_of_memory,
    grammar_potentials,
    pick_device,
)
from augkit.grammars.model.parameters import (
    GrammarShape,
    Tensors,
    init_parameters,
    probability_tables,
)
from augkit.models.precision import float32_products
from augkit.models.training import Checkpoint, TrainingLoop


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
    report: ReportProgress = lambda _: None,
) -> Grammar:
    """The grammar with the best held-out likelihood.

    Texts are arrays of word ids, for ``config.pairs`` two each. With a ``folder`` an
    interrupted training resumes after its last whole epoch, to the same result; ``report`` is
    called after every epoch.
    """
    _check(train, heldout, config)
    return GrammarTrainer(train, heldout, config).train(folder, report)


def train_best(
    train: Sequence[Text],
    heldout: Sequence[Text],
    config: GrammarConfig,
    folder: Path | None = None,
    report: ReportProgress = lambda _: None,
) -> Grammar:
    """The best of ``config.restarts`` grammars by held-out likelihood; labels are not used.

    The likelihood has many local maxima: grammars from other initial parameters differ in their
    phrases by far more than longer training changes.

    The k-th has the seed ``config.seed + k``. With a ``folder`` each has a part ``start-k`` in
    it, so that an interrupted training resumes, and the best is saved in the folder itself.
    """
    if config.restarts == 1:
        return train_grammar(train, heldout, config, folder, report)
    grammars = [
        train_grammar(
            train,
            heldout,
            config.model_copy(update={"seed": config.seed + start}),
            None if folder is None else folder / f"start-{start}",
            report,
        )
        for start in range(config.restarts)
    ]
    best = max(grammars, key=lambda grammar: float(grammar.log_likelihood(heldout).mean()))
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
    """The parameters of a grammar, and the loop that trains them."""

    def __init__(
        self, train: Sequence[Text], heldout: Sequence[Text], config: GrammarConfig
    ) -> None:
        self.texts = train
        self.heldout = heldout
        self.config = config
        self.device = pick_device(config.device)
        self.shape = GrammarShape(**{n: getattr(config, n) for n in GrammarShape.model_fields})
        self.parameters = {
            name: tensor.to(self.device).requires_grad_()
            for name, tensor in init_parameters(config, config.seed).items()
        }
        self._graph: Any = None
        self._table_names: list[str] = []
        self.loop = TrainingLoop[TextBatch, EpochProgress](
            self.parameters,
            self._loss,
            config.clip,
            lr=config.learning_rate,
            betas=(config.momentum, 0.999),
            weight_decay=config.weight_decay,
            fused=self.device.type == "cuda",
        )

    @property
    def grammar(self) -> Grammar:
        """The grammar as it is."""
        parameters = {name: tensor.detach() for name, tensor in self.parameters.items()}
        return Grammar(self.shape, parameters)

    def train(self, folder: Path | None, report: ReportProgress = lambda _: None) -> Grammar:
        """The grammar of the best epoch, saved where there is a folder."""
        config = self.config
        if folder is not None:
            settings = config.model_dump_json(exclude={"epochs", "device", "restarts"})
            key = digest(settings, texts_digest(self.texts))
            self.loop.resume(Checkpoint(folder / "checkpoint.safetensors", key, EpochProgress))
        with float32_products("high"):
            self.loop.run(
                range(config.epochs or (10 if config.pairs else 40)),
                self._run_epoch,
                lambda epoch: epoch.heldout,
                patience=config.patience,
                on_epoch=report,
            )
        if folder is not None:
            self.grammar.save(folder)
        return self.grammar

    def _run_epoch(self, number: int) -> EpochProgress:
        """One pass over the texts in a new order, and the held-out likelihood."""
        history = self.loop.history
        started = time.perf_counter()
        with explain_out_of_memory(min(self.config.batch_size, len(self.texts))):
            loss = self.loop.train(prepare_batches(self.texts, self.config, number))
        speed = len(self.texts) / (time.perf_counter() - started)
        heldout = float(self.grammar.log_likelihood(self.heldout).mean())
        seconds = time.perf_counter() - started + (history[-1].seconds if history else 0.0)
        best = all(heldout > epoch.heldout for epoch in history)
        return EpochProgress(number, -loss, heldout, speed, seconds, best)

    def _loss(self, batch: TextBatch) -> tuple[torch.Tensor, int]:
        """The mean of -log p(x) over the texts of a batch, and their number."""
        batch = batch.to(self.device)
        potentials = grammar_potentials(self.parameters, self.shape, batch, self._tables())
        log_p = log_likelihood(potentials, batch.lattice)
        return -log_p.mean(), len(log_p)

    def _tables(self) -> Tensors:
        """``probability_tables``; on a GPU replayed as one graph, forwards and backwards.

        They and their gradients are some hundred small operations, which take longer to launch
        than to compute. Those after them depend on the sizes of the batch.
        """
        if self.device.type != "cuda":
            return probability_tables(self.parameters, self.shape)
        names = [name for name in self.parameters if not name.startswith("target.")]
        inputs = tuple(self.parameters[name] for name in names)
        if self._graph is None:

            def compute(*tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
                tables = probability_tables(dict(zip(names, tensors, strict=True)), self.shape)
                self._table_names = list(tables)
                return tuple(tables.values())

            # It is captured with the same memory, but not with the parameters themselves, whose
            # gradients would then be added up on the stream of the capture.
            same = tuple(tensor.detach().requires_grad_() for tensor in inputs)
            with warnings.catch_warnings():  # the warm-up of a capture runs on another stream
                warnings.filterwarnings("ignore", "The AccumulateGrad node's stream")
                self._graph = torch.cuda.make_graphed_callables(compute, same)
        return dict(zip(self._table_names, self._graph(*inputs), strict=True))


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
    for start in range(0, len(order), config.batch_size):
        chosen = [texts[number] for number in order[start : start + config.batch_size]]
        yield make_batch(chosen, config.words)
