"""``openai:MODEL``: any server that speaks the OpenAI chat API, through ``base_url``.

The openai client only makes the connection: its retries are off (``wrappers/retry.py`` has ours)
and the body is parsed here, because real servers do not always send what its types promise.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from augkit.core.errors import ConfigError
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM
from augkit.llm.bounded_client import ClientPool, DeadlineExceeded
from augkit.llm.faults import (
    CONNECTION_LOST,
    FORMAT,
    NOT_TEXT,
    TIMEOUT,
    UNREACHABLE,
    WRONG_SCHEMA,
    failed,
)
from augkit.llm.responses import Problem, Received, read_body, read_status
from augkit.llm.settings import ConnectOptions
from augkit.llm.structured_output import (
    FormatMemory,
    OutputFormat,
    read_answer,
    response_format,
    with_schema,
)
from augkit.llm.wrappers.retry import CircuitBreaker

if TYPE_CHECKING:
    from openai import APIConnectionError

OFFICIAL = "https://api.openai.com"
NO_KEY = "no-key-needed"
OPTIONAL = frozenset({"temperature", "top_p", "seed"})
"""Settings that some models reject and that can be left out."""
SHORTEST_SECRET = 8
"""A shorter key is a placeholder for a local server; masking it would damage ordinary text."""


def connect(argument: str, options: ConnectOptions) -> LLM:
    """The model named ``argument`` at ``options.base_url``, with the key of the environment."""
    if not argument:
        raise ConfigError("openai: no model given. Name one, as in openai:gpt-4o-mini")
    key = os.environ.get("OPENAI_API_KEY", "").strip()
    own_server = options.base_url or os.environ.get("OPENAI_BASE_URL")
    if not key and not own_server:
        raise ConfigError(
            "openai: no API key. Set OPENAI_API_KEY in the environment, or give the address of a "
            "server that needs none: --base-url http://127.0.0.1:8000/v1"
        )
    if not key.isascii() or not key.isprintable():
        raise ConfigError("openai: OPENAI_API_KEY holds characters that a key cannot have")
    return OpenAIChat(argument, options, key or NO_KEY)


class OpenAIChat:
    """One model on one server. A failed call is a reply with a fault, unless all would fail."""

    batch_size = 1

    def __init__(self, model: str, options: ConnectOptions, key: str) -> None:
        """Make the client; nothing is sent yet."""
        self.model = model
        self._timeout = options.timeout
        self._clients = ClientPool(options, key)
        self.server = _without_password(self._clients.base_url)
        self.identity = f"openai:{model}@{self.server}"
        self._mask_key = key_masker(key)
        self._formats = FormatMemory()
        self._breaker = CircuitBreaker(self.server, options.breaker)
        self._left_out: frozenset[str] = frozenset()

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """One call per request, one after the other; threads are the caller's."""
        return [self._breaker.check(self._call(request)) for request in requests]

    def close(self) -> None:
        """Close all connections."""
        self._clients.close()

    def _call(self, request: Request) -> Reply:
        used = self._formats.current
        payload = self._payload(request, used)
        received = self._send(payload)
        if received.fault:
            return failed(received.fault, received.detail)
        if received.status >= 400:
            problem = read_status(received)
            if problem.status == 400 and problem.param in OPTIONAL & payload.keys():
                return self._without(problem.param, problem.detail)
            return self._rejected(request, used, problem)
        reply, truncated = read_body(received.body)
        return reply if reply.fault else self._validated(request, used, reply, truncated=truncated)

    def _rejected(self, request: Request, used: OutputFormat, problem: Problem) -> Reply:
        if request.answer is not None and used != "prompt":
            try_another = (problem.about_format and self._formats.rejected(used)) or (
                problem.status == 500 and self._formats.suspected(used)
            )
            if try_another:
                return failed(FORMAT, problem.detail)
        return problem.reply(self.model, self.server)

    def _without(self, setting: str, detail: str) -> Reply:
        """Leave a setting out from now on, with a warning, because it changes the answers."""
        if setting not in self._left_out:
            self._left_out |= {setting}
            logging.getLogger(__name__).warning(
                "%s does not accept the setting '%s'; calls are made without it: %s",
                *(self.model, setting, detail),
            )
        return failed(FORMAT, detail)

    def _validated(
        self, request: Request, used: OutputFormat, reply: Reply, *, truncated: bool
    ) -> Reply:
        reply = read_answer(request, reply, truncated=truncated)
        if request.answer is not None and reply.fault == WRONG_SCHEMA:
            self._formats.suspected(used)
        elif request.answer is not None and not reply.fault:
            self._formats.worked(used)
        return reply

    def _payload(self, request: Request, used: OutputFormat) -> dict[str, Any]:
        # OpenAI's newer models know the limit by this name only, other servers by the old one.
        limit = "max_completion_tokens" if self.server.startswith(OFFICIAL) else "max_tokens"
        payload: dict[str, Any] = {
            "model": self.model,
            "messages": [
                {"role": message.role, "content": message.content}
                for message in with_schema(request, used)
            ],
            "temperature": request.temperature,
            "top_p": request.top_p,
            limit: request.max_tokens,
        }
        if request.seed is not None:
            payload["seed"] = request.seed
        if wanted := response_format(request, used):
            payload["response_format"] = wanted
        return {name: value for name, value in payload.items() if name not in self._left_out}

    def _send(self, payload: dict[str, Any]) -> Received:
        import httpx2
        from openai import APIConnectionError, APIStatusError, APITimeoutError

        try:
            with self._clients.client() as client:
                response = client.post("/chat/completions", payload)
        except APIStatusError as error:
            response = error.response
        except (DeadlineExceeded, APITimeoutError) as error:
            unreached = isinstance(error.__cause__, httpx2.ConnectTimeout)
            fault = UNREACHABLE if unreached else TIMEOUT
            return Received(fault=fault, detail=f"no answer within {self._timeout:g} s")
        except APIConnectionError as error:
            return Received(fault=_kind_of_loss(error), detail=self._mask_key(str(error.__cause__)))
        except UnicodeEncodeError:
            return Received(fault=NOT_TEXT, detail="the text holds a lone surrogate")
        return Received(response.status_code, response.headers, self._mask_key(response.text))


def key_masker(key: str) -> Callable[[str], str]:
    """A function that masks the key in a text, for servers that echo it."""
    if len(key) < SHORTEST_SECRET or key == NO_KEY:
        return str
    return lambda text: text.replace(key, "[key]")


def _kind_of_loss(error: APIConnectionError) -> str:
    import httpx2

    return UNREACHABLE if isinstance(error.__cause__, httpx2.ConnectError) else CONNECTION_LOST


def _without_password(url: str) -> str:
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
