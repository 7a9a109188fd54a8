"""Faults: why a reply has no usable answer. Few, short and stable: a run counts by them."""

from __future__ import annotations

from augkit.core.model_types import Reply

RATE_LIMITED = "rate limited"
SERVER_ERROR = "server error"
TIMEOUT = "timeout"
UNREACHABLE = "server not reachable"
CONNECTION_LOST = "connection lost"
MALFORMED = "malformed response"
WRONG_SCHEMA = "does not match the JSON schema"
EMPTY = "empty answer"
REFUSED = "refused"
TRUNCATED = "truncated"
TOO_LONG = "too long for the model"
NOT_TEXT = "not valid Unicode"
NO_RECORD = "no recorded reply"

TRANSIENT = frozenset(
    {RATE_LIMITED, SERVER_ERROR, TIMEOUT, UNREACHABLE, CONNECTION_LOST, MALFORMED}
)
"""Faults of the transport, not of the answer: the same request may succeed next time."""

SILENT = frozenset({UNREACHABLE, TIMEOUT, CONNECTION_LOST})
"""Faults that do not even show that there is a server."""

RETRY_ONCE = frozenset({WRONG_SCHEMA, EMPTY})
"""Bad answers that were paid for: retried once, not more."""

NOT_ANSWERED = TRANSIENT | {NO_RECORD}
"""Faults without an answer of a model: they are not kept in place of one."""

UNBILLED = frozenset({RATE_LIMITED, SERVER_ERROR, UNREACHABLE, TOO_LONG, NOT_TEXT})
"""Faults of calls that no model has served: the call counts, its tokens do not."""
UNASKED = frozenset({NO_RECORD})
"""Faults of requests that were never sent: nothing counts."""


def failed(fault: str, detail: str = "", retry_after: float | None = None) -> Reply:
    """A reply without an answer, marked as transient where a retry is worthwhile."""
    transient = fault in TRANSIENT | RETRY_ONCE
    return Reply(fault=fault, detail=detail, transient=transient, retry_after=retry_after)
