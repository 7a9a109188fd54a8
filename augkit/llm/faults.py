"""The reasons a reply can give for having no usable answer: few, short and stable.

They are counted in a run's ledger, so a new wording is a change of results.
"""

from __future__ import annotations

from augkit.core.model_types import Reply

RATE_LIMITED = "rate limited"
SERVER_ERROR = "server error"
TIMEOUT = "timeout"
UNREACHABLE = "server not reachable"
CONNECTION_LOST = "connection lost"
BROKEN = "not an API answer"
FORMAT = "format not supported"
NOT_JSON = "not the JSON asked for"
EMPTY = "empty answer"
REFUSED = "refused"
CUT = "cut short"
TOO_LONG = "too long for the model"
NOT_TEXT = "not valid Unicode"
NO_RECORD = "no recorded answer"

IN_PASSING = frozenset(
    {RATE_LIMITED, SERVER_ERROR, TIMEOUT, UNREACHABLE, CONNECTION_LOST, BROKEN, FORMAT}
)
"""Faults of the way, not of the answer: the same question may well be answered next time."""

ASK_ONCE_MORE = frozenset({NOT_JSON, EMPTY})
"""Bad answers that were paid for; a second one like it is believed."""

UNBILLED = frozenset({RATE_LIMITED, SERVER_ERROR, UNREACHABLE, FORMAT, TOO_LONG, NOT_TEXT})
"""No model has worked: the call counts, its tokens do not. Any other silence may have been paid."""


def failed(fault: str, detail: str = "", retry_after: float | None = None) -> Reply:
    """A reply without an answer, marked as worth another try where it is."""
    transient = fault in IN_PASSING or fault in ASK_ONCE_MORE
    return Reply(fault=fault, detail=detail, transient=transient, retry_after=retry_after)
