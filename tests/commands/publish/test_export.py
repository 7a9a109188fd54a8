"""Counterfactual sets for other harnesses: the rows, the task files, and the metrics in them."""

from __future__ import annotations

import ast
import json
import runpy
from pathlib import Path

import pytest
import yaml

from augkit import export
from augkit.core.errors import ConfigError, OutputExists, UserError

ROWS = [
    {"text": f"He said that film {number} is {word}.", "label": label}
    for number, (word, label) in enumerate([("warm", "good"), ("dull", "bad")] * 4)
] + [{"text": "Nobody came.", "label": "bad"}]


@pytest.fixture
def finished(augkit, write_rows):
    """A run with a variant for each row that names a person."""
    path = write_rows(ROWS)
    done = augkit("run", "-m", "swap", "-d", path, "--set", "pairs=[[he, she]]", "--out", "My run")
    assert done.code == 0, done.err
    return Path("My run")


def rows_of(folder):
    lines = (folder / "counterfactuals.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_pairs_share_an_id_and_a_question(finished):
    """An original before its variant; rows without a variant are left out."""
    written = export(finished, "plain")
    assert written == {"folder": "plain", "name": "my_run", "rows": 16, "pairs": 8}
    rows = rows_of(Path("plain"))
    assert [row["side"] for row in rows] == ["original", "variant"] * 8
    first, second = rows[:2]
    assert first["pair_id"] == second["pair_id"] == first["id"]
    assert (first["text"][:2], second["text"][:3]) == ("He", "She")
    assert first["choices"] == ["bad", "good"]
    assert all(row["choices"][row["target"]] == row["label"] for row in rows)
    assert second["about"]["method"] == "swap"
    assert second["question"].startswith(second["text"])


class _Loader(yaml.SafeLoader):
    """Reads ``!function`` as lm-evaluation-harness does: the module and the name."""


_Loader.add_constructor("!function", lambda loader, node: loader.construct_scalar(node).split("."))


def test_a_task_of_lm_evaluation_harness(finished):
    """The YAML names the file and functions that exist; they count rows and pairs."""
    export(finished, "tasks", kind="lm-eval")
    task = yaml.load(Path("tasks/my_run.yaml").read_text(), Loader=_Loader)
    assert task["task"] == "my_run"
    assert Path("tasks", task["dataset_kwargs"]["data_files"]["test"]).is_file()
    module, name = task["process_results"]
    functions = runpy.run_path(f"tasks/{module}.py")
    rows = rows_of(Path("tasks"))

    def scored(row, right):
        """Log-likelihoods of the choices, as the harness gives them."""
        best = row["target"] if right else 1 - row["target"]
        return [(-1.0 if number == best else -5.0, False) for number in range(2)]

    # The first pair is right, of the second its variant is wrong, of the third both are.
    right = [True, True, True, False, False, False]
    process, both = functions[name], zip(rows, right, strict=False)
    results = [process(row, scored(row, one)) for row, one in both]
    assert [one["acc"] for one in results] == [float(one) for one in right]
    metrics = {one["metric"]: one["aggregation"] for one in task["metric_list"]}
    consistency = functions[metrics["pair_consistency"][1]]
    assert consistency([one["pair_consistency"] for one in results]) == pytest.approx(1 / 3)


def test_an_inspect_task(finished):
    """Python that defines a task of the run's name."""
    export(finished, "tasks", kind="inspect")
    tree = ast.parse(Path("tasks/my_run.py").read_text())
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert ast.unparse(functions["my_run"].decorator_list[0]) == "task"
    assert "counterfactuals.jsonl" in ast.unparse(functions["my_run"])


def test_mistakes(finished):
    """An unknown format, a folder that is in use, a folder that is no run."""
    with pytest.raises(ConfigError, match="choose jsonl, lm-eval, inspect"):
        export(finished, "x", kind="helm")
    assert not Path("x").exists()
    with pytest.raises(OutputExists, match="is not empty"):
        export(finished, finished)
    Path("empty").mkdir()
    with pytest.raises(UserError):
        export("empty", "x")
