"""A deadline for a whole HTTP call.

The client's own timeouts bound each read, so a server that sends a byte now and then is never
given up. Here every read and write of a connection gets what is left of the call's time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Deadline:
    """The time by which the call of the current thread must be done.

    The client works in the thread that calls it, so a thread's deadline is its call's.
    """

    def __init__(self) -> None:
        """No thread has a deadline yet."""
        self._until = threading.local()

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Bound everything the current thread does on the network inside the block."""
        self._until.time = time.monotonic() + seconds
        try:
            yield
        finally:
            self._until.time = None

    def left(self, timeout: float | None) -> float | None:
        """The shorter of ``timeout`` and the time left; raises the client's timeout if none is."""
        until: float | None = getattr(self._until, "time", None)
        if until is None:
            return timeout
        remaining = until - time.monotonic()
        if remaining <= 0:
            import httpcore2

            raise httpcore2.ReadTimeout("the time for the whole call is over")
        return remaining if timeout is None else min(timeout, remaining)


def bound(http_client: Any, deadline: Deadline) -> None:
    """Put every connection that an ``httpx2`` client will open under a deadline.

    ``httpx2`` does not pass ``httpcore2``'s ``network_backend`` through, so the pools are given
    it here; the tests hold this with servers that drip their headers and their body.
    """
    transports = [http_client._transport, *http_client._mounts.values()]  # noqa: SLF001 - no public way
    for transport in transports:
        pool = getattr(transport, "_pool", None)
        if pool is not None:
            pool._network_backend = _Backend(pool._network_backend, deadline)  # noqa: SLF001 - no public way


class _Backend:
    """Opens connections (``httpcore2.NetworkBackend``)."""

    def __init__(self, backend: Any, deadline: Deadline) -> None:
        self._backend = backend
        self._deadline = deadline

    def connect_tcp(self, *, timeout: float | None = None, **where: Any) -> _Stream:
        stream = self._backend.connect_tcp(timeout=self._deadline.left(timeout), **where)
        return _Stream(stream, self._deadline)

    def connect_unix_socket(self, *, timeout: float | None = None, **where: Any) -> _Stream:
        stream = self._backend.connect_unix_socket(timeout=self._deadline.left(timeout), **where)
        return _Stream(stream, self._deadline)

    def sleep(self, seconds: float) -> None:
        self._backend.sleep(seconds)


class _Stream:
    """One connection (``httpcore2.NetworkStream``)."""

    def __init__(self, stream: Any, deadline: Deadline) -> None:
        self._stream = stream
        self._deadline = deadline
        self.close = stream.close
        self.get_extra_info = stream.get_extra_info

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        data: bytes = self._stream.read(max_bytes, self._deadline.left(timeout))
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._deadline.left(timeout))

    def start_tls(self, *, timeout: float | None = None, **how: Any) -> _Stream:
        stream = self._stream.start_tls(timeout=self._deadline.left(timeout), **how)
        return _Stream(stream, self._deadline)
