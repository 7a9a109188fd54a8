"""What a language model failed to give, as a refusal of the row it was asked about."""

from __future__ import annotations

from augkit.data import FREE, Cost, Example, Refusal, Reply

DETAIL_CHARS = 500


def unanswered(parent: Example, copy: int, reply: Reply, cost: Cost = FREE) -> Refusal:
    """The fault of a reply as the reason; ``cost`` is what earlier calls for it cost."""
    detail = (reply.detail or reply.text)[:DETAIL_CHARS]
    return Refusal(parent, f"llm: {reply.fault}", detail, copy, cost + reply.cost)
