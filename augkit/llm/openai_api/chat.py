"""One model on one server of the OpenAI chat API.

The openai package only forms the request: its retries are off (``wrappers/retry.py`` has ours), and
the body is parsed here, because real servers do not always send what its types promise.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from augkit.core.errors import AugkitError
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import Backend
from augkit.core.types import Cost
from augkit.llm.choices import choice_probabilities
from augkit.llm.faults import (
    EMPTY,
    MALFORMED,
    TIMEOUT,
    WRONG_SCHEMA,
    failed,
)
from augkit.llm.openai_api.dialect import OLD_LIMIT, REASONING_TOKENS, Dialect
from augkit.llm.openai_api.responses import (
    Received,
    read_body,
    read_positions,
    read_status,
    shorten,
)
from augkit.llm.settings import ConnectOptions
from augkit.llm.structured_output import NO_JSON, OutputFormat, read_answer, with_schema
from augkit.llm.token_counts import prompt_tokens
from augkit.llm.wrappers.retry import CircuitBreaker

if TYPE_CHECKING:
    from augkit.llm.openai_api.client import Client

NO_KEY = "no-key-needed"
MOST_FORMS = 12
"""Forms in which one request is sent before its refusal is believed."""
LEAST_WINDOW = 2048
LEAST_PROMPT = 500
"""The length of shorter prompts is not known well enough."""
READ_SHARE = 0.5
"""English has 4 to 4.5 bytes per token and we estimate 4: a whole prompt never counts so little."""


class Form(NamedTuple):
    """How a request is sent: the body of its call, and the output format for its schema.

    ``room`` is how many tokens the model has for its reasoning.
    """

    body: dict[str, Any]
    used: OutputFormat
    room: int = 0


_SLOW = (
    "%s has not answered a call within %.3g s; it is given up (connection.timeout sets the time)"
)
_ODD_USAGE = (
    "%s reports a usage that no call can have (%s). Such calls count as without a usage: a budget "
    "counts the most that each could cost, and the tokens in the manifest are those of the others"
)
_NO_ROOM = "reasoning took all tokens of the answer; the next attempt gets more"
_PROMPT_CUT = (
    "the server has read %d tokens of a prompt of about %d: its context window seems to be too "
    "small, and it cuts prompts without an error. Give it a larger one (Ollama: start the server "
    "with OLLAMA_CONTEXT_LENGTH=16384; llama.cpp: -c; LM Studio: the context length of the model)"
)


class OpenAIChat(Backend):
    """One model on one server. A failed call is a reply with a fault, unless all would fail."""

    def __init__(
        self, spec: str, client: Client, options: ConnectOptions, limit: str = OLD_LIMIT
    ) -> None:
        """The model of ``spec``, as ``openai:gpt-4o``; nothing is sent yet.

        ``limit`` is the name of the parameter that limits the tokens.
        """
        self.model = spec.partition(":")[2]
        self.server = client.server
        self.identity = f"{spec}@{self.server}"
        self._timeout = options.timeout
        self._client = client
        self._breaker = CircuitBreaker(self.server, options.breaker)
        self._dialect = Dialect(self.model, limit)
        self._warned_of_cuts = self._warned_of_usage = False

    def abort(self) -> None:
        """End the calls in flight."""
        self._client.abort()

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    @property
    def reasoning_tokens(self) -> int:
        """Tokens that an answer may have beyond its request's limit, for hidden reasoning."""
        return self._dialect.reasoning_tokens

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """One call per request, one after the other; threads are the caller's."""
        return [self._breaker.check(contain(self._call, request)) for request in requests]

    def send(self, path: str, payload: dict[str, Any], tokens: int) -> Received:
        """Post to an end of the server; what goes wrong on the way is a fault."""
        received = self._client.post(path, payload, self._timeout, tokens)
        if received.fault == TIMEOUT:
            logging.getLogger(__name__).warning(_SLOW, self.server, self._timeout)
        return received

    def _call(self, request: Request) -> Reply:
        """Send a request, again in another form where the server names what it does not accept."""
        for _ in range(MOST_FORMS):
            used = self._dialect.formats.current
            room = self._dialect.reasoning_tokens
            form = Form(self._dialect.payload(request, used), used, room)
            received = self.send("/chat/completions", form.body, request.max_tokens + room)
            if received.fault:
                return failed(received.fault, received.detail)
            if 200 <= received.status < 300:
                reply = self._read(request, form, received.body)
                self._look_for_cuts(request, form, reply.cost)
                return reply
            problem = read_status(received)
            if not self._dialect.learn(problem, form.body, form.used):
                break
        return problem.reply(self.model, self.server)

    def _look_for_cuts(self, request: Request, form: Form, cost: Cost) -> None:
        """Warn once of a server that does not read whole prompts."""
        length = prompt_tokens(with_schema(request, form.used))
        if not self._warned_of_cuts and looks_cut(length, cost):
            self._warned_of_cuts = True
            logging.getLogger(__name__).warning(_PROMPT_CUT, cost.prompt_tokens, length)

    def _read(self, request: Request, form: Form, body: str) -> Reply:
        reply, truncated, reasoned, odd_usage = read_body(body)
        if odd_usage and not self._warned_of_usage:
            self._warned_of_usage = True
            logging.getLogger(__name__).warning(_ODD_USAGE, self.server, odd_usage)
        if reply.fault:
            return reply
        if reasoned or (truncated and not reply.text):
            self._dialect.reasoning_tokens = REASONING_TOKENS
            if truncated and not form.room:
                return replace(reply, fault=EMPTY, detail=_NO_ROOM, transient=True)
        if request.choices:
            positions = read_positions(body)
            reply = replace(reply, probabilities=choice_probabilities(request.choices, positions))
        reply = read_answer(request, reply, truncated=truncated)
        if request.answer is not None and reply.fault == WRONG_SCHEMA:
            formats = self._dialect.formats
            # A server that enforces the schema always writes JSON.
            formats.failed(form.used, certain=reply.detail == NO_JSON)
        elif request.answer is not None and not reply.fault:
            self._dialect.formats.worked(form.used)
        return reply


def contain(call: Callable[[Request], Reply], request: Request) -> Reply:
    """The reply of a call; whatever goes wrong while it is read is a fault of this call alone."""
    try:
        reply = call(request)
        return replace(reply, detail=shorten(reply.detail))
    except AugkitError:
        raise
    except Exception as error:
        logging.getLogger(__name__).debug("a response could not be read", exc_info=True)
        return failed(MALFORMED, shorten(f"{type(error).__name__}: {error}"))


def looks_cut(estimated: int, cost: Cost) -> bool:
    """Whether a server counts far fewer tokens than were sent, or just as many as fit.

    Some servers, as Ollama, cut a prompt to their context window without saying so.

    >>> looks_cut(9000, Cost(1, 4096, 20)), looks_cut(9000, Cost(1, 8600, 20))
    (True, False)
    """
    read = cost.prompt_tokens
    if not read or estimated < LEAST_PROMPT:
        return False
    full = any(
        tokens >= LEAST_WINDOW and tokens & (tokens - 1) == 0  # a power of two
        for tokens in (read, read + cost.completion_tokens)
    )
    return read < READ_SHARE * estimated or (full and read < estimated)
