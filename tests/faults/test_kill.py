"""Runs that are killed, out of money or badly served: nothing is lost, nothing is twice."""

import json
import random
import signal
import time

import pytest

pytestmark = [pytest.mark.usefixtures("hide_torch"), pytest.mark.slow]

WORKERS = 8
ROWS = [
    {"text": f"The movie number {i} was quite good, I think.", "label": "ab"[i % 2], "n": i}
    for i in range(120)
]


def command(rows, url, out, *more, workers=WORKERS):
    """The arguments of a run of the LLM method against a server."""
    return [
        "run", "--method", "paraphrase", "--dataset", str(rows),
        "--llm", "openai:tiny", "--base-url", url, "--out", str(out), "--workers", str(workers),
        "--set", "text_gates.enabled=false",  # the answers are made up
        *map(str, more),
    ]  # fmt: skip


def results(out):
    return [(out / name).read_bytes() for name in ("variants.jsonl", "dataset.jsonl")]


def accounted_for(out, rows):
    """Every row is a variant or a refusal, once."""
    read = lambda name: map(json.loads, (out / name).read_text().splitlines())  # noqa: E731
    parents = [r["parents"][0] for name in ("variants.jsonl", "rejected.jsonl") for r in read(name)]
    originals = {r["augkit_id"] for r in read("dataset.jsonl") if r["augkit_origin"] == "original"}
    assert len(parents) == len(set(parents)) == len(rows)
    assert set(parents) == originals
    assert all(record["reason"] for record in read("rejected.jsonl"))


def wait_for_calls(server, number, run):
    """Wait until the server has got so many calls in all, or the run has ended."""
    while server.calls < number and run.poll() is None:
        time.sleep(0.01)


@pytest.mark.parametrize("kills", [3, pytest.param(20, marks=pytest.mark.long)])
def test_kills_leave_no_trace(  # noqa: PLR0917 - fixtures
    augkit, start_augkit, faults, serve, write_rows, tmp_path, kills
):
    """Killed again and again, the files are those of a whole run; no saved answer is paid twice.

    A place is used for another call when its answer is on disk. So at most as many calls as there
    are places are made again after a kill. If it comes when all places wait for the server, none
    of the calls that were answered before is made again.
    """
    texts = [{**row, "text": f"{row['text']} {n}"} for n in range(kills) for row in ROWS[:40]]
    rows = write_rows(texts)
    whole = serve(latency=0.02)
    assert augkit(*command(rows, whole.url, tmp_path / "whole")).code == 0
    assert whole.calls == len(texts)

    server = serve(latency=0.02)
    out = tmp_path / "killed"
    draw = random.Random(7)
    sessions = []  # the number of the first call of each, of the first that waits, and of the next
    for kill in range(kills):
        first = server.calls
        answered = draw.randint(1, 25)
        server.hold_after(answered)  # so that it cannot finish before it is killed
        run = start_augkit(*command(rows, server.url, out, "--resume"))
        if kill % 2:
            # All places wait: what was answered is on disk.
            wait_for_calls(server, first + answered + WORKERS, run)
        elif kill:
            # At a random moment of the work, or while it starts.
            wait_for_calls(server, first + draw.randint(0, answered), run)
            time.sleep(draw.uniform(0, 0.1))
        else:
            time.sleep(draw.uniform(0, 0.8))
        run.kill()
        run.communicate()
        assert run.returncode == -signal.SIGKILL
        time.sleep(0.5)  # calls may still be on their way to the server
        sessions.append((first, first + answered, server.calls))
    server.hold_after(2 * len(texts))
    assert augkit(*command(rows, server.url, out, "--resume")).code == 0
    assert results(out) == results(tmp_path / "whole")
    accounted_for(out, texts)

    asked = [faults.question(body) for body in server.bodies]
    assert len(set(asked)) == len(texts)
    for kill, (first, waiting, end) in enumerate(sessions):
        again = set(asked[first:end]) & set(asked[end:])
        assert len(again) <= WORKERS
        if kill % 2:
            assert end == waiting + WORKERS
            assert again == set(asked[waiting:end])


def test_a_kill_while_open_rows_are_asked_again_leaves_no_trace(  # noqa: PLR0917 - fixtures
    augkit, start_augkit, serve, faults, write_rows, tmp_path
):
    """Killed in the resume, the run still has its open rows, and its answers are paid for once."""

    def refuse(call):  # a quarter of the questions, however often they are asked
        return (500, {"error": "no"}) if faults.question(call.body)[0] in "0123" else None

    rows = write_rows(ROWS)
    whole = serve()
    assert augkit(*command(rows, whole.url, tmp_path / "whole")).code == 0

    config = tmp_path / "once.yaml"
    config.write_text("connection: {attempts: 1}\n")
    server = serve(refuse=refuse)
    out = tmp_path / "out"
    assert augkit(*command(rows, server.url, out, "--config", config)).code == 4
    answered = server.paid.total()
    left_open = len(ROWS) - answered
    assert left_open > 2 * WORKERS
    assert json.loads((out / "manifest.json").read_text())["counts"]["open"] == left_open

    server.behave(faults.Behaviour())
    server.hold_after(WORKERS)
    run = start_augkit(*command(rows, server.url, out, "--resume"))
    while run.poll() is None and server.calls <= WORKERS:  # until one waits for its answer
        time.sleep(0.02)
    run.kill()
    run.communicate()
    assert run.returncode == -signal.SIGKILL
    server.hold_after(len(ROWS))
    assert augkit(*command(rows, server.url, out, "--resume")).code == 0
    assert results(out) == results(tmp_path / "whole")
    accounted_for(out, ROWS)
    assert left_open <= server.calls <= left_open + WORKERS


def test_the_server_never_sees_the_call_beyond_the_budget(augkit, serve, write_rows, tmp_path):
    """A budget of N calls: at most N arrive, exit code 3; a resume with more finishes."""
    rows = write_rows(ROWS)
    server = serve(mix={"500": 0.2, "429": 0.1}, seed=3)
    config = tmp_path / "fast.yaml"
    config.write_text("connection: {backoff: 0.01, backoff_cap: 0.05}\n")
    out = tmp_path / "out"
    first = augkit(*command(rows, server.url, out, "--budget", "50calls", "--config", config))
    assert first.code == 3, first.err
    assert "--resume" in first.err
    assert server.calls <= 50
    assert json.loads((out / "manifest.json").read_text())["status"] == "stopped at budget"
    more = command(rows, server.url, out, "--resume", "--budget", "1000calls", "--config", config)
    assert augkit(*more).code == 0
    accounted_for(out, ROWS)
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["status"] == "done"
    assert manifest["cost"]["calls"] == server.calls


def test_a_server_with_every_fault_loses_no_row(augkit, faults, serve, write_rows, tmp_path):
    """Whatever a server answers, the run ends and every row is a variant or a refusal."""
    rows = write_rows(ROWS)
    server = serve(plan=faults.shuffled_plan(4, seed=5))
    config = tmp_path / "fast.yaml"
    config.write_text("connection: {backoff: 0.01, backoff_cap: 0.05, timeout: 1, attempts: 10}\n")
    out = tmp_path / "out"
    arguments = command(rows, server.url, out, "--config", config, workers=16)
    assert augkit(*arguments).code == 0
    accounted_for(out, ROWS)
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["status"] == "done"
    assert manifest["counts"]["accepted"] > len(ROWS) / 2
    assert manifest["cost"]["calls"] == server.calls
    assert all(reason.startswith("llm: ") for reason in manifest["rejected_by_reason"])


def test_a_server_that_is_not_there_ends_the_run_resumably(augkit, write_rows, tmp_path):
    """An unreachable server is reported with exit code 4, soon, and without a traceback."""
    rows = write_rows(ROWS)
    config = tmp_path / "fast.yaml"
    config.write_text("connection: {backoff: 0.01, backoff_cap: 0.02}\n")
    done = augkit(*command(rows, "http://127.0.0.1:9/v1", tmp_path / "out", "--config", config))
    assert done.code == 4
    assert "127.0.0.1:9" in done.err
    assert "Traceback" not in done.err
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["status"] == (
        "back end failed"
    )


KEY = "sk-very-secret-4711"


@pytest.fixture
def _key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


@pytest.mark.usefixtures("_key")
@pytest.mark.parametrize("mix", [{}, {"echo-key": 1.0}, {"500": 1.0}])
def test_the_key_reaches_no_file_and_no_message(augkit, serve, write_rows, tmp_path, mix):
    """The key of the environment is in no file of the run, the cache or the output."""
    server = serve(mix=mix)
    cache = tmp_path / "answers" / "cache.sqlite"
    config = tmp_path / "fast.yaml"
    config.write_text("connection: {backoff: 0.001, backoff_cap: 0.001, attempts: 2}\n")
    more = ("--set", f"cache={cache}", "--config", config)
    done = augkit(*command(write_rows(ROWS[:9]), server.url, tmp_path / "out", *more))
    assert server.calls > 0
    assert KEY not in done.out + done.err
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert cache in files
    assert not [path for path in files if KEY.encode() in path.read_bytes()]
