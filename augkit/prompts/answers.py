"""Closed shapes for the answers to prompts: as many texts as asked for, under given names.

A server that follows JSON schemas then cannot leave a text out, add one, or run on and on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, Field, create_model

from augkit.core.model_types import Request

_FIXED_TOKENS = 40
"""For names, quotation marks and brackets of an answer."""
_BYTES_PER_TOKEN = 2
"""Half of what English has, so that an answer may be twice as long as its texts."""
_MAX_CHANGES = 6
M = TypeVar("M", bound=BaseModel)


class TextAnswer(BaseModel):
    """One text."""

    text: str


class TextsAnswer(BaseModel):
    """Several texts, in order."""

    texts: list[str]


class WordChange(BaseModel):
    """Words of a text, and what takes their place."""

    old: str
    new: str


class RewordedText(BaseModel):
    """Words with others of the same meaning, then the text that has them."""

    words: Annotated[
        list[WordChange],
        Field(default_factory=list, json_schema_extra={"minItems": 1, "maxItems": _MAX_CHANGES}),
    ]
    text: str


class RewordedTexts(BaseModel):
    """Several rewordings of one text."""

    versions: list[RewordedText]


class NamedTexts(BaseModel):
    """A text for each of a few names."""

    @property
    def by_name(self) -> dict[str, str]:
        """The texts by the names that were given, in their order."""
        return self.model_dump(by_alias=True)


@lru_cache(maxsize=256)  # creating a model takes longer than the rest of a request
def exactly(count: int, listing: type[M]) -> type[M]:
    """The answer whose only field, a list, has exactly so many items.

    >>> exactly(2, TextsAnswer).model_json_schema()["properties"]["texts"]["maxItems"]
    2
    """
    [(name, field)] = listing.model_fields.items()
    several: Any = (Annotated[field.annotation, Field(min_length=count, max_length=count)], ...)
    answer: type[M] = create_model(listing.__name__, __base__=listing, **{name: several})
    return answer


@lru_cache(maxsize=4096)
def named_texts(names: Sequence[str]) -> type[NamedTexts]:
    """The answer with exactly these names, in this order.

    >>> named_texts(("premise", "1 his"))(**{"premise": "A man.", "1 his": "her"}).by_name
    {'premise': 'A man.', '1 his': 'her'}
    """
    fields: dict[str, Any] = {
        f"text_{number}": (str, Field(alias=name)) for number, name in enumerate(names)
    }
    answer: type[NamedTexts] = create_model("NamedTexts", __base__=NamedTexts, **fields)
    return answer


def limit_tokens(request: Request, texts: Iterable[str]) -> Request:
    """The request for an answer about as long as these texts, at most twice as long.

    ``max_tokens`` of the request stays the upper limit.
    """
    size = sum(len(text.encode("utf-8", "replace")) for text in texts)
    tokens = _FIXED_TOKENS + size // _BYTES_PER_TOKEN
    return replace(request, max_tokens=min(request.max_tokens, tokens))
