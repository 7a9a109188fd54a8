"""RAZOR with a model behind a real server: what is said over HTTP, what is accepted, what stays."""

from __future__ import annotations

import json
import re

import pytest

from augkit.augmenters.create import create
from augkit.core.errors import BudgetExhausted
from augkit.core.protocols import Tools
from augkit.core.types import Pair, Rejection, example
from augkit.llm.settings import ConnectOptions
from augkit.llm.stack import open_llm
from augkit.runs.execute import run
from augkit.runs.settings import RunSettings

pytestmark = pytest.mark.slow

REVIEWS = [
    example("A truly wonderful film.", "positive"),
    example("A truly dreadful film.", "negative"),
]
ROWS = [
    {"text": f"A truly {word} film, number {number}.", "label": label}
    for number in range(8)
    for word, label in (("wonderful", "positive"), ("dreadful", "negative"))
]


def is_judge(body):
    """Whether a request asks for a label."""
    return "You label the texts" in body["messages"][0]["content"]


def letter(body, label):
    """The letter of a label in the question of a judge."""
    shown = re.findall(r"^(\w)\. <data>(.*?)</data>", body["messages"][0]["content"], re.MULTILINE)
    return next((letter for letter, one in shown if one == label), label)


def answering(texts, label):
    """An answer to both kinds of question."""
    return lambda body: letter(body, label) if is_judge(body) else json.dumps({"texts": texts})


def outcome(server, judge=None):
    """What becomes of the first review."""
    options = [
        ConnectOptions(base_url=one.url, workers=1, attempts=2, backoff=0.001, backoff_cap=0.01)
        for one in (server, judge or server)
    ]
    with open_llm("openai:tiny", options[0]) as llm, open_llm("openai:tiny", options[1]) as other:
        tools = Tools(llm=llm, judge=other if judge else None)
        (found,) = create("razor", tools, rounds=1, candidates=1).fit(REVIEWS).outcomes(REVIEWS[:1])
    return found


def test_inner_quotes_come_through_whole(faults):
    """A rewriting with quotation marks is kept letter for letter, after one verdict."""
    whole = 'He said "see it" and meant it: "wonderful".'
    with faults.FaultServer(faults.Behaviour(answer=answering([whole], "positive"))) as server:
        found = outcome(server)
        assert isinstance(found, Pair)
        assert found.variant.fields["text"] == whole
        assert server.calls == found.provenance.cost.calls == 3


@pytest.mark.parametrize("formats", [{"json_schema", "json_object", "none"}, {"none"}])
@pytest.mark.parametrize("said", ["not positive", "Positive", "positive or negative", "negative"])
def test_not_positive_is_not_positive(faults, said, formats):
    """Only the label itself passes, also from a server that does not hold itself to a schema."""
    behaviour = faults.Behaviour(answer=answering(["Splendid."], said), formats=frozenset(formats))
    with faults.FaultServer(behaviour) as server:
        found = outcome(server)
    assert isinstance(found, Rejection)
    assert found.reason.startswith("judge")


def test_the_original_again_is_refused_and_not_judged(faults):
    """An answer that repeats the text costs no verdict."""
    same = answering(["A truly  wonderful film. "], "positive")
    with faults.FaultServer(faults.Behaviour(answer=same)) as server:
        found = outcome(server)
        assert isinstance(found, Rejection)
        assert found.reason == "unchanged"
        assert server.calls == 1


def test_another_model_verifies_and_sees_only_the_rewriting(faults):
    """The judge's server gets the rewriting, and neither the original nor its label as such."""
    writes = faults.Behaviour(answer=answering(["Splendid."], "negative"))
    judges = faults.Behaviour(answer=answering([], "positive"))
    with faults.FaultServer(writes) as server, faults.FaultServer(judges) as judge:
        found = outcome(server, judge)
        assert isinstance(found, Pair)
        assert (server.calls, judge.calls) == (1, 2)
        body, _ = judge.bodies
    shown = " ".join(message["content"] for message in body["messages"])
    assert "Splendid." in shown
    assert "wonderful" not in shown


@pytest.mark.parametrize("fault", ["html", "bad-json", "wrong-schema", "refusal", "empty", "reset"])
def test_a_misbehaving_server_costs_a_row_and_no_run(faults, fault):
    """Whatever the judge's server answers instead of a verdict, the row stays with a reason."""
    writes = faults.Behaviour(answer=answering(["Splendid."], "positive"))
    with (
        faults.FaultServer(writes) as server,
        faults.FaultServer(faults.Behaviour(mix={fault: 1.0})) as judge,
    ):
        found = outcome(server, judge)
    assert isinstance(found, Rejection)
    assert found.reason.startswith("judge: ")


def written(folder):
    """The bytes of the files of a run."""
    names = ("variants.jsonl", "rejected.jsonl", "dataset.jsonl", "run_info.json")
    return [(folder / name).read_bytes() for name in names]


def test_stopped_in_a_round_and_resumed_it_ends_the_same(faults, tmp_path):
    """Stopped by the budget twice over HTTP: the same bytes, and no question paid for twice."""

    def reply(body):
        if is_judge(body):
            return letter(body, "positive")
        what = re.search(r"A truly (\w+) film, (number \d)", body["messages"][-1]["content"])
        texts = [f"This film is {how}, {what[2]} {what[1][:5]}." for how in ("so so", "truly odd")]
        return json.dumps({"texts": texts})

    text = "".join(json.dumps(row) + "\n" for row in ROWS)
    (tmp_path / "rows.jsonl").write_text(text, encoding="utf-8")

    def settings(server, budget):
        return RunSettings(
            method="razor",
            dataset=str(tmp_path / "rows.jsonl"),
            llm="openai:tiny",
            options={"top": 3, "rounds": 3, "epsilon": 0.0},
            connection={
                "budget": budget,
                "base_url": server.url,
                "workers": 2,
                "timeout": 3600.0,
            },
        )

    with faults.FaultServer(faults.Behaviour(answer=reply)) as server:
        run(settings(server, "1000calls"), tmp_path / "whole")
        server.behave(faults.Behaviour(answer=reply))
        for budget in ("4calls", "15calls"):
            with pytest.raises(BudgetExhausted):
                run(settings(server, budget), tmp_path / "parts", resume=True)
        run(settings(server, "1000calls"), tmp_path / "parts", resume=True)
        assert set(server.questions.values()) == {1}
    assert written(tmp_path / "parts") == written(tmp_path / "whole")
