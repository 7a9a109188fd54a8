"""A server that answers as none should: each behaviour has a port of its own.

A behaviour is a script, the steps of one connection: ``bytes`` are sent, a function is called with
the connection. The request is read first, and the connection is closed at the end, unless the
script says otherwise. How ``augkit run`` ends with each behaviour stands in ``hostile.yaml``.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import threading
import zlib
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import quote

from typing_extensions import Self

USER = "mallory.smith"
PASSWORD = "p4ss:w/rd&more"
TOKEN = "t0ken-ab/cd+ef"
KEY = "sk-very-secret-4711"
SECRETS = (USER, PASSWORD, TOKEN, KEY)
"""What the client sends to the server, and shows to nobody else."""

ANSWER = "A text in other words."
FORGED = "An answer to no question."
"""What stands in a response that nobody asked for."""
BAIT = b"bait.invalid:1"
"""In what is sent, this stands for the address of a second server, which nobody may call."""
BAIT_FILE = b"/bait/file"
"""The same for a file, which nobody may read."""

MOST_SECONDS = 20.0
"""The time limit of a call that is answered; a busy machine needs some."""
FEW_SECONDS = 0.5
"""The time limit of a call that is never answered."""


@dataclass
class Connection:
    """A connection to the server, as a step of a script sees it."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    request: bytes = b""
    """The request that was read last."""
    kept: bool = False
    """Whether the script begins again with the next request."""

    async def read_request(self) -> None:
        """Read the head of a request and its body."""
        head = await self.reader.readuntil(b"\r\n\r\n")
        [length] = [
            int(line.partition(b":")[2])
            for line in head.split(b"\r\n")
            if line.lower().startswith(b"content-length:")
        ]
        self.request = head + await self.reader.readexactly(length)

    async def send(self, data: bytes) -> None:
        """Send bytes, as fast as the client takes them."""
        self.writer.write(data)
        await self.writer.drain()


Step = bytes | Callable[[Connection], Awaitable[None]]


class Behaviour(NamedTuple):
    """What the server does on a connection."""

    steps: tuple[Step, ...]
    seconds: float = MOST_SECONDS
    """How long a call of the client may take."""
    reads_first: bool = True
    """Whether the request is read before the first step."""


# Steps of scripts.


async def silence(connection: Connection) -> None:
    """Do nothing, until the client leaves."""
    while await connection.reader.read(2**16):
        pass


async def reset(connection: Connection) -> None:
    """Break the connection off, without the end that TCP has for it."""
    connection.writer.transport.abort()


async def keep(connection: Connection) -> None:
    """Wait for another request, which gets the same answer."""
    connection.kept = True


async def read_beginning(connection: Connection) -> None:
    """Read the first bytes of a request only."""
    await connection.reader.readexactly(10)


async def echo_request(connection: Connection) -> None:
    """Send the whole request back, as the page of an error."""
    await connection.send(whole(connection.request, "500 Broken"))


def endless(data: bytes, pause: float = 0.0) -> Step:
    """Send the same bytes again and again, until the client leaves."""

    async def send(connection: Connection) -> None:
        while True:
            await connection.send(data)
            await asyncio.sleep(pause)

    return send


def later(make: Callable[[], bytes]) -> Step:
    """Send bytes that are too many to be made beforehand."""

    async def send(connection: Connection) -> None:
        await connection.send(make())

    return send


def slowly(data: bytes, pieces: int = 20, pause: float = 0.01) -> Step:
    """Send bytes in pieces, with pauses."""

    async def send(connection: Connection) -> None:
        size = len(data) // pieces + 1
        for start in range(0, len(data), size):
            await connection.send(data[start : start + size])
            await asyncio.sleep(pause)

    return send


# Responses.


CLOSES = "Connection: close"


def head(status: str = "200 OK", *headers: str, version: str = "HTTP/1.1") -> bytes:
    """A status line with headers; what is not ASCII is sent as UTF-8."""
    lines = [f"{version} {status}", *headers, CLOSES, "", ""]
    return "\r\n".join(lines).encode()


def whole(body: bytes, status: str = "200 OK", *headers: str) -> bytes:
    """A response with the length of its body."""
    return head(status, *headers, f"Content-Length: {len(body)}") + body


def chunk(data: bytes) -> bytes:
    """A piece of a chunked body."""
    return b"%x\r\n%s\r\n" % (len(data), data)


CHUNKED = "Transfer-Encoding: chunked"
MISSING = object()
"""In place of a field's value: the field is left out."""


def with_fields(record: dict[str, Any], fields: dict[str, Any]) -> dict[str, Any]:
    """A record with other values of some fields."""
    changed = {**record, **fields}
    return {name: value for name, value in changed.items() if value is not MISSING}


TEXT = json.dumps({"words": [], "text": ANSWER})
MESSAGE = {"role": "assistant", "content": TEXT}
CHOICE = {"index": 0, "message": MESSAGE, "finish_reason": "stop"}
USAGE = {"prompt_tokens": 50, "completion_tokens": 10, "total_tokens": 60}
COMPLETION = {"object": "chat.completion", "model": "tiny", "choices": [CHOICE], "usage": USAGE}
GOOD = json.dumps(COMPLETION).encode()
FORGERY = GOOD.replace(ANSWER.encode(), FORGED.encode())
ERROR = b'{"error": {"message": "something broke", "type": "odd"}}'
DEEP = b"[" * 100_000


def completion(**fields: Any) -> bytes:
    """A chat completion with other fields."""
    return whole(json.dumps(with_fields(COMPLETION, fields)).encode())


def choice(**fields: Any) -> bytes:
    """A chat completion whose only choice has other fields."""
    return completion(choices=[with_fields(CHOICE, fields)])


def message(**fields: Any) -> bytes:
    """A chat completion whose message has other fields."""
    return choice(message=with_fields(MESSAGE, fields))


def usage(**fields: Any) -> bytes:
    """A chat completion whose usage has other fields."""
    return completion(usage=with_fields(USAGE, fields))


def error(text: str, status: str = "500 Broken") -> bytes:
    """An error response with a message."""
    return whole(json.dumps({"error": {"message": text}}).encode(), status)


def ask_to_wait(value: str, header: str = "Retry-After") -> bytes:
    """An error response that says when to come again."""
    return whole(ERROR, "429 Slow Down", f"{header}: {value}")


def encoded(body: bytes, encoding: str, status: str = "200 OK") -> bytes:
    """A response with a Content-Encoding, which may be a lie."""
    return whole(body, status, f"Content-Encoding: {encoding}")


def redirect(status: str, *locations: str) -> bytes:
    """A response that sends the client elsewhere."""
    return whole(b"", status, *(f"Location: {location}" for location in locations))


GZIP_BEGINS = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"


@cache
def packed_zeros() -> bytes:
    """A megabyte of zeros in a kilobyte: a piece of deflate that can be sent again and again."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return compressor.compress(bytes(2**20)) + compressor.flush(zlib.Z_FULL_FLUSH)


def gzip_bomb() -> bytes:
    """Fifty megabytes of zeros in fifty kilobytes; their end is missing."""
    return GZIP_BEGINS + 50 * packed_zeros()


def long_answer() -> bytes:
    """An answer of 20 MB."""
    return GOOD.replace(b"other", b"x" * 20_000_000)


def raw_deflate(data: bytes) -> bytes:
    """Deflate without the header that the standard asks for, as some servers send it."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return compressor.compress(data) + compressor.flush()


# The behaviours, in groups. A name says what the server does.

_STATUSES = (
    "101 204 205 300 304 305 400 401 402 403 404 405 406 407 408 409 410 411 412 413 414 415 416 "
    "417 418 421 422 423 424 425 426 428 429 431 451 499 500 501 502 503 504 505 507 508 511 520 "
    "529 530 598 600 700 999 000 099 20 1000 -1 abc 4xx 二百"
).split()

STATUS_CODES = {
    **{f"status {status}": Behaviour((whole(ERROR, f"{status} Reason"),)) for status in _STATUSES},
    "a good answer": Behaviour((whole(GOOD),)),
    "status 201 with an answer": Behaviour((whole(GOOD, "201 Created"),)),
    "status 206 with an answer": Behaviour((whole(GOOD, "206 Partial Content"),)),
    "status 299 with an answer": Behaviour((whole(GOOD, "299 Unheard Of"),)),
    "status 500 with an answer": Behaviour((whole(GOOD, "500 Broken"),)),
    "status 200 with an error": Behaviour((whole(ERROR),)),
    "status without a reason": Behaviour((whole(GOOD, "200"),)),
    "status with a reason of 90 kB": Behaviour((whole(GOOD, "200 " + "x" * 90_000),)),
    "status with a reason of 200 kB": Behaviour((whole(GOOD, "200 " + "x" * 200_000),)),
    "no quota left": Behaviour(
        (whole(b'{"error": {"code": "insufficient_quota"}}', "429 Slow Down"),)
    ),
    "status 100 and silence": Behaviour((head("100 Continue"), silence), FEW_SECONDS),
    "status 100 and an answer": Behaviour((head("100 Continue"), whole(GOOD))),
    "status 103 and an answer": Behaviour((head("103 Early Hints", "Link: </x>"), whole(GOOD))),
    "status 100 without end": Behaviour((endless(head("100 Continue") * 100),), FEW_SECONDS),
}

_WAITS = {
    "of -5": "-5",
    "of nan": "nan",
    "of inf": "inf",
    "of -inf": "-inf",
    "of 1e400": "1e400",
    "of a thousand years": "31536000000",
    "of 0x10": "0x10",
    "of 5,000 digits": "9" * 5000,
    "of nothing": "",
    "of two numbers": "1, 2",
    "of Arabic digits": "٣٠٠٠",
    "of words": "when it suits you",
    "in the year 99999": "Fri, 31 Dec 99999 23:59:59 GMT",
    "in the year -1": "Fri, 31 Dec -1 23:59:59 GMT",
    "in the past": "Thu, 01 Jan 1970 00:00:00 GMT",
    "on no day": "Fri, 99 Dec 2026 99:99:99 GMT",
    "in a far time zone": "Fri, 31 Dec 2027 23:59:59 +999999999999",
}

HEADERS = {
    **{f"Retry-After {name}": Behaviour((ask_to_wait(value),)) for name, value in _WAITS.items()},
    "Retry-After-Ms of nan": Behaviour((ask_to_wait("nan", "Retry-After-Ms"),)),
    "Retry-After-Ms of 1e308": Behaviour((ask_to_wait("1e308", "Retry-After-Ms"),)),
    "Retry-After twice": Behaviour((ask_to_wait("0\r\nRetry-After: 7e9"),)),
    "no header at all": Behaviour((b"HTTP/1.1 200 OK\r\n\r\n" + GOOD,)),
    "2,000 headers": Behaviour((whole(GOOD, "200 OK", *(f"X-{n}: y" for n in range(2000))),)),
    "5,000 cookies": Behaviour((whole(GOOD, "200 OK", *["Set-Cookie: a=b; c"] * 5000),)),
    "a header of 90 kB": Behaviour((whole(GOOD, "200 OK", "X: " + "y" * 90_000),)),
    "a header of 200 kB": Behaviour((whole(GOOD, "200 OK", "X: " + "y" * 200_000),)),
    "headers without end": Behaviour((head()[:-2], endless(b"X-More: of it\r\n" * 100))),
    "a header in Chinese": Behaviour((whole(GOOD, "200 OK", "X-Name: 名字", "名字: x"),)),
    "a value in Chinese": Behaviour((whole(GOOD, "200 OK", "X-Name: 名字"),)),
    "a folded header": Behaviour((whole(GOOD, "200 OK", "X-Long: a", "  b", "\tc"),)),
    "a header without a colon": Behaviour((whole(GOOD, "200 OK", "nothing to see here"),)),
    "a header without a name": Behaviour((whole(GOOD, "200 OK", ": nobody"),)),
    "a header with a zero byte": Behaviour((whole(GOOD, "200 OK", "X: a\0b"),)),
    "a header with an escape": Behaviour((whole(GOOD, "200 OK", "X: \x1b[2J"),)),
    "a date in the year 99999": Behaviour(
        (whole(GOOD, "200 OK", "Date: Fri, 31 Dec 99999 23:59:59 GMT"),)
    ),
    "a length that is negative": Behaviour((head("200 OK", "Content-Length: -1") + GOOD,)),
    "a length that is no number": Behaviour((head("200 OK", "Content-Length: ten") + GOOD,)),
    "a length of 5,000 digits": Behaviour(
        (head("200 OK", "Content-Length: " + "9" * 5000) + GOOD,)
    ),
    "a length of 1e18": Behaviour((head("200 OK", f"Content-Length: {10**18}") + GOOD,)),
    "a length that is too long": Behaviour(
        (head("200 OK", f"Content-Length: {len(GOOD) + 5}") + GOOD,)
    ),
    "a length that is too short": Behaviour((head("200 OK", "Content-Length: 9") + GOOD,)),
    "a length of zero": Behaviour((head("200 OK", "Content-Length: 0") + GOOD,)),
    "two equal lengths": Behaviour((whole(GOOD, "200 OK", f"Content-Length: {len(GOOD)}"),)),
    "two lengths": Behaviour((whole(GOOD, "200 OK", "Content-Length: 9"),)),
    "a length and chunks": Behaviour(
        (head("200 OK", CHUNKED, "Content-Length: 9"), chunk(GOOD), chunk(b""))
    ),
    "an unknown transfer": Behaviour((head("200 OK", "Transfer-Encoding: gzip"), GOOD)),
    "chunks in chunks": Behaviour((head("200 OK", f"{CHUNKED}, chunked"), chunk(GOOD), chunk(b""))),
    "an upgrade to HTTP/2": Behaviour(
        (whole(GOOD, "200 OK", "Connection: Upgrade", "Upgrade: h2c"),)
    ),
    "status 101 to HTTP/2": Behaviour(
        (head("101 Switching", "Connection: Upgrade", "Upgrade: h2c"), silence), FEW_SECONDS
    ),
    "status 401 that wants a digest": Behaviour(
        (whole(ERROR, "401 No", 'WWW-Authenticate: Digest realm="x", nonce="y", qop="auth"'),)
    ),
    "status 407 that wants a proxy's password": Behaviour(
        (whole(ERROR, "407 No", 'Proxy-Authenticate: Basic realm="x"'),)
    ),
}

_CHARSETS = (
    "undefined hex utf-16 utf-7 idna punycode rot13 base64 zip bz2 uu quopri unicode_escape "
    "raw_unicode_escape mbcs latin-1 cp037 unknown-8bit"
).split()
_TYPES = {
    **{f"charset {name}": f"application/json; charset={name}" for name in _CHARSETS},
    "a charset of 50 kB": "application/json; charset=" + "u" * 50_000,
    "a charset with a zero byte": 'application/json; charset="utf\\0"',
    "a charset in stars": "application/json; charset*=undefined''utf-8",
    "two charsets": "application/json; charset=hex; charset=idna",
    "a type that is none": ";;;=,=;",
    "an answer that is called a picture": "image/png",
    "an answer that is called a stream": "text/event-stream",
}

CONTENT_TYPES = {
    **{
        name: Behaviour((whole(GOOD, "200 OK", f"Content-Type: {value}"),))
        for name, value in _TYPES.items()
    },
    "status 500 in charset undefined": Behaviour(
        (whole(ERROR, "500 Broken", "Content-Type: application/json; charset=undefined"),)
    ),
    "status 400 in charset hex": Behaviour(
        (whole(ERROR, "400 Bad", "Content-Type: application/json; charset=hex"),)
    ),
}

_GZIPPED = gzip.compress(GOOD)

ENCODINGS = {
    "gzip": Behaviour((encoded(_GZIPPED, "gzip"),)),
    "gzip in capitals": Behaviour((encoded(_GZIPPED, "  GZIP "),)),
    "deflate": Behaviour((encoded(zlib.compress(GOOD), "deflate"),)),
    "identity": Behaviour((encoded(GOOD, "identity"),)),
    "raw deflate": Behaviour((encoded(raw_deflate(GOOD), "deflate"),)),
    "gzip without its name": Behaviour((whole(_GZIPPED),)),
    "gzip that is none": Behaviour((encoded(GOOD, "gzip"),)),
    "gzip that is cut": Behaviour((encoded(_GZIPPED[:-20], "gzip"),)),
    "gzip with a wrong checksum": Behaviour((encoded(_GZIPPED[:-8] + bytes(8), "gzip"),)),
    "gzip with more behind it": Behaviour((encoded(_GZIPPED + b"more", "gzip"),)),
    "gzip of nothing": Behaviour((encoded(gzip.compress(b""), "gzip"),)),
    "gzip of no bytes": Behaviour((encoded(b"", "gzip"),)),
    "gzip of gzip": Behaviour((encoded(gzip.compress(_GZIPPED), "gzip"),)),
    "gzip, gzip": Behaviour((encoded(gzip.compress(_GZIPPED), "gzip, gzip"),)),
    "gzip in two headers": Behaviour(
        (encoded(gzip.compress(_GZIPPED), "gzip\r\nContent-Encoding: gzip"),)
    ),
    "gzip with an error": Behaviour((encoded(gzip.compress(ERROR), "gzip", "500 Broken"),)),
    "a gzip bomb": Behaviour((later(lambda: encoded(gzip_bomb(), "gzip")),)),
    "a gzip bomb with status 400": Behaviour(
        (later(lambda: encoded(gzip_bomb(), "gzip", "400 Bad")),)
    ),
    "a gzip bomb with status 500": Behaviour(
        (later(lambda: encoded(gzip_bomb(), "gzip", "500 Broken")),)
    ),
    "a gzip bomb without end": Behaviour(
        (head("200 OK", "Content-Encoding: gzip"), GZIP_BEGINS, endless(packed_zeros()))
    ),
    "a deflate bomb without end": Behaviour(
        (head("200 OK", "Content-Encoding: deflate"), b"\x78\x9c", endless(packed_zeros()))
    ),
    "gzip of empty blocks without end": Behaviour(
        (
            head("200 OK", "Content-Encoding: gzip"),
            GZIP_BEGINS,
            endless(b"\0\0\0\xff\xff" * 1000),
        ),
        FEW_SECONDS,
    ),
    "brotli": Behaviour((encoded(b"\x0b\x02\x80{}\x03", "br"),)),
    "zstd": Behaviour((encoded(b"\x28\xb5\x2f\xfd\x04\x58\x11\0\0{}", "zstd"),)),
    "compress": Behaviour((encoded(b"\x1f\x9d\x90", "compress"),)),
    "an unknown encoding": Behaviour((encoded(GOOD, "x-magic"),)),
    "an encoding of 50 kB": Behaviour((encoded(GOOD, "x" * 50_000),)),
}

_BODIES = {
    "nothing": b"",
    "a web page": b"<!DOCTYPE html><html><body>Welcome to the hotel's Wi-Fi</body></html>",
    "whitespace": b" \r\n\t" * 1000,
    "a byte order mark and an answer": b"\xef\xbb\xbf" + GOOD,
    "NaN": b"NaN",
    "null": b"null",
    "true": b"true",
    "a number": b"42",
    "a number of 100,000 digits": b"9" * 100_000,
    "a string": b'"hello"',
    "an empty list": b"[]",
    "an empty object": b"{}",
    "XML": b'<?xml version="1.0"?><answer/>',
    "a stream of events": b"data: " + GOOD + b"\n\ndata: [DONE]\n\n",
    "two answers in a row": GOOD + b"\n" + FORGERY,
    "an answer and a comma": GOOD[:-1] + b",}",
    "an answer in single quotes": GOOD.replace(b'"', b"'"),
    "an answer in a list": b"[" + GOOD + b"]",
    "an answer after )]}'": b")]}'\n" + GOOD,
    "an answer in UTF-16": GOOD.decode().encode("utf-16"),
    "an answer with bad UTF-8": GOOD.replace(b"other", b"o\xc3\x28\xff\xfe\x80r"),
    "an answer with zero bytes": GOOD.replace(b"other", b"o\0r"),
    "an answer cut after a byte": GOOD[:1],
    "an answer cut in half": GOOD[: len(GOOD) // 2],
    "an answer without its last byte": GOOD[:-1],
    "an answer with the choices twice": GOOD[:-1] + b', "choices": []}',
    "an answer with an error": GOOD[:-1] + b', "error": {"message": "and yet it broke"}}',
    "an error that is null": b'{"error": null}',
    "an error in a list": b"[" + ERROR + b"]",
    "300 kB of backslashes": b"\\" * 300_000,
    "300 kB of percents": b"%25" * 100_000,
    "a megabyte of small lists": b"[" + b"[]," * 333_333 + b"[]]",
    "100,000 brackets": DEEP,
    "100,000 brackets that close": DEEP + b"]" * 100_000,
    "100,000 objects": b'{"a":' * 100_000,
}

BODIES = {
    **{f"200, {name}": Behaviour((whole(body),)) for name, body in _BODIES.items()},
    **{
        f"{status}, {name}": Behaviour((whole(_BODIES[name], f"{status} Bad"),))
        for status in (400, 401, 500)
        for name in (
            "nothing",
            "a web page",
            "null",
            "an empty list",
            "an error in a list",
            "an answer with bad UTF-8",
            "300 kB of backslashes",
            "100,000 brackets",
            "100,000 objects",
        )
    },
    "200, an answer of 20 MB": Behaviour((later(lambda: whole(long_answer())),)),
    "400, an answer of 20 MB": Behaviour((later(lambda: whole(long_answer(), "400 Bad")),)),
    "500, an answer of 20 MB": Behaviour((later(lambda: whole(long_answer(), "500 Bad")),)),
    "500, a message that is deep": Behaviour(
        (whole(b'{"error": {"message": %s%s}}' % (b"[" * 900, b"]" * 900), "500 Bad"),)
    ),
    "500, a message that is a number": Behaviour((whole(b'{"error": {"message": 7}}', "500 Bad"),)),
    "500, a message that is a list": Behaviour(
        (whole(b'{"error": {"message": [1], "code": {"a": []}, "param": [2]}}', "500 Bad"),)
    ),
    "500, a message with escapes": Behaviour((error("\x1b[2J\x1b]0;owned\x07 \u202e \ud800 \0"),)),
    "500, a message of 500 kB": Behaviour((error("something broke " * 30_000),)),
    "400, a message that names all parameters": Behaviour(
        (
            error(
                "seed top_p top_logprobs logprobs temperature max_tokens max_completion_tokens "
                "response_format json_schema model messages unsupported",
                "400 Bad",
            ),
        )
    ),
    "400, a message of the context's length": Behaviour(
        (error("maximum context length exceeded", "400 Bad"),)
    ),
    "400, a message of the content's policy": Behaviour((error("content_policy", "400 Bad"),)),
}

FIELDS = {
    "choices missing": completion(choices=MISSING),
    "choices null": completion(choices=None),
    "choices an object": completion(choices={}),
    "choices an object with a choice": completion(choices={"0": CHOICE}),
    "choices empty": completion(choices=[]),
    "choices a string": completion(choices="stop"),
    "choices a number": completion(choices=3),
    "choices with null": completion(choices=[None]),
    "choices with a list": completion(choices=[[]]),
    "choices with a string": completion(choices=["stop"]),
    "choices with an empty object": completion(choices=[{}]),
    "8,000 choices": completion(choices=[CHOICE] * 8000),
    "choice in the fields of a stream": choice(message=MISSING, delta=MESSAGE),
    "choice of the old completions": choice(message=MISSING, text=TEXT),
    "index a string": choice(index="first"),
    "message missing": choice(message=MISSING),
    "message null": choice(message=None),
    "message a list": choice(message=[MESSAGE]),
    "message a string": choice(message=TEXT),
    "message empty": choice(message={}),
    "role of the user": message(role="user"),
    "role a number": message(role=7),
    "content missing": message(content=MISSING),
    "content null": message(content=None),
    "content a number": message(content=42),
    "content true": message(content=True),
    "content an object": message(content={"text": TEXT}),
    "content empty": message(content=""),
    "content of spaces": message(content=" \n\t "),
    "content in parts": message(content=[{"type": "text", "text": TEXT}]),
    "content in odd parts": message(content=[None, 7, {"text": None}, {"type": "image"}, []]),
    "content plain text": message(content="Sure! Here you are."),
    "content cut": message(content=TEXT[:-10]),
    "content of another schema": message(content='{"something": "else"}'),
    "content with a text twice": message(content=TEXT[:-1] + ', "text": "Another text."}'),
    "content with lone surrogates": message(content=TEXT.replace("other", "\ud800other\udbff")),
    "content with escaped surrogates": message(content=TEXT.replace("other", "\\ud800")),
    "content with control characters": message(content=TEXT.replace("other", "\\u001b[2J\\u0000")),
    "content with a surrogate in a name": message(content='{"\\ud800": 1}'),
    "content nested 900 times": message(content=TEXT.replace("[]", "[" * 900 + "]" * 900)),
    "content with a raw escape": message(content=TEXT.replace("other", "\x1b[2J")),
    "content turned around": message(content=TEXT.replace("other", "\u202eother\u2066")),
    "content of 500 kB": message(content=TEXT.replace("other", "other " * 80_000)),
    "content of 100,000 brackets": message(content="[" * 100_000),
    "content of 100,000 braces": message(content='{"a":' * 100_000),
    "content of 100,000 full stops": message(content=". " * 50_000),
    "content of 5,000 digits": message(content='{"words": [], "text": %s}' % ("9" * 5000)),
    "content of a thought": message(content="<think>Let me see"),
    "content after a thought": message(content="<think>So.</think>" + TEXT),
    "content after 10,000 thoughts": message(content="<think>" * 10_000 + TEXT),
    "refusal a string": message(content=None, refusal="I cannot help with that."),
    "refusal an object": message(content=None, refusal={"why": ["no"]}),
    "refusal empty": message(refusal=""),
    "tool calls": message(content=None, tool_calls=[{"id": "x", "function": {"name": "rm"}}]),
    "tool calls a string": message(tool_calls="rm -rf /"),
    "function call": message(content=None, function_call={"name": "rm", "arguments": "{"}),
    "reasoning a number": message(reasoning=7, reasoning_content=[1]),
    "finish reason missing": choice(finish_reason=MISSING),
    "finish reason null": choice(finish_reason=None),
    "finish reason a number": choice(finish_reason=0),
    "finish reason a list": choice(finish_reason=["stop"]),
    "finish reason unknown": choice(finish_reason="tired"),
    "finish reason length": choice(finish_reason="length"),
    "finish reason of a filter": choice(finish_reason="content_filter"),
    "finish reason tool calls": choice(finish_reason="tool_calls"),
    "logprobs a string": choice(logprobs="none"),
    "logprobs odd": choice(logprobs={"content": [None, {"token": 7, "top_logprobs": {}}]}),
    "usage missing": completion(usage=MISSING),
    "usage null": completion(usage=None),
    "usage a list": completion(usage=[1, 2]),
    "usage empty": completion(usage={}),
    "usage negative": usage(prompt_tokens=-5, completion_tokens=-5),
    "usage of strings": usage(prompt_tokens="many", completion_tokens="few"),
    "usage of fractions": usage(prompt_tokens=1.5),
    "usage of NaN": usage(prompt_tokens=float("nan"), completion_tokens=float("inf")),
    "usage true": usage(prompt_tokens=True),
    "usage of 1e30": usage(prompt_tokens=10**30),
    "usage of 1e18": usage(prompt_tokens=10**18),
    "usage of 5,000 digits": whole(GOOD.replace(b"50", b"9" * 5000)),
    "usage with odd details": usage(prompt_tokens_details=[1], completion_tokens_details="x"),
    "model null": completion(model=None, id=None, created="yesterday", object=7),
    "id of 500 kB": completion(id="x" * 500_000),
}
FIELDS = {name: Behaviour((response,)) for name, response in FIELDS.items()}

_ELSEWHERE = "http://bait.invalid:1/v1/chat/completions"

REDIRECTS = {
    **{
        f"{status} to another host": Behaviour((redirect(f"{status} Moved", _ELSEWHERE),))
        for status in (301, 302, 303, 307, 308)
    },
    "300 to another host": Behaviour((redirect("300 Choose", _ELSEWHERE),)),
    "304 to another host": Behaviour((redirect("304 Same", _ELSEWHERE),)),
    "399 to another host": Behaviour((redirect("399 Odd", _ELSEWHERE),)),
    "307 to another host, without http": Behaviour(
        (redirect("307 Moved", _ELSEWHERE.removeprefix("http:")),)
    ),
    "307 to another host, with a user": Behaviour(
        (redirect("307 Moved", _ELSEWHERE.replace("//", "//root:toor@")),)
    ),
    "307 to a file": Behaviour((redirect("307 Moved", "file:///bait/file"),)),
    "307 to gopher": Behaviour((redirect("307 Moved", "gopher://bait.invalid:1/x"),)),
    "307 to a script": Behaviour((redirect("307 Moved", "javascript:alert(1)"),)),
    "307 to itself": Behaviour((redirect("307 Moved", "/v1/chat/completions"),)),
    "307 without an address": Behaviour((redirect("307 Moved"),)),
    "307 to nothing": Behaviour((redirect("307 Moved", ""),)),
    "307 to two places": Behaviour((redirect("307 Moved", _ELSEWHERE, "file:///bait/file"),)),
    "307 to a port that is none": Behaviour((redirect("307 Moved", "http://[::1:99999999/"),)),
    "307 to an address in Chinese": Behaviour(
        (redirect("307 Moved", "http://例え.テスト/\x1b[2J"),)
    ),
    "307 to an address of 90 kB": Behaviour((redirect("307 Moved", "/" + "x" * 90_000),)),
    "201 to another host": Behaviour((whole(GOOD, "201 Made", f"Location: {_ELSEWHERE}"),)),
    "401 to another host": Behaviour((whole(ERROR, "401 No", f"Location: {_ELSEWHERE}"),)),
    "503 to another host": Behaviour((whole(ERROR, "503 No", f"Location: {_ELSEWHERE}"),)),
    "an answer that refreshes elsewhere": Behaviour(
        (
            whole(
                GOOD,
                "200 OK",
                f"Refresh: 0; url={_ELSEWHERE}",
                f"Content-Location: {_ELSEWHERE}",
                'Alt-Svc: http/1.1="bait.invalid:1"',
                f"Link: <{_ELSEWHERE}>; rel=preload",
            ),
        )
    ),
    "a page that refreshes elsewhere": Behaviour(
        (whole(f'<meta http-equiv="refresh" content="0; url={_ELSEWHERE}">'.encode()),)
    ),
}

_HALF = len(GOOD) // 2

CONNECTIONS = {
    "closed when accepted": Behaviour((), reads_first=False),
    "reset when accepted": Behaviour((reset,), reads_first=False),
    "closed after the request's first bytes": Behaviour((read_beginning,), reads_first=False),
    "answered before the request is read": Behaviour((whole(GOOD), silence), reads_first=False),
    "an error before the request is read": Behaviour(
        (whole(ERROR, "413 Too Large"), silence), reads_first=False
    ),
    "silent when accepted": Behaviour((silence,), FEW_SECONDS, reads_first=False),
    "closed after the request": Behaviour(()),
    "reset after the request": Behaviour((reset,)),
    "silent after the request": Behaviour((silence,), FEW_SECONDS),
    "closed in the status line": Behaviour((b"HTTP/1.1 2",)),
    "closed after the status line": Behaviour((b"HTTP/1.1 200 OK\r\n",)),
    "silent after the status line": Behaviour((b"HTTP/1.1 200 OK\r\n", silence), FEW_SECONDS),
    "closed in the headers": Behaviour((b"HTTP/1.1 200 OK\r\nContent-Le",)),
    "closed after the headers": Behaviour((head("200 OK", "Content-Length: 9"),)),
    "closed in the body": Behaviour((whole(GOOD)[:-_HALF],)),
    "closed in a body without length": Behaviour((head() + GOOD[:_HALF],)),
    "reset in the body": Behaviour((whole(GOOD)[:-_HALF], reset)),
    "silent in the body": Behaviour((whole(GOOD)[:-_HALF], silence), FEW_SECONDS),
    "open after the body": Behaviour((whole(GOOD), silence)),
    "open after a body without length": Behaviour((head() + GOOD, silence), FEW_SECONDS),
    "a status line without end": Behaviour((b"HTTP/1.1 200 ", endless(b"x" * 1000))),
    "a slow status line": Behaviour((endless(b"x", 0.02),), FEW_SECONDS),
    "slow headers": Behaviour((head()[:-2], endless(b"X: y\r\n", 0.02)), FEW_SECONDS),
    "a slow body": Behaviour(
        (head("200 OK", f"Content-Length: {10**5}"), endless(b" ", 0.02)), FEW_SECONDS
    ),
    "a slow body without length": Behaviour((head(), endless(b" ", 0.02)), FEW_SECONDS),
    "a fast body without end": Behaviour((head(), endless(b" " * 2**16))),
    "a fast error without end": Behaviour((head("500 Broken"), endless(b" " * 2**16))),
    "an answer in small pieces": Behaviour((slowly(whole(GOOD)),)),
}

CHUNKS = {
    "chunks": Behaviour((head("200 OK", CHUNKED), chunk(GOOD), chunk(b""))),
    "chunks of one byte": Behaviour(
        (head("200 OK", CHUNKED), b"".join(chunk(bytes([byte])) for byte in GOOD), chunk(b""))
    ),
    "chunks with trailers": Behaviour(
        (head("200 OK", CHUNKED), chunk(GOOD), b"0\r\nRetry-After: 99\r\nX: y\r\n\r\n")
    ),
    "chunks with trailers without end": Behaviour(
        (head("200 OK", CHUNKED), chunk(GOOD), b"0\r\n", endless(b"X: y\r\n" * 100))
    ),
    "chunks with an extension": Behaviour(
        (head("200 OK", CHUNKED), b'%x;a="b"\r\n%s\r\n' % (len(GOOD), GOOD), chunk(b""))
    ),
    "chunks with an extension of 200 kB": Behaviour(
        (head("200 OK", CHUNKED), b"%x;%s\r\n%s\r\n" % (len(GOOD), b"a" * 200_000, GOOD))
    ),
    "a chunk of size zz": Behaviour((head("200 OK", CHUNKED), b"zz\r\n", GOOD)),
    "a chunk of size -1": Behaviour((head("200 OK", CHUNKED), b"-1\r\n", GOOD)),
    "a chunk of size 0x10": Behaviour((head("200 OK", CHUNKED), b"0x10\r\n", GOOD)),
    "a chunk of 20 digits": Behaviour((head("200 OK", CHUNKED), b"f" * 20 + b"\r\n", GOOD)),
    "a chunk of 50 digits": Behaviour((head("200 OK", CHUNKED), b"f" * 50 + b"\r\n", GOOD)),
    "a chunk without its end": Behaviour(
        (head("200 OK", CHUNKED), b"%x\r\n%s" % (len(GOOD), GOOD), chunk(b""))
    ),
    "a chunk that is cut": Behaviour((head("200 OK", CHUNKED), chunk(GOOD)[:-_HALF])),
    "chunks without the last": Behaviour((head("200 OK", CHUNKED), chunk(GOOD))),
    "chunks and silence": Behaviour((head("200 OK", CHUNKED), chunk(GOOD), silence), FEW_SECONDS),
    "chunks without end": Behaviour(
        (head("200 OK", CHUNKED), endless(chunk(b" ") * 1000)), FEW_SECONDS
    ),
    "slow chunks without end": Behaviour(
        (head("200 OK", CHUNKED), endless(chunk(b" "), 0.02)), FEW_SECONDS
    ),
}

_KEPT = whole(GOOD).replace(CLOSES.encode(), b"Connection: keep-alive")

KEPT_CONNECTIONS = {
    "kept": Behaviour((_KEPT, keep)),
    "kept, said to be closed": Behaviour((whole(GOOD), keep)),
    "closed, said to be kept": Behaviour((_KEPT,)),
    "a second response behind each": Behaviour((_KEPT + whole(FORGERY), keep)),
    "the beginning of a second response": Behaviour((_KEPT + head()[:9], keep)),
    "a status 100 behind each": Behaviour((_KEPT + head("100 Continue"), keep)),
    "garbage behind each": Behaviour((_KEPT + b"\0garbage\r\n\r\n", keep)),
    "a line behind each": Behaviour((_KEPT + b"\r\n", keep)),
}

PROTOCOLS = {
    "HTTP/0.9": Behaviour((GOOD,)),
    "HTTP/1.0": Behaviour((head(version="HTTP/1.0") + GOOD,)),
    "HTTP/1.9": Behaviour((head(version="HTTP/1.9") + GOOD,)),
    "HTTP/2 in words": Behaviour((head(version="HTTP/2") + GOOD,)),
    "HTTP/2": Behaviour((b"\0\0\x12\4\0\0\0\0\0\0\3\0\0\0\x80\0\4\0\1\0\0\0\5\0\xff\xff\xff",)),
    "HTTP/2's greeting": Behaviour((b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",)),
    "HTTP in small letters": Behaviour((whole(GOOD).replace(b"HTTP", b"http"),)),
    "lines that end in LF": Behaviour((whole(GOOD).replace(b"\r\n", b"\n"),)),
    "lines that end in CR": Behaviour((whole(GOOD).replace(b"\r\n", b"\r"),)),
    "a line before the response": Behaviour((b"\r\n" + whole(GOOD),)),
    "empty lines without end": Behaviour((endless(b"\r\n" * 1000),), FEW_SECONDS),
    "a request": Behaviour((b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",)),
    "radio": Behaviour((whole(GOOD).replace(b"HTTP/1.1", b"ICY"),)),
    "TLS's alert": Behaviour((b"\x15\3\1\0\2\2\x46",)),
    "TLS's greeting": Behaviour((b"\x16\3\3\0\x7a\2\0\0\x76\3\3" + bytes(range(32)) * 3,)),
    "SSH": Behaviour((b"SSH-2.0-OpenSSH_9.9\r\n", silence), FEW_SECONDS, reads_first=False),
    "mail": Behaviour((b"220 mail.example.org ESMTP\r\n", silence), FEW_SECONDS),
    "telnet": Behaviour((b"\xff\xfd\x18\xff\xfd\x20\xff\xfb\1login: ", silence), FEW_SECONDS),
    "zeros without end": Behaviour((endless(bytes(1000)),)),
    "bytes of all values": Behaviour((bytes(range(256)) * 100,)),
}


def _escape(text: str) -> str:
    return "".join(f"\\u{ord(character):04x}" for character in text)


_SPELLINGS: dict[str, Callable[[str], str]] = {
    "as they are": str,
    "percent-encoded": lambda text: quote(text, safe=""),
    "percent-encoded to the last letter": lambda text: "".join(f"%{ord(c):02X}" for c in text),
    "percent-encoded twice": lambda text: quote(quote(text, safe=""), safe=""),
    "with their first letter escaped": lambda text: _escape(text[0]) + text[1:],
    "escaped to the last letter": _escape,
    "escaped in capitals": lambda text: _escape(text).replace("\\u", "\\U0000"),
    "escaped twice": lambda text: _escape(text).replace("\\", "\\\\"),
    "in hexadecimal escapes": lambda text: "".join(f"\\x{ord(c):02x}" for c in text),
    "with escaped slashes": lambda text: text.replace("/", "\\/"),
    "behind backslashes": lambda text: "".join(f"\\{character}" for character in text),
    "in entities": lambda text: "".join(f"&#{ord(character)};" for character in text),
    "in hexadecimal entities": lambda text: "".join(f"&#x{ord(c):X};" for c in text),
    "with named entities": lambda text: text.replace("&", "&amp;"),
}
_SAID = " and ".join(SECRETS)
_QUERY = f"?token={quote(TOKEN, safe='')}&key={KEY}"

ECHOES = {
    **{
        f"secrets {name}": Behaviour(
            (whole(b'{"error": {"message": "no %s"}}' % spell(_SAID).encode(), "500 Broken"),)
        )
        for name, spell in _SPELLINGS.items()
    },
    "secrets in a rejected key": Behaviour((error(f"invalid: {_SAID}", "401 No"),)),
    "secrets in a bad request": Behaviour((error(f"invalid: {_SAID}", "400 Bad"),)),
    "secrets in a missing model": Behaviour((error(f"nothing at /v1{_QUERY}", "404 No"),)),
    "secrets in the code of an error": Behaviour(
        (whole(json.dumps({"error": {"code": _SAID, "param": _SAID}}).encode(), "403 No"),)
    ),
    "secrets in a web page": Behaviour((whole(f"<html>{_QUERY} {_SAID}</html>".encode()),)),
    "secrets in no JSON": Behaviour((whole(f"Sorry, {_SAID}".encode()),)),
    "secrets in a cut response": Behaviour((whole(GOOD.replace(b"tiny", _SAID.encode())[:-9]),)),
    "secrets in an answer": Behaviour((message(content=TEXT.replace("other", _SAID)),)),
    "secrets in a refusal": Behaviour((message(content=None, refusal=_SAID),)),
    "secrets in an answer that fits no schema": Behaviour((message(content=_SAID),)),
    "secrets in a finish reason": Behaviour((choice(finish_reason=_SAID),)),
    "secrets in a usage": Behaviour((usage(prompt_tokens=_SAID),)),
    "secrets in a status line": Behaviour((whole(GOOD, f"200 {_SAID}"),)),
    "secrets in a broken status line": Behaviour((_SAID.encode() + b"\r\n\r\n",)),
    "secrets in a version": Behaviour((head(version=_SAID),)),
    "secrets in headers": Behaviour(
        (whole(ERROR, "429 Slow Down", f"Retry-After: {KEY}", f"X-Key: {_SAID}"),)
    ),
    "secrets in an encoding": Behaviour((encoded(GOOD, KEY),)),
    "secrets in a charset": Behaviour((whole(GOOD, "200 OK", f"Content-Type: x; charset={KEY}"),)),
    "secrets in a length": Behaviour((head("200 OK", f"Content-Length: {KEY}") + GOOD,)),
    "secrets in the size of a chunk": Behaviour((head("200 OK", CHUNKED), f"{KEY}\r\n".encode())),
    "secrets in a redirect": Behaviour(
        (redirect("308 Moved", f"https://bait.invalid:1/{_QUERY}"),)
    ),
    "secrets in the user of a redirect": Behaviour(
        (redirect("308 Moved", f"https://{USER}:{quote(PASSWORD, safe='')}@bait.invalid:1/"),)
    ),
    "the whole request": Behaviour((echo_request,)),
}

GROUPS: dict[str, dict[str, Behaviour]] = {
    "status codes": STATUS_CODES,
    "headers": HEADERS,
    "content types": CONTENT_TYPES,
    "encodings": ENCODINGS,
    "bodies": BODIES,
    "fields of a completion": FIELDS,
    "redirects": REDIRECTS,
    "connections": CONNECTIONS,
    "chunks": CHUNKS,
    "kept connections": KEPT_CONNECTIONS,
    "protocols": PROTOCOLS,
    "echoes": ECHOES,
}
BEHAVIOURS = {
    name: behaviour for behaviours in GROUPS.values() for name, behaviour in behaviours.items()
}


class HostileServer:
    """The servers of all behaviours, in a thread of this process; a context manager."""

    def __init__(self, bait_file: str = "") -> None:
        """Serve nothing yet; ``bait_file`` is the file to which redirects point."""
        self.calls: Counter[str] = Counter()
        """How many requests each behaviour has read."""
        self.baited = 0
        """How many connections the second server got."""
        self._bait_file = bait_file.encode()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._ports: dict[str, int] = {}
        self._servers: list[asyncio.Server] = []

    def __enter__(self) -> Self:
        """Start."""
        self._thread.start()
        self._bait_port = self._listen(self._take_bait)
        return self

    def __exit__(self, *_: object) -> None:
        """End all connections."""
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    def port(self, name: str) -> int:
        """The port of a behaviour."""
        if name not in self._ports:
            behaviour = BEHAVIOURS[name]
            self._ports[name] = self._listen(
                lambda reader, writer: self._serve(name, behaviour, reader, writer)
            )
        return self._ports[name]

    def url(self, name: str) -> str:
        """The address of a behaviour, with secrets at each place that may have one."""
        user = f"{USER}:{quote(PASSWORD, safe='')}"
        return f"http://{user}@127.0.0.1:{self.port(name)}/v1?token={quote(TOKEN, safe='')}"

    def _listen(self, serve: Any) -> int:
        start = asyncio.start_server(serve, "127.0.0.1", 0)
        server = asyncio.run_coroutine_threadsafe(start, self._loop).result(10)
        self._servers.append(server)
        return int(server.sockets[0].getsockname()[1])

    async def _end(self) -> None:
        for server in self._servers:
            server.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(
        self,
        name: str,
        behaviour: Behaviour,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        connection = Connection(reader, writer, kept=True)
        try:
            while connection.kept:
                connection.kept = False
                if behaviour.reads_first:
                    await connection.read_request()
                    self.calls[name] += 1
                for step in behaviour.steps:
                    await self._take(step, connection)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client leaves when it has seen enough
        finally:
            writer.close()

    async def _take(self, step: Step, connection: Connection) -> None:
        if not isinstance(step, bytes):
            await step(connection)
            return
        bait = f"127.0.0.1:{self._bait_port}".encode()
        await connection.send(step.replace(BAIT, bait).replace(BAIT_FILE, self._bait_file))

    async def _take_bait(self, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.baited += 1
        writer.write(whole(FORGERY))
        writer.close()
