"""``openai-completions:MODEL``: log-probabilities of given texts, from a server that echoes them.

The older completions API of OpenAI can repeat a prompt with the log-probability of each of its
tokens (``echo``). vLLM does so; chat servers and llama.cpp do not.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from augkit.core.arrays import Floats
from augkit.core.errors import BackendFailed, ConfigError
from augkit.core.model_types import Message, Reply, Request
from augkit.core.protocols import LLM, Backend
from augkit.llm.faults import MALFORMED, failed
from augkit.llm.openai_api import connect as connect_chat
from augkit.llm.openai_api.chat import OpenAIChat, contain
from augkit.llm.openai_api.responses import read_cost, read_status
from augkit.llm.settings import ConnectOptions
from augkit.llm.token_counts import prompt_tokens

NAME = "openai-completions"


def connect(argument: str, options: ConnectOptions) -> LLM:
    """The same by the older completions API, for bias benchmarks: openai-completions:MODEL."""
    if not argument:
        raise ConfigError(f"{NAME}: no model given. Name one, as in {NAME}:MODEL")
    chat = connect_chat(argument, options)
    if not isinstance(chat, OpenAIChat):
        raise ConfigError(f"{NAME}: {argument} is not reached by the API of OpenAI")
    return PromptScorer(chat)


class PromptScorer(Backend):
    """An LLM whose reply to a text is the JSON list of [offset, log-probability] of its tokens."""

    def __init__(self, chat: OpenAIChat) -> None:
        """Use the connections of ``chat``; nothing is sent yet."""
        self.model = chat.model
        self.identity = f"{NAME} {chat.identity}"
        self._chat = chat

    def abort(self) -> None:
        """End the calls in flight."""
        self._chat.abort()

    def close(self) -> None:
        """Close the connections."""
        self._chat.close()

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """One call per request, one after the other; threads are the caller's."""
        return [contain(self._call, request) for request in requests]

    def _call(self, request: Request) -> Reply:
        if request.choices or request.answer is not None:
            raise ConfigError(f"{NAME}:{self.model} scores texts and answers nothing: use openai:")
        text = request.messages[-1].content
        body = {
            "model": self.model, "prompt": text, "max_tokens": 1, "temperature": 0,
            "echo": True, "logprobs": 1,
        }  # fmt: skip
        received = self._chat.send("/completions", body, prompt_tokens(request.messages))
        if received.fault:
            return failed(received.fault, received.detail)
        if not 200 <= received.status < 300:
            return read_status(received).reply(self.model, self._chat.server)
        try:
            data = json.loads(received.body)
            logprobs = data["choices"][0].get("logprobs") or {}
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return failed(MALFORMED, received.body[:200])
        return Reply(json.dumps(self._tokens(text, logprobs)), cost=read_cost(data))

    def _tokens(self, text: str, logprobs: dict[str, Any]) -> list[tuple[int, float]]:
        """Offset and log-probability of the tokens of the text; the first may have none."""
        offsets = logprobs.get("text_offset") or []
        values = logprobs.get("token_logprobs") or []
        tokens = "".join(map(str, logprobs.get("tokens") or []))
        if not tokens.startswith(text) or not len(offsets) == len(values) > 0:
            raise BackendFailed(
                f"{self._chat.server} does not give the log-probabilities of a prompt (echo): the "
                "benchmark cannot be measured there. Use a server that does, such as vLLM, or "
                "--model llm:transformers:PATH"
            )
        pairs = zip(offsets, values, strict=True)
        return [(int(at), float(p)) for at, p in pairs if p is not None and at < len(text)]


class PromptProbabilities:
    """A ``CausalModel`` whose log-probabilities come from a ``PromptScorer`` in its wrappers."""

    def __init__(self, llm: LLM) -> None:
        """Ask ``llm``."""
        self._llm = llm

    def log_probabilities(
        self, texts: Sequence[str], contexts: Sequence[str] | None = None
    ) -> list[Floats]:
        """Ln p(token | those before it) for each token of each text, after its context.

        Without a context the first token is left out where the server puts nothing before it.
        """
        import numpy as np

        before = [f"{context} " if context else "" for context in contexts or [""] * len(texts)]
        messages = [
            Message("user", f"{start}{text}") for start, text in zip(before, texts, strict=True)
        ]
        requests = [Request((message,), max_tokens=1, prompt=NAME) for message in messages]
        replies = self._llm.generate(requests)
        failures = [reply for reply in replies if reply.fault]
        if failures:
            raise BackendFailed(
                f"{len(failures)} of {len(replies)} texts could not be scored: "
                f"{failures[0].fault} ({failures[0].detail[:200]}). Repeat the command: replies "
                "that were received are kept"
            )
        return [
            # A token that begins with the space before the text belongs to the text.
            np.array([p for at, p in json.loads(reply.text) if at >= len(start.rstrip())])
            for start, reply in zip(before, replies, strict=True)
        ]
