"""Sends a request and reads what comes back: the one place that a server's bytes pass.

Whatever a server sends, a call ends in time, brings no more bytes than its answer can have, and
goes to no other host. The openai package gives a request its form and its headers; sending and
reading are done by a transport of ours, because the timeouts of an HTTP client bound single reads
(a server that sends a byte now and then is never given up), its decoders know no limit, and its
reading of errors, dates and charsets trusts the server.
"""

from __future__ import annotations

import ssl
import threading
import time
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

import httpcore2
import httpx2

from augkit.llm.faults import CONNECTION_LOST, MALFORMED, NOT_TEXT, TIMEOUT, UNREACHABLE
from augkit.llm.openai_api.responses import Received
from augkit.llm.openai_api.secrets import Secrets
from augkit.llm.settings import bare_address

if TYPE_CHECKING:
    from openai import OpenAI

MakeClient = Callable[[httpx2.Client], "OpenAI"]
"""Makes a client of the openai package that uses a given HTTP client, and does not retry."""

CONNECT_SECONDS = 10.0
"""A server that does not even take the connection within this time is not reachable."""
LOOK_SECONDS = 0.25
"""A call that waits looks this often whether it was aborted."""
LEAST_BYTES = 2**20
BYTES_PER_TOKEN = 2**11
"""More than a token has with the log-probabilities of twenty alternatives."""
PIECE = 2**16
KEEP_SECONDS = 5.0
"""A connection that nobody used for so long is closed: the server may have done so."""
KEPT_HEADERS = {
    b"retry-after": b"retry-after",
    b"retry-after-ms": b"retry-after-ms",
    b"location": b"redirects-to",  # under its own name httpx would read it as an address
}
"""All others are dropped before anything looks at their cookies, charsets and dates."""


class Client:
    """Calls of many threads to one server, on connections that are used again."""

    def __init__(self, make: MakeClient, address: str, key: str) -> None:
        """Make the client for an address; nothing is sent yet.

        The key and the secrets of the address are masked in all that the server sends.
        """
        self.server = bare_address(address)
        with suppress(ImportError):  # openai looks for httpx in sys.modules at each call, where
            import_module("httpx")  # another thread's first import of spaCy may be half done
        self._secrets = Secrets(address, key)
        self._limits = CallLimits()
        http_client = httpx2.Client(
            transport=BoundedTransport(address, self._limits),
            headers={"Accept-Encoding": "gzip"},  # all that BoundedTransport decodes
            # A redirect could send texts and key to any host: it is an answer like another.
            follow_redirects=False,
        )
        self._openai = make(http_client)

    def post(self, path: str, body: Mapping[str, Any], seconds: float, tokens: int) -> Received:
        """What comes back, or why nothing does.

        Args:
            path: The end of the server, as ``/chat/completions``.
            body: The request, as JSON.
            seconds: For the whole call.
            tokens: As many as the answer may have. What is far too long for them is not read to
                its end.
        """
        from openai import APIStatusError

        self._limits.begin(seconds, LEAST_BYTES + BYTES_PER_TOKEN * tokens)
        try:
            response = self._openai.post(path, cast_to=httpx2.Response, body=body)
        except APIStatusError as error:
            response = error.response
        except CallFailed as error:
            return Received(fault=error.fault, detail=self._secrets.mask(error.detail))
        except UnicodeEncodeError:
            return Received(fault=NOT_TEXT, detail="the text holds a lone surrogate")
        # JSON is UTF-8 (RFC 8259), whatever a header says.
        text = response.content.decode("utf-8-sig", "replace")
        mask = self._secrets.mask
        headers = {name: mask(value) for name, value in response.headers.items()}
        return Received(response.status_code, headers, mask(text))

    def abort(self) -> None:
        """End the calls in flight as if the connection were lost; none begins after it."""
        self._limits.abort()

    def close(self) -> None:
        """Close all connections."""
        self._openai.close()


class CallFailed(Exception):
    """A call without a whole response: its fault, and a detail."""

    def __init__(self, cause: Exception, seconds: float) -> None:
        """Explain what went wrong in a call that had so many seconds."""
        self.fault = CONNECTION_LOST
        self.detail = str(cause)
        if isinstance(cause, httpcore2.ConnectTimeout):
            self.fault = UNREACHABLE
            self.detail = f"no connection within {min(seconds, CONNECT_SECONDS):.3g} s"
        elif isinstance(cause, httpcore2.TimeoutException):
            self.fault = TIMEOUT
            self.detail = f"no answer within {seconds:.3g} s"
        elif isinstance(cause, httpcore2.ConnectError | httpcore2.ProxyError):
            self.fault = UNREACHABLE
        elif isinstance(cause, Unreadable | zlib.error):
            self.fault = MALFORMED
        super().__init__(self.detail)


class Unreadable(Exception):
    """A response that is too long, or encoded as nobody asked for."""


class CallLimits:
    """What the call of each thread may take."""

    def __init__(self) -> None:
        """Nothing may be taken before ``begin``."""
        self._of_thread = threading.local()
        self._aborted = threading.Event()

    def begin(self, seconds: float, most_bytes: int) -> None:
        """A call of this thread begins."""
        self._of_thread.seconds = seconds
        self._of_thread.end = time.monotonic() + seconds
        self._of_thread.most_bytes = most_bytes

    @property
    def seconds(self) -> float:
        """What the whole call of this thread had."""
        return float(self._of_thread.seconds)

    def abort(self) -> None:
        """All calls end."""
        self._aborted.set()

    def seconds_left(self) -> float:
        """How long the call may still take; an error where that is no longer."""
        if self._aborted.is_set():
            raise httpcore2.ReadError("the command was stopped")
        left: float = self._of_thread.end - time.monotonic()
        if left <= 0:
            raise httpcore2.ReadTimeout
        return left

    def check_bytes(self, received: int) -> None:
        """An error where a body has more bytes than the answer can have."""
        if received > self._of_thread.most_bytes:
            megabytes = self._of_thread.most_bytes / 1e6
            raise Unreadable(f"the body has over {megabytes:.0f} MB, more than any answer needs")


class BoundedTransport(httpx2.BaseTransport):
    """Returns whole responses: their decoded bodies, and of their headers the few that we read."""

    def __init__(self, address: str, limits: CallLimits) -> None:
        """Send to this address, or to the proxy that the environment names for it.

        The user, the password and the query of the address are added here: a request has none of
        them before, because packages log whom they ask.
        """
        self._limits = limits
        self._address = httpx2.URL(address)
        self._pool = httpcore2.ConnectionPool(
            ssl_context=httpx2.create_ssl_context(),
            proxy=find_proxy(address),
            max_connections=None,  # as many as there are threads
            keepalive_expiry=KEEP_SECONDS,
            network_backend=BoundedBackend(limits),
        )

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send, and read the response to its end or to the first limit."""
        asked = httpcore2.Request(
            request.method,
            httpcore2.URL(
                scheme=request.url.raw_scheme,
                host=request.url.raw_host,
                port=request.url.port,
                target=self._target(request.url),
            ),
            headers=self._headers(request),
            content=request.read(),
        )
        try:
            with closing(self._pool.handle_request(asked)) as response:
                body = self._read(response)
                if has_more(response):
                    response.extensions["network_stream"].is_spent = True
        except Exception as error:  # whatever a server does, it is a fault of its call
            raise CallFailed(error, self._limits.seconds) from error
        kept = [
            (KEPT_HEADERS[name.lower()], value)
            for name, value in response.headers
            if name.lower() in KEPT_HEADERS
        ]
        return httpx2.Response(response.status, headers=kept, content=body)

    def close(self) -> None:
        """Close the connections."""
        self._pool.close()

    def _target(self, url: httpx2.URL) -> bytes:
        queries = [query for query in (url.query, self._address.query) if query]
        return b"?".join(filter(None, [url.raw_path.partition(b"?")[0], b"&".join(queries)]))

    def _headers(self, request: httpx2.Request) -> list[tuple[bytes, bytes]]:
        headers = request.headers.copy()
        user = self._address.username
        password = self._address.password
        if user or password:
            both = b64encode(f"{user}:{password}".encode())
            headers["Authorization"] = f"Basic {both.decode()}"
        return headers.raw

    def _read(self, response: httpcore2.Response) -> bytes:
        """The decoded body; each piece is looked at when it comes."""
        encodings = [
            value for name, value in response.headers if name.lower() == b"content-encoding"
        ]
        encoding = b",".join(encodings).strip().lower()
        pieces: Iterable[bytes] = response.iter_stream()
        if encoding in {b"gzip", b"x-gzip", b"deflate"}:
            pieces = inflate(pieces)
        elif encoding not in {b"", b"identity"}:
            raise Unreadable(f"the body is encoded as {encoding[:40]!r}, which was not asked for")
        body = bytearray()
        for piece in pieces:
            self._limits.check_bytes(len(body) + len(piece))
            body += piece
        return bytes(body)


def has_more(response: httpcore2.Response) -> bool:
    """Whether more has come than the response: the next call would take it for its own answer."""
    stream: Any = response.stream
    try:
        # httpcore has no other word for it. Without these names no connection is used again.
        more, _ = stream._stream._connection._h11_state.trailing_data  # noqa: SLF001
    except AttributeError:
        return True
    return bool(more)


def find_proxy(address: str) -> httpcore2.Proxy | None:
    """The proxy of the environment for an address (``HTTPS_PROXY``, ``NO_PROXY``), if any."""
    parts = urlsplit(address)
    proxies = getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if not proxy or proxy_bypass(parts.netloc.rpartition("@")[2]):
        return None
    url = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    port = f":{url.port}" if url.port else ""
    auth = (unquote(url.username), unquote(url.password or "")) if url.username else None
    return httpcore2.Proxy(f"{url.scheme}://{url.hostname}{port}", auth=auth)


def inflate(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Decompress gzip or zlib, a little at a time: a small piece can hold a thousand times more."""
    decompressor = zlib.decompressobj(zlib.MAX_WBITS | 32)  # tells gzip and zlib apart
    for piece in pieces:
        left = piece
        while left and not decompressor.eof:
            yield decompressor.decompress(left, PIECE)
            left = decompressor.unconsumed_tail
        if decompressor.eof:
            return
    while not decompressor.eof:
        rest = decompressor.decompress(b"", PIECE)
        if not rest:
            raise Unreadable("the compressed body is cut")
        yield rest


class BoundedBackend(httpcore2.NetworkBackend):
    """Connections whose every operation knows the time that is left to the call of its thread."""

    def __init__(self, limits: CallLimits) -> None:
        self._limits = limits
        self._backend = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002 - that of a single operation
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        """Connect."""
        seconds = min(CONNECT_SECONDS, self._limits.seconds_left())
        stream = self._backend.connect_tcp(host, port, seconds, local_address, socket_options)
        return BoundedStream(stream, self._limits)


class BoundedStream(httpcore2.NetworkStream):
    """A connection whose reads and writes end with the call of their thread."""

    def __init__(self, stream: httpcore2.NetworkStream, limits: CallLimits) -> None:
        self._stream = stream
        self._limits = limits
        self.is_spent = False
        """Whether no further call may use it."""

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002
        """Wait for bytes, in short turns: another thread may abort the call."""
        while True:
            turn = min(LOOK_SECONDS, self._limits.seconds_left())
            with suppress(httpcore2.ReadTimeout):
                return self._stream.read(max_bytes, turn)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        """Send in pieces: a server may be slow to take them."""
        for start in range(0, len(buffer), PIECE):
            self._stream.write(buffer[start : start + PIECE], self._limits.seconds_left())

    def close(self) -> None:
        """Close the connection."""
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002
    ) -> httpcore2.NetworkStream:
        """Secure the connection."""
        seconds = min(CONNECT_SECONDS, self._limits.seconds_left())
        stream = self._stream.start_tls(ssl_context, server_hostname, seconds)
        return BoundedStream(stream, self._limits)

    def get_extra_info(self, info: str) -> Any:
        """What is known of the connection."""
        if info == "is_readable" and self.is_spent:
            return True  # of an idle connection: it is closed before it is used again
        return self._stream.get_extra_info(info)
