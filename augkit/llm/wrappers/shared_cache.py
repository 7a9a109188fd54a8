"""A cache shared by running processes: what one is asking, the others wait for."""

from __future__ import annotations

import os
import socket
import time
import uuid
from typing import NamedTuple

from augkit.core.model_types import Reply, Request
from augkit.llm.database import Database
from augkit.llm.reply_store import Key, ReplyStore

_POLL_SECONDS = 0.05
_DEAD_SECONDS = 180.0
"""A process of another machine that has not answered by then is taken for dead."""


class _Owner(NamedTuple):
    """The owner of a claim: a process of a machine, and one of its requests."""

    host: str
    pid: int
    question: str

    @classmethod
    def read(cls, text: str) -> _Owner:
        host, pid, question = text.rsplit(" ", 2)
        return cls(host, int(pid), question)

    def __str__(self) -> str:
        return f"{self.host} {self.pid} {self.question}"


class SharedReplies:
    """A file of replies, in which a request is claimed before it is sent, until it is answered.

    The claim of a killed process is void. Waits use the monotonic clock.
    """

    def __init__(self, database: Database) -> None:
        """Use a database that has the tables of ``reply_store.SCHEMA``."""
        self._database = database
        self._store = ReplyStore(database)

    def get(self, key: Key) -> Reply | None:
        """The recorded reply; None: this process has claimed the request."""
        me = _Owner(socket.gethostname(), os.getpid(), uuid.uuid4().hex)
        until = time.monotonic() + _DEAD_SECONDS
        while (reply := self._store.get(key)) is None:
            if self._claimed(key, me, until):
                # It may have been answered between the look-up and the claim.
                return self._store.get(key)
            time.sleep(_POLL_SECONDS)
        return reply

    def put(self, key: Key, request: Request, reply: Reply) -> None:
        """Record a reply and release the claim."""
        self._store.put(key, request, reply)
        self.release(key)

    def release(self, key: Key) -> None:
        """Give the claim up."""
        self._database.run("DELETE FROM claims WHERE key = ?", key.full)

    def _claimed(self, key: Key, me: _Owner, until: float) -> bool:
        self._database.run("INSERT OR IGNORE INTO claims VALUES (?, ?)", key.full, str(me))
        rows = self._database.run("SELECT owner FROM claims WHERE key = ?", key.full)
        owner = _Owner.read(rows[0][0]) if rows else me
        if owner == me:
            return bool(rows)
        if not _alive(owner, me, until):
            self._database.run(
                "DELETE FROM claims WHERE key = ? AND owner = ?", key.full, str(owner)
            )
        return False


def _alive(owner: _Owner, me: _Owner, until: float) -> bool:
    if owner.host != me.host or os.name == "nt":  # there os.kill would end the process
        return time.monotonic() < until
    try:
        os.kill(owner.pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
