"""The training of a transformer as a classifier: a plain loop that the same seed repeats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from augkit.core.arrays import Floats, Ints
from augkit.core.errors import DataError, MissingExtra
from augkit.core.types import Example
from augkit.models.classifiers.labels import class_labels, label_indices
from augkit.models.classifiers.transformers_classifier import (
    EpochResult,
    LoraConfig,
    OnEpoch,
    TransformersClassifier,
    TransformersConfig,
    open_backbone,
)
from augkit.models.folds import assign_folds
from augkit.models.token_batches import check_fields, context_size, encode, padded_batches
from augkit.models.training import (
    TrainingLoop,
    check_finite,
    chunked,
    import_torch,
    trainable,
)


@dataclass(frozen=True)
class RobustTerms:
    """What robust training adds to the loss of each training row; by default nothing.

    ``row_weights`` float[rows] weight the rows, ``offset`` float[rows, labels] is added to their
    scores, and ``bias_features`` sparse float[rows, features] train an expert of their own, as in a
    product of experts; ``expert_weight`` is β there, ``expert_rate`` its learning rate.
    """

    row_weights: Floats | None = None
    offset: Floats | None = None
    bias_features: Any = None
    expert_weight: float = 1.0
    expert_rate: float = 0.01

    def rows(self, indices: Ints) -> RobustTerms:
        """The terms of some of the rows."""
        parts = (self.row_weights, self.offset, self.bias_features)
        weights, offset, bias_features = (None if one is None else one[indices] for one in parts)
        return replace(self, row_weights=weights, offset=offset, bias_features=bias_features)


PLAIN = RobustTerms()


def train_transformers(
    examples: Sequence[Example],
    config: TransformersConfig,
    on_epoch: OnEpoch = lambda _: None,
    validation: Sequence[Example] | None = None,
    terms: RobustTerms = PLAIN,
) -> TransformersClassifier:
    """Fine-tune on labelled examples and keep the epoch with the best validation accuracy.

    Where no rows to validate on are given, a share of the rows, twins together, is held out to
    choose the epoch; of equally accurate ones the lowest loss wins. On one machine the same rows
    and the same seed give the same weights.
    """
    labels = class_labels(examples)
    fields = check_fields(tuple(examples[0].fields))
    if validation is None:
        kept, held_out = _hold_out_rows(examples, config)
        trained, terms = [examples[row] for row in kept], terms.rows(kept)
    else:
        trained, held_out = list(examples), list(validation)
    torch = import_torch("fine-tuning a transformer")
    with torch.random.fork_rng():
        torch.manual_seed(config.seed)
        model, tokenizer = open_backbone(config.model, len(labels))
        most = context_size(model, tokenizer, config.max_tokens)
        wrapped = model if config.lora is None else _with_lora(model, config.lora)
        rows, unseen = (
            _Rows(encode(tokenizer, part, fields, most), label_indices(part, labels))
            for part in (trained, held_out)
        )
        _FineTuning(wrapped, tokenizer, config, terms).run(rows, unseen, on_epoch)
    whole = wrapped if config.lora is None else wrapped.merge_and_unload()
    whole.config.id2label = dict(enumerate(labels))
    whole.config.label2id = {label: number for number, label in enumerate(labels)}
    return TransformersClassifier(config, labels, fields, whole.eval(), tokenizer, most)


@dataclass(frozen=True)
class _Rows:
    inputs: list[dict[str, list[int]]]
    targets: Ints


class _FineTuning:
    """The loop of a classifier: rows in a new order every epoch, early stopping."""

    def __init__(
        self, model: Any, tokenizer: Any, config: TransformersConfig, terms: RobustTerms
    ) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self.config = config
        self.terms = terms

    def run(self, rows: _Rows, validation: _Rows, on_epoch: OnEpoch) -> None:
        generator = Random(self.config.seed)  # noqa: S311 - not for secrets
        loop = TrainingLoop[Sequence[int], EpochResult](
            trainable(self.model),
            lambda batch: (self._loss(rows, batch), len(batch)),
            self.config.clip,
            lr=self.config.learning_rate,
            weight_decay=self.config.weight_decay,
        )
        self.expert = None if self.terms.bias_features is None else self._expert(loop.optimizer)

        def run_epoch(number: int) -> EpochResult:
            order = list(range(len(rows.targets)))
            generator.shuffle(order)
            self.model.train()
            train_loss = loop.train(chunked(order, self.config.batch_size))
            loss, accuracy = self._measure(validation)
            check_finite(number, train_loss, loss)
            return EpochResult(number, train_loss, loss, accuracy)

        loop.run(
            range(1, self.config.epochs + 1),
            run_epoch,
            lambda epoch: (epoch.accuracy, -epoch.validation_loss),
            patience=self.config.patience,
            on_epoch=on_epoch,
        )

    def _loss(self, rows: _Rows, chosen: Sequence[int]) -> Any:
        import torch

        padded = self.tokenizer.pad([rows.inputs[row] for row in chosen], return_tensors="pt")
        scores = self._scores(padded)
        gold = torch.as_tensor(rows.targets[chosen], device=scores.device)
        weights, offset = self.terms.row_weights, self.terms.offset
        if offset is not None:
            scores = scores + torch.as_tensor(offset[chosen]).to(scores)
        alone: Any = 0.0
        if self.expert is not None:
            bias_features = torch.as_tensor(self.terms.bias_features[chosen].toarray()).to(scores)
            bias_scores = self.expert(bias_features)
            scores = scores + bias_scores
            cross_entropy = torch.nn.functional.cross_entropy(bias_scores, gold)
            alone = self.terms.expert_weight * cross_entropy
        if weights is None:
            return torch.nn.functional.cross_entropy(scores, gold) + alone
        each = torch.nn.functional.cross_entropy(scores, gold, reduction="none")
        return (each * torch.as_tensor(weights[chosen]).to(each)).mean() + alone

    def _expert(self, optimizer: Any) -> Any:
        """A linear model of the bias features, at 0, that is trained with the transformer."""
        import torch

        width, labels = self.terms.bias_features.shape[1], self.model.config.num_labels
        expert = torch.nn.Linear(width, labels).to(self.model.device)
        for tensor in expert.parameters():
            torch.nn.init.zeros_(tensor)
        optimizer.add_param_group(
            {"params": list(expert.parameters()), "lr": self.terms.expert_rate}
        )
        return expert

    def _measure(self, rows: _Rows) -> tuple[float, float]:
        """Mean loss and accuracy."""
        import torch

        self.model.eval()
        loss, right = 0.0, 0
        with torch.inference_mode():
            for indices, batch in padded_batches(
                self.tokenizer, rows.inputs, self.config.batch_size
            ):
                scores = self._scores(batch)
                gold = torch.as_tensor(rows.targets[indices], device=scores.device)
                summed = torch.nn.functional.cross_entropy(scores, gold, reduction="sum")
                loss += summed.item()
                right += int((scores.argmax(dim=1) == gold).sum())
        return loss / len(rows.targets), right / len(rows.targets)

    def _scores(self, batch: Any) -> Any:
        moved = {name: tensor.to(self.model.device) for name, tensor in batch.items()}
        return self.model(**moved).logits


def _hold_out_rows(
    examples: Sequence[Example], config: TransformersConfig
) -> tuple[Ints, list[Example]]:
    """The indices of the training rows, and the rows that choose the best epoch."""
    import numpy as np

    parts = max(2, round(1 / config.validation))
    folds = assign_folds(examples, parts, config.seed, "pair_id")
    kept = np.flatnonzero(folds)
    held_out = [row for row, fold in zip(examples, folds, strict=True) if not fold]
    if not kept.size or not held_out:
        raise DataError(
            f"{len(examples)} rows are too few to fine-tune on: some must be held out to choose "
            "the best epoch, and rows with the same text stay together"
        )
    return kept, held_out


def _with_lora(model: Any, config: LoraConfig) -> Any:
    try:
        import peft
    except ImportError as error:
        raise MissingExtra("nn", "LoRA") from error
    settings = peft.LoraConfig(
        task_type="SEQ_CLS",
        r=config.rank,
        lora_alpha=config.alpha,
        lora_dropout=config.dropout,
        target_modules=list(config.modules) or "all-linear",
    )
    return peft.get_peft_model(model, settings)
