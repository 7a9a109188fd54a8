"""A sqlite file: one connection behind a lock, and errors that say what to do."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from augkit.core.errors import DiskFull, UserError

VERSION = 5
"""Increased when the tables change; a file of another version is not used."""
BUSY = 30.0
"""Seconds to wait for another process that is writing."""


class Database:
    """A sqlite file (without a path: in memory) whose statements commit when they return.

    A killed process loses nothing that was committed (WAL, ``synchronous=NORMAL``).
    """

    def __init__(self, path: Path | None, schema: str) -> None:
        """Open or create the file; ``schema`` creates what is missing."""
        self.path = path
        self._lock = threading.Lock()
        with _explained(path):
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                path or ":memory:", timeout=BUSY, isolation_level=None, check_same_thread=False
            )
            # A damaged text is told where it is read, not by an error here.
            self._connection.text_factory = decoded
            try:
                _prepare(self._connection, schema)
            except sqlite3.Error:
                self._connection.close()
                raise

    def run(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Execute one statement, commit it, and return its rows."""
        with self._lock, _explained(self.path):
            return self._connection.execute(statement, values).fetchall()

    def close(self) -> None:
        """Close the file and merge its log into it."""
        with self._lock:
            self._connection.close()


def _prepare(connection: sqlite3.Connection, schema: str) -> None:
    """Create what is missing, with our version.

    Several processes may create a file at once: sqlite does not wait for the switch to WAL.
    """
    until = time.monotonic() + BUSY
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            if not connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]:
                connection.execute(f"PRAGMA user_version={VERSION}")
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version != VERSION:
                raise sqlite3.DatabaseError(f"tables of version {version}, expected {VERSION}")
            connection.executescript(schema)
        except sqlite3.OperationalError as error:  # noqa: PERF203 - it waits anyway
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return


def decoded(text: bytes) -> str:
    """A text of a file, whatever bytes it has."""
    return text.decode("utf-8", "replace")


@contextmanager
def _explained(path: Path | None) -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        if "full" in str(error):
            raise DiskFull(
                f"{path}: no space left to write ({error}). Free some, then --resume"
            ) from error
        raise UserError(f"{path}: cannot be used ({error}). Choose another path") from error
    except sqlite3.DatabaseError as error:
        raise UserError(
            f"{path}: this file of recorded replies is damaged, or of another version of augkit "
            f"({error}). Delete it to start a new one, or name another file: --set cache=FILE"
        ) from error
    except OSError as error:
        raise UserError(f"{path}: cannot be used ({error}). Choose another path") from error
