"""``Cached``: a reply that was paid for is kept and never requested again."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace

from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM
from augkit.llm.reply_store import Key, ReplyStore, key_of
from augkit.llm.structured_output import read_answer

Claims = dict[Key, "Future[Reply]"]


class Cached:
    """Reply from a store; ask the inner LLM for the rest and record what is usable.

    Two threads with the same request make one call: the second waits for the first. A reply is
    on disk before it is returned.
    """

    def __init__(self, inner: LLM, store: ReplyStore, identity: str) -> None:
        """Wrap ``inner``, whose model and server ``identity`` names."""
        self._inner = inner
        self._store = store
        self._identity = identity
        self._lock = threading.Lock()
        self._in_flight: Claims = {}

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """One reply per request; recorded and repeated requests are not sent again."""
        keys = [key_of(self._identity, request) for request in requests]
        mine, theirs = self._claim(keys)
        replies_by_key = self._answer(mine, dict(zip(keys, requests, strict=True))) if mine else {}
        # Only after its own claims are settled does a thread wait for others': no deadlock.
        replies_by_key |= {key: _as_cached(future.result()) for key, future in theirs.items()}
        replies: list[Reply] = []
        seen: set[Key] = set()
        for key in keys:
            replies.append(_as_cached(replies_by_key[key]) if key in seen else replies_by_key[key])
            seen.add(key)
        return replies

    def _claim(self, keys: Sequence[Key]) -> tuple[Claims, Claims]:
        """Requests that this thread will answer, and those that another thread is answering."""
        mine: Claims = {}
        theirs: Claims = {}
        with self._lock:
            for key in dict.fromkeys(keys):
                if key in self._in_flight:
                    theirs[key] = self._in_flight[key]
                else:
                    mine[key] = self._in_flight[key] = Future()
        return mine, theirs

    def _answer(self, claims: Claims, requests: dict[Key, Request]) -> dict[Key, Reply]:
        try:
            replies_by_key = self._find({key: requests[key] for key in claims})
        except BaseException as error:
            self._release(claims)
            for future in claims.values():
                future.set_exception(error)
            raise
        self._release(claims)
        for key, future in claims.items():
            future.set_result(replies_by_key[key])
        return replies_by_key

    def _find(self, requests_by_key: dict[Key, Request]) -> dict[Key, Reply]:
        replies_by_key: dict[Key, Reply] = {}
        for key, request in requests_by_key.items():
            recorded = self._store.get(key)
            if recorded is None:
                continue
            reply = recorded if recorded.fault else read_answer(request, recorded)
            # A text that no longer validates (the model class has changed) is requested again.
            if recorded.fault or not reply.fault:
                replies_by_key[key] = reply
        rest = [key for key in requests_by_key if key not in replies_by_key]
        replies = self._inner.generate([requests_by_key[key] for key in rest]) if rest else []
        for key, reply in zip(rest, replies, strict=True):
            self._store.put(key, requests_by_key[key], reply)
            replies_by_key[key] = reply
        return replies_by_key

    def _release(self, claims: Claims) -> None:
        with self._lock:
            for key in claims:
                del self._in_flight[key]


def _as_cached(reply: Reply) -> Reply:
    """The reply for a caller that did not pay for it."""
    return reply if reply.fault else replace(reply, cached=True)
