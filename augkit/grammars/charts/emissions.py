"""The probability of a target word given a source word: a softmax in chunks.

log p(w | s, t) = h[s, t] . u[w] - log sum_v exp(h[s, t] . u[v]) is needed for few target words w,
but its sum runs over the whole vocabulary: source words x 64 states x 20,000 words would be
gigabytes. So the source words are processed in chunks, only the sums and the words that are
needed are stored, and the backward pass recomputes the rest. Where one chunk holds all of them, it
is kept instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch

from augkit.core.arrays import Ints

_CHUNK = {"cpu": 1 << 23, "cuda": 1 << 28}
"""Scores held at a time."""
_WIDTH = {"cpu": 1, "cuda": 16}
"""The columns of the scores are a multiple of it: a GPU multiplies aligned rows twice as fast."""


@dataclass(frozen=True)
class Combinations:
    """Types (ascending) and words, int64[combinations], no two alike.

    ``ends`` is on the host: int64[types + 1], where the combinations of each type begin.
    """

    type: torch.Tensor
    word: torch.Tensor
    ends: Ints


def word_log_probabilities(
    hidden: torch.Tensor, words: torch.Tensor, combinations: Combinations, banned: torch.Tensor
) -> torch.Tensor:
    """Log probabilities of words beside types, by state: float[combinations, states].

    ``hidden`` is float[types, states, width], ``words`` float[vocabulary, width]; ``banned`` is
    int64[types]: a word that the type never gives (-1 for none), and that is in none of its
    combinations. Differentiable by ``hidden`` and ``words``.
    """
    return _WordLogProbabilities.apply(hidden, words, combinations, banned)  # type: ignore[no-any-return, no-untyped-call]


class _WordLogProbabilities(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        hidden: torch.Tensor,
        words: torch.Tensor,
        combinations: Combinations,
        banned: torch.Tensor,
    ) -> torch.Tensor:
        count = len(words)
        if missing := -count % _WIDTH[words.device.type]:
            words = torch.nn.functional.pad(words, (0, 0, 0, missing))
        sums = hidden.new_empty(hidden.shape[:2])
        types = combinations.type
        targets = combinations.word
        log_p = hidden.new_empty(len(types), hidden.shape[1])
        parts = list(_chunks(hidden, words, combinations))
        for part, members in parts:
            scores = _scores(hidden[part], words)
            sums[part] = _log_sums(scores, banned[part], count)
            log_p[members] = scores[types[members] - part.start, :, targets[members]]
        ctx.save_for_backward(hidden, words, banned, sums)
        ctx.combinations = combinations
        ctx.count = count
        ctx.scores = scores if len(parts) == 1 else None
        return log_p - sums[types]

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> Any:
        hidden, words, banned, sums = ctx.saved_tensors
        types = ctx.combinations.type
        targets = ctx.combinations.word
        total = torch.zeros_like(sums).index_add_(0, types, gradient)
        to_hidden = torch.empty_like(hidden)
        to_words = torch.zeros_like(words)
        width = hidden.shape[2]
        kept = ctx.scores
        ctx.scores = None
        for part, members in _chunks(hidden, words, ctx.combinations):
            scores = _scores(hidden[part], words) if kept is None else kept
            _weigh(scores, sums[part], total[part], banned[part], ctx.count)
            scores[types[members] - part.start, :, targets[members]] += gradient[members]
            flat = scores.view(-1, len(words))
            to_hidden[part] = (flat @ words).view(to_hidden[part].shape)
            to_words.addmm_(flat.T, hidden[part].reshape(-1, width))
        return to_hidden, to_words[: ctx.count], None, None


def _scores(hidden: torch.Tensor, words: torch.Tensor) -> torch.Tensor:
    """Products h . u: float[types, states, columns]."""
    count, states, width = hidden.shape
    return (hidden.reshape(-1, width) @ words.T).view(count, states, -1)


def _log_sums(scores: torch.Tensor, banned: torch.Tensor, words: int) -> torch.Tensor:
    """The log of sum exp scores over all words that are not banned: float[types, states].

    Columns after those of ``words`` are no words.
    """
    if has_kernels(scores):
        from augkit.grammars.charts import triton_kernels as kernels

        sums = scores.new_empty(scores.shape[:2])
        kernels.row_log_sums[(sums.numel(),)](
            scores, banned, sums, scores.shape[1], words, scores.shape[2], BK=4096, num_warps=4
        )
        return sums
    _ban(scores, banned)
    return torch.logsumexp(scores, 2)


def _weigh(
    scores: torch.Tensor, sums: torch.Tensor, total: torch.Tensor, banned: torch.Tensor, words: int
) -> None:
    """Scores become -total * probability in place, nothing where a word is banned or is none."""
    if has_kernels(scores):
        from augkit.grammars.charts import triton_kernels as kernels

        kernels.row_gradients[(sums.numel(),)](
            scores, banned, sums.contiguous(), total.contiguous(),
            scores.shape[1], words, scores.shape[2], BK=4096, num_warps=4,
        )  # fmt: skip
        return
    _ban(scores, banned)
    scores.sub_(sums[:, :, None]).exp_().mul_(-total[:, :, None])


def _ban(scores: torch.Tensor, banned: torch.Tensor) -> None:
    rows = (banned >= 0).nonzero()[:, 0]
    scores[rows, :, banned[rows]] = float("-inf")


def has_kernels(scores: torch.Tensor) -> bool:
    """Whether the Triton kernels can serve: float32 on a GPU, and Triton is there."""
    import importlib.util

    fits = scores.is_cuda and scores.dtype == torch.float32
    return fits and importlib.util.find_spec("triton") is not None


def _chunks(
    hidden: torch.Tensor, words: torch.Tensor, combinations: Combinations
) -> Iterator[tuple[slice, slice]]:
    """Ranges of types, and the ranges of the combinations that are theirs."""
    count, states, _ = hidden.shape
    size = max(1, _CHUNK[hidden.device.type] // (states * len(words)))
    for start in range(0, count, size):
        stop = min(start + size, count)
        yield slice(start, stop), slice(*combinations.ends[[start, stop]].tolist())
