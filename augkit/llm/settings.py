"""How to reach a model and how hard to try: one validated object for every back end."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, field_validator

from augkit.core.config import StrictModel


class ConnectOptions(StrictModel):
    """What can be said about a connection, besides the model itself."""

    base_url: str | None = Field(
        None, description="address of an OpenAI-compatible server, as http://127.0.0.1:8000/v1"
    )
    timeout: float = Field(60.0, gt=0, description="seconds one call may take, all told")
    attempts: int = Field(5, ge=1, description="tries for a call that fails in passing")
    backoff: float = Field(0.5, ge=0, description="seconds of the first wait; doubles each time")
    backoff_cap: float = Field(20.0, ge=0, description="longest wait between two tries, in seconds")
    breaker: int = Field(50, ge=1, description="calls in a row without an answer that end the run")
    requests_per_minute: float | None = Field(None, gt=0, description="never ask more often")
    tokens_per_minute: float | None = Field(None, gt=0, description="never use more tokens")
    workers: int = Field(8, ge=1, le=1024, description="calls under way at the same time")
    budget: str | None = Field(None, description="hard limit: 2.00, 2usd, 500calls, 100000tokens")
    prices: Path | None = Field(None, description="a price list of your own (YAML)")
    cache: Path | None = Field(None, description="file of answers shared by runs; none: not shared")

    @field_validator("base_url")
    @classmethod
    def _is_an_address(cls, url: str | None) -> str | None:
        if url is not None and not url.startswith(("http://", "https://")):
            raise ValueError("an address starts with http:// or https://")
        return url

    @field_validator("budget", mode="before")
    @classmethod
    def _is_a_budget(cls, budget: object) -> object:
        """Also a bare number, as YAML reads ``budget: 2.00``."""
        from augkit.llm.wrappers.budget import parse_budget

        if budget is None:
            return None
        parse_budget(str(budget))
        return str(budget)
