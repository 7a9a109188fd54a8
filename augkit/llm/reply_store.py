"""Recorded replies, keyed by everything that shapes a reply: of a run, or shared by processes."""

from __future__ import annotations

import json
import os
import socket
import time
import uuid
from dataclasses import astuple, replace
from hashlib import sha256
from typing import Any, NamedTuple

from augkit.core.model_types import Reply, Request
from augkit.core.types import Cost
from augkit.llm.database import Database
from augkit.llm.faults import NOT_ANSWERED
from augkit.llm.structured_output import canonical_schema

SCHEMA = """
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, question TEXT NOT NULL, prompt TEXT NOT NULL, excerpt TEXT NOT NULL,
    text TEXT NOT NULL, calls INTEGER NOT NULL, prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL, usd REAL NOT NULL, cached INTEGER NOT NULL,
    probabilities TEXT NOT NULL, prompt_cached INTEGER NOT NULL, repairs TEXT NOT NULL,
    fault TEXT NOT NULL, detail TEXT NOT NULL, created REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS claims (key TEXT PRIMARY KEY, owner TEXT NOT NULL) WITHOUT ROWID;
"""

COST_COLUMNS = "calls, prompt_tokens, completion_tokens, usd"
COLUMNS = f"text, {COST_COLUMNS}, probabilities, prompt_cached, fault, detail"
EXCERPT_CHARS = 200
"""So much of the last message is kept, for people who open the file."""
_UNKNOWN = -1.0
"""The cost in dollars of a model without a known price: the column is never null."""
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


def recorded_reply(text: str, *columns: Any) -> Reply:
    """The reply of a row with ``COLUMNS``; its answer is not parsed yet."""
    calls, read, written, usd, probabilities, prompt_cached, fault, detail = columns
    return Reply(
        text,
        fault=fault,
        detail=detail,
        cost=Cost(calls, read, written, None if usd == _UNKNOWN else usd),
        cached=True,
        probabilities=json.loads(probabilities),
        prompt_cached=prompt_cached,
    )


class ReplyStore:
    """Replies, each committed when ``put`` returns.

    With ``faults``, calls that gave no usable answer are kept too, so that a replay gives the same
    reasons and costs. ``get`` then finds the answers that were paid for, however bad; a fault of
    the transport is asked again.
    """

    def __init__(self, database: Database, *, faults: bool = False) -> None:
        """Use a database with the tables of ``SCHEMA``."""
        self._database = database
        self._faults = faults

    def get(self, key: Key) -> Reply | None:
        """The reply as recorded, with its original cost; its answer is not parsed yet."""
        rows = self._database.run(f"SELECT {COLUMNS} FROM replies WHERE key = ?", key.full)  # noqa: S608 - a constant
        reply = recorded_reply(*rows[0]) if rows else None
        return None if reply is None or reply.fault in NOT_ANSWERED else reply

    def put(self, key: Key, request: Request, reply: Reply) -> None:
        """Record a reply, replacing one that is no longer usable."""
        if reply.fault and not self._faults:
            return
        cost = reply.cost if reply.cost.usd is not None else replace(reply.cost, usd=_UNKNOWN)
        last = request.messages[-1].content if request.messages else ""
        excerpt = last[:EXCERPT_CHARS].encode("utf-8", "replace").decode()
        self._database.run(
            f"INSERT OR REPLACE INTO replies VALUES ({', '.join('?' * 16)})",  # noqa: S608 - a constant
            *(key.full, key.question, request.prompt, excerpt, reply.text),
            *(*astuple(cost), reply.cached, json.dumps(dict(reply.probabilities))),
            *(reply.prompt_cached, ", ".join(reply.repairs), reply.fault, reply.detail),
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

    def counts(self) -> tuple[int, int, int]:
        """Replies of a shared cache, prompt tokens of the server's cache, repaired answers."""
        cached, tokens, repaired = self._database.run(
            "SELECT COALESCE(SUM(cached), 0), COALESCE(SUM((1 - cached) * prompt_cached), 0), "
            "COALESCE(SUM(repairs <> ''), 0) FROM replies"
        )[0]
        return int(cached), int(tokens), int(repaired)


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
        # A process of a machine, and one of its requests.
        me = f"{socket.gethostname()} {os.getpid()} {uuid.uuid4().hex}"
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

    def _claimed(self, key: Key, me: str, until: float) -> bool:
        self._database.run("INSERT OR IGNORE INTO claims VALUES (?, ?)", key.full, me)
        rows = self._database.run("SELECT owner FROM claims WHERE key = ?", key.full)
        owner: str = rows[0][0] if rows else me
        if owner == me:
            return bool(rows)
        if not _alive(owner, me, until):
            self._database.run("DELETE FROM claims WHERE key = ? AND owner = ?", key.full, owner)
        return False


def _alive(owner: str, me: str, until: float) -> bool:
    host, pid, _ = owner.rsplit(" ", 2)
    if host != me.rsplit(" ", 2)[0] or os.name == "nt":  # there os.kill would end the process
        return time.monotonic() < until
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # alive, and another user's
        pass
    return True
