"""Requests to a local model: chat template in, rows of tokens, replies out.

All requests of a call run in batches, each with its own limit, schema, temperature and seed. A
reply does not depend on the other requests of its batch, up to rounding, which can decide a near
tie.
"""

from __future__ import annotations

import math
import random
import threading
import weakref
from collections.abc import Sequence
from typing import Any

from augkit.core.errors import ConfigError
from augkit.core.model_types import Message, Reply, Request
from augkit.core.protocols import LLM, Backend
from augkit.core.types import Cost, digest
from augkit.llm.faults import TOO_LONG, failed
from augkit.llm.settings import ConnectOptions
from augkit.llm.structured_output import read_answer, strict_schema, with_schema
from augkit.llm.transformers.decoding import Decoder, Row
from augkit.llm.transformers.grammar import Grammars
from augkit.llm.transformers.load import find_model, load_model

CPU_ROWS = 16
ROWS_PER_GB = 8
MOST_ROWS = 1024
"""Rows in a batch on a GPU, by its memory; fewer where that is still too small for them."""


def connect(argument: str, options: ConnectOptions) -> LLM:  # noqa: ARG001 - the signature of all back ends
    """A model on this machine: transformers:PATH, a folder, a GGUF file or a name on the hub.

    One that is still in use, as the judge of a run may be, is not loaded again.
    """
    source = find_model(argument)
    chat = _in_use.get(source.identity)
    if chat is None:
        chat = _in_use[source.identity] = LocalChat(*load_model(source), source.identity)
    return chat


class LocalChat(Backend):
    """A model and its tokenizer. Threads take turns."""

    local = True

    def __init__(self, model: Any, tokenizer: Any, identity: str) -> None:
        """Use a model in evaluation mode and a tokenizer with a chat template."""
        if not tokenizer.chat_template:
            raise ConfigError(
                f"{identity}: this model has no chat template. Use an instruction-tuned one (its "
                "name often ends in -Instruct or -it)"
            )
        self.model = self.identity = identity
        self.batch_size = _gpu_rows(model.device) if model.device.type == "cuda" else CPU_ROWS
        self._tokenizer = tokenizer
        self._lock = threading.Lock()
        config = model.config.get_text_config()
        self._context = getattr(config, "max_position_embeddings", None) or 2**31
        ends = _end_tokens(model, tokenizer)
        self._grammars = Grammars(tokenizer, config.vocab_size, ends)
        self._decoder = Decoder(model, ends, self.batch_size)

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """One reply per request, in order."""
        rows = [self._rows(request) for request in requests]
        fitting = [row for group in rows for row in group if row.limit > 0]
        with self._lock:
            self._decoder.write(fitting, self._grammars)
        return [self._reply(request, group) for request, group in zip(requests, rows, strict=True)]

    def _rows(self, request: Request) -> list[Row]:
        """The row of a request; one for each choice where it has choices."""
        matcher = None
        if request.answer is not None:
            matcher = self._grammars.matcher(strict_schema(request.answer))
        messages = with_schema(request, "prompt" if matcher is None else "json_schema")
        prompt = self._tokens(self._templated(messages))
        space = self._context - len(prompt)
        if request.choices:
            choices = [self._tokens(choice) for choice in request.choices]
            most = max(map(len, choices)) + 1
            limit = most if most <= space else 0
            return [Row(prompt, limit, request.prompt, forced=choice) for choice in choices]
        return [
            Row(
                prompt,
                min(request.max_tokens, space),
                request.prompt,
                request.temperature,
                request.top_p,
                random.Random(_seed(request)),  # noqa: S311 - a sample, not a secret
                matcher,
            )
        ]

    def _tokens(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer(text, add_special_tokens=False)["input_ids"]
        return ids

    def _templated(self, messages: Sequence[Message]) -> str:
        from jinja2 import TemplateError

        def fill(messages: Sequence[Message]) -> str:
            plain = [{"role": message.role, "content": message.content} for message in messages]
            filled: str = self._tokenizer.apply_chat_template(
                plain, tokenize=False, add_generation_prompt=True
            )
            return filled

        try:
            return fill(messages)
        except TemplateError:
            # Some templates have no system role: its text then starts the first user message.
            system = "\n\n".join(m.content for m in messages if m.role == "system")
            turns = [m for m in messages if m.role != "system"] or [Message("user", "")]
            first = Message(turns[0].role, f"{system}\n\n{turns[0].content}".strip())
            return fill([first, *turns[1:]])

    def _reply(self, request: Request, rows: Sequence[Row]) -> Reply:
        row = rows[0]
        if row.limit < 1:
            needed = f"{len(row.prompt)} tokens, and the model takes {self._context}"
            return failed(TOO_LONG, needed)
        if request.choices:
            return _choice_reply(request, rows)
        text: str = self._tokenizer.decode(row.written, skip_special_tokens=True).strip()
        return read_answer(request, Reply(text, cost=_cost(row)), truncated=not row.ended)


def _choice_reply(request: Request, rows: Sequence[Row]) -> Reply:
    """A choice with the probabilities of all: that of its tokens and of the end after them.

        p(c) = exp(l_c) / Σ_d exp(l_d)

    l_c is the sum of the log-probabilities of the tokens of choice c and of the end.
    """
    best = max(row.log_probability for row in rows)
    weights = [math.exp(row.log_probability - best) for row in rows]
    total = sum(weights)
    index = weights.index(max(weights))
    if request.temperature > 0:
        heated = [weight ** (1 / request.temperature) for weight in weights]
        [index] = random.Random(_seed(request)).choices(range(len(rows)), heated)  # noqa: S311 - as above
    probabilities = {
        choice: weight / total for choice, weight in zip(request.choices, weights, strict=True)
    }
    return Reply(request.choices[index], cost=_cost(rows[index]), probabilities=probabilities)


def _cost(row: Row) -> Cost:
    return Cost(1, len(row.prompt), row.generated)


def _end_tokens(model: Any, tokenizer: Any) -> tuple[int, ...]:
    """Tokens that end the text: those that model and tokenizer name, and padding."""
    configured = model.generation_config.eos_token_id
    listed = configured if isinstance(configured, list) else [configured]
    named = [tokenizer.eos_token_id, *listed, tokenizer.pad_token_id]
    vocabulary = model.config.get_text_config().vocab_size
    ends = [token for token in named if token is not None and token < vocabulary]
    if not ends:
        raise ConfigError(
            "transformers: the model has no end-of-text token, so it would never stop"
        )
    return tuple(dict.fromkeys(ends))


def _gpu_rows(device: Any) -> int:
    """How many rows a GPU is given at a time."""
    import torch

    memory = torch.cuda.get_device_properties(device).total_memory
    return min(MOST_ROWS, max(CPU_ROWS, memory * ROWS_PER_GB // 2**30))


def _seed(request: Request) -> int:
    """The request's seed, or one that its messages determine."""
    if request.seed is not None:
        return request.seed
    return int(digest(*(message.content for message in request.messages))[:8], 16)


_in_use: weakref.WeakValueDictionary[str, LocalChat] = weakref.WeakValueDictionary()
