"""A conditional masked language model: label embeddings replace the segment embeddings.

Reference: wu2019conditional. A sentence of label y is read with y as its segment; fine-tuned to
predict masked words, the model learns which words go with a label, and fills a gap with such words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field

from augkit.core.config import StrictModel
from augkit.core.errors import ConfigError, DataError
from augkit.core.types import Example
from augkit.models.classifiers.storage import load_record, save_record
from augkit.models.language_models.masked_training import (
    MaskingShares,
    mask_tokens,
    masked_loss,
)
from augkit.models.pretrained import load_checkpoint
from augkit.models.token_batches import padded
from augkit.models.training import TrainingLoop, chunked, trainable

_CANDIDATES = 60
"""Most probable tokens considered for one gap; those that are no whole word are dropped."""


class ConditionalTraining(StrictModel):
    """How the model is fine-tuned on the corpus."""

    epochs: int = Field(3, ge=0, le=100, description="epochs; the paper's is 10")
    learning_rate: float = Field(5e-5, gt=0, description="step size of AdamW")
    batch_size: int = Field(32, ge=1, description="texts per step")
    masked: float = Field(0.15, gt=0, lt=1, description="share of the tokens masked in training")
    max_tokens: int = Field(128, ge=8, description="longer texts are truncated")


@dataclass(frozen=True)
class ConditionalLM:
    """A fine-tuned model; an ``Artifact``. ``labels[n]`` is what segment n stands for."""

    model: Any
    tokenizer: Any
    labels: tuple[str, ...]
    max_tokens: int

    def fill(
        self, text: str, gaps: Sequence[tuple[int, int]], label: str
    ) -> list[list[tuple[str, float]]]:
        """For each gap, the words that fit there given the label, and their probabilities.

        Only whole words of letters other than the original one; none where the gap is beyond
        ``max_tokens``. Texts are not batched, so that no other text changes the result.
        """
        import torch

        ids, masks = self._with_gaps(text, gaps)
        if not masks:
            return [[] for _ in gaps]
        device = self.model.device
        with torch.inference_mode():
            logits = self.model(
                input_ids=torch.tensor([ids], device=device),
                attention_mask=torch.ones((1, len(ids)), dtype=torch.long, device=device),
                token_type_ids=torch.full((1, len(ids)), self.labels.index(label), device=device),
            ).logits[0]
        words = [
            self._words(logits[position], text[start:end])
            for position, (start, end) in zip(masks, gaps, strict=False)
        ]
        return words + [[] for _ in gaps[len(masks) :]]

    def _with_gaps(self, text: str, gaps: Sequence[tuple[int, int]]) -> tuple[list[int], list[int]]:
        """The tokens with one mask for each gap, and the positions of the masks that are read."""
        read = [self.tokenizer.cls_token_id]
        masks = list[int]()
        last = 0
        for start, end in gaps:
            read += self._tokens(text[last:start])
            masks.append(len(read))
            read.append(self.tokenizer.mask_token_id)
            last = end
        read += self._tokens(text[last:])
        read = read[: self.max_tokens - 1]
        return [*read, self.tokenizer.sep_token_id], [mask for mask in masks if mask < len(read)]

    def _tokens(self, text: str) -> list[int]:
        read = self.tokenizer(readable(text), add_special_tokens=False)
        ids: list[int] = read["input_ids"]
        return ids

    def _words(self, logits: Any, before: str) -> list[tuple[str, float]]:
        top = logits.softmax(0).topk(min(_CANDIDATES, len(logits)))
        tokens = self.tokenizer.convert_ids_to_tokens(top.indices.tolist())
        return [
            (token, float(p))
            for token, p in zip(tokens, top.values.tolist(), strict=True)
            if token.isalpha() and token.casefold() != before.casefold()
        ]

    def save(self, folder: Path) -> None:
        """Write the model as ``transformers`` does, and the labels beside it."""
        self.model.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)
        save_record(folder / "labels.json", {"labels": self.labels, "max_tokens": self.max_tokens})

    @classmethod
    def load(cls, folder: Path) -> ConditionalLM:
        """Read it back."""
        record = load_record(folder / "labels.json")
        model, tokenizer = load_checkpoint(str(folder), "masked")
        return cls(model, tokenizer, tuple(record["labels"]), int(record["max_tokens"]))


def train_conditional(
    examples: Sequence[Example], name: str, settings: ConditionalTraining, seed: int
) -> ConditionalLM:
    """Fine-tune the masked model in a folder, or of the hub, on labelled texts.

    Every field of a row is a text of its label. On one machine the same rows and seed give the
    same weights.
    """
    labels = tuple(sorted({str(row.label) for row in examples if row.label is not None}))
    if not labels:
        raise DataError("no row has a label, and the model is conditioned on labels")
    model, tokenizer = load_checkpoint(name, "masked")
    import torch

    positions = getattr(model.config, "max_position_embeddings", settings.max_tokens)
    most = min(settings.max_tokens, positions)
    with torch.random.fork_rng():
        torch.manual_seed(seed % 2**63)
        _relabel_segments(model, name, len(labels))
        conditional = ConditionalLM(model, tokenizer, labels, most)
        texts = [
            (text, labels.index(str(row.label)))
            for row in sorted(examples, key=lambda row: row.id)
            if row.label is not None
            for text in map(readable, row.fields.values())
        ]
        _fine_tune(conditional, texts, settings, seed)
    model.eval()
    return conditional


def readable(text: str) -> str:
    """The text without halves of surrogate pairs, which no tokenizer can encode."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _relabel_segments(model: Any, name: str, labels: int) -> None:
    """As many segment embeddings as labels, all close to that of a first sentence."""
    import torch

    embeddings = getattr(model.base_model, "embeddings", None)
    table = getattr(embeddings, "token_type_embeddings", None)
    if embeddings is None or table is None:
        raise ConfigError(
            f"{name}: this model has no segment embeddings, which carry the label. Give a BERT or "
            "another model that has them (RoBERTa's one, ELECTRA's)"
        )
    new = torch.nn.Embedding(labels, table.embedding_dim).to(model.device)
    with torch.no_grad():
        new.weight.mul_(0.02).add_(table.weight[0])
    embeddings.token_type_embeddings = new
    model.config.type_vocab_size = labels


def _fine_tune(
    conditional: ConditionalLM,
    texts: Sequence[tuple[str, int]],
    settings: ConditionalTraining,
    seed: int,
) -> None:
    import numpy as np

    model = conditional.model
    tokenizer = conditional.tokenizer
    most = conditional.max_tokens
    rows = [
        (tokenizer(text, truncation=True, max_length=most)["input_ids"], label)
        for text, label in texts
    ]
    rng = np.random.default_rng(seed % 2**63)
    shares = MaskingShares(settings.masked)

    def loss(batch: Sequence[tuple[list[int], int]]) -> tuple[Any, int]:
        masked = [mask_tokens(ids, tokenizer, shares, rng) for ids, _ in batch]
        segments = padded([[label] * len(ids) for ids, label in batch], 0, model.device)
        return masked_loss(model, tokenizer, masked, token_type_ids=segments)

    loop = TrainingLoop[Sequence[tuple[list[int], int]], None](
        trainable(model), loss, clip=1.0, lr=settings.learning_rate
    )
    model.train()
    for _ in range(settings.epochs):
        shuffled = [rows[row] for row in rng.permutation(len(rows)).tolist()]
        loop.train(chunked(shuffled, settings.batch_size))
