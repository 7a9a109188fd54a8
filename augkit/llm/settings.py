"""Settings of language models: how a back end is reached, and how an LLM under test is asked."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, field_validator

from augkit.core.config import StrictModel

PREFIX = "llm:"
"""What stands before the name of a model that is reached as an LLM."""


class ConnectOptions(StrictModel):
    """How a model is reached, retried, limited and cached."""

    base_url: str | None = Field(
        None, description="your own OpenAI-compatible server, as http://localhost:8000/v1"
    )
    timeout: float | None = Field(
        None,
        gt=0,
        description="seconds for a call; none: by its length and the server's speed",
    )
    attempts: int = Field(5, ge=1, description="attempts for a call that fails transiently")
    backoff: float = Field(
        0.5, ge=0, description="longest first wait in seconds; doubles each time"
    )
    backoff_cap: float = Field(
        20.0, ge=0, description="longest wait between two attempts, in seconds"
    )
    breaker: int = Field(50, ge=1, description="failed calls in a row that end the run")
    requests_per_minute: float | None = Field(
        None, gt=0, description="limit of requests per minute"
    )
    tokens_per_minute: float | None = Field(None, gt=0, description="limit of tokens per minute")
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
    batch: bool = Field(
        default=False,
        description="submit each step as a batch of OpenAI's, at half the price; exit code 5",
    )
    batch_wait: bool = Field(default=False, description="the same, and wait until it is answered")
    cache: Path | None = Field(None, description="a file that keeps paid replies for all runs")

    @property
    def in_batches(self) -> bool:
        """Whether requests are to be submitted as batches."""
        return self.batch or self.batch_wait

    @field_validator("base_url")
    @classmethod
    def _is_an_address(cls, url: str | None) -> str | None:
        if url is not None and not url.startswith(("http://", "https://")):
            raise ValueError("an address starts with http:// or https://")
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
