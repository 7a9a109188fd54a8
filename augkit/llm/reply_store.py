"""Recorded replies, keyed by everything that shapes a reply."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from hashlib import sha256
from typing import Annotated, NamedTuple

from pydantic import Field, FiniteFloat, ValidationError

from augkit.core.config import StrictModel
from augkit.core.model_types import Reply, Request
from augkit.core.types import Cost
from augkit.llm.database import Database
from augkit.llm.faults import NOT_ANSWERED
from augkit.llm.structured_output import canonical_schema

SCHEMA = """
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, question TEXT NOT NULL, prompt TEXT NOT NULL, cached INTEGER NOT NULL,
    prompt_cached INTEGER NOT NULL, repaired INTEGER NOT NULL, reply TEXT NOT NULL,
    created REAL NOT NULL
) WITHOUT ROWID;
"""


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


Count = Annotated[int, Field(ge=0, lt=2**53)]


class RecordedReply(StrictModel):
    """The column ``reply``: what a reply holds that cannot be made again from its text."""

    text: str
    fault: str
    detail: str
    calls: Count
    prompt_tokens: Count
    completion_tokens: Count
    usd: Annotated[FiniteFloat, Field(ge=0)] | None
    probabilities: dict[str, FiniteFloat]
    prompt_cached: Count
    repairs: Sequence[str]

    @classmethod
    def of(cls, reply: Reply) -> RecordedReply:
        """What is kept of a reply."""
        return cls(
            text=reply.text,
            fault=reply.fault,
            detail=reply.detail,
            calls=reply.cost.calls,
            prompt_tokens=reply.cost.prompt_tokens,
            completion_tokens=reply.cost.completion_tokens,
            usd=reply.cost.usd,
            probabilities=dict(reply.probabilities),
            prompt_cached=reply.prompt_cached,
            repairs=reply.repairs,
        )

    def reply(self) -> Reply:
        """The reply; its answer is not parsed yet."""
        return Reply(
            self.text,
            fault=self.fault,
            detail=self.detail,
            cost=Cost(self.calls, self.prompt_tokens, self.completion_tokens, self.usd),
            cached=True,
            probabilities=self.probabilities,
            prompt_cached=self.prompt_cached,
        )


def read_reply(text: str) -> Reply | None:
    """The reply in a row of the table; None where the row is damaged."""
    try:
        return RecordedReply.model_validate_json(text).reply()
    except ValidationError:
        return None


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
        rows = self._database.run("SELECT reply FROM replies WHERE key = ?", key.full)
        reply = read_reply(rows[0][0]) if rows else None
        return None if reply is None or reply.fault in NOT_ANSWERED else reply

    def put(self, key: Key, request: Request, reply: Reply) -> None:
        """Record a reply, replacing one that is no longer usable."""
        if reply.fault and not self._faults:
            return
        self._database.run(
            "INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            key.full,
            key.question,
            request.prompt,
            reply.cached,
            reply.prompt_cached,
            bool(reply.repairs),
            RecordedReply.of(reply).model_dump_json(),
            time.time(),
        )

    def prompts(self) -> list[str]:
        """Ids, versions and digests of the prompts in the store."""
        rows = self._database.run(
            "SELECT DISTINCT prompt FROM replies WHERE prompt <> '' ORDER BY 1"
        )
        return [str(row[0]) for row in rows]

    def counts(self) -> tuple[int, int, int]:
        """Replies of a shared cache, prompt tokens of the server's cache, repaired answers."""
        cached, tokens, repaired = self._database.run(
            "SELECT TOTAL(cached), TOTAL(prompt_cached * (1 - cached)), TOTAL(repaired) "
            "FROM replies"
        )[0]
        return int(cached), int(tokens), int(repaired)
