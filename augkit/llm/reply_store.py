"""Recorded replies, keyed by everything that shapes a reply: of a run, or shared by processes."""

from __future__ import annotations

import json
import math
import os
import socket
import time
import uuid
from hashlib import blake2b, sha256
from typing import NamedTuple

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
    fault TEXT NOT NULL, detail TEXT NOT NULL, created REAL NOT NULL,
    checksum TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS claims (key TEXT PRIMARY KEY, owner TEXT NOT NULL) WITHOUT ROWID;
"""

_MOST_TOKENS = 2**53
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


class StoredReply(NamedTuple):
    """A row of ``replies``."""

    key: str
    question: str
    prompt: str
    excerpt: str
    text: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    usd: float
    cached: int
    probabilities: str
    prompt_cached: int
    repairs: str
    fault: str
    detail: str
    created: float
    checksum: str = ""
    """Of all before the time; "" in files that were made before there was one."""

    def expected_checksum(self) -> str:
        """The checksum of what the row holds."""
        return blake2b(repr(self[:_CHECKED]).encode("utf-8", "replace"), digest_size=12).hexdigest()

    def reply(self) -> Reply | None:
        """The reply, its answer not parsed yet; None where the row is damaged."""
        if self.checksum != self.expected_checksum() and (self.checksum or not self._is_typed()):
            return None
        usd = None if self.usd == _UNKNOWN else self.usd
        return Reply(
            self.text,
            fault=self.fault,
            detail=self.detail,
            cost=Cost(self.calls, self.prompt_tokens, self.completion_tokens, usd),
            cached=True,
            probabilities=json.loads(self.probabilities),
            prompt_cached=self.prompt_cached,
        )

    def _is_typed(self) -> bool:
        """Whether a row without a checksum has what such a row can have."""
        try:
            shares = json.loads(self.probabilities)
        except (ValueError, TypeError, RecursionError):
            return False
        counts = (self.calls, self.prompt_tokens, self.completion_tokens, self.prompt_cached)
        return (
            all(isinstance(count, int) and 0 <= count < _MOST_TOKENS for count in counts)
            and all(isinstance(text, str) for text in (self.text, self.fault, self.detail))
            and isinstance(self.usd, float)
            and (self.usd == _UNKNOWN or 0 <= self.usd < math.inf)
            and isinstance(shares, dict)
            and all(isinstance(share, float | int) for share in shares.values())
        )


_CHECKED = StoredReply._fields.index("created")
_INSERT = f"INSERT OR REPLACE INTO replies VALUES ({', '.join('?' * len(StoredReply._fields))})"  # noqa: S608 - a constant


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
        rows = self._database.run("SELECT * FROM replies WHERE key = ?", key.full)
        reply = StoredReply(*rows[0]).reply() if rows else None
        return None if reply is None or reply.fault in NOT_ANSWERED else reply

    def put(self, key: Key, request: Request, reply: Reply) -> None:
        """Record a reply, replacing one that is no longer usable."""
        if reply.fault and not self._faults:
            return
        cost = reply.cost
        last = request.messages[-1].content if request.messages else ""
        row = StoredReply(
            key=key.full,
            question=key.question,
            prompt=request.prompt,
            excerpt=last[:EXCERPT_CHARS].encode("utf-8", "replace").decode(),
            text=reply.text,
            calls=cost.calls,
            prompt_tokens=cost.prompt_tokens,
            completion_tokens=cost.completion_tokens,
            usd=_UNKNOWN if cost.usd is None else float(cost.usd),
            cached=int(reply.cached),
            probabilities=json.dumps(dict(reply.probabilities)),
            prompt_cached=reply.prompt_cached,
            repairs=", ".join(reply.repairs),
            fault=reply.fault,
            detail=reply.detail,
            created=time.time(),
        )
        self._database.run(_INSERT, *row[:-1], row.expected_checksum())

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
        # A damaged count is none: in sqlite a text is between no two numbers.
        cached, tokens, repaired = self._database.run(
            "SELECT TOTAL(cached = 1), TOTAL(CASE WHEN cached = 0 AND prompt_cached BETWEEN 0 "  # noqa: S608 - a constant
            f"AND {_MOST_TOKENS} THEN prompt_cached END), TOTAL(repairs <> '') FROM replies"
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
        if self._database.changed("INSERT OR IGNORE INTO claims VALUES (?, ?)", key.full, me):
            return True
        rows = self._database.run("SELECT owner FROM claims WHERE key = ?", key.full)
        owner = str(rows[0][0]) if rows else ""
        if owner and not _alive(owner, me, until):
            self._database.run("DELETE FROM claims WHERE key = ? AND owner = ?", key.full, owner)
        return False


def _alive(owner: str, me: str, until: float) -> bool:
    host, pid, *_ = *owner.rsplit(" ", 2), "", ""
    if not pid.isdecimal():
        return False  # damaged
    if host != me.rsplit(" ", 2)[0] or os.name == "nt":  # there os.kill would end the process
        return time.monotonic() < until
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # alive, and another user's
        pass
    return True
