"""Calls in flight: after a signal no call begins, and those in flight end."""

import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from augkit.core.errors import BackendFailed
from augkit.core.model_types import Message, Reply, Request
from augkit.llm.stack import OpenLLM, RunStore, open_llm
from augkit.llm.wrappers.parallel import Interruptible, Interruption
from augkit.runs.models import Models


def ask(n):
    return Request([Message("user", f"Reword row {n}.")])


class Silent:
    """Answers only when its calls are aborted."""

    def __init__(self):
        self.asked, self.aborted = threading.Event(), threading.Event()

    def generate(self, requests):
        self.asked.set()
        self.aborted.wait()
        return [Reply(fault="connection lost") for _ in requests]


def test_calls_in_flight_are_aborted_and_none_begins():
    """The call in flight returns; the next one and a pause of an hour raise at once."""
    silent = Silent()
    interruption = Interruption()
    calls = Interruptible(silent, interruption, abort=silent.aborted.set)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(calls.generate, [ask(0)])
        pausing = pool.submit(interruption.sleep, 3600.0)
        silent.asked.wait()
        calls.interrupt(0.0)
        assert first.result()[0].fault == "connection lost"
        with pytest.raises(BackendFailed, match="stopped"):
            pausing.result()
    with pytest.raises(BackendFailed, match="stopped"):
        calls.generate([ask(1)])


def test_a_call_that_is_answered_in_time_is_kept(caplog):
    """Calls in flight have some time to end by themselves, and a line says so."""
    silent, aborted = Silent(), []
    calls = Interruptible(
        silent, Interruption(), abort=lambda: aborted.append(silent.aborted.is_set())
    )
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(calls.generate, [ask(0)])
        silent.asked.wait()
        threading.Timer(0.05, silent.aborted.set).start()
        calls.interrupt(600.0)
        assert first.result()
    assert aborted == [True]
    assert "up to 600 s for the answers in flight, which may be paid for (1)" in caplog.text


@pytest.fixture
def _ctrl_c():
    """Ctrl-C works, also where the tests run in the background of a shell, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.slow
@pytest.mark.usefixtures("_ctrl_c")
def test_a_single_call_of_the_main_thread_survives_a_signal(serve, options, tmp_path):
    """Its answer comes after the signal, and is kept."""
    server = serve(latency=0.5)
    store = RunStore(tmp_path / "llm.sqlite")

    def ask_one():
        with open_llm("openai:tiny", options(server), store) as llm:
            threading.Thread(target=lambda: signal_when(lambda: server.calls)).start()
            llm.generate([ask(0)])

    with pytest.raises(KeyboardInterrupt):
        ask_one()
    assert store.spent().calls == 1
    with open_llm("openai:tiny", options(server), store) as llm:
        assert llm.generate([ask(0)])[0].text
    assert server.calls == 1
    store.close()


def signal_when(condition):
    while not condition():
        time.sleep(0.01)
    signal.raise_signal(signal.SIGINT)


def test_several_models_are_given_the_same_seconds():
    """A judge begins no call while the calls of the writer end."""
    writer, judge = threading.Event(), threading.Event()
    opened = [
        OpenLLM(None, 1, None, interrupt=interrupt)
        for interrupt in (
            lambda: (writer.set(), judge.wait()),
            lambda: (judge.set(), writer.wait()),
        )
    ]
    Models(opened=opened).interrupt()
    assert writer.is_set()
    assert judge.is_set()


@pytest.mark.slow
def test_a_silent_server_does_not_hold_a_command_that_is_stopped(
    serve, options, tmp_path, monkeypatch
):
    """A signal ends calls whose timeout is far away; what was answered is kept."""
    monkeypatch.setattr(Interruptible.interrupt, "__defaults__", (0.05,))  # not eight seconds
    server = serve(hold_after=3)
    store = RunStore(tmp_path / "llm.sqlite")
    patient = options(server, timeout=3600.0)
    asking = []

    def ask_until_stopped(pool):
        with open_llm("openai:tiny", patient, store) as llm:
            asking.append(pool.submit(llm.generate, [ask(n) for n in range(8)]))
            while server.calls < 8:
                assert not asking[0].done()
                time.sleep(0.01)
            raise KeyboardInterrupt

    with ThreadPoolExecutor(1) as pool:
        with pytest.raises(KeyboardInterrupt):
            ask_until_stopped(pool)
        assert asking[0].exception()
    assert server.calls == 8
    server.release()
    with open_llm("openai:tiny", patient, store) as llm:
        replies = llm.generate([ask(n) for n in range(8)])
    store.close()
    assert sum(reply.cached for reply in replies) == 3
    assert not any(reply.fault for reply in replies)
