"""The batches of a run and their lines, in the run's sqlite file: what was sent, what came back."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Sequence
from typing import NamedTuple

from augkit.llm.database import Database

SCHEMA = """
CREATE TABLE IF NOT EXISTS batches (
    id TEXT PRIMARY KEY, remote TEXT NOT NULL, server TEXT NOT NULL, created REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS batch_lines (
    id TEXT PRIMARY KEY, batch TEXT NOT NULL, entry INTEGER NOT NULL, settled INTEGER NOT NULL,
    status INTEGER, body TEXT NOT NULL
) WITHOUT ROWID;
"""

UNANSWERED = 0
"""The status of a line that a batch ended without."""


class Batch(NamedTuple):
    """A batch; ``remote`` is its id at the server, "" until the server has confirmed it."""

    id: str
    remote: str
    created: float


class Line(NamedTuple):
    """A request in a batch; ``status`` is None until it is answered."""

    id: str
    batch: str
    entry: int
    settled: bool
    status: int | None
    body: str


class BatchTable:
    """Each change is committed when its method returns."""

    def __init__(self, database: Database) -> None:
        """Use a database with the tables of ``SCHEMA``."""
        self._database = database

    def add(self, server: str, line_ids: Sequence[str], entries: Sequence[int]) -> Batch:
        """A new batch with these lines, entered as spending under ``entries``."""
        batch = Batch(uuid.uuid4().hex, "", time.time())
        rows = json.dumps(list(zip(line_ids, entries, strict=True)))
        # The batch first: without lines it is nothing, and lines without a batch could not be sent.
        self._database.run(
            "INSERT INTO batches VALUES (?, '', ?, ?)", batch.id, server, time.time()
        )
        self._database.run(
            "INSERT INTO batch_lines SELECT json_extract(value, '$[0]'), ?, "
            "json_extract(value, '$[1]'), 0, NULL, '' FROM json_each(?)",
            *(batch.id, rows),
        )
        return batch

    def confirm(self, batch: Batch, remote: str) -> None:
        """The server has the batch, under this id."""
        self._database.run("UPDATE batches SET remote = ? WHERE id = ?", remote, batch.id)

    def remove(self, batch: Batch) -> list[Line]:
        """Forget a batch that the server does not have, or has refused; returns its lines."""
        lines = self._lines("batch = ?", batch.id)
        self._database.run("DELETE FROM batch_lines WHERE batch = ?", batch.id)
        self._database.run("DELETE FROM batches WHERE id = ?", batch.id)
        return lines

    def lines(self, ids: Sequence[str]) -> dict[str, Line]:
        """The lines of these ids that were sent, or were to be sent."""
        lines = self._lines("id IN (SELECT value FROM json_each(?))", json.dumps(list(ids)))
        return {line.id: line for line in lines}

    def any_of(self, server: str) -> bool:
        """Whether this run has ever had a batch of this model."""
        return bool(self._database.run("SELECT 1 FROM batches WHERE server = ? LIMIT 1", server))

    def open_batches(self, server: str) -> list[Batch]:
        """Batches with lines that are not answered yet, the oldest first."""
        rows = self._database.run(
            "SELECT id, remote, created FROM batches WHERE server = ? AND EXISTS (SELECT 1 FROM "
            "batch_lines WHERE batch = batches.id AND status IS NULL) ORDER BY created",
            server,
        )
        return [Batch(*row) for row in rows]

    def answer(self, batch: Batch, answers: dict[str, tuple[int, str]]) -> None:
        """Record how the lines of a batch were answered; the others were not."""
        for name, (status, body) in answers.items():
            self._database.run(
                "UPDATE batch_lines SET status = ?, body = ? WHERE id = ? AND batch = ?",
                *(status, body, name, batch.id),
            )
        self._database.run(
            "UPDATE batch_lines SET status = ? WHERE batch = ? AND status IS NULL",
            *(UNANSWERED, batch.id),
        )

    def settle(self, line: Line) -> None:
        """The cost of a line is settled."""
        self._database.run("UPDATE batch_lines SET settled = 1 WHERE id = ?", line.id)

    def _lines(self, condition: str, *values: str) -> list[Line]:
        rows = self._database.run(
            "SELECT id, batch, entry, settled, status, body FROM batch_lines WHERE "  # noqa: S608 - conditions of this class
            + condition,
            *values,
        )
        return [Line(*row) for row in rows]
