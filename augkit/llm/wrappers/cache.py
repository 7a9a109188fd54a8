"""``Cached``: an answer that was paid for is kept and never asked for again."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Protocol

from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM
from augkit.llm.reply_store import Key, key_of
from augkit.llm.structured_output import read_answer

Claims = dict[Key, "Future[Reply]"]


class Replies(Protocol):
    """Where replies are kept: ``ReplyStore``, or one that several processes share."""

    def get(self, key: Key) -> Reply | None:
        """The reply as recorded; None: the caller is to ask, and then to ``put`` or ``forgo``."""
        ...

    def put(self, key: Key, request: Request, reply: Reply) -> None:
        """Record a usable reply."""
        ...

    def forgo(self, key: Key) -> None:
        """No usable reply came."""
        ...


class Cached:
    """Answer from a store; ask the inner LLM for the rest and record what is usable.

    Two threads that ask the same thing make one call: the second waits for the first. A reply is
    on disk before it is returned. Faults are never recorded.
    """

    def __init__(self, inner: LLM, store: Replies, identity: str) -> None:
        """Wrap ``inner``, whose model and server ``identity`` names."""
        self._inner = inner
        self._store = store
        self._identity = identity
        self._lock = threading.Lock()
        self._under_way: Claims = {}

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """One reply per request; recorded questions, and repeated ones, are not asked again."""
        keys = [key_of(self._identity, request) for request in requests]
        mine, theirs = self._claim(keys)
        found = self._answer(mine, dict(zip(keys, requests, strict=True))) if mine else {}
        # Only after its own claims are settled does a thread wait for others': no deadlock.
        found |= {key: _again(future.result()) for key, future in theirs.items()}
        replies: list[Reply] = []
        told: set[Key] = set()
        for key in keys:
            replies.append(_again(found[key]) if key in told else found[key])
            told.add(key)
        return replies

    def _claim(self, keys: Sequence[Key]) -> tuple[Claims, Claims]:
        """Questions that this thread will see to, and those that another is seeing to already."""
        mine: Claims = {}
        theirs: Claims = {}
        with self._lock:
            for key in dict.fromkeys(keys):
                if key in self._under_way:
                    theirs[key] = self._under_way[key]
                else:
                    mine[key] = self._under_way[key] = Future()
        return mine, theirs

    def _answer(self, claims: Claims, requests: dict[Key, Request]) -> dict[Key, Reply]:
        try:
            found = self._find({key: requests[key] for key in claims})
        except BaseException as error:
            self._release(claims)
            for future in claims.values():
                future.set_exception(error)
            raise
        self._release(claims)
        for key, future in claims.items():
            future.set_result(found[key])
        return found

    def _find(self, questions: dict[Key, Request]) -> dict[Key, Reply]:
        looked_up = {key: self._recorded(key, request) for key, request in questions.items()}
        found = {key: reply for key, reply in looked_up.items() if reply is not None}
        rest = [key for key in questions if key not in found]
        try:
            replies = self._inner.generate([questions[key] for key in rest]) if rest else []
        except BaseException:
            for key in rest:
                self._store.forgo(key)
            raise
        for key, reply in zip(rest, replies, strict=True):
            if reply.fault:
                self._store.forgo(key)
            else:
                self._store.put(key, questions[key], reply)
            found[key] = reply
        return found

    def _recorded(self, key: Key, request: Request) -> Reply | None:
        recorded = self._store.get(key)
        if recorded is None:
            return None
        reply = read_answer(request, recorded)
        # A text that no longer passes (a validator in code has changed) is asked for again.
        return None if reply.fault else reply

    def _release(self, claims: Claims) -> None:
        with self._lock:
            for key in claims:
                del self._under_way[key]


def _again(reply: Reply) -> Reply:
    """The reply to whoever did not pay for it."""
    return reply if reply.fault else replace(reply, cached=True)
