"""Fine-tuned transformers as classifiers: any folder or hub id, fully or with LoRA."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from random import Random
from typing import Any

from augkit.core.arrays import Floats, Ints
from augkit.core.errors import DataError, MissingExtra
from augkit.core.types import Example
from augkit.models.classifiers.labels import SCALE, class_labels, training_targets
from augkit.models.classifiers.settings import LoraConfig, TransformersConfig
from augkit.models.classifiers.storage import load_parts, save_classifier
from augkit.models.folds import assign_folds
from augkit.models.pretrained import load_pretrained, to_best_device
from augkit.models.token_batches import (
    TokenSpan,
    check_fields,
    context_size,
    encode,
    padded_batches,
    token_spans,
)
from augkit.models.training import (
    TrainingLoop,
    check_finite,
    chunked,
    import_torch,
    warmup_rate,
)


@dataclass(frozen=True)
class TransformersClassifier:
    """A model with a classification head, and its tokenizer; a ``protocols.Classifier``."""

    config: TransformersConfig
    labels: tuple[str, ...]
    fields: tuple[str, ...]
    model: Any
    tokenizer: Any
    max_tokens: int

    def predict(self, examples: Sequence[Example]) -> Floats:
        """Probabilities, or the numbers of a regressor: float[examples, labels]."""
        import numpy as np
        import torch

        probabilities = np.empty((len(examples), len(self.labels)))
        if not examples:
            return probabilities
        inputs = encode(self.tokenizer, examples, self.fields, self.max_tokens)
        self.model.eval()
        with torch.inference_mode():
            for rows, batch in padded_batches(self.tokenizer, inputs, self.config.batch_size):
                scores = _scores(self.model, batch).double()
                scores = scores.softmax(dim=1) if len(self.labels) > 1 else scores
                probabilities[rows] = scores.cpu().numpy()
        return probabilities

    @property
    def network(self) -> Any:
        """The torch module."""
        return self.model

    @property
    def padding(self) -> int:
        """The padding token."""
        return int(self.tokenizer.pad_token_id)

    def token_inputs(self, examples: Sequence[Example]) -> dict[str, Any]:
        """The examples as padded tensors."""
        inputs = encode(self.tokenizer, examples, self.fields, self.max_tokens)
        return dict(self.tokenizer.pad(inputs, return_tensors="pt"))

    def token_spans(self, examples: Sequence[Example]) -> list[list[TokenSpan]]:
        """The spans of the tokens of each example."""
        return token_spans(self.tokenizer, examples, self.fields, self.max_tokens)

    def save(self, folder: Path) -> None:
        """Write the weights as safetensors, the tokenizer, and ``augkit.json``."""
        save_classifier(folder / "augkit.json", self, max_tokens=self.max_tokens)
        self.model.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)

    @classmethod
    def load(cls, folder: Path) -> TransformersClassifier:
        """Read a saved classifier."""
        parts, record = load_parts(folder / "augkit.json", TransformersConfig)
        model, tokenizer = open_backbone(str(folder), len(record["labels"]))
        return cls(*parts, model, tokenizer, record["max_tokens"])


def open_backbone(name: str, labels: int) -> tuple[Any, Any]:
    """A model with a head of this many labels (a new one where it has none), and its tokenizer."""
    model, tokenizer = load_pretrained(
        name,
        "AutoModelForSequenceClassification",
        f"the classifier '{name}'",
        num_labels=labels,
        ignore_mismatched_sizes=True,  # a head for other labels is replaced
    )
    if tokenizer.pad_token_id is None:
        if tokenizer.eos_token is None:
            raise DataError(f"{name}: its tokenizer has no padding token. Set pad_token")
        tokenizer.pad_token = tokenizer.eos_token
    model.config.pad_token_id = tokenizer.pad_token_id
    return to_best_device(model), tokenizer


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
        terms = {name: getattr(self, name) for name in ("row_weights", "offset", "bias_features")}
        return replace(self, **{k: term[indices] for k, term in terms.items() if term is not None})


PLAIN = RobustTerms()


def train_transformers(
    examples: Sequence[Example],
    config: TransformersConfig,
    validation: Sequence[Example] | None = None,
    terms: RobustTerms = PLAIN,
    *,
    numeric: bool = False,
) -> TransformersClassifier:
    """Fine-tune on labelled examples and keep the epoch with the best validation accuracy.

    Where no rows to validate on are given, a share of the rows, twins together, is held out to
    choose the epoch; of equally accurate ones the lowest loss wins, as it does of a regressor. On
    one machine the same rows and the same seed give the same weights.
    """
    labels = SCALE if numeric else class_labels(examples)
    fields = check_fields(tuple(examples[0].fields))
    if validation is None:
        train_rows, held_out = _hold_out_rows(examples, config)
        trained = [examples[row] for row in train_rows]
        terms = terms.rows(train_rows)
    else:
        trained = list(examples)
        held_out = list(validation)
    torch = import_torch("fine-tuning a transformer")
    with torch.random.fork_rng():
        torch.manual_seed(config.seed)
        model, tokenizer = open_backbone(config.model, len(labels))
        most = context_size(model, tokenizer, config.max_tokens)
        wrapped = model if config.lora is None else with_lora(model, config.lora)
        rows, unseen = (
            _Rows(encode(tokenizer, part, fields, most), training_targets(part, labels))
            for part in (trained, held_out)
        )
        _FineTuning(wrapped, tokenizer, config, terms).run(rows, unseen)
    whole = wrapped if config.lora is None else wrapped.merge_and_unload()
    whole.config.id2label = dict(enumerate(labels))
    whole.config.label2id = {label: number for number, label in enumerate(labels)}
    return TransformersClassifier(config, labels, fields, whole.eval(), tokenizer, most)


@dataclass(frozen=True)
class _Rows:
    inputs: list[dict[str, list[int]]]
    targets: Any


class _FineTuning:
    """The loop of a classifier: rows in a new order every epoch, early stopping."""

    def __init__(
        self, model: Any, tokenizer: Any, config: TransformersConfig, terms: RobustTerms
    ) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self.config = config
        self.terms = terms

    def run(self, rows: _Rows, validation: _Rows) -> None:
        config, generator = self.config, Random(self.config.seed)  # noqa: S311 - not for secrets
        updates = ceil(len(rows.targets) / config.batch_size) * config.epochs
        loop = TrainingLoop[Sequence[int], tuple[float, float]].of(
            self.model,
            lambda batch: (self._loss(rows, batch), len(batch)),
            config,
            warmup_rate(ceil(config.warmup * updates), updates, config.decay),
        )
        self.expert = None if self.terms.bias_features is None else self._expert(loop.optimizer)

        def run_epoch(number: int) -> tuple[float, float]:
            order = list(range(len(rows.targets)))
            generator.shuffle(order)
            self.model.train()
            train_loss = loop.train(chunked(order, config.batch_size))
            loss, accuracy = self._measure(validation)
            check_finite(number, train_loss, loss)
            return accuracy, -loss

        numbers = range(1, config.epochs + 1)
        loop.run(numbers, run_epoch, lambda quality: quality, patience=config.patience)

    def _loss(self, rows: _Rows, chosen: Sequence[int]) -> Any:
        import torch

        padded = self.tokenizer.pad([rows.inputs[row] for row in chosen], return_tensors="pt")
        scores = _scores(self.model, padded)
        gold = torch.as_tensor(rows.targets[chosen], device=scores.device)
        weights = self.terms.row_weights
        offset = self.terms.offset
        if offset is not None:
            scores = scores + torch.as_tensor(offset[chosen]).to(scores)
        alone: Any = 0.0
        if self.expert is not None:
            bias_features = torch.as_tensor(self.terms.bias_features[chosen].toarray()).to(scores)
            bias_scores = self.expert(bias_features)
            scores = scores + bias_scores
            alone = self.terms.expert_weight * _loss(bias_scores, gold)
        if weights is None:
            return _loss(scores, gold) + alone
        losses = _loss(scores, gold, "none")
        return (losses * torch.as_tensor(weights[chosen]).to(losses)).mean() + alone

    def _expert(self, optimizer: Any) -> Any:
        """A linear model of the bias features, at 0, that is trained with the transformer."""
        import torch

        width = self.terms.bias_features.shape[1]
        labels = self.model.config.num_labels
        expert = torch.nn.Linear(width, labels).to(self.model.device)
        for tensor in expert.parameters():
            torch.nn.init.zeros_(tensor)
        optimizer.add_param_group(
            {"params": list(expert.parameters()), "lr": self.terms.expert_rate}
        )
        return expert

    def _measure(self, rows: _Rows) -> tuple[float, float]:
        """Mean loss and accuracy, which is 0 of a regressor."""
        import torch

        self.model.eval()
        loss = 0.0
        right = 0
        with torch.inference_mode():
            for indices, batch in padded_batches(
                self.tokenizer, rows.inputs, self.config.batch_size
            ):
                scores = _scores(self.model, batch)
                gold = torch.as_tensor(rows.targets[indices], device=scores.device)
                loss += _loss(scores, gold, "sum").item()
                right += int((scores.argmax(dim=1) == gold).sum()) if scores.shape[1] > 1 else 0
        return loss / len(rows.targets), right / len(rows.targets)


def _loss(scores: Any, targets: Any, reduction: str = "mean") -> Any:
    """The cross entropy of several labels, the square error of one that is a number."""
    from torch.nn import functional

    if scores.shape[1] > 1:
        return functional.cross_entropy(scores, targets, reduction=reduction)
    return functional.mse_loss(scores[:, 0], targets.to(scores), reduction=reduction)


def _scores(model: Any, batch: Mapping[str, Any]) -> Any:
    moved = {name: tensor.to(model.device) for name, tensor in batch.items()}
    return model(**moved).logits


def _hold_out_rows(
    examples: Sequence[Example], config: TransformersConfig
) -> tuple[Ints, list[Example]]:
    """The indices of the training rows, and the rows that choose the best epoch."""
    import numpy as np

    parts = max(2, round(1 / config.validation))
    folds = assign_folds(examples, parts, config.seed, "pair_id")
    train_rows = np.flatnonzero(folds)
    held_out = [row for row, fold in zip(examples, folds, strict=True) if not fold]
    if not train_rows.size or not held_out:
        raise DataError(
            f"{len(examples)} rows are too few to fine-tune on: some must be held out to choose "
            "the best epoch, and rows with the same text stay together"
        )
    return train_rows, held_out


def with_lora(model: Any, config: LoraConfig) -> Any:
    """The model with low-rank updates, which alone are trained."""
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
