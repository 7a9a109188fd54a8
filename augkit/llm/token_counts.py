"""How many tokens a text has, as far as one can tell without the model's tokenizer."""

from __future__ import annotations

import math
from collections.abc import Iterable

from augkit.core.model_types import Message, Request

BYTES_PER_TOKEN = 4
"""English text has 4 to 4.5 bytes per token in current tokenizers, other languages fewer."""
JSON_BYTES_PER_TOKEN = 3.6
"""JSON, and a prompt with tags and worked examples in JSON, have more punctuation."""
TOKENS_PER_MESSAGE = 4
"""What a chat template adds to a message: its role and where it begins and ends."""
LONGEST_SHARE = 2
"""An answer may have so many times the tokens of the text that it rewrites."""


def written_tokens(request: Request, text: str) -> int:
    """About how many tokens it takes to write this answer, its end included."""
    size = len(text.encode("utf-8", "replace"))
    return (
        math.ceil(size / (BYTES_PER_TOKEN if request.answer is None else JSON_BYTES_PER_TOKEN)) + 1
    )


def prompt_tokens(messages: Iterable[Message]) -> int:
    """About how many tokens messages have, with what a chat template adds."""
    sizes = [len(message.content.encode("utf-8", "replace")) for message in messages]
    return sum(math.ceil(size / JSON_BYTES_PER_TOKEN) + TOKENS_PER_MESSAGE for size in sizes)


def answer_tokens(chars: int, fixed: int = 64, copies: int = 1) -> int:
    """A limit for an answer that rewrites a text of ``chars`` characters ``copies`` times.

    ``fixed`` is for what does not grow with the text, as the names of fields.

    >>> answer_tokens(100), answer_tokens(100, fixed=20, copies=3)
    (114, 170)
    """
    return fixed + copies * -(-LONGEST_SHARE * chars // BYTES_PER_TOKEN)
