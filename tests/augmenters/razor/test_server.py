"""RAZOR behind a real server, stopped and gone on, killed and gone on, and what a run writes."""

import json
import re
from itertools import count

import pytest

from augkit.augmenters.create import create
from augkit.augmenters.razor import method
from augkit.augmenters.razor.rule_rewriter import RuleRewriter
from augkit.core.errors import BudgetExhausted
from augkit.core.protocols import Tools
from augkit.core.types import Pair, Variant, example
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
    for number in range(5)
    for word, label in (("wonderful", "positive"), ("dreadful", "negative"))
]


def is_judge(body):
    return "You label the texts" in body["messages"][0]["content"]


def letter(body, label):
    shown = re.findall(r"^(\w)\. <data>(.*?)</data>", body["messages"][0]["content"], re.MULTILINE)
    return next((letter for letter, one in shown if one == label), label)


def answering(texts, label):
    return lambda body: letter(body, label) if is_judge(body) else json.dumps({"texts": texts})


def outcome(server, judge=None):
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


@pytest.mark.parametrize("fault", ["bad-json", "refusal", "reset"])
def test_a_misbehaving_server_costs_a_row_and_no_run(faults, fault):
    """Whatever the judge's server answers instead of a verdict, the row stays with a reason."""
    writes = faults.Behaviour(answer=answering(["Splendid."], "positive"))
    with (
        faults.FaultServer(writes) as server,
        faults.FaultServer(faults.Behaviour(mix={fault: 1.0})) as judge,
    ):
        found = outcome(server, judge)
    assert isinstance(found, Variant)
    assert found.reason.startswith("judge: ")


def written(folder):
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
            options={"top": 3, "rounds": 2, "epsilon": 0.0},
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
        for budget in ("4calls", "12calls"):
            with pytest.raises(BudgetExhausted):
                run(settings(server, budget), tmp_path / "parts", resume=True)
        run(settings(server, "1000calls"), tmp_path / "parts", resume=True)
        assert set(server.questions.values()) == {1}
    assert written(tmp_path / "parts") == written(tmp_path / "whole")


@pytest.mark.slow
def test_a_killed_offline_run_ends_as_one_that_was_not(tmp_path, monkeypatch):
    """Killed between two blocks of rows, then resumed: the same bytes."""
    monkeypatch.setattr(method, "_BLOCK", 16)
    lines = (
        {"text": f"a {'municipal ' if n % 2 else ''}plan for the {word} number {n}", "label": label}
        for n in range(120)
        for word, label in ((("park", "town")[n % 3 == 0], ("new", "old")[n % 2]),)
    )
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (tmp_path / "rows.jsonl").write_text(text, encoding="utf-8")
    asked = RunSettings(method="razor", dataset=str(tmp_path / "rows.jsonl"))
    run(asked, tmp_path / "whole")
    calls = count()
    rewrite = RuleRewriter.__call__

    def killed(*arguments):
        if next(calls) == 1:
            raise KeyboardInterrupt
        return rewrite(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(RuleRewriter, "__call__", killed)
        with pytest.raises(KeyboardInterrupt):
            run(asked, tmp_path / "parts")
    run(asked, tmp_path / "parts", resume=True)
    assert next(calls) == 2
    assert written(tmp_path / "parts") == written(tmp_path / "whole")
    assert (tmp_path / "whole" / "variants.jsonl").read_text().count("\n") > 16


@pytest.mark.parametrize("keep_rest", [True, False])
def test_the_rows_that_are_written_are_balanced(write_rows, tmp_path, keep_rest):
    """With a part of the dataset, giveaways are counted in that part, unless all is written."""
    rows = [
        {"text": f"We saw film {n} {end}", "label": label}
        for n in range(60)
        for label, end in (("positive", "!"), ("negative", "." if n % 6 else "!"))
    ]
    given = {"sample": 60, "keep_rest": keep_rest, "options": {"verify": False}}
    folder = run(
        RunSettings(method="razor", dataset=str(write_rows(rows)), **given), tmp_path / "out"
    )
    written = [json.loads(line) for line in (folder / "dataset.jsonl").read_text().splitlines()]
    assert len(written) == (120 if keep_rest else 60)
    shares = [
        sum(one["text"].endswith("!") for one in written if one["label"] == label)
        / sum(one["label"] == label for one in written)
        for label in ("positive", "negative")
    ]
    assert 0 <= shares[0] - shares[1] < 0.4
