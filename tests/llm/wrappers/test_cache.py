"""The cache: paid answers are kept, on disk, once."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, field_validator

from augkit.core.errors import BackendFailed, UserError
from augkit.core.model_types import Message, Reply, Request
from augkit.core.types import Cost
from augkit.llm.database import Database
from augkit.llm.reply_store import SCHEMA, ReplyStore, key_of
from augkit.llm.wrappers.cache import Cached

PAID = Cost(2, 30, 4, 0.25)


class Rewording(BaseModel):
    text: str


class Other(BaseModel):
    text: str
    label: str


def ask(text="Fine.", **more):
    return Request([Message("user", text)], **more)


class Counting:
    """An inner LLM that counts its calls and answers with a function of the request."""

    def __init__(self, reply=None, wait=0.0):
        self.asked = []
        self._lock = threading.Lock()
        self._reply = reply or (
            lambda request: Reply(f"re: {request.messages[-1].content}", cost=PAID)
        )
        self._wait = wait

    def generate(self, requests):
        with self._lock:
            self.asked += requests
        time.sleep(self._wait)
        return [self._reply(request) for request in requests]


@pytest.fixture
def store(tmp_path):
    database = Database(tmp_path / "llm.sqlite", SCHEMA)
    yield ReplyStore(database)
    database.close()


def test_a_second_question_is_answered_from_the_store(store):
    """The reply is the same, marked as cached, with the cost as first paid."""
    inner = Counting()
    [first] = Cached(inner, store, "m").generate([ask()])
    [second] = Cached(inner, store, "m").generate([ask()])
    assert len(inner.asked) == 1
    assert (first.cached, second.cached) == (False, True)
    assert (first.text, first.cost) == (second.text, second.cost) == ("re: Fine.", PAID)


def test_a_question_twice_in_a_list_is_asked_once(store):
    """Repeats inside one list are recognised, and the replies keep their places."""
    inner = Counting()
    replies = Cached(inner, store, "m").generate([ask("a"), ask("b"), ask("a")])
    assert [reply.text for reply in replies] == ["re: a", "re: b", "re: a"]
    assert [reply.cached for reply in replies] == [False, False, True]
    assert len(inner.asked) == 2


CHANGES = [
    {"temperature": 0.5},
    {"top_p": 0.5},
    {"max_tokens": 5},
    {"seed": 1},
    {"seed": 2},
    {"answer": Rewording},
    {"answer": Other},
    {"messages": [Message("system", "Fine.")]},
    {"messages": [Message("user", "Fine."), Message("user", "")]},
]


def test_everything_that_shapes_an_answer_is_in_its_key():
    """No two of these requests share a key, nor do two models; a prompt's name changes nothing."""
    requests = [ask()] + [Request(**({"messages": ask().messages} | more)) for more in CHANGES]
    keys = {key_of("m", request).full for request in requests}
    assert len(keys) == len(requests)
    assert key_of("m", ask()).full != key_of("n", ask()).full
    assert key_of("m", ask()) == key_of("m", ask(prompt="a/b@1:c"))


@pytest.mark.slow
@given(st.lists(st.text()), st.lists(st.text()))
def test_different_messages_have_different_keys(one, two):
    """However the text is cut into messages, another list is another key."""
    keys = [key_of("m", Request([Message("user", t) for t in texts])).full for texts in (one, two)]
    assert (keys[0] == keys[1]) == (one == two)


@pytest.mark.parametrize(
    ("fault", "kept", "calls"),
    [("truncated", True, 1), ("truncated", False, 2), ("timeout", True, 2), ("timeout", False, 2)],
)
def test_a_bad_answer_is_kept_by_a_run_and_a_lost_one_asked_again(fault, kept, calls):
    """What was paid for has the same fault and cost again; a shared store keeps no faults."""
    inner = Counting(lambda _: Reply("A ve", fault=fault, detail="why", cost=PAID))
    store = ReplyStore(Database(None, SCHEMA), faults=kept)
    cached = Cached(inner, store, "m")
    first, again = (cached.generate([ask()])[0] for _ in range(2))
    assert (again.fault, again.detail, again.cost) == (fault, "why", PAID)
    assert (first.cached, again.cached) == (False, calls == 1)
    assert not again.transient
    assert len(inner.asked) == calls


def test_an_answer_is_validated_again_when_it_is_read(store):
    """The object comes back, and a text that no longer fits is asked for anew."""

    class Strict(Rewording):
        @field_validator("text")
        @classmethod
        def _no_short_ones(cls, text):
            if len(text) < strictness:
                raise ValueError("too short")
            return text

    strictness = 0
    inner = Counting(lambda _: Reply('{"text": "ok"}'))
    cached = Cached(inner, store, "m")
    cached.generate([ask(answer=Strict)])
    assert cached.generate([ask(answer=Strict)])[0].answer == Strict(text="ok")
    strictness = 3
    cached.generate([ask(answer=Strict)])
    assert len(inner.asked) == 2


def test_threads_that_ask_the_same_make_one_call(store):
    """Single flight: sixteen threads and eight questions are eight calls."""
    inner = Counting(wait=0.05)
    cached = Cached(inner, store, "m")
    with ThreadPoolExecutor(16) as pool:
        replies = list(pool.map(lambda n: cached.generate([ask(str(n % 8))])[0], range(64)))
    assert len(inner.asked) == 8
    assert [reply.text for reply in replies] == [f"re: {n % 8}" for n in range(64)]
    assert sum(not reply.cached for reply in replies) == 8


def test_lists_that_overlap_do_not_lock_each_other(store):
    """Threads with the same questions in opposite order all finish."""
    inner = Counting(wait=0.01)
    cached = Cached(inner, store, "m")
    lists = [[ask("a"), ask("b")], [ask("b"), ask("a")]] * 8
    with ThreadPoolExecutor(16) as pool:
        replies = list(pool.map(cached.generate, lists))
    assert all({reply.text for reply in pair} == {"re: a", "re: b"} for pair in replies)
    assert len(inner.asked) == 2


def test_whoever_waits_for_a_failure_hears_of_it(store):
    """A back end that fails fails everybody who waits, and leaves the question free."""

    def fail(_):
        raise BackendFailed("gone")

    inner = Counting(fail, wait=0.05)
    cached = Cached(inner, store, "m")
    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(cached.generate, [ask()]) for _ in range(4)]
    assert all(isinstance(future.exception(), BackendFailed) for future in futures)
    inner._reply = lambda _: Reply("back")
    assert cached.generate([ask()])[0].text == "back"


def test_the_run_keeps_what_came_from_the_shared_store(tmp_path):
    """Two stores in a row: the outer one records the reply and that it was not paid for."""
    shared, run = (Database(tmp_path / name, SCHEMA) for name in ("shared", "run"))
    inner = Counting()
    Cached(inner, ReplyStore(shared), "m").generate([ask(prompt="a/b@1:c")])
    both = Cached(Cached(inner, ReplyStore(shared), "m"), ReplyStore(run), "m")
    both.generate([ask(prompt="a/b@1:c"), ask("new")])
    assert ReplyStore(run).counts()[0] == 1
    assert ReplyStore(run).prompts() == ["a/b@1:c"]
    shared.close()
    assert both.generate([ask()])[0].cost == PAID
    run.close()


@pytest.mark.parametrize(
    "content", [b"not a database at all, just text" * 50, b"SQLite format 3\x00"]
)
def test_a_damaged_file_is_named_with_the_cure(tmp_path, content):
    """Paid answers are never dropped in silence: the user is told which file and what to do."""
    path = tmp_path / "llm.sqlite"
    path.write_bytes(content + bytes(4096))
    with pytest.raises(UserError, match=r"llm\.sqlite.*cache=FILE"):
        Database(path, SCHEMA)
    assert path.read_bytes().startswith(content)


def test_damage_in_the_middle_is_an_error_too(tmp_path):
    """Also where the file can be opened and a page is broken."""
    path = tmp_path / "llm.sqlite"
    database = Database(path, SCHEMA)
    store = ReplyStore(database)
    keys = [key_of("m", ask(str(n))) for n in range(200)]
    for key in keys:
        store.put(key, ask("x" * 500), Reply("y" * 500))
    database.close()
    page = 4096
    content = bytearray(path.read_bytes())
    content[2 * page :] = b"\xff" * (len(content) - 2 * page)
    path.write_bytes(content)
    database = Database(path, SCHEMA)
    with pytest.raises(UserError, match="damaged"):
        [ReplyStore(database).get(key) for key in keys]
    database.close()


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path):
    """A place where nothing can be written is the user's to change."""
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="Choose another path"):
        Database(tmp_path / "file" / "llm.sqlite", SCHEMA)


WRITER = """
import sys
from pathlib import Path
from augkit.core.model_types import Message, Reply, Request
from augkit.llm.database import Database
from augkit.llm.reply_store import SCHEMA, ReplyStore, key_of

store = ReplyStore(Database(Path(sys.argv[1]), SCHEMA))
for number in range(int(sys.argv[3])):
    request = Request([Message("user", f"{sys.argv[2]} {number}")])
    store.put(key_of("m", request), request, Reply(f"re: {number}"))
    print(number, flush=True)
"""


def write(path, name, count):
    command = [sys.executable, "-c", WRITER, str(path), name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_returned_replies_survive_a_kill(tmp_path):
    """A process killed at any moment has kept every reply that it had returned."""
    path = tmp_path / "llm.sqlite"
    with write(path, "row", 100_000) as process:
        for line in process.stdout:
            if int(line) >= 50:
                break
        os.kill(process.pid, signal.SIGKILL)
        last = max([50, *map(int, process.stdout.read().split())])
    database = Database(path, SCHEMA)
    store = ReplyStore(database)
    kept = [store.get(key_of("m", ask(f"row {n}"))) for n in range(last + 1)]
    assert [reply.text for reply in kept] == [f"re: {n}" for n in range(last + 1)]
    database.close()


@pytest.mark.slow
def test_processes_write_to_one_file_at_the_same_time(tmp_path):
    """Three processes share a cache without losing a row."""
    path = tmp_path / "llm.sqlite"
    processes = [write(path, f"process-{n}", 100) for n in range(3)]
    for process in processes:
        process.communicate()
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT COUNT(*) FROM replies").fetchone() == (300,)
    connection.close()
