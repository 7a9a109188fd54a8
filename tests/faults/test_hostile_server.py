"""Whatever a server sends, a run ends in time, as ``hostile.yaml`` says, and shows no secret."""

import html
import logging
import re
import socket
import time
from pathlib import Path
from urllib.parse import unquote

import httpx2
import pytest
import yaml

from tests.data import read_jsonl, write_jsonl
from tests.faults import hostile

pytestmark = pytest.mark.slow

GROUPS = yaml.safe_load(Path(__file__).with_name("hostile.yaml").read_text(encoding="utf-8"))
TABLE = {name: line for group in GROUPS.values() for name, line in group.items()}
"""Behaviours with the exit code, the number of rows left open, and what the command says."""
EVERY = 5
"""Of the behaviours, every fifth is tried where not all are asked for."""
FOUND = (
    "Retry-After in the year 99999",
    "charset undefined",
    "a gzip bomb",
    "200, an answer of 20 MB",
    "200, 300 kB of backslashes",
    "400, 100,000 brackets",
    "500, 100,000 brackets",
    "500, a message with escapes",
    "content of 100,000 brackets",
    "content nested 900 times",
    "content with a surrogate in a name",
    "307 to another host",
    "307 to a file",
    "a second response behind each",
    "secrets escaped to the last letter",
    "secrets in a redirect",
)
"""Those that have shown a fault of augkit once are always tried."""
NAMES = [
    pytest.param(name, marks=[] if name in FOUND or index % EVERY == 0 else [pytest.mark.long])
    for index, name in enumerate(hostile.BEHAVIOURS)
]

ROWS = [
    {"text": "The movie was quite good, I think.", "label": "good"},
    {"text": "The soup was cold and the music too loud.", "label": "bad"},
]
FILE_CONTENT = "what stands in a file of the client"
MOST_SECONDS = 60.0
"""For a run whose calls may take a second, or twenty on a busy machine."""
MOST_MEGABYTES = 100
"""More than a run takes with a server that behaves."""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server for all behaviours, and the file to which it redirects."""
    file = tmp_path_factory.mktemp("client") / "file"
    file.write_text(FILE_CONTENT)
    with hostile.HostileServer(str(file)) as running:
        yield running


@pytest.fixture(scope="module")
def certificates():
    """What checks the names of servers: reading it takes a quarter of a run."""
    return httpx2.create_ssl_context()


@pytest.fixture(autouse=True)
def _environment(monkeypatch, certificates):
    monkeypatch.setenv("OPENAI_API_KEY", hostile.KEY)
    monkeypatch.delenv("AUGKIT_DEBUG")  # an unexpected error is a message, as for users
    monkeypatch.setattr(httpx2, "create_ssl_context", lambda: certificates)


@pytest.fixture
def logs():
    """What is logged: all of augkit's, and from INFO on that of the packages that it uses."""
    messages = []

    def keep(record):
        if record.name.startswith("augkit") or record.levelno >= logging.INFO:
            messages.append(record.getMessage())

    handler = logging.Handler()
    handler.emit = keep
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield messages
    root.setLevel(level)
    root.removeHandler(handler)


@pytest.fixture
def addresses(monkeypatch):
    """The addresses to which this process connects, and those for which it asks."""
    seen = set()
    connect = socket.socket.connect
    look_up = socket.getaddrinfo

    def connect_and_note(self, address):
        seen.add(address)
        return connect(self, address)

    def look_up_and_note(host, port, *more, **named):
        seen.add((host, port))
        return look_up(host, port, *more, **named)

    monkeypatch.setattr(socket.socket, "connect", connect_and_note)
    monkeypatch.setattr(socket, "getaddrinfo", look_up_and_note)
    return seen


def command(name, url, folder):
    """The arguments of a run against a behaviour."""
    behaviour = hostile.BEHAVIOURS[name]
    rows = write_jsonl(folder / "rows.jsonl", ROWS)
    config = folder / "config.yaml"
    connection = {
        "timeout": behaviour.seconds,
        "attempts": 2,
        "backoff": 0.001,
        "cache": str(folder / "cache.sqlite"),
    }
    # The answers are made up: no check of what they say.
    config.write_text(yaml.safe_dump({"connection": connection, "text_gates": {"enabled": False}}))
    return [
        "run", "--method", "paraphrase", "--dataset", rows, "--llm", "openai:tiny",
        "--base-url", url, "--config", config, "--out", folder / "out",
        "--set", "log_exchanges=true", "--workers", 1 if name in hostile.KEPT_CONNECTIONS else 2,
    ]  # fmt: skip


def spelled_out(text):
    """A text in which nothing is escaped any more."""
    escape = re.compile(r"\\+(?:u\{?|x|U0000)([0-9a-fA-F]{2,4})")
    for _ in range(4):
        text = escape.sub(lambda found: chr(int(found[1], 16)), text)
        text = html.unescape(unquote(text)).replace("\\", "")
    return text


def secrets_in(text):
    """Which secrets a text shows, in whatever spelling."""
    plain = spelled_out(text)
    return [secret for secret in (*hostile.SECRETS, FILE_CONTENT) if secret in plain]


def open_rows(out):
    """How many rows are in neither file of outcomes."""
    files = [out / name for name in ("variants.jsonl", "rejected.jsonl")]
    outcomes = sum(len(read_jsonl(file)) for file in files if file.is_file())
    return len(ROWS) - outcomes


def faults_of(name, code, shown, folder):
    """Say what is wrong with how a run ended: its exit code, what it showed, and its folder."""
    expected, left, said = TABLE[name]
    shown = " ".join(shown.split())
    if code != expected:
        yield f"exit code {code}, not {expected}: {shown}"
    if open_rows(folder / "out") != left:
        yield f"{open_rows(folder / 'out')} rows are open, not {left}"
    if said not in shown:
        yield f"no {said!r} in: {shown}"
    if "Traceback" in shown or "unexpected error" in shown:
        yield f"an unexpected error: {shown}"
    if not shown.isprintable():
        yield f"control characters: {shown!r}"
    if secrets := secrets_in(shown):
        yield f"the screen shows {secrets}: {shown}"
    for path in folder.rglob("*"):
        if path.is_file() and (secrets := secrets_in(path.read_bytes().decode("latin-1"))):
            yield f"{path.name} shows {secrets}"


def test_the_table_has_every_behaviour():
    """Each behaviour of the server has a line in the table, in the same order."""
    assert {group: list(lines) for group, lines in GROUPS.items()} == {
        group: list(behaviours) for group, behaviours in hostile.GROUPS.items()
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_run_ends_as_the_table_says(  # noqa: PLR0917 - fixtures
    augkit, server, logs, addresses, tmp_path, name
):
    """It ends soon, without an unexpected error; it shows no secret, and calls nobody else."""
    started = time.monotonic()
    result = augkit(*command(name, server.url(name), tmp_path))
    seconds = time.monotonic() - started
    assert list(faults_of(name, result.code, result.out + result.err, tmp_path)) == []
    assert seconds < MOST_SECONDS
    assert secrets_in("\n".join(logs)) == []
    assert addresses <= {("127.0.0.1", server.port(name))}
    assert server.baited == 0


MEASURED = """
import atexit, re
from pathlib import Path
from augkit.cli.app import main

def print_peak():
    print(re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1])

atexit.register(print_peak)
main()
"""
"""The command, which prints its peak memory in kB at its end.

Not ``ru_maxrss`` of its parent's books: that begins at the memory of the process that started it.
"""


@pytest.fixture(scope="module")
def measure(server, start_augkit, tmp_path_factory):
    """Run against a behaviour as a process: what is wrong with it, and its peak in MB."""

    def run(name):
        folder = tmp_path_factory.mktemp("measured")
        arguments = command(name, server.url(name), folder)
        process = start_augkit(*arguments, code=("-c", MEASURED), cwd=folder)
        out, err = process.communicate(timeout=600)
        *shown, kilobytes = out.splitlines()
        shown = "\n".join([*shown, err])
        return list(faults_of(name, process.returncode, shown, folder)), int(kilobytes) / 1000

    return run


@pytest.fixture(scope="module")
def usual(measure):
    """The peak of a run with a server that behaves, in MB."""
    faults, megabytes = measure("a good answer")
    assert faults == []
    return megabytes


@pytest.mark.usefixtures("hide_torch")
@pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason="reads memory in /proc")
@pytest.mark.parametrize(
    "name",
    [
        "a gzip bomb without end",
        "a fast body without end",
        "200, a megabyte of small lists",
        *(
            pytest.param(name, marks=pytest.mark.long)
            for name in (
                "a gzip bomb with status 500",
                "a deflate bomb without end",
                "gzip of empty blocks without end",
                "200, an answer of 20 MB",
                "500, an answer of 20 MB",
                "200, 100,000 objects",
                "content of 500 kB",
                "8,000 choices",
                "a status line without end",
                "headers without end",
                "status 100 without end",
                "chunks without end",
                "chunks with trailers without end",
                "zeros without end",
            )
        ),
    ],
)
def test_the_memory_of_a_run(measure, usual, name):
    """No server makes a run take 100 MB more than one that behaves."""
    faults, megabytes = measure(name)
    assert faults == []
    assert megabytes < usual + MOST_MEGABYTES
