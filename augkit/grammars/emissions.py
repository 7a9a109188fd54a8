"""How probable a target word is beside a source word: a softmax that is never there as a whole.

log p(w | s, t) = h[s, t] . u[w] - log sum_v exp(h[s, t] . u[v]) is needed for few target words w,
but its sum runs over the whole vocabulary: source words x 64 states x 20,000 words would be
gigabytes. So the source words are taken a few at a time, only the sum and the words that are
needed are kept, and the backward pass computes the rest again.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

_CHUNK = {"cpu": 1 << 23, "cuda": 1 << 28}
"""Scores held at a time."""


def word_log_probabilities(
    hidden: torch.Tensor,
    words: torch.Tensor,
    combinations: tuple[torch.Tensor, torch.Tensor],
    banned: torch.Tensor,
) -> torch.Tensor:
    """Log probabilities of words beside types, by state: float[combinations, states].

    ``hidden`` is float[types, states, width], ``words`` float[vocabulary, width]; the
    combinations are int64 types (ascending) and words, no two alike. ``banned`` is int64[types]:
    a word that the type never gives (-1 for none). Differentiable by ``hidden`` and ``words``.
    """
    result: torch.Tensor = _function().apply(hidden, words, *combinations, banned)
    return result


@cache
def _function() -> Any:
    """The autograd function; made on first use, as torch is imported late."""
    import torch

    class WordLogProbabilities(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, *inputs: torch.Tensor) -> torch.Tensor:
            result, sums = _forward(*inputs)
            ctx.save_for_backward(*inputs, sums)
            return result

        @staticmethod
        def backward(ctx: Any, gradient: torch.Tensor) -> Any:
            return *_backward(gradient, ctx.saved_tensors), None, None, None

    return WordLogProbabilities


def _forward(
    hidden: torch.Tensor,
    words: torch.Tensor,
    types: torch.Tensor,
    targets: torch.Tensor,
    banned: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor]:

    sums = hidden.new_empty(hidden.shape[:2])
    found = hidden.new_empty(len(types), hidden.shape[1])
    for part, own in _chunks(hidden, words, types):
        scores = _scores(hidden[part], words)
        sums[part] = _log_sums(scores, banned[part])
        found[own] = scores[types[own] - part.start, :, targets[own]]
    return found - sums[types], sums


def _backward(
    gradient: torch.Tensor, saved: tuple[torch.Tensor, ...]
) -> tuple[torch.Tensor, torch.Tensor]:
    import torch

    hidden, words, types, targets, banned, sums = saved
    total = torch.zeros_like(sums).index_add_(0, types, gradient)
    to_hidden, to_words = torch.empty_like(hidden), torch.zeros_like(words)
    width = hidden.shape[2]
    for part, own in _chunks(hidden, words, types):
        scores = _scores(hidden[part], words)
        _weigh(scores, sums[part], total[part], banned[part])
        scores[types[own] - part.start, :, targets[own]] += gradient[own]
        flat = scores.view(-1, len(words))
        to_hidden[part] = (flat @ words).view(to_hidden[part].shape)
        to_words.addmm_(flat.T, hidden[part].reshape(-1, width))
    return to_hidden, to_words


def _scores(hidden: torch.Tensor, words: torch.Tensor) -> torch.Tensor:
    """Products h . u: float[types, states, vocabulary]."""
    count, states, width = hidden.shape
    return (hidden.reshape(-1, width) @ words.T).view(count, states, -1)


def _log_sums(scores: torch.Tensor, banned: torch.Tensor) -> torch.Tensor:
    """The log of sum exp scores over all words that are not banned: float[types, states]."""
    import torch

    if has_kernels(scores):
        from augkit.grammars import kernels_triton as kernels

        sums = scores.new_empty(scores.shape[:2])
        kernels.row_log_sums[(sums.numel(),)](
            scores, banned, sums, scores.shape[1], scores.shape[2], BK=4096, num_warps=4
        )
        return sums
    _ban(scores, banned)
    return torch.logsumexp(scores, 2)


def _weigh(
    scores: torch.Tensor, sums: torch.Tensor, total: torch.Tensor, banned: torch.Tensor
) -> None:
    """Scores become -total * probability in place, nothing where a word is banned."""
    if has_kernels(scores):
        from augkit.grammars import kernels_triton as kernels

        kernels.row_gradients[(sums.numel(),)](
            scores, banned, sums.contiguous(), total.contiguous(),
            scores.shape[1], scores.shape[2], BK=4096, num_warps=4,
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

    import torch

    fits = scores.is_cuda and scores.dtype == torch.float32
    return fits and importlib.util.find_spec("triton") is not None


def _chunks(
    hidden: torch.Tensor, words: torch.Tensor, types: torch.Tensor
) -> Iterator[tuple[slice, slice]]:
    """Ranges of types, and the ranges of the combinations that are theirs."""
    import torch

    count, states, _ = hidden.shape
    size = max(1, _CHUNK[hidden.device.type] // (states * len(words)))
    edges = [*range(0, count, size), count]
    bounds = torch.searchsorted(types, torch.tensor(edges, device=types.device)).tolist()
    for number in range(len(edges) - 1):
        yield slice(edges[number], edges[number + 1]), slice(bounds[number], bounds[number + 1])
