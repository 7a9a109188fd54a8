"""An LLM as the model under test, behind a real server: scores, cost, stops and continuations."""

from __future__ import annotations

import json
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from augkit.commands.evaluate.scores import estimate_llm, evaluate_run
from augkit.commands.evaluate.settings import evaluation_settings
from augkit.core.errors import BackendFailed, BudgetExhausted

pytestmark = pytest.mark.slow

PRAISE, BLAME = ["moving", "clever", "warm"], ["dull", "clumsy", "cold"]
PAIRS = [["he", "she"], ["his", "her"], ["man", "woman"]]


def letter_of(body, label):
    """The letter that a label has in a request."""
    lines = body["messages"][0]["content"].splitlines()
    return next(line[0] for line in lines if line[1:].startswith(f". <data>{label}</data>"))


def honest(body):
    """A model that knows the words of praise, and is not impressed where a woman is praised."""
    text = body["messages"][-1]["content"]
    good = any(word in text for word in PRAISE) and "woman" not in text
    return letter_of(body, "good" if good else "bad")


def reviews(count):
    rng = random.Random(0)
    rows = []
    for number in range(count):
        label = number % 2
        person = rng.choice(["man", "woman"])
        text = f"Film {number} by that {person} is {rng.choice([PRAISE, BLAME][label])}."
        rows.append({"text": text, "label": ["good", "bad"][label]})
    return rows


def values(url, test, **more):
    connection = {"base_url": url, "backoff": 0.001, "backoff_cap": 0.01}
    connection |= more.pop("connection", {})
    return {
        "model_kind": "llm:openai:tiny",
        "tests": (str(test),),
        "connection": connection,
        "method": "swap",
        "options": {"pairs": PAIRS},
        **more,
    }


def stored(folder):
    """How many replies a folder has; none before it is made."""
    path = folder / "work" / "llm.sqlite"
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path, timeout=60)) as connection:
        try:
            return connection.execute("SELECT count(*) FROM replies").fetchone()[0]
        except sqlite3.OperationalError:
            return 0  # the tables are not made yet


def run(given):
    return evaluate_run(evaluation_settings(given))


@pytest.fixture
def rows(write_rows, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    return write_rows(reviews(30))


def test_scores_are_those_of_a_count_by_hand(serve, rows):
    """Accuracy, fairscore and its control; each text is asked about in both orders, once.

    The estimate asks nothing and counts every call; the folder replays without a server.
    """
    server = serve(answer=honest)
    given = values(server.url, rows, metrics=("accuracy", "fairscore"))
    estimated = estimate_llm(evaluation_settings(given))
    assert server.calls == 0
    assert not Path("mine").exists()
    accuracy, fairscore = run(given | {"out": "mine"}).records
    wrong = sum(row["label"] == "good" and "woman" in row["text"] for row in reviews(30))
    assert accuracy.scores["accuracy"].value == pytest.approx(1 - wrong / 30)
    praised = sum(row["label"] == "good" for row in reviews(30))
    assert fairscore.scores["changed_rows"].value == pytest.approx(praised / 30)
    answers = fairscore.llm
    assert answers.position_effect["answer depends on the order"].value == 0
    assert answers.cost.calls == server.calls == 2 * answers.questions
    assert set(server.questions.values()) == {1}
    assert (answers.unanswered, answers.undecided) == ({}, 0)
    assert estimated["calls"] == f"about {answers.cost.calls:,}"
    replayed = run({**given, "model_kind": "llm:scripted:mine", "connection": {}}).records
    assert [record.scores for record in replayed] == [accuracy.scores, fairscore.scores]
    assert server.calls == answers.cost.calls


def test_probabilities_come_from_log_probabilities(serve, rows):
    """A preference for the first letter is measured, and decides nothing."""
    server = serve(answer=lambda _: "A", logprobs=[{"A": 0.7, "B": 0.3}])
    (record,) = run(values(server.url, rows)).records
    effect = record.llm.position_effect
    assert effect["first option"].value == pytest.approx(0.2)
    assert effect["answer depends on the order"].value == 1.0
    assert record.llm.with_log_probabilities == record.llm.undecided == 30
    assert record.scores["accuracy"].value == 0.0


def test_other_metrics_work_unchanged(serve, write_rows, rows):
    """Counterfactual pairs, macro-F1, and confidence on rows out of distribution."""
    pairs = [
        {"text": f"Film {number} is {word}.", "label": label, "pair_id": str(number)}
        for number in range(10)
        for word, label in (("warm", "good"), ("dull", "bad"))
    ]
    server = serve(answer=honest)
    both = values(server.url, write_rows(pairs, "pairs.jsonl"))
    both |= {"metrics": ("pair-consistency", "macro-f1", "ood-auroc"), "ood": (str(rows),)}
    consistency, f1, ood = run(both).records
    assert consistency.scores["consistency"].value == 1.0
    assert f1.scores["macro_f1"].value == 1.0
    auroc = next(iter(ood.scores.values()))
    assert auroc.value == 0.5  # the same certainty everywhere


def test_a_budget_is_kept_and_the_same_command_continues(serve, rows):
    """Calls made before the stop are not made again, in total as many as without a stop."""
    server = serve(answer=honest)
    short = values(server.url, rows, connection={"budget": "25calls"})
    with pytest.raises(BudgetExhausted, match="continue with a higher --budget"):
        run(short)
    assert server.calls == 25
    (record,) = run(values(server.url, rows, connection={"budget": "60calls"})).records
    assert record.llm.cost.calls == server.calls == 60
    assert set(server.questions.values()) == {1}


@pytest.mark.usefixtures("hide_torch")
def test_a_killed_evaluation_continues_without_repeating_a_call(serve, rows):
    """Only calls in flight at the kill are asked again."""
    server = serve(answer=honest, hold_after=20)
    arguments = ["evaluate", "--model", "llm:openai:tiny", "--base-url", server.url]
    arguments += ["--test", str(rows), "--out", "mine", "--json"]
    process = subprocess.Popen(
        [sys.executable, "-m", "augkit", *arguments],
        stdout=subprocess.DEVNULL,
    )
    while stored(Path("mine")) < 20 or server.calls <= 20:
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    answered = sum(server.paid.values())
    in_flight = server.calls - answered
    server.behave(type(server.behaviour)(answer=honest))
    (record,) = run(values(server.url, rows, out="mine")).records
    assert answered == 20
    assert 0 < in_flight <= 8
    assert server.calls == 60 - answered
    assert record.scores["accuracy"].n == 30


def test_rows_that_cannot_be_perturbed_are_not_asked_about(serve, write_rows, rows):
    """Fairscore pays for changed rows, their variants and controls; the estimate agrees."""
    nobody = [{"text": f"Film {n} is dull.", "label": "bad"} for n in range(20)]
    test = write_rows([*reviews(10), *nobody], "mixed.jsonl")
    server = serve(answer=honest)
    given = values(server.url, test, metrics=("fairscore",))
    estimated = estimate_llm(evaluation_settings(given))
    (record,) = run(given).records
    scores = record.scores
    assert (scores["changed_rows"].n, scores["all_rows"].n) == (10, 30)
    assert record.llm.questions == 20 + scores["control"].n
    assert not any("is dull" in q and "by that" not in q for q in map(str, server.questions))
    calls = 2 * record.llm.questions
    assert server.calls == record.llm.cost.calls == calls
    assert estimated["calls"] == f"about {calls}"


def test_refusals_are_counted_and_not_paid_twice(serve, rows):
    """Rows without an answer are wrong, with the reason; a repeated command asks nothing again."""
    server = serve(answer=honest, plan=("refusal",) * 7)
    given = values(server.url, rows)
    given["connection"]["workers"] = 1
    scores = run(given)
    (record,) = scores.records
    assert record.llm.unanswered == {"refused": 3}
    caveats = " ".join(scores.verdict["caveats"])
    assert "3 of 30 questions have no answer" in caveats
    assert "questions without an answer in one of the orders: 1" in caveats
    calls = server.calls
    assert run(given).records[0].scores == record.scores
    assert server.calls == calls


def test_a_model_that_never_answers_is_an_error_that_says_why(serve, rows):
    """With the model's own words, and what to do."""
    server = serve(mix={"refusal": 1.0})
    with pytest.raises(BackendFailed, match=r"answered none of 30 .*refused .*cannot help"):
        run(values(server.url, rows))
    server = serve(answer=lambda _: "As a language model I have no opinion")
    with pytest.raises(BackendFailed, match="answered none of 30 questions"):
        run(values(server.url, rows))


def test_the_prompt_and_the_descriptions_are_the_users(serve, rows, tmp_path):
    """A file in the place of ours, and what the labels mean."""
    own = tmp_path / "prompts" / "evaluate"
    own.mkdir(parents=True)
    (own / "label.yaml").write_text(
        "id: evaluate/label\nversion: 1\ninputs: [labels, fields]\nmessages:\n"
        "  - role: system\n    content: |\n      Which letter?\n"
        "      {% for one in labels %}\n"
        "      {{ loop.index0 | letter }}. {{ one.label | data }} {{ one.description | data }}\n"
        "      {% endfor %}\n"
        "  - role: user\n    content: '{{ fields.text | data }}'\n"
    )
    server = serve(answer=honest)
    given = values(server.url, rows, tested_llm={"prompts": tmp_path / "prompts"})
    run(given | {"model": {"descriptions": {"good": "says that it is worth seeing"}}})
    system = server.bodies[0]["messages"][0]["content"]
    assert system.startswith("Which letter?\n")
    assert "<data>good</data> <data>says that it is worth seeing</data>" in system


def test_the_command_prints_scores_effect_and_cost(serve, rows, augkit):
    """As a person types it; the JSON has the same."""
    server = serve(answer=honest)
    command = ["evaluate", "--model", "llm:openai:tiny", "--base-url", server.url]
    command += ["--test", str(rows)]
    printed = augkit(*command)
    assert printed.code == 0, printed.err
    assert "position effect, answer depends on the order: 0.000" in printed.out
    assert "60 calls" in printed.out
    record = json.loads(augkit(*command, "--json").out)
    assert record["llm"]["cost"]["calls"] == server.calls == 60
    dry = augkit(*command, "--limit", "10", "--dry-run")
    assert "about 20" in dry.out
