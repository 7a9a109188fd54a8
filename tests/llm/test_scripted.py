"""Scripted answers: in order, by function, from files and from a run's record."""

import json
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from augkit.core.errors import BackendFailed, ConfigError
from augkit.core.model_types import Message, Request
from augkit.llm.made_up import conforming
from augkit.llm.scripted import Scripted, connect
from augkit.llm.settings import ConnectOptions
from augkit.llm.stack import RunStore, open_llm


class Rewording(BaseModel):
    text: str


def ask(text="Fine.", **more):
    return Request([Message("user", text)], **more)


def script(path, *lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return connect(str(path), ConnectOptions())


def test_a_list_is_answered_in_order_and_then_runs_out():
    """After the last answer the fault says that there is no more."""
    replies = Scripted(["a", "b"]).generate([ask(), ask(), ask()])
    assert [reply.text for reply in replies] == ["a", "b", ""]
    assert replies[2].fault == "no recorded reply"
    assert not replies[2].transient


def test_an_answer_is_validated_like_any_other():
    """A scripted answer that does not fit is a fault, with its cost."""
    good, bad = Scripted(['{"text": "x"}', "nonsense"]).generate([ask(answer=Rewording)] * 2)
    assert good.answer == Rewording(text="x")
    assert (bad.fault, bad.cost.calls) == ("does not match the JSON schema", 1)


def test_lines_match_by_a_part_of_the_last_message(tmp_path):
    llm = script(
        tmp_path / "s.jsonl",
        {"match": "film", "reply": {"text": "movie"}},
        {"match": "f", "reply": "other"},
    )
    film, other, none = llm.generate([ask("a film"), ask("off"), ask("dull")])
    assert (film.text, other.text) == ('{"text": "movie"}', "other")
    assert none.fault == "no recorded reply"
    assert "dull" in none.detail


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("not json", "s.jsonl:1"),
        ('{"match": "x"}', "reply"),
        ('{"match": "x", "replay": "y", "reply": "z"}', "Did you mean 'reply'"),
        ("[]", "match"),
    ],
)
def test_a_wrong_line_is_an_error_with_its_number(tmp_path, content, says):
    path = tmp_path / "s.jsonl"
    path.write_text(content)
    with pytest.raises(ConfigError, match=says):
        connect(str(path), ConnectOptions())


@pytest.mark.parametrize("where", ["", "nowhere", "."])
def test_a_missing_file_is_an_error_with_what_it_may_be(tmp_path, where, monkeypatch):
    """Neither a file nor a folder of a run."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match=r"work/llm\.sqlite"):
        connect(where, ConnectOptions())


def test_a_sqlite_file_of_something_else_is_an_error(tmp_path):
    """A database without recorded answers is no script."""
    import sqlite3

    connection = sqlite3.connect(tmp_path / "x.sqlite")
    connection.execute("CREATE TABLE t (a)")
    connection.close()
    with pytest.raises(BackendFailed, match="no recorded replies"):
        connect(str(tmp_path / "x.sqlite"), ConnectOptions())


def test_a_run_is_replayed_from_its_record(tmp_path, serve, options):
    """Answers and costs are those of the recorded run; nothing is spent and nobody is called."""
    server = serve()
    questions = [ask(f"Row {n}", answer=Rewording, seed=n) for n in range(5)]
    store = RunStore(tmp_path / "run" / "work" / "llm.sqlite")
    with open_llm("openai:gpt-4o", options(server), store) as llm:
        recorded = llm.generate(questions)
    store.close()
    with open_llm(f"scripted:{tmp_path / 'run'}") as llm:
        replayed = llm.generate(questions)
        assert llm.generate([ask("Row 9")])[0].fault == "no recorded reply"
        assert (llm.spent().usd, llm.spent().cached) == (0.0, 5)
    assert [(r.answer, r.cost) for r in replayed] == [(r.answer, r.cost) for r in recorded]
    assert recorded[0].cost.usd > 0
    assert server.calls == 5


@pytest.mark.slow
def test_a_replay_repeats_faults_and_their_costs(tmp_path, serve, options):
    """A cut answer was paid for; a lost connection was not; neither is asked again."""
    server = serve(plan=("cut", "reset", "reset", "wrong-schema", "bad-json", "429", "ok"))
    questions = [ask(f"Row {n}", answer=Rewording) for n in range(5)]
    store = RunStore(tmp_path / "run" / "work" / "llm.sqlite")
    with open_llm("openai:gpt-4o", options(server, workers=1, attempts=2), store) as llm:
        recorded = [llm.generate([question])[0] for question in questions]
    store.close()
    assert [reply.fault for reply in recorded] == [
        *("truncated", "connection lost", "does not match the JSON schema", "", "")
    ]
    with open_llm(f"scripted:{tmp_path / 'run'}") as llm:
        replayed = llm.generate(questions)
        assert llm.generate([ask("Row 9")])[0].fault == "no recorded reply"
        spent = llm.spent()
    assert [(r.text, r.fault, r.detail, r.cost) for r in replayed] == [
        (r.text, r.fault, r.detail, r.cost) for r in recorded
    ]
    assert (spent.calls, spent.prompt_tokens, spent.unsettled) == (0, 0, 0)


class Inner(BaseModel):
    kind: Literal["b", "a"]
    note: str | None
    score: float = Field(ge=0, le=1)


class Everything(BaseModel):
    text: str = Field(min_length=60)
    short: str = Field(max_length=3)
    inner: Inner
    several: list[Inner] = Field(min_length=2)
    pair: tuple[int, str]
    count: int = Field(gt=3, lt=5)
    flag: bool
    fixed: Literal["x"]
    either: int | str
    nothing: None


def test_a_conforming_answer_fits_any_schema():
    """Nested, constrained, optional and enumerated: what is made up validates."""
    made = Everything.model_validate_json(conforming(ask(answer=Everything)))
    assert (made.inner.kind, made.fixed, made.count) == ("b", "x", 4)
    assert len(made.several) == 2


@given(st.text(), st.integers())
def test_conforming_strings_are_new_and_follow_from_the_request(text, seed):
    """Not empty, not the input, the same for the same request, another for another seed."""
    request = ask(text, answer=Rewording, seed=seed)
    made = json.loads(conforming(request))["text"]
    assert made.strip()
    assert made != text
    assert conforming(request) == conforming(request)
    assert conforming(request) != conforming(ask(text, answer=Rewording, seed=seed + 1))


def test_a_plain_request_gets_a_plain_text():
    assert conforming(ask()).endswith(".")
