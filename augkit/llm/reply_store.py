"""A table of recorded replies, keyed by everything that shapes a reply."""

from __future__ import annotations

import json
import time
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
    created REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS claims (key TEXT PRIMARY KEY, owner TEXT NOT NULL) WITHOUT ROWID;
"""

EXCERPT_CHARS = 200


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
    ]
    question = sha256(json.dumps(shaping).encode("ascii")).hexdigest()
    return Key(sha256(f"{identity}\n{question}".encode()).hexdigest(), question)


class ReplyStore:
    """Usable replies; each is committed when ``put`` returns."""

    def __init__(self, database: Database) -> None:
        """Use a database with the tables of ``SCHEMA``."""
        self._database = database

    def get(self, key: Key) -> Reply | None:
        """The reply as recorded, with its original cost; its answer is not parsed yet."""
        rows = self._database.run(
            "SELECT text, calls, prompt_tokens, completion_tokens, usd FROM replies WHERE key = ?",
            key.full,
        )
        return Reply(rows[0][0], cost=Cost(*rows[0][1:]), cached=True) if rows else None

    def put(self, key: Key, request: Request, reply: Reply) -> None:
        """Record a usable reply, replacing one that no longer validates."""
        cost = reply.cost
        self._database.run(
            "INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            key.full,
            key.question,
            request.prompt,
            _excerpt(request),
            reply.text,
            cost.calls,
            cost.prompt_tokens,
            cost.completion_tokens,
            cost.usd,
            reply.cached,
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
