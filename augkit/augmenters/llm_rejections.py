"""What a language model failed to give, as a rejection of the row it was asked about."""

from __future__ import annotations

from augkit.core.model_types import Reply
from augkit.core.types import FREE, Cost, Example, Rejection

DETAIL_CHARS = 500


def unanswered(parent: Example, copy: int, reply: Reply, cost: Cost = FREE) -> Rejection:
    """The fault of a reply as the reason; ``cost`` is what earlier calls for it cost."""
    detail = (reply.detail or reply.text)[:DETAIL_CHARS]
    return Rejection(parent, f"llm: {reply.fault}", detail, copy, cost + reply.cost)
