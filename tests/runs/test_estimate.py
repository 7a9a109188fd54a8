"""``--dry-run``: what it estimates beside what a run then spends."""

import json
import re

import pytest

from augkit.llm.settings import ConnectOptions
from augkit.runs.estimate import Estimate, estimate, estimate_parts
from augkit.runs.execute import run
from augkit.runs.manifest import read_manifest
from augkit.runs.settings import RunSettings

pytestmark = pytest.mark.slow


def reworded(body):
    """A model that gives back the text with its words in another order, and finds it positive."""
    if "response_format" not in body:
        return "A"
    properties = body["response_format"]["json_schema"]["schema"]["properties"]
    if "label" in properties:
        return '{"label": "positive"}'
    text = re.findall(r"<data>\n?(.*?)\n?</data>", body["messages"][-1]["content"])[-1]
    middle = len(text.split()) // 2
    words = [*text.split()[middle:], *text.split()[:middle]]
    named = [
        {"old": " ".join(words[n : n + 2]), "new": " ".join(words[n : n + 3])} for n in range(4)
    ]
    return json.dumps({"words": named, "text": " ".join(words)})


def counted(completion, body):
    """As many tokens as a usual tokenizer makes of English."""
    asked = sum(len(message["content"]) / 4.2 + 4 for message in body["messages"])
    written = len(completion["choices"][0]["message"]["content"]) / 3.7 + 1
    completion["usage"] = {"prompt_tokens": round(asked), "completion_tokens": round(written)}


@pytest.mark.parametrize("judge", [{}, {"by": "llm", "rows": 0}])
def test_a_run_spends_about_what_was_estimated(faults, tmp_path, judge):
    """Within 20 % of all tokens, with and without a judge; the written ones alone vary more."""
    with faults.FaultServer(faults.Behaviour(answer=reworded, finish=counted)) as server:
        settings = RunSettings(
            method="paraphrase",
            dataset="reviews-demo",
            limit=40,
            llm="openai:gpt-4o-mini",
            judge=judge,
            text_gates={"enabled": False},
            connection=ConnectOptions(base_url=server.url, timeout=120.0),
        )
        _, estimated = estimate_parts(settings)
        assert server.calls == 0
        cost = read_manifest(run(settings, tmp_path / "run")).cost
    spent = cost.prompt_tokens + cost.completion_tokens
    assert estimated.prompt + estimated.completion == pytest.approx(spent, rel=0.2)
    assert estimated.completion == pytest.approx(cost.completion_tokens, rel=0.3)


def without(words, text):
    """The text without some words."""
    return " ".join(word for word in text.split() if word.strip(".,").lower() not in words)


def avoiding(body):
    """A model that leaves the words to avoid out, and gives any row the label that it is shown."""
    content = body["messages"][-1]["content"]
    if "response_format" not in body:
        return "A"
    _, *avoid, _, text = re.findall(r"<data>\n?(.*?)\n?</data>", content)
    words = {word.strip().lower() for part in avoid for word in part.split(",")}
    text = without(words, text)
    return json.dumps({"texts": [text, f"{text} Really."]})


def test_a_method_that_chooses_its_rows_is_estimated_on_all_of_them(faults, tmp_path):
    """As many calls to rewrite as rows it would choose, not as many as a share of a sample."""
    with faults.FaultServer(faults.Behaviour(answer=avoiding, finish=counted)) as server:
        settings = RunSettings(
            method="razor",
            dataset="reviews-demo",
            llm="openai:gpt-4o-mini",
            options={"top": 15, "rounds": 1, "verify": False, "avoid": "shortcuts"},
            connection=ConnectOptions(base_url=server.url, timeout=120.0),
        )
        _, estimated = estimate_parts(settings)
        cost = read_manifest(run(settings, tmp_path / "run")).cost
    assert estimated.calls == cost.calls
    assert 0 < cost.calls <= 30
    assert estimated.prompt == pytest.approx(cost.prompt_tokens, rel=0.2)


def test_estimates_add_up_and_an_unknown_price_stays_unknown():
    """Model and judge together."""
    known, unknown = Estimate(1, 10, 5, 0.5), Estimate(2, 20, 10, unpriced=("openai:own",))
    assert known + known == Estimate(2, 20, 10, 1.0)
    both = known + unknown + unknown
    money = [one.describe()["money"] for one in (known, both, unknown)]
    assert ["$0.5000" in said for said in money] == [True, True, False]
    assert ["openai:own" in said and "prices=FILE" in said for said in money] == [False, True, True]
    assert known.times(3) == Estimate(3, 30, 15, 1.5)


def test_the_settings_that_were_given_are_shown():
    """A dry run of a composition names its steps."""
    settings = RunSettings(method="compose", options={"steps": ["swap", "typo"]}, limit=3)
    assert estimate(settings)["settings"] == 'steps=["swap", "typo"]'
    assert "settings" not in estimate(RunSettings(method="swap", limit=3))
