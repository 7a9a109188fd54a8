"""The boundary to a server: time, bytes, hosts and secrets, whatever it sends."""

import gzip
import re
import socket
import sys
import threading
import time
import zlib
from contextlib import contextmanager, suppress
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.llm.openai_api.client import LEAST_BYTES, Client, find_proxy, inflate
from augkit.llm.openai_api.secrets import Secrets

KEY = "sk-secret/0123&456"


@contextmanager
def answering(*answers):
    """A server of bytes: one connection for each answer; a number is a pause in seconds."""
    received = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve():
            for answer in answers:
                with suppress(OSError), listening.accept()[0] as connection:
                    received.append(read_request(connection))
                    for piece in answer if isinstance(answer, list) else [answer]:
                        if isinstance(piece, float):
                            time.sleep(piece)
                        else:
                            connection.sendall(piece)

        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1", received


def read_request(connection):
    """Read a request to its end: bytes left unread would reset the connection when it is closed."""
    with connection.makefile("rb") as stream:
        lines = []
        for line in stream:
            lines.append(line)
            if line == b"\r\n":
                break
        head = b"".join(lines)
        length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
        return head + stream.read(int(length[1]) if length else 0)


def response(body, *headers, status="200 OK"):
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


def post(address, seconds=60.0, tokens=10):
    client = client_of(address)
    try:
        return client.post("/chat/completions", {"model": "tiny"}, seconds, tokens)
    finally:
        client.close()


def client_of(address):
    from openai import OpenAI

    def make(http_client):
        return OpenAI(api_key=KEY, base_url=address, max_retries=0, http_client=http_client)

    return Client(make, address, KEY)


def test_what_comes_back_is_returned():
    with answering(response(b'\xef\xbb\xbf{"a": "\xc3\xa9\xff"}')) as (url, received):
        answer = post(url)
    assert (answer.status, answer.body) == (200, '{"a": "é�"}')
    assert b"accept-encoding: gzip\r\n" in received[0].lower()


@pytest.mark.parametrize(
    "charset", ["undefined", "hex", "utf-16", "idna", "rot13", "unicode_escape", "\x7f"]
)
def test_a_charset_of_the_server_is_not_believed(charset):
    header = f"Content-Type: application/json; charset={charset}"
    error = response(b"{}", header, status="400 No")
    with answering(response(b'{"a": 1}', header), error) as (url, _):
        assert post(url).body == '{"a": 1}'
        assert post(url).status == 400


@pytest.mark.slow
def test_an_endless_body_is_not_read_to_its_end():
    """Plain, in chunks, compressed a thousandfold, or compressed twice."""
    much = b"x" * (LEAST_BYTES + 10**6)
    packed = gzip.compress(b"x" * 10**8)
    chunk = b"%x\r\n%s\r\n" % (len(much), much)
    for sent in (
        response(much),
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk,
        response(packed, "Content-Encoding: gzip"),
        response(zlib.compress(b"x" * 10**8), "Content-Encoding: deflate"),
    ):
        with answering(sent) as (url, _):
            answer = post(url)
        assert (answer.fault, "MB" in answer.detail) == ("malformed response", True)
    with answering(response(gzip.compress(packed), "Content-Encoding: gzip, gzip")) as (url, _):
        assert "not asked for" in post(url).detail


def test_a_longer_answer_may_have_more_bytes():
    body = b"x" * (LEAST_BYTES + 10**5)
    with answering(response(body), response(body)) as (url, _):
        assert post(url, tokens=1).fault == "malformed response"
        assert len(post(url, tokens=100).body) == len(body)


@given(st.binary(max_size=300), st.integers(1, 50), st.booleans())
def test_what_is_compressed_is_read_in_pieces_of_any_size(content, size, is_gzip):
    packed = gzip.compress(content) if is_gzip else zlib.compress(content)
    pieces = [packed[start : start + size] for start in range(0, len(packed), size)]
    assert b"".join(inflate(pieces)) == content


def test_a_cut_or_broken_compressed_body_is_a_fault():
    packed = gzip.compress(b"x" * 100)
    with answering(
        response(packed[:-9], "Content-Encoding: gzip"), response(b"{}", "Content-Encoding: gzip")
    ) as (url, _):
        assert post(url).fault == "malformed response"
        assert post(url).fault == "malformed response"


@pytest.mark.slow
@pytest.mark.parametrize(
    "answer",
    [
        [600.0],
        [b"HTTP/1.1 200 OK\r\n", *[b"X: y\r\n", 0.05] * 200],
        [response(b"x" * 500)[:-400], *[b"x", 0.05] * 200],
        [b"HTTP/1.1 100 Continue\r\n\r\n", 0.05] * 200,
    ],
    ids=["silence", "headers", "body", "continue"],
)
def test_a_call_ends_in_its_time(answer):
    with answering(answer) as (url, _):
        began = time.monotonic()
        assert post(url, seconds=0.4).fault == "timeout"
        assert 0.3 < time.monotonic() - began < 8


@pytest.mark.slow
def test_a_call_is_aborted_from_another_thread():
    with answering([600.0]) as (url, received):
        client = client_of(url)
        answers = []
        call = threading.Thread(target=lambda: answers.append(client.post("/x", {}, 600.0, 1)))
        call.start()
        while not received:
            time.sleep(0.01)
        client.abort()
        call.join(30)
        assert answers[0].fault == "connection lost"
        assert client.post("/x", {}, 600.0, 1).fault != ""
        client.close()


@pytest.mark.parametrize("status", ["301 M", "302 F", "303 S", "307 T", "308 P"])
def test_a_redirect_is_not_followed(status):
    with answering(response(b"{}")) as (other, received):
        sent = response(b"", f"Location: {other}/chat/completions", status=status)
        with answering(sent) as (url, _):
            answer = post(url)
        assert answer.status == int(status[:3])
        assert answer.headers["redirects-to"].startswith(other)
        assert not received


def test_headers_that_nobody_reads_are_dropped():
    """Cookies with dates of any year, addresses that are none, bytes that are no text."""
    headers = (
        "Set-Cookie: a=b; expires=Wed, 09 Jun 99999 10:18:14 GMT",
        "Location: http://[::1/",
        "Retry-After: 7",
        "X: \x01é",
    )
    with answering(response(b"{}", *headers, status="302 F")) as (url, _):
        answer = post(url)
    assert (answer.status, answer.headers["retry-after"]) == (302, "7")


@pytest.mark.parametrize(
    "spelled",
    [
        KEY,
        "".join(f"\\u{ord(c):04x}" for c in KEY),
        "\\\\u0073" + KEY[1:],
        KEY.replace("/", "\\/"),
        quote(KEY, safe=""),
        "".join(f"%{ord(c):02X}" for c in KEY),
        quote(quote(KEY, safe=""), safe=""),
        KEY.replace("&", "&amp;"),
        "".join(f"&#{ord(c)};" for c in KEY),
        "".join(f"&#x{ord(c):X};" for c in KEY),
        "".join(f"\\x{ord(c):02x}" for c in KEY),
    ],
)
def test_a_secret_is_masked_in_any_spelling(spelled):
    assert Secrets("http://a", KEY).mask(f"before {spelled} after") == "before [key] after"


def test_the_secrets_of_an_address_are_masked():
    secrets = Secrets("https://anna:p%40ss-word@host/v1?token=tok-123&v=1", "")
    # dXNlcg is how basic authentication sends user and password.
    said = "anna p@ss-word p%40ss-word tok-123 YW5uYTpwQHNzLXdvcmQ= v1"
    assert secrets.mask(said) == "[user] [password] [password] [query] [password] v1"
    assert secrets.mask("https://host/v1") == "https://host/v1"


def test_a_placeholder_is_no_secret():
    """Masking it would damage ordinary text."""
    assert Secrets("http://x:y@host/v1", "no-key").mask("no-key x y") == "no-key x y"


def test_the_body_of_an_answer_shows_no_secret():
    echo = "".join(f"\\u{ord(c):04x}" for c in KEY)
    with answering(response(f'{{"error": "{echo}"}}'.encode(), status="500 No")) as (url, _):
        assert post(url).body == '{"error": "[key]"}'


def test_masking_takes_linear_time():
    """Of texts made of its own pieces."""
    secrets = Secrets("http://h", "sk-" + "a" * 40)
    for piece in ("\\", "a", "%25", "\\\\u00", "&#0", "sk-", "a" * 39 + "b"):
        times = {}
        for size in (4_000, 32_000):
            text = piece * (size // len(piece))
            began = time.process_time()
            for _ in range(3):
                secrets.mask(text)
            times[size] = time.process_time() - began
        assert times[32_000] < 24 * times[4_000] + 0.05


def test_the_proxy_of_the_environment_is_used(monkeypatch):
    for name in ("ALL_PROXY", "all_proxy", "HTTPS_PROXY", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("https_proxy", "http://me:pw@proxy.example:3128")
    monkeypatch.setenv("http_proxy", "")
    assert find_proxy("http://host/v1") is None
    proxy = find_proxy("https://host/v1")
    assert (proxy.url.host, proxy.url.port, proxy.auth) == (b"proxy.example", 3128, (b"me", b"pw"))
    monkeypatch.setenv("no_proxy", "host")
    assert find_proxy("https://host:443/v1") is None


def test_calls_go_through_the_proxy(monkeypatch):
    with answering(response(b'{"by": "proxy"}')) as (url, received):
        monkeypatch.setenv("http_proxy", url.removesuffix("/v1"))
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        answer = post("http://models.example/v1")
    assert answer.body == '{"by": "proxy"}'
    assert received[0].startswith(b"POST http://models.example/v1/chat/completions")


def test_httpx_is_imported_before_threads_call(monkeypatch):
    """The openai package reads it from sys.modules, where a first import may be half done."""
    pytest.importorskip("httpx")
    monkeypatch.delitem(sys.modules, "httpx")
    client_of("http://127.0.0.1:9/v1").close()
    assert hasattr(sys.modules["httpx"], "Timeout")
