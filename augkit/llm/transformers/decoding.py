"""Writing many rows together: one token after another, and new rows in the place of finished ones.

Rows that begin alike share the model's work on their beginning, those with one prompt on all of
it. A row keeps all of its state, so it can leave a batch and continue in another.
"""

from __future__ import annotations

import inspect
import random
from collections import deque
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from augkit.llm.transformers.grammar import Grammars

if TYPE_CHECKING:
    from torch import Tensor

SHORTEST_PREFIX = 32
"""Tokens: a shorter shared prefix is not worth a pass of its own."""
PARTS = 8
"""Finished rows leave, and others are read, when they are one in so many of a batch."""
FEW = 4
"""A batch that none can join ends when no more than one in so many of its rows is unfinished."""


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
    def last(self) -> int:
        """Its last token so far."""
        return self.written[-1] if self.written else self.prompt[-1]

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
        """``ends``: the tokens that end a text; the last of them is used as padding."""
        self.ends = tuple(ends)
        self._reader = _Reader(model, ends[-1])
        self._batch = batch

    def write(self, rows: Sequence[Row], grammars: Grammars) -> None:
        """Write all rows; similar ones together, and fewer at a time where memory runs out."""
        import torch

        while waiting := [row for row in rows if not row.done]:
            # Short ones last: while the last rows are written, there are none to join them.
            waiting.sort(key=lambda row: (row.group, -len(row.ids)))
            writing = _Writing(self._reader, self._batch, self.ends, grammars)
            try:
                with torch.inference_mode():
                    writing.write(waiting)
            except torch.OutOfMemoryError:
                if self._batch == 1:
                    raise
                self._batch = max(1, min(self._batch, writing.rows_at_once) // 2)
                torch.cuda.empty_cache()


@dataclass
class _Batch:
    """Rows, and the model's state after all of their tokens but the last."""

    rows: list[Row]
    state: Any
    mask: Tensor
    """int64[rows, places of the state]: 0 where a row has padding."""

    def join(self, other: _Batch) -> None:
        """Take the rows of another batch."""
        import torch

        places = max(self.mask.shape[1], other.mask.shape[1])

        def joined(mine: Tensor, theirs: Tensor) -> Tensor:
            return torch.cat([_padded_left(mine, places), _padded_left(theirs, places)])

        for mine, theirs in zip(self.state.layers, other.state.layers, strict=True):
            mine.keys = joined(mine.keys, theirs.keys)
            mine.values = joined(mine.values, theirs.values)
        self.mask = joined(self.mask[..., None], other.mask[..., None])[..., 0]
        self.rows += other.rows

    def drop_done(self) -> None:
        """Keep the rows that are not done, and no place that is padding in all of them."""
        import torch

        kept = [index for index, row in enumerate(self.rows) if not row.done]
        self.rows = [self.rows[index] for index in kept]
        if not kept:
            return
        indices = torch.tensor(kept, device=self.mask.device)
        self.mask = self.mask[indices]
        unused = int(self.mask.any(dim=0).int().argmax())
        self.mask = self.mask[:, unused:]
        self.state.batch_select_indices(indices)
        for layer in self.state.layers:
            layer.keys = layer.keys[..., unused:, :]
            layer.values = layer.values[..., unused:, :]


def _padded_left(values: Tensor, places: int) -> Tensor:
    """[rows, ..., places, width] with so many places."""
    import torch

    return torch.nn.functional.pad(values, (0, 0, places - values.shape[-2], 0))


class _Reader:
    """The model: its state after the tokens of rows, and what it expects next."""

    def __init__(self, model: Any, pad: int) -> None:
        from transformers.cache_utils import DynamicLayer

        self._model = model
        self._pad = pad
        takes = inspect.signature(model.forward).parameters
        self._takes = takes.keys() & {"position_ids", "logits_to_keep"}
        self._state_name = "past_key_values" if "past_key_values" in takes else "cache_params"
        layers = self._empty().layers
        self.joins = bool(layers) and all(type(layer) is DynamicLayer for layer in layers)
        """Whether the state has a place for every token: batches can then be joined and parted.

        Padding inside a sliding window would count.
        """

    def shared(self, rows: Sequence[Row]) -> tuple[Any, int]:
        """The state after the tokens that all rows begin with, and how many they are."""
        import torch

        ids = [row.ids for row in rows]
        shared = common_length(ids)
        if len(rows) == 1 or shared < SHORTEST_PREFIX or not self.joins:
            return self._empty(), 0
        state = self._empty()
        mask = torch.ones((1, shared), dtype=torch.int64, device=self._model.device)
        self._expected([ids[0][:shared]], mask, state)
        return state, shared

    def read(self, rows: Sequence[Row], prefix: tuple[Any, int]) -> _Batch:
        """A batch of rows that begin with the prefix; those with the same tokens are read once."""
        import torch

        shared_state, shared = prefix
        state = deepcopy(shared_state)
        tokens = [tuple(row.ids[shared:-1]) for row in rows]
        rests = list(dict.fromkeys(tokens)) if self.joins else tokens
        if shared:
            state.batch_repeat_interleave(len(rests))
        width = max(map(len, rests)) or int(not shared)  # a state has at least one place
        # The padding stands between the shared prefix and the rest of each row.
        gaps = [width - len(rest) for rest in rests]
        padded = [[self._pad] * gap + list(rest) for gap, rest in zip(gaps, rests, strict=True)]
        bits = [[1] * shared + [0] * gap + [1] * (width - gap) for gap in gaps]
        mask = torch.tensor(bits, dtype=torch.int64, device=self._model.device)
        if width:
            self._expected(padded, mask, state)
        if len(rests) < len(rows):
            place = {rest: index for index, rest in enumerate(rests)}
            indices = torch.tensor([place[rest] for rest in tokens], device=mask.device)
            state.batch_select_indices(indices)
            mask = mask[indices]
        return _Batch(list(rows), state, mask)

    def step(self, batch: _Batch) -> Tensor:
        """Read the last tokens of the rows; the scores of the next ones, float[rows, tokens]."""
        batch.mask = _with_ones(batch.mask)
        return self._expected([[row.last] for row in batch.rows], batch.mask, batch.state)

    def _expected(self, ids: Sequence[Sequence[int]], mask: Tensor, state: Any) -> Tensor:
        import torch

        tokens = torch.tensor(ids, device=self._model.device)
        positions = (mask.cumsum(dim=-1) - 1).clamp(min=0)[:, -tokens.shape[1] :]
        more = {"position_ids": positions, "logits_to_keep": 1, self._state_name: state}
        taken = {name: more[name] for name in (*self._takes, self._state_name)}
        output = self._model(input_ids=tokens, attention_mask=mask, use_cache=True, **taken)
        scores: Tensor = output.logits[:, -1].float()
        return scores

    def _empty(self) -> Any:
        from transformers import DynamicCache

        return DynamicCache(config=self._model.config)


def _with_ones(mask: Tensor) -> Tensor:
    """A mask with one place more, which is used."""
    import torch

    return torch.cat([mask, mask.new_ones((len(mask), 1))], dim=1)


def common_length(ids: Sequence[list[int]]) -> int:
    """How many tokens all rows begin with, less than the whole of any row.

    >>> common_length([[1, 2, 3], [1, 2, 4, 5], [1, 2]])
    1
    """
    lowest, highest = min(ids), max(ids)  # what the first and the last share, all share
    most = min(map(len, ids)) - 1
    return next((index for index in range(most) if lowest[index] != highest[index]), most)


class _Writing:
    """Rows on their way through a model, ``most`` of them at a time."""

    def __init__(self, reader: _Reader, most: int, ends: Sequence[int], grammars: Grammars) -> None:
        self._reader = reader
        self._most = most
        self._ends = ends
        self._grammars = grammars
        self._prefix: tuple[str | None, Any] = None, None
        """A group of rows, and what they share."""
        self.rows_at_once = 1
        """How many rows the model was given last."""

    def write(self, rows: Sequence[Row]) -> None:
        """Write rows in this order; some may be left where none can join those that are written."""
        if not self._reader.joins:
            self._write_first(rows)
            return
        waiting = deque(rows)
        batch = self._filled(None, waiting)
        while batch is not None:
            self._next_tokens(batch)
            if sum(row.done for row in batch.rows) * PARTS >= len(batch.rows):
                batch.drop_done()
                batch = self._filled(batch if batch.rows else None, waiting)

    def _write_first(self, rows: Sequence[Row]) -> None:
        self.rows_at_once = min(self._most, len(rows))
        first = rows[: self.rows_at_once]
        batch = self._reader.read(first, self._reader.shared(first))
        few = len(first) // FEW if len(rows) > len(first) else 0
        while sum(not row.done for row in first) > few:
            self._next_tokens(batch)

    def _filled(self, batch: _Batch | None, waiting: deque[Row]) -> _Batch | None:
        """The batch with as many of the waiting rows as there is room for."""
        part = max(1, self._most // PARTS)
        while waiting and (batch is None or len(batch.rows) + part <= self._most):
            rows = self._alike(waiting, part)
            self.rows_at_once = len(rows) + (len(batch.rows) if batch else 0)
            read = self._reader.read(rows, self._prefix[1])
            if batch is None:
                batch = read
            else:
                batch.join(read)
            if rows[0].forced is not None:
                break  # done after a step or two: more of them would only need more padding
        return batch

    def _alike(self, waiting: deque[Row], most: int) -> list[Row]:
        """The first of the waiting rows, of one group; what the group shares is read once.

        Rows of one prompt stay together.
        """
        group = waiting[0].group
        if group != self._prefix[0]:
            alike = [row for row in waiting if row.group == group]
            self._prefix = group, self._reader.shared(alike)
        rows: list[Row] = []
        while waiting and waiting[0].group == group:
            if len(rows) >= most and waiting[0].prompt != rows[-1].prompt:
                break
            rows.append(waiting.popleft())
        return rows

    def _next_tokens(self, batch: _Batch) -> None:
        """Pick the next token of every row that is not done."""
        rows = batch.rows
        scores = self._reader.step(batch)
        forced = [None if row.done else self._forced(row) for row in rows]
        if any(token is not None for token in forced):
            self._score_forced(rows, scores, forced)
        sampled: list[int] = []
        if any(token is None and not row.done for row, token in zip(rows, forced, strict=True)):
            sampled = self._sample(rows, scores)
        for index, (row, token) in enumerate(zip(rows, forced, strict=True)):
            if not row.done:
                row.write(sampled[index] if token is None else token, self._ends)

    def _forced(self, row: Row) -> int | None:
        if row.forced is None:
            return None
        left = row.forced[len(row.written) :]
        return left[0] if left else self._ends[0]

    def _score_forced(
        self, rows: Sequence[Row], scores: Tensor, forced: Sequence[int | None]
    ) -> None:
        import torch

        logs = torch.log_softmax(scores, dim=-1)
        ends = logs[:, list(self._ends)].logsumexp(dim=-1)
        wanted = torch.tensor([token or 0 for token in forced], device=scores.device)
        log_of = logs.gather(-1, wanted[:, None]).squeeze(-1).tolist()
        for row, token, log, end in zip(rows, forced, log_of, ends.tolist(), strict=True):
            if token is not None:
                row.log_probability += end if token in self._ends else log

    def _sample(self, rows: Sequence[Row], scores: Tensor) -> list[int]:
        import torch

        if any(row.matcher is not None for row in rows):
            matchers = [None if row.done else row.matcher for row in rows]
            scores = apply_bitmask(scores, self._grammars.bitmask(matchers).to(scores.device))
        drawn = [0.0 if row.done or not row.temperature else row.rng.random() for row in rows]
        settings = [[row.temperature for row in rows], [row.top_p for row in rows], drawn]
        temperature, top_p, uniform = torch.tensor(settings, device=scores.device)
        tokens: list[int] = sample_tokens(scores, temperature, top_p, uniform).tolist()
        return tokens


def sample_tokens(scores: Tensor, temperature: Tensor, top_p: Tensor, uniform: Tensor) -> Tensor:
    """One token per row: the best one at temperature 0, else one of all or of the nucleus.

    The nucleus is the smallest set of tokens, most probable first, that holds at least ``top_p``
    of the probability. The token is drawn by its cumulative probability: in the order of the
    nucleus, or in that of the vocabulary where ``top_p`` is 1, which needs no sorting. So a row's
    token depends on its own uniform number alone.

    Shapes: ``scores`` float[rows, tokens], the others float[rows]; the result int[rows].
    """
    tokens = scores.argmax(dim=-1)
    for part, draw in (((top_p >= 1), _drawn), ((top_p < 1), _drawn_of_nucleus)):
        rows = (part & (temperature > 0)).nonzero().squeeze(-1)
        if len(rows):
            chosen = scores if len(rows) == len(scores) else scores[rows]
            probabilities = (chosen / temperature[rows, None]).softmax(dim=-1)
            tokens[rows] = draw(probabilities, tokens[rows], uniform[rows], top_p[rows])
    return tokens


def _drawn(probabilities: Tensor, best: Tensor, uniform: Tensor, _top_p: Tensor) -> Tensor:
    import torch

    cumulative = probabilities.cumsum(dim=-1)
    below = (cumulative <= uniform[:, None] * cumulative[:, -1:]).sum(dim=-1)
    drawn = below.clamp(max=cumulative.shape[-1] - 1)
    # Rounding can lead beyond the last token that is possible.
    possible = probabilities.gather(-1, drawn[:, None]).squeeze(-1) > 0
    return torch.where(possible, drawn, best)


def _drawn_of_nucleus(
    probabilities: Tensor, _best: Tensor, uniform: Tensor, top_p: Tensor
) -> Tensor:
    import torch

    ordered, tokens = probabilities.sort(dim=-1, descending=True, stable=True)
    cumulative = ordered.cumsum(dim=-1)
    size = ((cumulative - ordered) < top_p[:, None]).sum(dim=-1, keepdim=True).clamp(min=1)
    mass = cumulative.gather(-1, size - 1)
    below = (cumulative <= uniform[:, None] * mass).sum(dim=-1, keepdim=True)
    return tokens.gather(-1, torch.minimum(below, size - 1)).squeeze(-1)


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
