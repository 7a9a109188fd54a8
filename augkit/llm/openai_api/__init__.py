"""``openai:MODEL``: any server that speaks the OpenAI chat API, through ``base_url``."""

from __future__ import annotations

import os

from augkit.core.errors import ConfigError
from augkit.core.protocols import LLM
from augkit.llm.openai_api.chat import NO_KEY, OpenAIChat
from augkit.llm.settings import ConnectOptions


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
