"""``openai:MODEL``: any server that speaks the OpenAI chat API, through ``base_url``.

The openai client is used for the connection alone: its retries are off (``retry.py`` has ours)
and the body is read here, because what real servers send is not always what its types promise.
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
from augkit.llm.faults import (
    CONNECTION_LOST,
    FORMAT,
    NOT_JSON,
    NOT_TEXT,
    TIMEOUT,
    UNREACHABLE,
    failed,
)
from augkit.llm.output_formats import FormMemory
from augkit.llm.responses import Problem, Received, read_body, read_status
from augkit.llm.settings import ConnectOptions
from augkit.llm.structured_output import Form, read_answer, response_format, with_schema
from augkit.llm.wrappers.circuit_breaker import Breaker
from augkit.llm.wrappers.deadline import Deadline, bound

if TYPE_CHECKING:
    from openai import APIConnectionError, OpenAI

OFFICIAL = "https://api.openai.com"
NO_KEY = "no-key-needed"
CONNECT_SECONDS = 10.0
"""A server that does not even take the connection within this time is not reachable."""
OPTIONAL = frozenset({"temperature", "top_p", "seed"})
"""What some models refuse to be told, and can be asked without."""
SHORTEST_SECRET = 8
"""A shorter key is a placeholder for a local server: striking it out would maul ordinary text."""


def connect(argument: str, options: ConnectOptions) -> LLM:
    """The model named ``argument`` at ``options.base_url``, with the key of the environment."""
    if not argument:
        raise ConfigError("openai: which model? As in openai:gpt-4o-mini")
    key = os.environ.get("OPENAI_API_KEY", "").strip()
    own_server = options.base_url or os.environ.get("OPENAI_BASE_URL")
    if not key and not own_server:
        raise ConfigError(
            "openai: no key. Set OPENAI_API_KEY in the environment, "
            "or give the address of a server that needs none: --base-url http://127.0.0.1:8000/v1"
        )
    if not key.isascii() or not key.isprintable():
        raise ConfigError("openai: OPENAI_API_KEY holds characters that no key can have")
    return OpenAIChat(argument, options, key or NO_KEY)


class OpenAIChat:
    """One model on one server. Every failure of a call is a reply with a fault, save fatal ones."""

    batch_size = 1

    def __init__(self, model: str, options: ConnectOptions, key: str) -> None:
        """Make the client; nothing is sent yet."""
        self.model = model
        self._timeout = options.timeout
        self._deadline = Deadline()
        self._client = _client(options, key, self._deadline)
        self.server = _without_password(str(self._client.base_url))
        self.identity = f"openai:{model}@{self.server}"
        self._scrub = scrubber(key)
        self._forms = FormMemory()
        self._breaker = Breaker(self.server, options.breaker)
        self._left_out: frozenset[str] = frozenset()

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """One call per request, one after the other; threads are the caller's."""
        return [self._breaker.watch(self._ask(request)) for request in requests]

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def _ask(self, request: Request) -> Reply:
        form = self._forms.form
        payload = self._payload(request, form)
        received = self._send(payload)
        if received.fault:
            return failed(received.fault, received.detail)
        if received.status >= 400:
            problem = read_status(received)
            if problem.status == 400 and problem.param in OPTIONAL & payload.keys():
                return self._without(problem.param, problem.detail)
            return self._turned_away(request, form, problem)
        reply, cut = read_body(received.body)
        return reply if reply.fault else self._judged(request, form, reply, cut=cut)

    def _turned_away(self, request: Request, form: Form, problem: Problem) -> Reply:
        if request.answer is not None and form != "prompt":
            another = (problem.about_format and self._forms.turned_down(form)) or (
                problem.status == 500 and self._forms.doubted(form)
            )
            if another:
                return failed(FORMAT, problem.detail)
        return problem.reply(self.model, self.server)

    def _without(self, setting: str, detail: str) -> Reply:
        """Ask without a setting from now on; the user is told, because it changes the answers."""
        if setting not in self._left_out:
            self._left_out |= {setting}
            logging.getLogger(__name__).warning(
                "%s does not take the setting '%s' and is asked without it: %s",
                *(self.model, setting, detail),
            )
        return failed(FORMAT, detail)

    def _judged(self, request: Request, form: Form, reply: Reply, *, cut: bool) -> Reply:
        reply = read_answer(request, reply, cut=cut)
        if request.answer is not None and reply.fault == NOT_JSON:
            self._forms.doubted(form)
        elif request.answer is not None and not reply.fault:
            self._forms.worked(form)
        return reply

    def _payload(self, request: Request, form: Form) -> dict[str, Any]:
        # OpenAI's newer models know the limit under this name only, other servers under the old.
        limit = "max_completion_tokens" if self.server.startswith(OFFICIAL) else "max_tokens"
        payload: dict[str, Any] = {
            "model": self.model,
            "messages": [
                {"role": message.role, "content": message.content}
                for message in with_schema(request, form)
            ],
            "temperature": request.temperature,
            "top_p": request.top_p,
            limit: request.max_tokens,
        }
        if request.seed is not None:
            payload["seed"] = request.seed
        if wanted := response_format(request, form):
            payload["response_format"] = wanted
        return {name: value for name, value in payload.items() if name not in self._left_out}

    def _send(self, payload: dict[str, Any]) -> Received:
        import httpx2
        from openai import APIConnectionError, APIStatusError, APITimeoutError

        try:
            with self._deadline.within(self._timeout):
                response = self._client.post(
                    "/chat/completions", cast_to=httpx2.Response, body=payload
                )
        except APIStatusError as error:
            response = error.response
        except APITimeoutError as error:
            unreached = isinstance(error.__cause__, httpx2.ConnectTimeout)
            fault = UNREACHABLE if unreached else TIMEOUT
            return Received(fault=fault, detail=f"no answer within {self._timeout:g} s")
        except APIConnectionError as error:
            return Received(fault=_kind_of_loss(error), detail=self._scrub(str(error.__cause__)))
        except UnicodeEncodeError:
            return Received(fault=NOT_TEXT, detail="the text holds half of a surrogate pair")
        return Received(response.status_code, response.headers, self._scrub(response.text))


def scrubber(key: str) -> Callable[[str], str]:
    """A function that strikes the key out of a text, for servers that echo it."""
    if len(key) < SHORTEST_SECRET or key == NO_KEY:
        return str
    return lambda text: text.replace(key, "[key]")


def _client(options: ConnectOptions, key: str, deadline: Deadline) -> OpenAI:
    import httpx2
    from openai import DefaultHttpxClient, OpenAI

    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=options.workers)
    timeout = httpx2.Timeout(options.timeout, connect=min(options.timeout, CONNECT_SECONDS))
    http_client = DefaultHttpxClient(limits=limits, timeout=timeout)
    bound(http_client, deadline)
    return OpenAI(
        api_key=key,
        base_url=options.base_url,
        timeout=timeout,
        max_retries=0,
        http_client=http_client,
    )


def _kind_of_loss(error: APIConnectionError) -> str:
    import httpx2

    return UNREACHABLE if isinstance(error.__cause__, httpx2.ConnectError) else CONNECTION_LOST


def _without_password(url: str) -> str:
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
