"""Calls that a server fails to answer leave their rows open: a resume asks again, and no more."""

import json
import threading
from types import SimpleNamespace

import pytest

import augkit as toolkit
from augkit.commands.tested_llm import check_perturbed
from augkit.core.errors import BackendFailed, RowsOpen
from augkit.core.results import Perturbation
from augkit.runs.execute import run
from augkit.runs.settings import merge_settings

pytestmark = [pytest.mark.usefixtures("hide_torch"), pytest.mark.slow]

ROWS = [
    {"text": f"The movie number {i} was quite good, I think.", "label": "ab"[i % 2], "n": i}
    for i in range(12)
]
FILES = ("variants.jsonl", "rejected.jsonl", "dataset.jsonl")


@pytest.fixture
def asking(augkit, write_rows, tmp_path):
    """Call a run with a language model at an address, one attempt a call."""
    rows, config = write_rows(ROWS), tmp_path / "once.yaml"
    config.write_text("connection: {attempts: 1}\n")

    def call(url, out, *more):
        return augkit(
            *("run", "--method", "paraphrase", "--dataset", rows, "--llm", "openai:tiny"),
            *("--base-url", url, "--out", tmp_path / out, "--config", config),
            *("--set", "text_gates.enabled=false"),  # the answers are made up
            *more,
        )

    return call


def contents(folder):
    return [(folder / name).read_bytes() for name in FILES]


def records(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def manifest(folder):
    return json.loads((folder / "manifest.json").read_text())


def failing(numbers, status=500):
    """Fails the calls about the rows with these numbers."""
    texts = [ROWS[number]["text"] for number in numbers]

    def refuse(call):
        asked = call.body["messages"][-1]["content"]
        return (status, {"error": "no"}) if any(text in asked for text in texts) else None

    return refuse


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("500", "server error 500"),
        ("html", "malformed response"),
        ("no-content", "malformed response"),
    ],
)
def test_a_server_that_answers_nothing_leaves_all_rows_open(asking, serve, tmp_path, fault, reason):
    """Exit code 4 and a sentence; once it answers, a resume gives the bytes of a whole run."""
    server, out = serve(mix={fault: 1.0}), tmp_path / "out"
    done = asking(server.url, "out")
    assert done.code == 4
    assert f"12 rows are open: 12 calls failed ({reason}: 12)" in done.err
    assert f"augkit run --resume --out {out}" in done.err
    assert manifest(out)["status"] == "rows open"
    assert (out / "rejected.jsonl").read_text() == (out / "variants.jsonl").read_text() == ""
    rows = records(out / "dataset.jsonl")
    assert [row["n"] for row in rows] == list(range(12))
    assert f"12 rows are open: 12 calls failed ({reason}: 12)" in (out / "report.html").read_text()

    healthy = serve()
    assert asking(healthy.url, "whole").code == 0
    server.behave(healthy.behaviour)
    resumed = asking(server.url, "out", "--resume")
    assert resumed.code == 0, resumed.err
    assert server.calls == 12
    assert contents(out) == contents(tmp_path / "whole")
    counts = manifest(out)["counts"]
    assert (manifest(out)["status"], counts["open"], counts["failed_calls"]) == ("done", 0, {})


@pytest.mark.parametrize("mix", ["append", "replace", "balance"])
def test_only_the_rows_in_the_middle_are_asked_again(asking, serve, tmp_path, mix):
    """Three calls of twelve fail: answers are paid for once, and in the end nothing shows."""
    out = tmp_path / "out"
    server = serve(refuse=failing([4, 5, 9]))
    done = asking(server.url, "out", "--mix", mix)
    assert done.code == 4
    assert "3 rows are open: 3 calls failed (server error 500: 3)" in done.err
    assert server.paid.total() == 9
    counts = manifest(out)["counts"]
    assert (counts["selected"], counts["accepted"], counts["open"]) == (12, 9, 3)
    rows = records(out / "dataset.jsonl")
    unchanged = {row["n"] for row in rows if row["augkit_origin"] == "original"}
    assert unchanged == ({4, 5, 9} if mix == "replace" else set(range(12)))

    server.behave(type(server.behaviour)(refuse=failing([9], 503)))
    again = asking(server.url, "out", "--mix", mix, "--resume")
    assert again.code == 4
    assert "1 row is open: 1 call failed (server error 503: 1)" in again.err
    assert (server.calls, server.paid.total()) == (3, 2)

    server.behave(type(server.behaviour)())
    assert asking(server.url, "out", "--mix", mix, "--resume").code == 0
    assert server.calls == 1
    assert asking(server.url, "whole", "--mix", mix).code == 0
    assert contents(out) == contents(tmp_path / "whole")
    assert not list((out / "work").glob("dataset*"))


def test_a_resume_that_is_broken_off_loses_nothing(asking, serve, tmp_path):
    """With the budget used up amid a resume, the next one still goes on from the first open row."""
    out = tmp_path / "out"
    server = serve(refuse=failing([2, 3, 7]))
    assert asking(server.url, "out", "--budget", "12calls").code == 4
    server.behave(type(server.behaviour)())
    broken = asking(server.url, "out", "--resume", "--budget", "13calls", "--workers", "1")
    assert broken.code == 3
    assert manifest(out)["status"] == "stopped at budget"
    assert asking(server.url, "out", "--resume", "--budget", "15calls").code == 0
    assert server.calls == 3
    assert asking(server.url, "whole").code == 0
    assert contents(out) == contents(tmp_path / "whole")


def test_a_call_of_the_judge_that_fails_leaves_the_row_open(asking, serve, tmp_path):
    """What a judge did not answer rejects nothing."""
    judge = ("--set", "judge.by=llm", "--set", "judge.rows=0")

    def refuse(call):  # the answers of a judge are one letter
        return (503, {"error": "no"}) if call.body["max_tokens"] < 30 else None

    server = serve(refuse=refuse)
    done = asking(server.url, "out", *judge)
    assert done.code == 4
    assert "12 rows are open" in done.err
    assert (tmp_path / "out" / "rejected.jsonl").read_text() == ""
    server.behave(type(server.behaviour)())
    assert asking(server.url, "out", "--resume", *judge).code == 0
    assert (server.calls, set(server.questions.values())) == (24, {1})
    assert asking(server.url, "whole", *judge).code == 0
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


def test_a_judge_that_cannot_be_measured_leaves_rows_open(asking, serve, tmp_path):
    """It is measured when it is first needed: where no call is answered, all rows are open."""
    judge = ("--set", "judge.by=llm", "--set", "judge.rows=6")
    server = serve(mix={"500": 1.0})
    done = asking(server.url, "out", *judge)
    assert done.code == 4
    assert "12 rows are open: 12 calls failed (server error 500: 12)" in done.err
    assert manifest(tmp_path / "out")["status"] == "rows open"
    server.behave(type(server.behaviour)())
    assert asking(server.url, "out", "--resume", *judge).code == 0
    assert asking(server.url, "whole", *judge).code == 0
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


def test_of_a_batch_only_the_row_without_an_answer_is_open(write_rows, tmp_path):
    """A local back end is given many rows at a time; what lacks is the reply to one of them."""
    lines = [{"match": row["text"], "reply": {"text": f"Fine, number {row['n']}!"}} for row in ROWS]
    script = write_rows(lines[:7] + lines[8:], "answers.jsonl")
    given = {
        "method": "paraphrase", "dataset": str(write_rows(ROWS)), "llm": f"scripted:{script}",
        "text_gates": {"enabled": False}, "judge": {"by": "none"},
    }  # fmt: skip
    with pytest.raises(RowsOpen, match=r"1 row is open: 1 call failed \(no recorded reply: 1\)"):
        run(merge_settings(given), tmp_path / "out")
    assert len(records(tmp_path / "out" / "variants.jsonl")) == 11


def test_from_python_the_error_names_the_folder(serve, write_rows, tmp_path):
    """``augment_dataset`` raises after the files are written, and says which folder has them."""
    server = serve(mix={"500": 1.0})
    with pytest.raises(RowsOpen) as raised:
        toolkit.augment_dataset(
            write_rows(ROWS),
            "paraphrase",
            tmp_path / "out",
            llm="openai:tiny",
            connection={"base_url": server.url, "attempts": 1},
        )
    assert isinstance(raised.value, BackendFailed)
    assert raised.value.run_folder == tmp_path / "out"
    assert (tmp_path / "out" / "dataset.jsonl").is_file()


def test_the_card_and_the_scores_name_open_rows(augkit, asking, serve, write_rows, tmp_path):
    """A run with open rows can be measured and published, and both say so."""
    server = serve(refuse=failing([3]))
    asking(server.url, "out")
    card = tmp_path / "out" / "README.md"
    assert "1 row is open: 1 call failed (server error 500: 1)" in card.read_text()
    assert "127.0.0.1" not in card.read_text()
    test = write_rows(ROWS, "test.jsonl")
    measured = augkit("evaluate", tmp_path / "out", "--test", test, "--seeds", "0")
    assert measured.code == 0, measured.err
    assert "the run is not complete: 1 row is open" in measured.out
    server.behave(type(server.behaviour)())
    assert asking(server.url, "out", "--resume").code == 0
    assert "row is open" not in card.read_text()
    assert "Did it help?" not in card.read_text()  # what was measured was another dataset


def test_a_trial_says_that_its_row_is_open(augkit, asking, serve, write_rows, tmp_path):
    """``try`` has nothing to show of a row whose call failed, and ends with 4."""
    url = serve(mix={"500": 1.0}).url
    words = ("-d", write_rows(ROWS), "--llm", "openai:tiny", "--set", f"base_url={url}")
    tried = augkit("try", "-m", "paraphrase", *words, "--config", tmp_path / "once.yaml")
    assert tried.code == 4, tried.err
    assert "OPEN: 1 call failed (server error 500: 1)" in tried.out
    assert "REJECTED" not in tried.out


def test_rows_that_could_not_be_perturbed_end_an_evaluation_with_an_error():
    """Several classifiers saw the same perturbed rows: their failed calls count once."""
    perturbation = Perturbation("panda", {}, {}, {"server error 500": 2})
    results = [SimpleNamespace(test="test", perturbation=perturbation)] * 2
    with pytest.raises(BackendFailed, match=r"2 calls failed \(server error 500: 2\) where test"):
        check_perturbed(results)
    check_perturbed([SimpleNamespace(test="test", perturbation=None)])


def test_calls_from_threads_of_a_method_leave_rows_open(serve, faults):
    """A method may ask from threads of its own, which know of no row."""
    from augkit.core.model_types import Message, Request
    from augkit.llm.settings import ConnectOptions
    from augkit.llm.stack import open_llm
    from augkit.llm.unanswered import noting_unanswered

    server = serve(mix={"500": 1.0})
    request = Request([Message("user", "Hello?")])
    options = ConnectOptions(base_url=server.url, attempts=1)
    with open_llm("openai:tiny", options) as llm, noting_unanswered() as outer:
        thread = threading.Thread(target=llm.generate, args=([request],))
        thread.start()
        thread.join()
        assert outer.by_reason == {"server error 500": 1}
        with noting_unanswered() as inner:
            llm.generate([request, request])
        assert inner.by_reason == {"server error 500": 2}
        assert outer.by_reason == {"server error 500": 1}
