"""Fine-tuned transformers as classifiers: any folder or hub id, fully or with LoRA."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from augkit.core.arrays import Floats
from augkit.core.config import StrictModel
from augkit.core.errors import DataError
from augkit.core.types import Example
from augkit.models.classifiers.storage import load_parts, save_classifier
from augkit.models.pretrained import load_pretrained, to_best_device
from augkit.models.token_batches import (
    TokenSpan,
    encode,
    padded_batches,
    token_spans,
)


class LoraConfig(StrictModel):
    """Low-rank updates instead of all weights."""

    rank: int = Field(8, ge=1, description="rank of the updates")
    alpha: int = Field(16, ge=1, description="they are scaled by alpha / rank")
    dropout: float = Field(0.05, ge=0, lt=1, description="share of the inputs left out")
    modules: tuple[str, ...] = Field(
        (), description="names of the layers that are updated; none: all linear ones"
    )


class TransformersConfig(StrictModel):
    """A backbone and how it is fine-tuned; the defaults are those of the CoBA paper."""

    kind: Literal["transformers"] = Field("transformers", description="a fine-tuned transformer")
    model: str = Field(description="a folder with a saved model, or a hub id such as owner/model")
    epochs: int = Field(10, ge=1, description="maximum epochs")
    patience: int = Field(3, ge=1, description="epochs without a better validation to stop after")
    batch_size: int = Field(32, ge=1, description="rows per update")
    learning_rate: float = Field(5e-5, gt=0, description="of AdamW")
    weight_decay: float = Field(0.01, ge=0, description="of AdamW")
    clip: float = Field(1.0, gt=0, description="maximum norm of the gradient")
    max_tokens: int = Field(300, ge=4, description="longer texts are truncated")
    validation: float = Field(
        0.1, gt=0, lt=1, description="share of the rows that choose the best epoch"
    )
    lora: LoraConfig | None = Field(None, description="low-rank updates; none: train all weights")
    seed: int = Field(0, description="of the new head, the order of rows and dropout")

    @property
    def name(self) -> str:
        """What tables call it: the last part of the model's name."""
        return Path(self.model).name + ("-lora" if self.lora else "")


@dataclass(frozen=True)
class EpochResult:
    """One epoch: the mean training loss, and loss and accuracy on the validation rows."""

    number: int
    train_loss: float
    validation_loss: float
    accuracy: float


OnEpoch = Callable[[EpochResult], None]


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
        """Probabilities: float[examples, labels]."""
        import numpy as np
        import torch

        probabilities = np.empty((len(examples), len(self.labels)))
        if not examples:
            return probabilities
        inputs = encode(self.tokenizer, examples, self.fields, self.max_tokens)
        self.model.eval()
        with torch.inference_mode():
            for rows, batch in padded_batches(self.tokenizer, inputs, self.config.batch_size):
                moved = {name: tensor.to(self.model.device) for name, tensor in batch.items()}
                scores = self.model(**moved).logits.double()
                probabilities[rows] = scores.softmax(dim=1).cpu().numpy()
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
