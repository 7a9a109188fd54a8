"""Vectors of words and sentences from any transformer: what association tests compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from augkit.core.arrays import Floats
from augkit.models.pretrained import load_checkpoint
from augkit.models.token_batches import (
    batch_tokens,
    check_length,
    context_size,
    length_batches,
    max_positions,
    padded_inputs,
    token_ids,
)

Pooling = Literal["first", "last", "mean"]
"""Which token represents the sentence: the first (BERT), the last (GPT), or the mean of all."""


@dataclass(frozen=True)
class VectorModel:
    """A loaded encoder; satisfies ``protocols.Vectors``."""

    model: Any
    tokenizer: Any
    pooling: Pooling = "first"
    max_tokens: int | None = None
    """Longer texts are truncated; None: a text that is too long is an error."""

    def sentences(self, texts: Sequence[str]) -> Floats:
        """A vector for each sentence, from the last layer: float[texts, width]."""
        import numpy as np

        read = self._ids(texts)
        vectors = np.empty((len(texts), self.model.config.hidden_size))
        for batch in length_batches([len(ids) for ids in read], batch_tokens(self.model)):
            vectors[batch] = self._pass([read[row] for row in batch])
        return vectors

    def words(self, texts: Sequence[str]) -> Floats:
        """A vector for each word from the input embeddings, the mean of its tokens'."""
        import numpy as np

        table = self.model.get_input_embeddings().weight.detach()
        tokens = [self.tokenizer(word, add_special_tokens=False)["input_ids"] for word in texts]
        return np.stack([table[ids].mean(0).double().cpu().numpy() for ids in tokens])

    def _ids(self, texts: Sequence[str]) -> list[list[int]]:
        if self.max_tokens is not None:
            most = context_size(self.model, self.tokenizer, self.max_tokens)
            return token_ids(self.tokenizer, texts, truncation=True, max_length=most)
        read = token_ids(self.tokenizer, texts)
        longest = max_positions(self.model.config)
        for text, ids in zip(texts, read, strict=True):
            check_length(ids, longest, text)
        return read

    def _pass(self, sequences: Sequence[Sequence[int]]) -> Floats:
        import numpy as np
        import torch

        fill = self.tokenizer.pad_token_id or 0
        inputs = padded_inputs(sequences, fill, self.model.device)
        with torch.inference_mode():
            states = self.model(**inputs).last_hidden_state.double()
            present = inputs["attention_mask"]
            lengths = present.sum(1)
            if self.pooling == "first":
                pooled = states[:, 0]
            elif self.pooling == "last":
                pooled = states[torch.arange(len(states), device=states.device), lengths - 1]
            else:
                pooled = mean_pool(states, present)
        return np.asarray(pooled.cpu().numpy())


def mean_pool(states: Any, present: Any) -> Any:
    """The mean of the tokens' vectors that are no padding: float[texts, width]."""
    return (states * present[..., None]).sum(1) / present.sum(1)[:, None]


def open_vectors(
    name: str, pooling: Pooling = "first", max_tokens: int | None = None
) -> VectorModel:
    """Load any transformer from a folder or the hub as an encoder."""
    return VectorModel(*load_checkpoint(name, "encoder"), pooling, max_tokens)
