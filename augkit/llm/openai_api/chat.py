"""One model on one server of the OpenAI chat API.

The openai client only makes the connection: its retries are off (``wrappers/retry.py`` has ours)
and the body is parsed here, because real servers do not always send what its types promise.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit, urlunsplit

from augkit.core.model_types import Reply, Request
from augkit.core.types import Cost
from augkit.llm.choices import choice_probabilities
from augkit.llm.faults import (
    CONNECTION_LOST,
    EMPTY,
    NOT_TEXT,
    SERVER_ERROR,
    TIMEOUT,
    UNREACHABLE,
    WRONG_SCHEMA,
    failed,
)
from augkit.llm.openai_api.client import CallTimes, ClientPool, DeadlineExceeded, MakeClient
from augkit.llm.openai_api.dialect import REASONING_TOKENS, Dialect
from augkit.llm.openai_api.responses import Received, read_body, read_positions, read_status
from augkit.llm.settings import ConnectOptions
from augkit.llm.structured_output import NO_JSON, OutputFormat, read_answer, with_schema
from augkit.llm.token_counts import prompt_tokens
from augkit.llm.wrappers.retry import CircuitBreaker

if TYPE_CHECKING:
    from openai import OpenAI

NO_KEY = "no-key-needed"
MOST_FORMS = 12
"""Forms in which one request is sent before its refusal is believed."""
SHORTEST_SECRET = 8
"""A shorter key is a placeholder for a local server; masking it would damage ordinary text."""

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


_SLOW = "%s has not answered a call within %.0f s; it is given up, and the next ones get more time"
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


class OpenAIChat:
    """One model on one server. A failed call is a reply with a fault, unless all would fail."""

    batch_size = 1

    def __init__(
        self, spec: str, client: MakeClient, options: ConnectOptions, key: str, limit: str
    ) -> None:
        """The model of ``spec``, as ``openai:gpt-4o``; nothing is sent yet.

        ``key`` is masked in what servers send; ``limit`` is the parameter that limits the tokens.
        """
        self.model = spec.partition(":")[2]
        self._times = CallTimes(options.timeout)
        self._clients = ClientPool(client)
        address = urlsplit(self._clients.base_url)
        host = address.netloc.rpartition("@")[2]  # without a password
        self.server = urlunsplit(address._replace(netloc=host))
        self.identity = f"{spec}@{self.server}"
        self.mask = key_masker(key)
        self.seconds_for = self._times.limit
        self.abort, self.close = self._clients.abort, self._clients.close
        self._breaker = CircuitBreaker(self.server, options.breaker)
        self._dialect = Dialect(self.model, limit)
        self._warned_of_cuts = self._warned_of_usage = False

    @property
    def reasoning_tokens(self) -> int:
        """Tokens that an answer may have beyond its request's limit, for hidden reasoning."""
        return self._dialect.reasoning_tokens

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """One call per request, one after the other; threads are the caller's."""
        return [self._breaker.check(self._call(request)) for request in requests]

    def form(self, request: Request) -> Form:
        """The best form for a request that the server is not known to refuse."""
        used = self._dialect.formats.current
        room = self._dialect.reasoning_tokens
        return Form(self._dialect.payload(request, used), used, room)

    def read(self, request: Request, form: Form, received: Received) -> Reply:
        """The reply in a response that came by another way than a call, as in a batch."""
        if received.status < 400:
            return self._read(request, form, received.body)
        problem = read_status(received)
        if self._dialect.learn(problem, form.body, form.used):
            return failed(SERVER_ERROR, problem.detail)  # to be sent again in another form
        return problem.reply(self.model, self.server)

    @contextmanager
    def client(self) -> Iterator[OpenAI]:
        """A client of the openai package, for other ends of the same server."""
        with self._clients.client() as client:
            yield client.openai

    def _call(self, request: Request) -> Reply:
        """Send a request, again in another form where the server names what it does not accept."""
        for _ in range(MOST_FORMS):
            form = self.form(request)
            begun = time.monotonic()
            length = prompt_tokens(with_schema(request, form.used))
            seconds = self.seconds_for(length, request.max_tokens + form.room)
            received = self.send("/chat/completions", form.body, seconds)
            if received.fault:
                return failed(received.fault, received.detail)
            if received.status < 400:
                reply = self._read(request, form, received.body)
                self._times.answered(time.monotonic() - begun, reply.cost)
                if not self._warned_of_cuts and looks_cut(length, reply.cost):
                    self._warned_of_cuts = True
                    read = reply.cost.prompt_tokens
                    logging.getLogger(__name__).warning(_PROMPT_CUT, read, length)
                return reply
            problem = read_status(received)
            if not self._dialect.learn(problem, form.body, form.used):
                break
        return problem.reply(self.model, self.server)

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

    def send(self, path: str, payload: dict[str, Any], seconds: float) -> Received:
        """Post to an end of the server; what goes wrong on the way is a fault."""
        import httpx2
        from openai import APIConnectionError, APIStatusError, APITimeoutError

        try:
            with self._clients.client() as client:
                response = client.post(path, payload, seconds)
        except APIStatusError as error:
            response = error.response
        except (DeadlineExceeded, APITimeoutError) as error:
            unreached = isinstance(error.__cause__, httpx2.ConnectTimeout)
            fault = UNREACHABLE if unreached else TIMEOUT
            if not unreached:
                self._times.timed_out()
                logging.getLogger(__name__).warning(_SLOW, self.server, seconds)
            return Received(fault=fault, detail=f"no answer within {seconds:.3g} s")
        except APIConnectionError as error:
            unreached = isinstance(error.__cause__, httpx2.ConnectError)
            fault = UNREACHABLE if unreached else CONNECTION_LOST
            return Received(fault=fault, detail=self.mask(str(error.__cause__)))
        except UnicodeEncodeError:
            return Received(fault=NOT_TEXT, detail="the text holds a lone surrogate")
        return Received(response.status_code, response.headers, self.mask(response.text))


def key_masker(key: str) -> Callable[[str], str]:
    """A function that masks the key in a text, for servers that echo it."""
    if len(key) < SHORTEST_SECRET or key == NO_KEY:
        return str
    return lambda text: text.replace(key, "[key]")


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
