"""Many copies of one BERT trained side by side: a matrix product for all, not one after another.

A small encoder keeps a GPU waiting for its next kernel. Here every weight has a first dimension of
copies, so that twenty trainings cost little more time than one. The mathematics is that of the
BertForSequenceClassification of ``transformers``, to which :func:`difference` compares it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

SEPARATOR, PADDING = 102, 0
DROPOUT, EPSILON = 0.1, 1e-12


class StackedEncoder(nn.Module):
    """Copies of a BERT, each with its own weights and a head drawn by its own seed."""

    def __init__(
        self, weights: Mapping[str, Tensor], heads: int, labels: int, seeds: Sequence[int]
    ) -> None:
        """Start all copies from the same weights."""
        super().__init__()
        self.copies, self.heads = len(seeds), heads
        self.layers = sum(name.endswith("intermediate_dense_bias") for name in weights)
        stacked = {
            name: nn.Parameter(tensor.float().expand(self.copies, *tensor.shape).clone())
            for name, tensor in weights.items()
        }
        width = weights["pooler_dense_bias"].shape[0]
        head = [torch.randn(labels, width, generator=_generator(seed)) for seed in seeds]
        stacked["classifier_weight"] = nn.Parameter(0.02 * torch.stack(head))
        stacked["classifier_bias"] = nn.Parameter(torch.zeros(self.copies, labels))
        self.weights = nn.ParameterDict(stacked)

    def forward(self, tokens: Tensor) -> Tensor:
        """Scores float[copies, rows, labels] of token ids int[copies, rows, length]."""
        seen = tokens != PADDING
        state = self._norm(self._embedded(tokens, seen), "embeddings_LayerNorm")
        state = functional.dropout(state, DROPOUT, self.training)
        for number in range(self.layers):
            state = self._layer(state, seen, f"encoder_layer_{number}_")
        pooled = torch.tanh(self._linear(state[:, :, 0], "pooler_dense"))
        return self._linear(functional.dropout(pooled, DROPOUT, self.training), "classifier")

    def first(self) -> dict[str, Tensor]:
        """The weights of the first copy, without its head."""
        return {
            name: tensor[0].detach().cpu()
            for name, tensor in self.weights.items()
            if not name.startswith("classifier")
        }

    def _embedded(self, tokens: Tensor, seen: Tensor) -> Tensor:
        words = self.weights["embeddings_word_embeddings_weight"]
        shift = torch.arange(self.copies, device=tokens.device)[:, None, None] * words.shape[1]
        closes = tokens == SEPARATOR
        second = ((closes.cumsum(-1) - closes.int()) > 0) & seen
        kinds = self.weights["embeddings_token_type_embeddings_weight"]
        types = torch.where(second[..., None], kinds[:, None, None, 1], kinds[:, None, None, 0])
        places = self.weights["embeddings_position_embeddings_weight"][:, None, : tokens.shape[2]]
        return functional.embedding(tokens + shift, words.flatten(0, 1)) + types + places

    def _layer(self, state: Tensor, seen: Tensor, name: str) -> Tensor:
        attended = self._attention(state, seen, f"{name}attention_")
        state = self._norm(state + attended, f"{name}attention_output_LayerNorm")
        inner = functional.gelu(self._linear(state, f"{name}intermediate_dense"))
        outer = self._linear(inner, f"{name}output_dense")
        outer = functional.dropout(outer, DROPOUT, self.training)
        return self._norm(state + outer, f"{name}output_LayerNorm")

    def _attention(self, state: Tensor, seen: Tensor, name: str) -> Tensor:
        parts = [
            self._linear(state, f"{name}self_{part}").flatten(0, 1).unflatten(-1, (self.heads, -1))
            for part in ("query", "key", "value")
        ]
        mixed = functional.scaled_dot_product_attention(
            *(part.transpose(1, 2) for part in parts),
            attn_mask=seen.flatten(0, 1)[:, None, None],
            dropout_p=DROPOUT if self.training else 0.0,
        )
        mixed = mixed.transpose(1, 2).flatten(-2).unflatten(0, (self.copies, -1))
        return functional.dropout(
            self._linear(mixed, f"{name}output_dense"), DROPOUT, self.training
        )

    def _linear(self, state: Tensor, name: str) -> Tensor:
        weight, bias = self.weights[f"{name}_weight"], self.weights[f"{name}_bias"]
        out = torch.baddbmm(bias[:, None], state.flatten(1, -2), weight.transpose(1, 2))
        return out.unflatten(1, state.shape[1:-1])

    def _norm(self, state: Tensor, name: str) -> Tensor:
        plain = functional.layer_norm(state, state.shape[-1:], eps=EPSILON)
        weight, bias = self.weights[f"{name}_weight"], self.weights[f"{name}_bias"]
        return plain * weight[:, None, None] + bias[:, None, None]


def clip_each(module: StackedEncoder, most: float) -> None:
    """Shorten the gradient of every copy to a length, each by its own."""
    grads = [one.grad for one in module.weights.values() if one.grad is not None]
    squares = torch.stack([grad.flatten(1).pow(2).sum(1) for grad in grads]).sum(0)
    scale = (most / (squares.sqrt() + 1e-6)).clamp(max=1.0)
    for grad in grads:
        grad.mul_(scale.view(-1, *[1] * (grad.dim() - 1)))


def read_weights(folder: str) -> tuple[dict[str, Tensor], int]:
    """The weights of a BERT by name, dots as underscores, and its number of attention heads."""
    from transformers import AutoModel
    from transformers.utils import logging

    logging.set_verbosity_error()
    model = AutoModel.from_pretrained(folder, dtype=torch.float32)
    weights = {name.replace(".", "_"): tensor for name, tensor in model.state_dict().items()}
    return weights, int(model.config.num_attention_heads)


def difference(folder: str, tokens: Tensor) -> float:
    """Largest difference of the pooled output's scores from those of ``transformers``."""
    from transformers import AutoModel

    weights, heads = read_weights(folder)
    mine = StackedEncoder(weights, heads, 3, [0, 1]).eval()
    model: Any = AutoModel.from_pretrained(folder, dtype=torch.float32).eval()
    closes = tokens == SEPARATOR
    types = ((closes.cumsum(-1) - closes.int()) > 0).long() * (tokens != PADDING)
    with torch.inference_mode():
        mask = (tokens != PADDING).long()
        pooled = model(tokens, attention_mask=mask, token_type_ids=types).pooler_output
        head = mine.weights["classifier_weight"][1]
        gap = mine(tokens.expand(2, *tokens.shape))[1] - pooled @ head.T
    return float(gap.abs().max())


def _generator(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)
