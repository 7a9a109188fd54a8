"""Recorded replies, keyed by everything that shapes a reply: of a run, or shared by processes."""

from __future__ import annotations

import json
import os
import socket
import time
import uuid
from dataclasses import astuple
from hashlib import sha256
from typing import NamedTuple

from augkit.core.model_types import Reply, Request
from augkit.core.types import Cost
from augkit.llm.database import Database
from augkit.llm.structured_output import canonical_schema

SCHEMA = """
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, question TEXT NOT NULL, prompt TEXT NOT NULL, excerpt TEXT NOT NULL,
    text TEXT NOT NULL, calls INTEGER NOT NULL, prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL, usd REAL NOT NULL, cached INTEGER NOT NULL,
    probabilities TEXT NOT NULL, created REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS claims (key TEXT PRIMARY KEY, owner TEXT NOT NULL) WITHOUT ROWID;
"""

COLUMNS = "text, probabilities, calls, prompt_tokens, completion_tokens, usd"
EXCERPT_CHARS = 200
_POLL_SECONDS = 0.05
_DEAD_SECONDS = 180.0
"""A process of another machine that has not answered by then is taken for dead."""


class Key(NamedTuple):
    """The key of a request: ``full`` includes the model, ``question`` does not."""

    full: str
    question: str


def key_of(identity: str, request: Request) -> Key:
    """SHA-256 of everything that shapes the answer; ``identity`` names model and server."""
    shaping = [
        [[message.role, message.content] for message in request.messages],
        request.temperature,
        request.top_p,
        request.max_tokens,
        request.seed,
        None if request.answer is None else canonical_schema(request.answer),
        *([list(request.choices)] if request.choices else []),
    ]
    question = sha256(json.dumps(shaping).encode("ascii")).hexdigest()
    return Key(sha256(f"{identity}\n{question}".encode()).hexdigest(), question)


def recorded_reply(text: str, probabilities: str, *cost: float) -> Reply:
    """The reply of a row with ``COLUMNS``; its answer is not parsed yet."""
    calls, prompt, completion, usd = cost
    return Reply(
        text,
        cost=Cost(int(calls), int(prompt), int(completion), usd),
        cached=True,
        probabilities=json.loads(probabilities),
    )


class ReplyStore:
    """Usable replies; each is committed when ``put`` returns."""

    def __init__(self, database: Database) -> None:
        """Use a database with the tables of ``SCHEMA``."""
        self._database = database

    def get(self, key: Key) -> Reply | None:
        """The reply as recorded, with its original cost; its answer is not parsed yet."""
        rows = self._database.run(f"SELECT {COLUMNS} FROM replies WHERE key = ?", key.full)  # noqa: S608 - a constant
        return recorded_reply(*rows[0]) if rows else None

    def put(self, key: Key, request: Request, reply: Reply) -> None:
        """Record a usable reply, replacing one that no longer validates."""
        self._database.run(
            "INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            *(key.full, key.question, request.prompt, _excerpt(request), reply.text),
            *(*astuple(reply.cost), reply.cached, json.dumps(dict(reply.probabilities))),
            time.time(),
        )

    def release(self, key: Key) -> None:
        """Nothing to release: no other process waits for this store."""

    def prompts(self) -> list[str]:
        """Ids, versions and digests of the prompts in the store."""
        rows = self._database.run(
            "SELECT DISTINCT prompt FROM replies WHERE prompt <> '' ORDER BY 1"
        )
        return [str(row[0]) for row in rows]

    def count_cached(self) -> int:
        """How many replies came from a shared cache."""
        return int(self._database.run("SELECT COUNT(*) FROM replies WHERE cached")[0][0])


def _excerpt(request: Request) -> str:
    """The beginning of the last message, for people who open the file."""
    last = request.messages[-1].content if request.messages else ""
    return last[:EXCERPT_CHARS].encode("utf-8", "replace").decode()


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
    except PermissionError:  # alive, and another user's
        pass
    return True
