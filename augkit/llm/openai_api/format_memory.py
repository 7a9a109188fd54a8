"""Which output format a server understands, found by trying the best first."""

from __future__ import annotations

import threading

from augkit.llm.structured_output import OUTPUT_FORMATS, OutputFormat

SUSPICIONS = 2
"""Unexplained failures in a row, in a format that has never worked, before the next is tried."""


class FormatMemory:
    """The best output format a server has not rejected; one that has worked once is kept.

    Many threads send at the same time, so each failure names the format it was sent in: it counts
    only where that format is still in use.
    """

    def __init__(self) -> None:
        """Begin with the best format."""
        self._lock = threading.Lock()
        self._index = 0
        self._suspicions = 0
        self._proven = False

    @property
    def current(self) -> OutputFormat:
        """The format for the next request."""
        return OUTPUT_FORMATS[self._index]

    def worked(self, used: OutputFormat) -> None:
        """A reply in this format was valid."""
        with self._lock:
            self._proven |= used == self.current

    def rejected(self, used: OutputFormat) -> bool:
        """The server does not take this format; returns whether another one is now in use."""
        return self._failed(used, suspicions=SUSPICIONS)

    def suspected(self, used: OutputFormat) -> bool:
        """The format may have caused a failure; returns whether another one is now in use."""
        return self._failed(used, suspicions=1)

    def _failed(self, used: OutputFormat, suspicions: int) -> bool:
        with self._lock:
            if used == self.current and not self._proven:
                self._suspicions += suspicions
                if self._suspicions >= SUSPICIONS:
                    self._index = min(self._index + 1, len(OUTPUT_FORMATS) - 1)
                    self._suspicions = 0
            return used != self.current
