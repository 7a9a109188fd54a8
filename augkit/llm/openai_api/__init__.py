"""``openai:MODEL`` and ``azure:DEPLOYMENT``: servers that speak the OpenAI chat API."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from augkit.core.errors import ConfigError
from augkit.core.protocols import LLM
from augkit.llm.openai_api.chat import NO_KEY, OpenAIChat
from augkit.llm.openai_api.dialect import NEW_LIMIT, OLD_LIMIT
from augkit.llm.settings import ConnectOptions, address_of, bare_address

if TYPE_CHECKING:
    from openai import OpenAI

OFFICIAL = "https://api.openai.com/v1"


def connect(argument: str, options: ConnectOptions) -> LLM:
    """Any OpenAI-compatible server: openai:MODEL, key from OPENAI_API_KEY, address --base-url."""
    from augkit.llm.openai_api.client import Client

    if not argument:
        raise ConfigError("openai: no model given. Name one, as in openai:gpt-4o-mini")
    key = _key("OPENAI_API_KEY")
    address = options.base_url or address_of("OPENAI_BASE_URL")
    if not key and not address:
        raise ConfigError(
            "openai: no API key. Set OPENAI_API_KEY in the environment, or give the address of a "
            "server that needs none: --base-url http://127.0.0.1:8000/v1"
        )

    address = address or OFFICIAL

    def make(http_client: Any) -> OpenAI:
        from openai import OpenAI

        return OpenAI(
            api_key=key or NO_KEY,
            base_url=bare_address(address),
            max_retries=0,
            http_client=http_client,
        )

    # OpenAI's newer models know the limit by the new name only, other servers by the old one.
    limit = NEW_LIMIT if address.startswith(OFFICIAL) else OLD_LIMIT
    return OpenAIChat(f"openai:{argument}", Client(make, address, key), options, limit)


def connect_azure(argument: str, options: ConnectOptions) -> LLM:
    """A deployment on Azure: azure:NAME, with the environment variables of the openai package."""
    from augkit.llm.openai_api.client import Client

    endpoint = options.base_url or address_of("AZURE_OPENAI_ENDPOINT")
    key = _key("AZURE_OPENAI_API_KEY") or _key("AZURE_OPENAI_AD_TOKEN")
    version = os.environ.get("OPENAI_API_VERSION", "")
    if not (argument and endpoint and key and version):
        raise ConfigError(
            "azure: name a deployment, as in azure:my-gpt-4o, and set in the environment "
            "AZURE_OPENAI_ENDPOINT (https://NAME.openai.azure.com), AZURE_OPENAI_API_KEY (or "
            "AZURE_OPENAI_AD_TOKEN) and OPENAI_API_VERSION (as 2024-10-21)"
        )

    def make(http_client: Any) -> OpenAI:
        from openai import AzureOpenAI

        return AzureOpenAI(
            azure_endpoint=bare_address(endpoint),
            azure_deployment=argument,
            max_retries=0,
            http_client=http_client,
        )

    return OpenAIChat(f"azure:{argument}", Client(make, endpoint, key), options, NEW_LIMIT)


def _key(variable: str) -> str:
    key = os.environ.get(variable, "").strip()
    if not key.isascii() or not key.isprintable():
        raise ConfigError(f"{variable} holds characters that a key cannot have")
    return key
