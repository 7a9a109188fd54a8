"""An OpenAI client whose calls end when their time is over, however slowly the server sends.

The timeouts of an HTTP client bound single reads, so a server that sends a byte now and then is
never given up. Here a timer shuts the socket of the call down, which ends the read in progress.
The socket is known by public means: httpx's ``trace`` extension reports the stream of a new
connection, and each client makes one call at a time, so that a reused connection is its last one.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ssl

    from httpx2 import Request, Response
    from openai import OpenAI

MakeClient = Callable[[Any], "OpenAI"]
"""Makes a client of the openai package that uses a given HTTP client, and does not retry."""

CONNECT_SECONDS = 10.0
"""A server that does not even take the connection within this time is not reachable."""


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
        self._make = partial(BoundedClient, make, tls)
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
        for client in self._all:
            client.close()


class BoundedClient:
    """An OpenAI client for one call at a time."""

    def __init__(self, make: MakeClient, tls: ssl.SSLContext) -> None:
        """Make the client; nothing is sent yet."""
        from openai import DefaultHttpxClient

        self._lock = threading.Lock()
        self._call = 0
        self._expired = self._aborted = False
        self._stream: Any = None
        http_client = DefaultHttpxClient(verify=tls, event_hooks={"request": [self._trace]})
        self.openai = make(http_client)
        self.base_url = str(self.openai.base_url)

    def post(self, path: str, body: Mapping[str, Any], seconds: float) -> Response:
        """The response as it came; ``DeadlineExceeded`` where the whole call takes longer."""
        import httpx2
        from openai import APIConnectionError

        with self._lock:
            self._call += 1
            self._expired = False
        began = time.monotonic()
        timer = threading.Timer(seconds, self._expire, [self._call])
        timer.daemon = True
        timer.start()
        try:
            timeout = httpx2.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS))
            return self.openai.post(
                path, cast_to=httpx2.Response, body=body, options={"timeout": timeout}
            )
        except APIConnectionError as error:
            # A single connect or read may use up all the time just before the timer fires.
            if self._expired or time.monotonic() - began >= seconds:
                raise DeadlineExceeded from error
            raise
        finally:
            timer.cancel()

    def abort(self) -> None:
        """End the call in flight; it fails as if the connection were lost."""
        with self._lock:
            self._aborted = True
            self._shut_down()

    def close(self) -> None:
        """Close the connection."""
        self.openai.close()

    def _trace(self, request: Request) -> None:
        request.extensions["trace"] = self._traced

    def _traced(self, _event: str, info: Mapping[str, Any]) -> None:
        """Keep the stream of a connection that was just made, or secured."""
        stream = info.get("return_value")
        if hasattr(stream, "get_extra_info"):
            with self._lock:
                self._stream = stream
                if self._expired or self._aborted:
                    self._shut_down()

    def _expire(self, call: int) -> None:
        with self._lock:
            if call == self._call:  # a timer may run out just as its call ends
                self._expired = True
                self._shut_down()

    def _shut_down(self) -> None:
        sock = self._stream.get_extra_info("socket") if self._stream is not None else None
        if sock is not None:
            with suppress(OSError):  # closed already
                sock.shutdown(socket.SHUT_RDWR)
