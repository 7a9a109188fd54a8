"""Reward models before and after a run on choices: a planted length shortcut, and none."""

from __future__ import annotations

import json
import random

import pytest
from typer.testing import CliRunner

from augkit.augmenters.base import Augmenter
from augkit.cli.app import app
from augkit.commands.evaluate.evaluate import evaluate
from augkit.commands.evaluate.scores import evaluate_run
from augkit.commands.evaluate.settings import EvaluateSettings, evaluation_settings
from augkit.core import registry
from augkit.core.choices import choice_of
from augkit.core.config import MethodConfig
from augkit.core.errors import ConfigError
from augkit.core.results import read_evaluation
from augkit.core.types import refused
from augkit.evaluation.metrics.choice_accuracy import GAP, PICKED
from augkit.runs.execute import run
from augkit.runs.settings import RunSettings
from tests.data import FILL, sized_choices, write_jsonl


class BalanceConfig(MethodConfig):
    """Whether rows are weighed."""

    weights: bool = False
    weight_column: str = "weight"


class Balance(Augmenter[BalanceConfig]):
    """Leaves rows out, or weighs them, until the longer wins in half of what is left."""

    name = "balance-lengths"
    Config = BalanceConfig
    reads = "choices"
    scope = "corpus"

    def propose(self, batch):
        rows = list(batch)
        longer = [len(c.candidates[0]) > len(c.candidates[1]) for c in map(choice_of, rows)]
        share = (len(rows) - sum(longer)) / max(sum(longer), 1)
        allowed = len(rows) - sum(longer)
        for row, is_longer in zip(rows, longer, strict=True):
            weight = share if is_longer else 1.0
            if not self.config.weights and is_longer:
                allowed -= 1
                weight = float(allowed >= 0)
            yield refused(row, "the longer wins too often", weight=weight)


@pytest.fixture(autouse=True)
def _methods(monkeypatch, tmp_path):
    find = registry.find
    known = {Balance.name: Balance}
    monkeypatch.setattr(registry, "find", lambda group, name: known.get(name) or find(group, name))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def test_set(tmp_path):
    rows = sized_choices(300, longer=0.5, seed=1, first=10_000)
    return str(write_jsonl(tmp_path / "test.jsonl", rows))


def done(tmp_path, longer, **options):
    dataset = str(write_jsonl(tmp_path / "train.jsonl", sized_choices(400, longer=longer)))
    settings = RunSettings(method=Balance.name, dataset=dataset, options=options)
    return run(settings, tmp_path / "run")


def by_name(evaluation, metric="choice-accuracy"):
    results = [record for record in evaluation.results if record.metric == metric]
    comparisons = [record for record in evaluation.comparisons if record.metric == metric]
    return [result.scores for result in results], {c.score: c for c in comparisons}


@pytest.mark.slow
@pytest.mark.parametrize("weights", [False, True])
def test_a_planted_length_is_learnt_before_and_not_after(tmp_path, test_set, weights):
    """Easy items are won and hard ones lost; without the shortcut the gap closes."""
    folder = done(tmp_path, 0.9, weights=weights)
    evaluation = evaluate_run(EvaluateSettings(run=folder, tests=(test_set,), seeds=1))
    (before, after), changes = by_name(evaluation)
    assert before["easy"].value > 0.9
    assert before["hard"].value < 0.3
    closed = 0.3 if not weights else 0.7  # of few items with much weight, each is learnt by heart
    assert abs(after[GAP].value) < closed
    assert after["accuracy"].value > before["accuracy"].value
    assert changes[GAP].difference.high < 0
    assert before[PICKED].value > after[PICKED].value + 0.1
    improved = " ".join(evaluation.verdict["improved"])
    assert "gap (easy - hard)" in improved
    assert "items" in improved
    assert "blind-accuracy on the training items" in improved
    assert "picks the longest" in " ".join(evaluation.verdict["changed"])
    assert read_evaluation(folder) == evaluation
    by_length = evaluation.results[0].by_length
    assert sum(part.items for part in by_length) == 300
    assert by_length[-1].picked > 0.9


@pytest.mark.slow
def test_where_there_is_no_shortcut_no_change_is_claimed(tmp_path, test_set):
    folder = done(tmp_path, 0.5)
    evaluation = evaluate_run(EvaluateSettings(run=folder, tests=(test_set,), seeds=0))
    assert evaluation.verdict["improved"] == evaluation.verdict["worse"] == []
    assert "changed" not in evaluation.verdict


@pytest.mark.slow
def test_without_a_test_set_a_fifth_of_the_units_is_held_out(tmp_path):
    """No prompt is on both sides, and before and after are tested on the same originals."""
    folder = done(tmp_path, 0.9)
    evaluation = evaluate_run(EvaluateSettings(run=folder, seeds=0))
    before, after = (record for record in evaluation.results if record.metric != "blind-accuracy")
    assert before.test == after.test == "held-out items"
    assert before.rows.test == after.rows.test
    assert before.rows.train + before.rows.test == 400
    assert 50 < before.rows.test < 110
    assert before.rows.in_train == after.rows.in_train == 0
    lines = (folder / "predictions.jsonl").read_text().splitlines()
    assert len(lines) == before.rows.test
    assert set(json.loads(lines[0])["predicted"]) == {"run (originals)", "run (result)"}


@pytest.mark.slow
def test_rows_with_one_item_are_one_unit_and_levels_come_from_the_file(tmp_path):
    rows = [
        row
        | {
            "item": str(number // 3),
            "difficulty": ["easy", "normal", "hard"][number % 3],
            "domain": "ab"[number % 2],
        }
        for number, row in enumerate(sized_choices(90, longer=0.5))
    ]
    test = str(write_jsonl(tmp_path / "levels.jsonl", rows))
    train = str(write_jsonl(tmp_path / "train.jsonl", sized_choices(100, longer=0.9, first=500)))
    values = {"train": train, "tests": (test,), "seeds": 0, "average_by": "domain"}
    (result, _blind) = evaluate(evaluation_settings(values))
    assert result.scores["accuracy"].n == 30
    assert {"easy", "normal", "hard", GAP} <= result.scores.keys()


def test_from_the_command_line_with_a_model_of_the_users(tmp_path, test_set):
    """A function that likes length wins the easy items and loses the hard ones."""
    (tmp_path / "ruler_of_mine.py").write_text("def length(prompt, text):\n    return len(text)\n")
    arguments = ["evaluate", "--model", "ruler_of_mine:length", "--test", test_set, "--json"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    record = json.loads(result.stdout)
    assert record["metric"] == "choice-accuracy"
    assert record["scores"]["easy"]["value"] == 1.0
    assert record["scores"]["hard"]["value"] == 0.0
    assert record["by_length"][0]["picked"] == 1.0
    assert record["model"] == {"kind": "function", "name": "ruler_of_mine:length"}


def test_a_callable_from_python(test_set):
    (result,) = evaluate(EvaluateSettings(reward=lambda text: -len(text), tests=(test_set,)))
    assert result.scores["hard"].value == 1.0
    with pytest.raises(ConfigError, match="measured as it is"):
        evaluate(EvaluateSettings(reward=len, train=test_set, tests=(test_set,)))


@pytest.mark.slow
def test_a_trained_transformer_is_measured_as_it_is(tiny_bert, tmp_path, test_set):
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model = AutoModelForSequenceClassification.from_pretrained(tiny_bert, num_labels=1)
    model.save_pretrained(tmp_path / "reward")
    AutoTokenizer.from_pretrained(tiny_bert).save_pretrained(tmp_path / "reward")
    values = {"model_kind": f"transformers:{tmp_path / 'reward'}", "tests": (test_set,)}
    (result,) = evaluate(evaluation_settings(values))
    assert result.train == "reward"
    assert result.rows.train == 0
    assert 0 <= result.scores["accuracy"].value <= 1


@pytest.mark.slow
def test_heads_and_transformers_are_trained(tiny_bert, tmp_path):
    train = str(write_jsonl(tmp_path / "train.jsonl", sized_choices(60, longer=0.9)))
    test = str(
        write_jsonl(tmp_path / "test.jsonl", sized_choices(20, longer=0.5, seed=2, first=900))
    )
    for kind, more in (("encoder", {}), ("transformers", {"epochs": 1})):
        values = {"model_kind": f"{kind}:{tiny_bert}", "model": more, "train": train}
        results = evaluate(evaluation_settings(values | {"tests": (test,), "seeds": 0}))
        assert results[0].model["kind"] == kind
        assert results[0].scores["accuracy"].n == 20


def test_multiple_choice_with_an_answer_column_is_read_as_choices_where_the_user_says_so(tmp_path):
    rng = random.Random(0)
    rows = []
    for number in range(80):
        options = [" ".join(rng.choices(FILL, k=5)) for _ in range(3)] + [" ".join(FILL[:12])]
        rng.shuffle(options)
        place = max(range(4), key=lambda n: len(options[n]))
        rows.append({"question": f"Which {number}?", "options": options, "answer": "ABCD"[place]})
    test = str(write_jsonl(tmp_path / "quiz.jsonl", rows))
    arguments = [
        "evaluate",
        "--train",
        test,
        "--test",
        test,
        "--set",
        "choices=true",
        "--seeds",
        "0",
        "--json",
    ]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    records = json.loads(result.stdout)["results"]
    assert records[0]["scores"]["picks the longest"]["value"] > 0.95


@pytest.mark.slow
def test_a_run_is_evaluated_at_its_end_on_a_part_that_is_held_out(tmp_path):
    write_jsonl(tmp_path / "train.jsonl", sized_choices(200, longer=0.9))
    arguments = ["run", "-m", Balance.name, "-d", "train.jsonl", "--evaluate", "--out", "out"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    evaluation = read_evaluation(tmp_path / "out")
    assert {record.test for record in evaluation.results} == {
        "held-out items",
        "the training items",
    }


@pytest.mark.slow
def test_a_sweep_from_yaml_compares_methods_on_choices(tmp_path, test_set):
    """A plain method and a composition with it; the table has the gap of both."""
    write_jsonl(tmp_path / "train.jsonl", sized_choices(60, longer=0.9))
    (tmp_path / "study.yaml").write_text(
        "name: lengths\ndatasets: [train.jsonl]\ntests: {train.jsonl: [test.jsonl]}\n"
        "methods:\n  - {method: prune, options: {features: [characters], tolerance: 0.3}}\n"
        "  - method: compose\n    options:\n      steps:\n        - normalise\n"
        "        - {method: prune, options: {features: [characters], tolerance: 0.3}}\nseeds: [0]\n"
    )
    result = CliRunner().invoke(app, ["sweep", "study.yaml", "--out", "out"])
    assert result.exit_code == 0, result.output
    rows = (tmp_path / "out" / "results.csv").read_text().splitlines()
    gaps = [row for row in rows if GAP in row]
    assert len(gaps) == 2
    assert [row.split("-")[0] for row in gaps] == ["prune", "compose"]


def shorter_answer(body):
    """The letter of the shorter of two answers, wherever it is shown."""
    text = body["messages"][-1]["content"]
    first, second = text.split("\nA. ")[1].split("\nB. ")
    return "A" if len(first) < len(second) else "B"


@pytest.mark.slow
def test_an_llm_judge_is_asked_in_both_orders(serve, tmp_path):
    """It takes the shorter answer: all hard items are right, and no easy one."""
    server = serve(answer=shorter_answer)
    test = str(write_jsonl(tmp_path / "test.jsonl", sized_choices(12, longer=0.5)))
    connection = {"base_url": server.url, "backoff": 0.001, "backoff_cap": 0.01}
    values = {"model_kind": "llm:openai:tiny", "tests": (test,), "connection": connection}
    evaluation = evaluate_run(evaluation_settings(values))
    (result,) = evaluation.results
    assert (result.scores["easy"].value, result.scores["hard"].value) == (0.0, 1.0)
    assert result.llm.questions == 12
    assert server.calls == 24
    assert result.llm.position_effect["answer depends on the order"].value == 0.0
