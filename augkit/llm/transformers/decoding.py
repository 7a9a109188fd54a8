"""Writing many rows together: batches, the prompt prefix they share, and one token after another.

``generate`` of transformers runs the model; a logits processor here picks each row's token. A row
keeps all of its state, so it can leave a batch and continue in another.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from augkit.llm.transformers.grammar import Grammars

if TYPE_CHECKING:
    from torch import Tensor

SHORTEST_PREFIX = 32
"""Tokens: a shorter shared prefix is not worth a pass of its own."""
FEW = 4
"""A batch with others waiting ends when no more than one in so many of its rows is unfinished."""


@dataclass
class Row:
    """A prompt and what was written after it; ``limit`` is the most tokens it may get.

    A row with ``forced`` tokens writes those, and ``log_probability`` sums what the model gave
    each of them and the end after them.
    """

    prompt: list[int]
    limit: int
    group: str = ""
    """Rows of a group begin alike."""
    temperature: float = 0.0
    top_p: float = 1.0
    rng: random.Random = field(default_factory=random.Random)
    matcher: Any = None
    forced: Sequence[int] | None = None
    written: list[int] = field(default_factory=list)
    generated: int = 0
    """Tokens that the model has made: those written, and the end."""
    log_probability: float = 0.0
    ended: bool = False
    """Whether it ended by itself."""

    @property
    def ids(self) -> list[int]:
        """All its tokens so far."""
        return self.prompt + self.written

    @property
    def done(self) -> bool:
        """Whether nothing is to be written any more."""
        return self.ended or len(self.written) >= self.limit

    def write(self, token: int, ends: Sequence[int]) -> None:
        """Add a token, or end where it is an end token."""
        self.generated += 1
        if token in ends:
            self.ended = True
            return
        self.written.append(token)
        if self.matcher is not None:
            self.matcher.consume_token(token)
            self.ended = self.matcher.is_stopped()


class Decoder:
    """A model that writes rows to their ends; ``batch`` of them at a time at most."""

    def __init__(self, model: Any, ends: Sequence[int], batch: int) -> None:
        """Use the model without the sampling settings that came with it: requests have theirs."""
        from transformers import GenerationConfig

        model.generation_config = GenerationConfig()
        self._model = model
        self.ends = tuple(ends)
        self._pad = ends[-1]
        self._batch = batch

    def write(self, rows: Sequence[Row], grammars: Grammars) -> None:
        """Write all rows; similar ones together, and fewer at a time where memory runs out."""
        import torch

        waiting = [row for row in rows if not row.done]
        while waiting:
            waiting.sort(key=lambda row: (row.group, len(row.ids)))
            batch = waiting[: self._batch]
            few = len(batch) // FEW if len(waiting) > len(batch) else 0
            try:
                with torch.inference_mode():
                    self._write_batch(batch, _NextToken(batch, self.ends, self._pad, grammars), few)
            except torch.OutOfMemoryError:
                if len(batch) == 1:
                    raise
                self._batch = len(batch) // 2
                torch.cuda.empty_cache()
            waiting = [row for row in waiting if not row.done]

    def _write_batch(self, batch: Sequence[Row], next_token: _NextToken, few: int) -> None:
        import torch
        from transformers import GenerationConfig, LogitsProcessorList, StoppingCriteriaList

        ids = [row.ids for row in batch]
        cache, shared = self._shared_prefix(ids)
        width = max(map(len, ids))
        # The padding stands between the shared prefix and the rest of each row.
        gaps = [width - len(tokens) for tokens in ids]
        padded = [
            tokens[:shared] + [self._pad] * gap + tokens[shared:]
            for tokens, gap in zip(ids, gaps, strict=True)
        ]
        mask = [[1] * shared + [0] * gap + [1] * (width - shared - gap) for gap in gaps]
        device = self._model.device

        def finished(input_ids: Tensor, _scores: Any, **_: Any) -> Tensor:
            done = [row.done for row in batch]
            stop = done.count(False) <= few
            return torch.tensor([stop or row_done for row_done in done], device=input_ids.device)

        self._model.generate(
            input_ids=torch.tensor(padded, device=device),
            attention_mask=torch.tensor(mask, device=device),
            generation_config=GenerationConfig(
                do_sample=False,
                max_new_tokens=max(row.limit - len(row.written) for row in batch),
                pad_token_id=self._pad,
            ),
            logits_processor=LogitsProcessorList([next_token]),
            stopping_criteria=StoppingCriteriaList([finished]),
            past_key_values=cache,
        )

    def _shared_prefix(self, ids: Sequence[list[int]]) -> tuple[Any, int]:
        """The model's state after the tokens that all rows begin with, and how many they are."""
        import torch
        from transformers import DynamicCache
        from transformers.cache_utils import DynamicLayer

        shared = common_length(ids)
        cache = DynamicCache(config=self._model.config)
        # All layers must keep every token: padding inside a sliding window would count.
        keeps_all = cache.layers and all(type(layer) is DynamicLayer for layer in cache.layers)
        if len(ids) == 1 or shared < SHORTEST_PREFIX or not keeps_all:
            return None, 0
        prefix = torch.tensor([ids[0][:shared]], device=self._model.device)
        self._model(input_ids=prefix, past_key_values=cache, use_cache=True, logits_to_keep=1)
        cache.batch_repeat_interleave(len(ids))
        return cache, shared


def common_length(ids: Sequence[list[int]]) -> int:
    """How many tokens all rows begin with, less than the whole of any row.

    >>> common_length([[1, 2, 3], [1, 2, 4, 5], [1, 2]])
    1
    """
    lowest, highest = min(ids), max(ids)  # what the first and the last share, all share
    most = min(map(len, ids)) - 1
    return next((index for index in range(most) if lowest[index] != highest[index]), most)


class _NextToken:
    """Picks the next token of every row and gives all others no chance."""

    def __init__(
        self, rows: Sequence[Row], ends: Sequence[int], pad: int, grammars: Grammars
    ) -> None:
        self._rows = rows
        self._ends = ends
        self._pad = pad
        self._grammars = grammars

    def __call__(self, _input_ids: Tensor, scores: Tensor) -> Tensor:
        import torch

        tokens = self._tokens(scores)
        for row, token in zip(self._rows, tokens, strict=True):
            if not row.done:
                row.write(token, self._ends)
        chosen = torch.tensor(tokens, device=scores.device)[:, None]
        return torch.full_like(scores, float("-inf")).scatter_(-1, chosen, 0.0)

    def _tokens(self, scores: Tensor) -> list[int]:
        """The tokens to write: forced, sampled, or padding for rows that are done."""
        forced = [None if row.done else self._forced(row) for row in self._rows]
        if any(token is not None for token in forced):
            self._score_forced(scores, forced)
        free = [row for row, token in zip(self._rows, forced, strict=True) if token is None]
        sampled: list[int] = []
        if any(not row.done for row in free):
            sampled = self._sample(scores)
        return [
            token if token is not None else self._pad if row.done else sampled[index]
            for index, (row, token) in enumerate(zip(self._rows, forced, strict=True))
        ]

    def _forced(self, row: Row) -> int | None:
        if row.forced is None:
            return None
        left = row.forced[len(row.written) :]
        return left[0] if left else self._ends[0]

    def _score_forced(self, scores: Tensor, forced: Sequence[int | None]) -> None:
        import torch

        logs = torch.log_softmax(scores.float(), dim=-1)
        ends = logs[:, list(self._ends)].logsumexp(dim=-1)
        wanted = torch.tensor([token or 0 for token in forced], device=scores.device)
        log_of = logs.gather(-1, wanted[:, None]).squeeze(-1).tolist()
        for row, token, log, end in zip(self._rows, forced, log_of, ends.tolist(), strict=True):
            if token is not None:
                row.log_probability += end if token in self._ends else log

    def _sample(self, scores: Tensor) -> list[int]:
        import torch

        rows, device = self._rows, scores.device
        if any(row.matcher is not None for row in rows):
            matchers = [None if row.done else row.matcher for row in rows]
            scores = apply_bitmask(scores, self._grammars.bitmask(matchers).to(device))
        drawn = [0.0 if row.done or not row.temperature else row.rng.random() for row in rows]
        settings = [[row.temperature for row in rows], [row.top_p for row in rows], drawn]
        temperature, top_p, uniform = torch.tensor(settings, device=device)
        tokens: list[int] = sample_tokens(scores, temperature, top_p, uniform).tolist()
        return tokens


def sample_tokens(scores: Tensor, temperature: Tensor, top_p: Tensor, uniform: Tensor) -> Tensor:
    """One token per row: the best one at temperature 0, else one of the nucleus.

    The nucleus is the smallest set of tokens, most probable first, that holds at least ``top_p``
    of the probability. From it the token is drawn by its cumulative probability, so that a row's
    token depends on its own uniform number alone.

    Shapes: ``scores`` float[rows, tokens], the others float[rows]; the result int[rows].
    """
    import torch

    best = scores.argmax(dim=-1)
    if not bool((temperature > 0).any()):
        return best
    divisor = torch.where(temperature > 0, temperature, 1.0)[:, None]
    probabilities = torch.softmax(scores.float() / divisor, dim=-1)
    ordered, tokens = probabilities.sort(dim=-1, descending=True, stable=True)
    cumulative = ordered.cumsum(dim=-1)
    size = ((cumulative - ordered) < top_p[:, None]).sum(dim=-1, keepdim=True).clamp(min=1)
    mass = cumulative.gather(-1, size - 1)
    below = (cumulative <= uniform[:, None] * mass).sum(dim=-1, keepdim=True)
    drawn = tokens.gather(-1, torch.minimum(below, size - 1)).squeeze(-1)
    return torch.where(temperature > 0, drawn, best)


def apply_bitmask(scores: Tensor, bits: Tensor) -> Tensor:
    """The scores, minus infinity where a token's bit is 0.

    ``bits`` is int32[rows, ceil(tokens / 32)], the lowest bit first; further tokens are masked.
    """
    import torch

    shifts = torch.arange(32, device=bits.device, dtype=torch.int32)
    allowed = ((bits[:, :, None] >> shifts) & 1).flatten(1).bool()
    width = min(scores.shape[-1], allowed.shape[-1])
    masked = torch.full_like(scores, float("-inf"))
    masked[:, :width] = scores[:, :width].masked_fill(~allowed[:, :width], float("-inf"))
    return masked
