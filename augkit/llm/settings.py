"""Settings of language models: how a back end is reached, and how an LLM under test is asked."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit, urlunsplit

from pydantic import Field, PlainSerializer, field_validator

from augkit.core.config import StrictModel
from augkit.core.errors import ConfigError

PREFIX = "llm:"
"""What stands before the name of a model that is reached as an LLM."""


def bare_address(address: str) -> str:
    """An address without what may be secret in it: user, password, query and fragment.

    Whatever is written or shown has it in this form.

    >>> bare_address("https://me:pass@models.example.org:8000/v1/?token=abc")
    'https://models.example.org:8000/v1'
    """
    parts = urlsplit(address)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))


def address_of(variable: str) -> str:
    """The address in a variable of the environment; "" where there is none."""
    address = os.environ.get(variable, "")
    if address:
        try:
            _check_address(address)
        except ValueError as error:
            raise ConfigError(f"{variable}: {error}") from None
    return address


def _check_address(url: str) -> None:
    """Raise where it is not clear which part of an address is secret."""
    if not url.startswith(("http://", "https://")):
        raise ValueError("an address starts with http:// or https://")
    try:
        parts = urlsplit(url)
        is_clear = bool(parts.hostname) and parts.port != 0 and "@" not in parts.path
    except ValueError:  # the port is no number
        is_clear = False
    if not is_clear or not url.isprintable() or any(sign in url for sign in " \\"):
        raise ValueError(
            "not an address, as http://localhost:8000/v1. In a user or password write / ? # @ : "
            "as %2F %3F %23 %40 %3A"
        )


Address = Annotated[str, PlainSerializer(bare_address, when_used="json")]
"""An address whose secrets are not written: what is written as JSON reaches files and messages."""


class ConnectOptions(StrictModel):
    """How a model is reached, retried, limited and cached."""

    base_url: Address | None = Field(
        None, description="your own OpenAI-compatible server, as http://localhost:8000/v1"
    )
    timeout: float = Field(600.0, gt=0, description="most seconds for a call")
    attempts: int = Field(5, ge=1, description="attempts for a call that fails transiently")
    backoff: float = Field(
        0.5, ge=0, description="longest first wait in seconds; doubles each time"
    )
    backoff_cap: float = Field(
        20.0, ge=0, description="longest wait between two attempts, in seconds"
    )
    breaker: int = Field(50, ge=1, description="failed calls in a row that end the run")
    workers: int = Field(
        8, ge=1, le=1024, description="most calls to an LLM in flight at the same time"
    )
    budget: str | None = Field(
        None,
        description="hard limit: 2.00 (dollars), 500calls or 100000tokens; exit code 3",
    )
    prices: Path | None = Field(
        None, description="your own prices: a YAML file of dollars per million tokens"
    )
    cache: Path | None = Field(None, description="a file that keeps paid replies for all runs")

    @field_validator("base_url")
    @classmethod
    def _is_an_address(cls, url: str | None) -> str | None:
        if url is not None:
            _check_address(url)
        return url

    @field_validator("budget", mode="before")
    @classmethod
    def _is_a_budget(cls, budget: object) -> object:
        """A bare number too, as in ``budget: 2.00`` of a YAML file."""
        from augkit.llm.wrappers.budget import parse_budget

        if budget is None:
            return None
        parse_budget(str(budget))
        return str(budget)


class AskingSettings(StrictModel):
    """How an LLM under test is asked."""

    orders: int | None = Field(
        2, ge=1, description="orders of the answers in which an LLM is asked a question"
    )
    draws: int = Field(
        0,
        ge=0,
        description="sampled answers of an LLM for each order; 0: log-probabilities, or one answer",
    )
    prompts: Path | None = Field(
        None, description="your prompts: a folder with the tree of augkit/prompts"
    )


class LLMUnderTest(AskingSettings):
    """Which LLM is measured, and how it is asked."""

    spec: str = Field(description="the model, as openai:NAME or transformers:PATH")


class ModelSettings(AskingSettings):
    """A model that may be an LLM, and how it is asked."""

    model: str | None = Field(None, description="the LLM, as llm:openai:NAME")
    connection: ConnectOptions = Field(
        default_factory=ConnectOptions, description="the LLM's server, prices, cache and budget"
    )

    @property
    def tested(self) -> LLMUnderTest | None:
        """The LLM under test, where the model is one."""
        if self.model is None or not self.model.startswith(PREFIX):
            return None
        asking = {name: getattr(self, name) for name in AskingSettings.model_fields}
        return LLMUnderTest(spec=self.model.removeprefix(PREFIX), **asking)
