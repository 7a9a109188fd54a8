"""A transformer with one output as a reward model: trained here, or trained before.

The loss is Bradley and Terry's, and with more than two candidates Plackett and Luce's first choice:

    L = -log( exp(s_w) / Σ_k exp(s_k) )

s are the scores of the candidates of an item and w is its winner; of several winners the mean
counts. Prompt and candidate are read as the tokenizer's chat template puts them, or as a pair of
texts where it has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from random import Random
from typing import Any

from augkit.core.arrays import Floats
from augkit.core.choices import Choice
from augkit.core.errors import ConfigError, DataError
from augkit.core.types import digest
from augkit.models.classifiers.settings import TransformersConfig
from augkit.models.classifiers.transformers_classifier import open_backbone, with_lora
from augkit.models.pretrained import load_pretrained, to_best_device
from augkit.models.reward.base import choice_units
from augkit.models.token_batches import context_size, padded_batches
from augkit.models.training import (
    TrainingLoop,
    check_finite,
    chunked,
    import_torch,
    warmup_rate,
)

Inputs = list[dict[str, list[int]]]
_TEXTS_AT_ONCE = 16
"""Texts that are read together where nothing is trained."""


@dataclass(frozen=True)
class TransformersReward:
    """A model with one output, and its tokenizer."""

    config: TransformersConfig
    model: Any
    tokenizer: Any
    max_tokens: int

    def scores(self, choices: Sequence[Choice]) -> Floats:
        """The output for each candidate: float[candidates]."""
        import numpy as np
        import torch

        inputs = [
            row for item in encode_choices(self.tokenizer, choices, self.max_tokens) for row in item
        ]
        scores = np.empty(len(inputs))
        self.model.eval()
        with torch.inference_mode():
            for rows, batch in padded_batches(self.tokenizer, inputs, _TEXTS_AT_ONCE):
                scores[list(rows)] = _outputs(self.model, batch).double().cpu().numpy()
        return scores


def open_transformers(name: str, max_tokens: int | None = None) -> TransformersReward:
    """A reward model that was trained before: a sequence classifier with one output."""
    model, tokenizer = load_pretrained(
        name, "AutoModelForSequenceClassification", f"the reward model '{name}'"
    )
    if model.config.num_labels != 1:
        raise ConfigError(
            f"{name}: it has {model.config.num_labels} outputs, and a reward model has one. To "
            "train it as one, give a run folder or --train"
        )
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    model.config.pad_token_id = tokenizer.pad_token_id
    config = TransformersConfig(model=name, max_tokens=max_tokens or 512)
    most = context_size(model, tokenizer, config.max_tokens)
    return TransformersReward(config, to_best_device(model), tokenizer, most)


def encode_choices(tokenizer: Any, choices: Sequence[Choice], most: int) -> list[Inputs]:
    """The inputs of each candidate of each choice, of at most ``most`` tokens."""
    encoded = []
    for choice in choices:
        rows = []
        for text in choice.candidates:
            if getattr(tokenizer, "chat_template", None):
                asked = [{"role": "user", "content": choice.prompt}] if choice.prompt else []
                turns = [*asked, {"role": "assistant", "content": text}]
                shown = tokenizer.apply_chat_template(turns, tokenize=False)
                read = tokenizer(shown, truncation=True, max_length=most, add_special_tokens=False)
            else:
                pair = (choice.prompt, text) if choice.prompt else (text,)
                read = tokenizer(*pair, truncation=True, max_length=most)
            names = [name for name in tokenizer.model_input_names if name in read]
            rows.append({name: read[name] for name in names})
        encoded.append(rows)
    return encoded


@dataclass(frozen=True)
class _Items:
    inputs: list[Inputs]
    winners: list[tuple[int, ...]]
    weights: list[float]

    @classmethod
    def of(
        cls, tokenizer: Any, choices: Sequence[Choice], weights: Sequence[float], most: int
    ) -> _Items:
        winners = [choice.winners for choice in choices]
        return cls(encode_choices(tokenizer, choices, most), winners, list(weights))


def train_transformers_reward(
    choices: Sequence[Choice], config: TransformersConfig, weights: Floats | None = None
) -> TransformersReward:
    """Fine-tune with the loss above, and keep the epoch with the best accuracy on held-out units.

    A batch has ``batch_size`` choices. On one machine the same choices and seed give the same
    weights.
    """
    counted = [1.0] * len(choices) if weights is None else weights.tolist()
    units = choice_units(choices)
    parts = max(2, round(1 / config.validation))
    folds = [int(digest(str(config.seed), "hold-out", unit), 16) % parts for unit in units]
    sides = [
        [number for number, fold in enumerate(folds) if (fold == 0) is held]
        for held in (False, True)
    ]
    if not all(sides):
        raise DataError(
            f"{len(choices)} items are too few to fine-tune on: some must be held out to choose "
            "the best epoch, and items with the same prompt stay together"
        )
    torch = import_torch("fine-tuning a transformer")
    with torch.random.fork_rng():
        torch.manual_seed(config.seed)
        model, tokenizer = open_backbone(config.model, 1)
        most = context_size(model, tokenizer, config.max_tokens)
        wrapped = model if config.lora is None else with_lora(model, config.lora)
        trained, held_out = (
            _Items.of(
                tokenizer,
                [choices[number] for number in numbers],
                [counted[number] for number in numbers],
                most,
            )
            for numbers in sides
        )
        _fine_tune(wrapped, tokenizer, config, trained, held_out)
    whole = wrapped if config.lora is None else wrapped.merge_and_unload()
    return TransformersReward(config, whole.eval(), tokenizer, most)


def _fine_tune(
    model: Any, tokenizer: Any, config: TransformersConfig, items: _Items, held_out: _Items
) -> None:
    generator = Random(config.seed)  # noqa: S311 - not for secrets
    count = len(items.winners)
    updates = ceil(count / config.batch_size) * config.epochs
    loop = TrainingLoop[Sequence[int], tuple[float, float]].of(
        model,
        lambda batch: (_batch_loss(model, tokenizer, items, batch)[0], len(batch)),
        config,
        warmup_rate(ceil(config.warmup * updates), updates, config.decay),
    )

    def run_epoch(number: int) -> tuple[float, float]:
        order = list(range(count))
        generator.shuffle(order)
        model.train()
        train_loss = loop.train(chunked(order, config.batch_size))
        loss, accuracy = _measure(model, tokenizer, config, held_out)
        check_finite(number, train_loss, loss)
        return accuracy, -loss

    numbers = range(1, config.epochs + 1)
    loop.run(numbers, run_epoch, lambda quality: quality, patience=config.patience)


def _measure(
    model: Any, tokenizer: Any, config: TransformersConfig, items: _Items
) -> tuple[float, float]:
    """The mean loss and the accuracy."""
    import torch

    model.eval()
    loss = right = 0.0
    with torch.inference_mode():
        for batch in chunked(range(len(items.winners)), config.batch_size):
            batch_loss, hits = _batch_loss(model, tokenizer, items, batch)
            loss = loss + batch_loss.item() * len(batch)
            right = right + hits
    return loss / len(items.winners), right / len(items.winners)


def _batch_loss(model: Any, tokenizer: Any, items: _Items, batch: Sequence[int]) -> tuple[Any, int]:
    """The mean loss of a batch of items, and in how many of them a winner has the highest score."""
    import torch

    inputs = [row for number in batch for row in items.inputs[number]]
    scores = _outputs(model, tokenizer.pad(inputs, return_tensors="pt"))
    sizes = [len(items.inputs[number]) for number in batch]
    parts = torch.split(scores, sizes)
    losses = [
        choice_loss(part, items.winners[number]) * items.weights[number]
        for part, number in zip(parts, batch, strict=True)
    ]
    hits = sum(
        int(part.argmax()) in items.winners[number]
        for part, number in zip(parts, batch, strict=True)
    )
    return torch.stack(losses).mean(), hits


def choice_loss(scores: Any, winners: Sequence[int]) -> Any:
    """Minus the log-probability of the winner among the candidates; of several, the mean."""
    return -scores.log_softmax(dim=0)[list(winners)].mean()


def _outputs(model: Any, batch: Any) -> Any:
    moved = {name: tensor.to(model.device) for name, tensor in batch.items()}
    return model(**moved).logits[:, 0]
