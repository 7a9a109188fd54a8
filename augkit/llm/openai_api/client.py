"""An OpenAI client whose calls end when their time is over, however slowly the server sends.

The timeouts of an HTTP client bound single reads, so a server that sends a byte now and then is
never given up. Here one thread shuts the socket of a call down, which ends the read in progress.
The socket is known by public means: httpx's ``trace`` extension reports the stream of a new
connection, and each client makes one call at a time, so that a reused connection is its last one.

``CallTimes`` says how much time that is: as much as the answer needs at the speed that the server
has shown.
"""

from __future__ import annotations

import math
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from augkit.core.types import Cost

if TYPE_CHECKING:
    import ssl

    from httpx2 import Request, Response
    from openai import OpenAI

MakeClient = Callable[[Any], "OpenAI"]
"""Makes a client of the openai package that uses a given HTTP client, and does not retry."""

CONNECT_SECONDS = 10.0
"""A server that does not even take the connection within this time is not reachable."""

UNKNOWN_SPEED = 2.0
"""Seconds per token of work before the first answer: a large model on a slow machine."""
FIRST_SECONDS = 600.0
"""A server may have to load its model before the first answer."""
LEAST_SECONDS = 60.0
MOST_SECONDS = 3600.0
PATIENCE = 5.0
"""A call may take so many times as long as the slowest of late would have taken for it."""
FORGETTING = 0.9
"""The slowest speed counts by this factor less with each further answer."""

READ_PER_WRITTEN = 8
"""Reading so many tokens takes about as long as writing one."""
FIXED_WORK = 16
"""What a call takes beside its tokens, in tokens."""


class DeadlineExceeded(Exception):
    """The time for the whole call is over."""


class ClientPool:
    """Clients for calls of many threads; one that is free is used again with its connection."""

    def __init__(self, make: MakeClient) -> None:
        """Make one client; others follow when calls need them."""
        import httpx2

        with suppress(ImportError):  # openai looks for httpx in sys.modules at each call, where
            import_module("httpx")  # another thread's first import of spaCy may be half done
        tls = httpx2.create_ssl_context()
        self._deadlines = Deadlines()
        self._make = partial(BoundedClient, make, tls, self._deadlines)
        first = self._make()
        self.base_url = first.base_url
        self._lock = threading.Lock()
        self._all, self._free = [first], [first]

    @contextmanager
    def client(self) -> Iterator[BoundedClient]:
        """A client for one call."""
        with self._lock:
            if not self._free:
                self._free.append(self._make())
                self._all += self._free
            client = self._free.pop()
        try:
            yield client
        finally:
            with self._lock:
                self._free.append(client)

    def abort(self) -> None:
        """End the calls in flight."""
        with self._lock:
            for client in self._all:
                client.abort()

    def close(self) -> None:
        """Close all connections."""
        self._deadlines.close()
        for client in self._all:
            client.close()


class Deadlines:
    """Ends calls whose time is over, in one thread for all of them.

    A timer for each call would be a thread for each call.
    """

    def __init__(self) -> None:
        """The thread starts with the first call."""
        self._changed = threading.Condition()
        self._ends: dict[BoundedClient, float] = {}
        self._waking = 0.0
        """When the thread looks next; infinite: when it is told to, 0: there is no thread."""

    def begin(self, client: BoundedClient, seconds: float) -> None:
        """The client has so many seconds from now."""
        end = time.monotonic() + seconds
        with self._changed:
            self._ends[client] = end
            if not self._waking:
                self._waking = end
                threading.Thread(target=self._watch, name="augkit-deadlines", daemon=True).start()
            elif end < self._waking:
                self._changed.notify()

    def finish(self, client: BoundedClient) -> None:
        """The call of the client has ended."""
        with self._changed:
            self._ends.pop(client, None)

    def close(self) -> None:
        """End the thread."""
        with self._changed:
            self._waking = 0.0
            self._changed.notify()

    def _watch(self) -> None:
        with self._changed:
            while self._waking:
                time_now = time.monotonic()
                for client in [client for client, end in self._ends.items() if end <= time_now]:
                    del self._ends[client]
                    client.expire()
                self._waking = min(self._ends.values(), default=math.inf)
                idle = self._waking == math.inf
                self._changed.wait(None if idle else max(0.0, self._waking - time.monotonic()))


class BoundedClient:
    """An OpenAI client for one call at a time."""

    def __init__(self, make: MakeClient, tls: ssl.SSLContext, deadlines: Deadlines) -> None:
        """Make the client; nothing is sent yet."""
        from openai import DefaultHttpxClient

        self._deadlines = deadlines
        self._lock = threading.Lock()
        self._expired = self._aborted = False
        self._stream: Any = None

        def trace(request: Request) -> None:
            request.extensions["trace"] = self._traced

        http_client = DefaultHttpxClient(verify=tls, event_hooks={"request": [trace]})
        self.openai = make(http_client)
        self.base_url = str(self.openai.base_url)

    def post(self, path: str, body: Mapping[str, Any], seconds: float) -> Response:
        """The response as it came; ``DeadlineExceeded`` where the whole call takes longer."""
        import httpx2
        from openai import APIConnectionError

        with self._lock:
            self._expired = False
        began = time.monotonic()
        self._deadlines.begin(self, seconds)
        try:
            timeout = httpx2.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS))
            return self.openai.post(
                path, cast_to=httpx2.Response, body=body, options={"timeout": timeout}
            )
        except APIConnectionError as error:
            # A single connect or read may use up all the time just before the deadline is seen.
            if self._expired or time.monotonic() - began >= seconds:
                raise DeadlineExceeded from error
            raise
        finally:
            self._deadlines.finish(self)

    def abort(self) -> None:
        """End the call in flight; it fails as if the connection were lost."""
        with self._lock:
            self._aborted = True
            self._shut_down()

    def close(self) -> None:
        """Close the connection."""
        self.openai.close()

    def _traced(self, _event: str, info: Mapping[str, Any]) -> None:
        """Keep the stream of a connection that was just made, or secured."""
        stream = info.get("return_value")
        if hasattr(stream, "get_extra_info"):
            with self._lock:
                self._stream = stream
                if self._expired or self._aborted:
                    self._shut_down()

    def expire(self) -> None:
        """The time of the call in flight is over."""
        with self._lock:
            self._expired = True
            self._shut_down()

    def _shut_down(self) -> None:
        sock = self._stream.get_extra_info("socket") if self._stream is not None else None
        if sock is not None:
            with suppress(OSError):  # closed already
                sock.shutdown(socket.SHUT_RDWR)


def work_of(prompt: int, answer: int) -> float:
    """What a call takes, in tokens written.

    >>> work_of(prompt=800, answer=100)
    216.0
    """
    return FIXED_WORK + answer + prompt / READ_PER_WRITTEN


class CallTimes:
    """The limit of the next call; all threads report what their calls took."""

    def __init__(self, fixed: float | None = None) -> None:
        """``fixed`` seconds for each call, or as many as it may need."""
        self._fixed = fixed
        self._lock = threading.Lock()
        self._answered = False
        self._seconds_per_work = UNKNOWN_SPEED

    def limit(self, prompt: int, answer: int) -> float:
        """Seconds for a call with a prompt of about so many tokens and at most this answer."""
        if self._fixed is not None:
            return self._fixed
        with self._lock:
            patience = PATIENCE if self._answered else 1.0
            expected = patience * self._seconds_per_work * work_of(prompt, answer)
            least = LEAST_SECONDS if self._answered else FIRST_SECONDS
            return min(MOST_SECONDS, max(least, expected))

    def answered(self, seconds: float, cost: Cost) -> None:
        """A call took so long; without a count of tokens it tells nothing."""
        if not cost.prompt_tokens:
            return
        speed = seconds / work_of(cost.prompt_tokens, cost.completion_tokens)
        with self._lock:
            slowest = FORGETTING * self._seconds_per_work if self._answered else 0.0
            self._answered = True
            self._seconds_per_work = max(speed, slowest)

    def timed_out(self) -> None:
        """A call was given up: the next ones get twice the time."""
        with self._lock:
            self._seconds_per_work = min(2 * self._seconds_per_work, MOST_SECONDS)
