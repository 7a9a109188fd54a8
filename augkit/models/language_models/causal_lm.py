"""Causal language models: the log-probability of each token given those before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from augkit.core.arrays import Floats
from augkit.models.pretrained import load_checkpoint
from augkit.models.token_batches import (
    batch_tokens,
    check_length,
    length_batches,
    padded_inputs,
)


@dataclass(frozen=True)
class CausalLanguageModel:
    """A loaded model; satisfies ``protocols.CausalModel``."""

    model: Any
    tokenizer: Any

    def log_probabilities(
        self, texts: Sequence[str], contexts: Sequence[str] | None = None
    ) -> list[Floats]:
        """Ln p(token | those before it) for each token of each text.

        A text follows its context where there is one, otherwise the BOS token (EOS for models such
        as GPT-2 that have no BOS). For a model that has neither, the first token is left out.
        """
        contexts = [""] * len(texts) if contexts is None else contexts
        read = [self._encode(text, before) for text, before in zip(texts, contexts, strict=True)]
        log_p: list[Any] = [None] * len(texts)
        for batch in length_batches([len(ids) for ids, _ in read], batch_tokens(self.model)):
            for row, chosen in zip(batch, self._pass([read[row][0] for row in batch]), strict=True):
                ids, start = read[row]
                log_p[row] = chosen[start - 1 : len(ids) - 1]
        return log_p

    def _encode(self, text: str, before: str) -> tuple[list[int], int]:
        """All tokens, and the index of the first one of the text (at least 1)."""
        first = self.tokenizer.bos_token_id
        first = self.tokenizer.eos_token_id if first is None else first
        lead = [] if first is None else [first]
        if before:
            lead += self.tokenizer(before, add_special_tokens=False)["input_ids"]
            text = f" {text}"
        ids = lead + self.tokenizer(text, add_special_tokens=False)["input_ids"]
        check_length(ids, getattr(self.model.config, "max_position_embeddings", None), text)
        return ids, max(len(lead), 1)

    def _pass(self, sequences: Sequence[Sequence[int]]) -> Floats:
        """Ln p of every token but the first: float[sequences, longest - 1]."""
        import numpy as np
        import torch

        inputs = padded_inputs(sequences, 0, self.model.device)
        with torch.inference_mode():
            logits = self.model(**inputs).logits[:, :-1]
            following = inputs["input_ids"][:, 1:, None]
            chosen = logits.gather(2, following)[..., 0] - logits.logsumexp(2)
        return np.asarray(chosen.double().cpu().numpy())


def open_causal(name: str) -> CausalLanguageModel:
    """Load a causal language model from a folder or the hub; another kind of model is an error."""
    return CausalLanguageModel(*load_checkpoint(name, "causal"))
