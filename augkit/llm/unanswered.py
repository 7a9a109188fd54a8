"""Calls that no model answered, noted for the piece of work that asked.

A failed call says nothing about a row: whoever did the work that it was a part of leaves that work
open, and asks again later.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from augkit.core.model_types import Reply
from augkit.llm.faults import NOT_ANSWERED, SERVER_ERROR

_STATUS = 3
"""Digits of an HTTP status, with which the detail of a server's error begins."""


@dataclass(eq=False)
class Unanswered:
    """The calls of a piece of work that failed, counted by reason."""

    by_reason: Counter[str] = field(default_factory=Counter)


_OF_THIS_WORK: ContextVar[Unanswered | None] = ContextVar("unanswered", default=None)
_UNDER_WAY: set[Unanswered] = set()
_LOCK = threading.Lock()


@contextmanager
def noting_unanswered() -> Iterator[Unanswered]:
    """Note the calls that fail while a piece of work is done, in this thread or for it."""
    unanswered = Unanswered()
    with _LOCK:
        _UNDER_WAY.add(unanswered)
    token = _OF_THIS_WORK.set(unanswered)
    try:
        yield unanswered
    finally:
        _OF_THIS_WORK.reset(token)
        with _LOCK:
            _UNDER_WAY.remove(unanswered)


def note_unanswered(replies: Iterable[Reply]) -> None:
    """Note those of the replies that no model gave; called in the thread that asked."""
    failed = Counter(_reason(reply) for reply in replies if reply.fault in NOT_ANSWERED)
    if not failed:
        return
    of_this_work = _OF_THIS_WORK.get()
    with _LOCK:
        # A thread that a method started itself has no work of its own: any piece that is under way
        # may be the one that it asks for. Too many are left open then, none too few.
        noted = list(_UNDER_WAY) if of_this_work is None else [of_this_work]
        for unanswered in noted:
            unanswered.by_reason.update(failed)


def _reason(reply: Reply) -> str:
    """The fault, with the HTTP status of a server's error."""
    status = reply.detail[:_STATUS]
    if reply.fault == SERVER_ERROR and status.isdecimal():
        return f"{reply.fault} {status}"
    return reply.fault
