"""A language model that judges pairs with one difference, asked over HTTP."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from augkit.commands.audit.judges.pairs import (
    FRAME,
    MARKDOWN,
    REPEATED,
    SAME,
    feature_pairs,
    read_answers_to_judge,
)
from augkit.evaluation.choices import markdown_marks
from augkit.text.features.kinds import lowered_words
from tests.data import read_jsonl

THINGS = "tea coffee milk juice water cocoa cider soup broth syrup".split()
ROWS = [
    {"prompt": f"How is {thing} made?", "chosen": f"Heat the {thing}. Wait for a minute.",
     "rejected": "Ask somebody."}
    for thing in THINGS
]  # fmt: skip


@pytest.fixture
def answers(write_rows):
    return write_rows(ROWS, "answers.jsonl")


def shown_answers(body):
    """The two answers as the prompt of a request shows them."""
    prompt = body["messages"][-1]["content"]
    return re.findall(r"[AB]\. <data>(.*?)</data>", prompt, re.DOTALL)


def judge_by(faults, key):
    """A server that takes the answer with the higher key, and the first where they are equal."""

    def answer(body):
        first, second = map(key, shown_answers(body))
        return "B" if second > first else "A"

    return faults.FaultServer(faults.Behaviour(answer=answer))


def audit(augkit, server, answers, *more):
    model = ("--model", "llm:openai:m", "--base-url", server.url)
    return augkit("audit", "--judge", answers, *model, "--out", "found", *more)


def test_pairs_differ_in_one_feature_only(answers):
    """The same words; an opening and a closing; the words twice; nothing."""
    pairs = list(feature_pairs(read_answers_to_judge(str(answers), 2)))
    assert [pair.feature for pair in pairs] == [MARKDOWN, FRAME, REPEATED, SAME] * 2
    by_feature = {pair.feature: pair for pair in pairs[:4]}
    plain = "Heat the tea. Wait for a minute."
    assert {pair.plain for pair in pairs[:4]} == {plain}
    marked = by_feature[MARKDOWN].featured
    assert markdown_marks(marked) == 4
    assert lowered_words(marked) == lowered_words(plain)
    assert f"\n\n{plain}\n\n" in by_feature[FRAME].featured
    assert by_feature[REPEATED].featured.count(plain) == 2
    assert by_feature[SAME].featured == plain


def test_what_an_answer_has_already_is_taken_out(write_rows):
    """The answer itself then has the Markdown; an opening and a closing are changed for others."""
    answer = "Sure! Here is the answer:\n\n# Tea\n- **hot**\n\nI hope this helps!"
    path = write_rows([{"chosen": answer, "rejected": "x", "prompt": "?"}])
    markdown, frame, *_ = feature_pairs(read_answers_to_judge(str(path), 5))
    words = lowered_words(answer)
    assert (markdown.featured, markdown_marks(markdown.plain)) == (answer, 0)
    assert lowered_words(markdown.plain) == words
    assert frame.plain == "# Tea\n- **hot**"
    assert frame.plain in frame.featured


def test_code_alone_cannot_be_marked(write_rows):
    """Markdown is put in no block of code: such an answer has no pair of that kind."""
    path = write_rows([{"chosen": "```\nx = 1\n```", "rejected": "x", "prompt": "?"}])
    features = [pair.feature for pair in feature_pairs(read_answers_to_judge(str(path), 5))]
    assert features == [FRAME, REPEATED, SAME]


def test_texts_without_a_prompt_are_judged_too(write_rows):
    """Labelled rows: the first text of each; a text that repeats counts once."""
    rows = [{"text": text, "label": "x"} for text in ("Good.", "Good.", "Bad.")]
    assert read_answers_to_judge(str(write_rows(rows)), 50) == [("", "Good."), ("", "Bad.")]


@pytest.mark.slow
def test_a_judge_that_likes_markdown_is_found(augkit, faults, answers):
    """By feature: how often it wins, how often the first shown does, flips; verdicts are kept.

    So are replies: a repeated command pays for nothing.
    """
    with judge_by(faults, markdown_marks) as server:
        done = audit(augkit, server, answers, "--json", "--fail-on-alarm")
        calls = server.calls
        repeated = audit(augkit, server, answers, "--json")
        assert server.calls == calls
    assert done.code == 1, done.err
    record = json.loads(done.out)
    assert json.loads(repeated.out)["effects"] == record["effects"]
    assert json.loads(repeated.out)["llm"]["cost"]["calls"] == calls
    effects = {effect["effect"]: effect for effect in record["effects"]}
    assert effects[MARKDOWN]["share"]["value"] == 1
    assert effects[MARKDOWN]["alarm"]
    assert effects[REPEATED]["share"]["value"] == 0.5
    shares = {judge["judge"]: judge for judge in record["judges"]}
    assert shares[MARKDOWN]["flips"]["value"] == 0
    assert shares[FRAME]["flips"]["value"] == 1
    assert shares[SAME]["first"]["value"] == 1
    assert shares[SAME]["verdicts"] == 10
    assert effects["shown first"]["alarm"]
    # each pair in two orders, and the same answer twice in one
    assert record["llm"]["cost"]["calls"] == 10 * (3 * 2 + 1)
    lines = read_jsonl("found/verdicts.jsonl")
    assert len(lines) == 70
    assert lines[0]["feature"] == MARKDOWN
    again = augkit("audit", "--judge", "found/verdicts.jsonl", "--out", "again", "--json")
    assert json.loads(again.out)["judges"][0]["judge"] == "openai:m"


@pytest.mark.slow
def test_a_judge_that_likes_plain_answers_is_told_in_words(augkit, faults, answers):
    """On the screen and on the page."""
    with judge_by(faults, lambda text: -len(text)) as server:
        done = audit(augkit, server, answers)
    expected = "Alarm: This judge prefers the answer without an opening and a closing: 100.0 %"
    assert expected in done.out
    assert expected in Path("found/report.html").read_text()
    assert "whatever is preferred, it is not the content" in done.out


@pytest.mark.slow
def test_the_estimate_asks_nothing_and_a_budget_ends(augkit, faults, answers):
    """As many calls as are then made; exit code 3 where the budget ends first."""
    with judge_by(faults, len) as server:
        done = audit(augkit, server, answers, "--dry-run", "--set", "limit=4")
        assert "about 28" in done.out
        assert "16, each in both orders" in done.out
        done = audit(augkit, server, answers, "--budget", "5calls")
    assert done.code == 3
