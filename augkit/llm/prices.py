"""Prices of tokens: a bundled list, and one of the user's own that comes first."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib import resources
from pathlib import Path

from pydantic import Field

from augkit.core.config import StrictModel, load, validate
from augkit.core.types import Cost
from augkit.core.yaml_files import parse_yaml

_DATED = re.compile(r"-\d{4}-\d{2}-\d{2}$")


class Price(StrictModel):
    """US dollars per million tokens."""

    input: float = Field(ge=0, description="usd per million tokens read")
    output: float = Field(ge=0, description="usd per million tokens written")

    def usd(self, cost: Cost) -> float:
        """The price of these tokens.

        >>> Price(input=2.0, output=8.0).usd(Cost(1, 500_000, 250_000))
        3.0
        """
        return (cost.prompt_tokens * self.input + cost.completion_tokens * self.output) / 1e6


FREE_PRICE = Price(input=0, output=0)


class PriceList(StrictModel):
    """Prices by model name, with their date."""

    as_of: str = Field(description="date of the prices")
    models: dict[str, Price] = Field(description="name of model → price")

    def price(self, model: str) -> Price | None:
        """The price of a model, also under its dated name (``gpt-4o-2024-08-06``)."""
        return self.models.get(model) or self.models.get(_DATED.sub("", model))


def price_of(model: str, user_list: Path | None) -> Price | None:
    """The price of a model in the user's list, else in the bundled one; None: unknown."""
    price = load(PriceList, user_list).price(model) if user_list is not None else None
    return price or bundled_prices().price(model)


def no_price(models: Iterable[str]) -> str:
    """For a cost in money that is not known.

    >>> no_price(["openai:qwen3"])
    'no price is configured for openai:qwen3 (--set prices=FILE)'
    """
    return f"no price is configured for {' and '.join(models)} (--set prices=FILE)"


def bundled_prices() -> PriceList:
    """The prices that come with augkit."""
    text = (resources.files("augkit.llm") / "prices.yaml").read_text(encoding="utf-8")
    return validate(PriceList, parse_yaml(text, "prices.yaml"), "prices.yaml")
