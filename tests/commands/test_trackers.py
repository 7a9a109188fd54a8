"""Runs logged by real trackers, which write to files here."""

from __future__ import annotations

import json
import sys
import time

import pytest

from augkit.commands.trackers import run_logger, run_record
from augkit.core.errors import BackendFailed, MissingExtra, UnknownName
from augkit.core.results import Comparison, Evaluation, Result, Score

TEST = "films:challenge"


def result(train, value, **more):
    scores = {"accuracy": Score("accuracy", value, 0.0, 1.0, 80)}
    return Result("accuracy", "higher", train, TEST, scores, **more)


def change(first, second, value, **more):
    difference = Score("accuracy difference", value, -1.0, 1.0, 80)
    return Comparison(
        "accuracy", "higher", "accuracy", difference, 0.01, first, second, TEST, **more
    )


EVALUATION = Evaluation(
    {},
    [
        result("r (originals)", 0.5),
        result("r (result)", 0.9),
        change("r (originals)", "r (result)", 0.4),
        result("deleted.csv", 0.7, is_reference=True),
        change("r (result)", "deleted.csv", -0.2, is_reference=True),
    ],
)


@pytest.fixture
def run(tmp_path):
    """A real, small run folder with scores."""
    from augkit.runs.execute import run
    from augkit.runs.settings import RunSettings

    folder = run(RunSettings(method="eda", dataset="reviews-demo", limit=5), tmp_path / "r")
    (folder / "scores.json").write_text(json.dumps(EVALUATION.as_json()))
    return folder


def test_a_record_is_flat_and_whole(run):
    """Settings, counts and scores have their places, and no value is nested or missing."""
    record = run_record(run)
    assert record.settings["method"] == "eda"
    assert record.settings["config/copies"] == 1
    assert record.metrics["counts/selected"] == 5
    assert record.metrics["accuracy/films:challenge/originals"] == 0.5
    assert record.metrics["accuracy/films:challenge/result"] == 0.9
    assert record.metrics["accuracy/films:challenge/difference"] == 0.4
    assert record.metrics["accuracy/films:challenge/reference"] == 0.7
    assert record.metrics["accuracy/films:challenge/difference of the reference"] == -0.2
    assert all(isinstance(value, float) for value in record.metrics.values())
    assert [path.name for path in record.files] == ["manifest.json", "scores.json"]


def test_mlflow_holds_the_run(run, tmp_path, monkeypatch):
    """Parameters, metrics and files can be read back through MLflow's own client."""
    mlflow = pytest.importorskip("mlflow", reason="needs pip install 'augkit[track]'")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    monkeypatch.setenv("MLFLOW_TRACKING_URI", (tmp_path / "log").as_uri())
    mlflow.set_tracking_uri((tmp_path / "log").as_uri())
    run_logger(["mlflow"])(run)
    client = mlflow.MlflowClient()
    experiment = client.get_experiment_by_name("augkit")
    (told,) = client.search_runs([experiment.experiment_id])
    assert told.data.params["method"] == "eda"
    assert told.data.metrics["accuracy/films:challenge/difference"] == 0.4
    files = client.list_artifacts(told.info.run_id)
    assert {file.path for file in files} == {"manifest.json", "scores.json"}


def test_wandb_holds_the_run(run, tmp_path, monkeypatch):
    """An offline W&B run is written whole, without a network or a key."""
    pytest.importorskip("wandb", reason="needs pip install 'augkit[track]'")
    monkeypatch.setenv("WANDB_MODE", "offline")
    monkeypatch.setenv("WANDB_SILENT", "true")
    monkeypatch.setenv("WANDB_DIR", str(tmp_path))
    run_logger(["wandb"])(run)
    (log,) = tmp_path.glob("wandb/offline-run-*/run-*.wandb")
    for _ in range(3000):  # a process of its own writes the file
        if b"accuracy/films:challenge/difference" in (content := log.read_bytes()):
            break
        time.sleep(0.1)
    assert b"accuracy/films:challenge/difference" in content
    assert b"config/copies" in content


def test_what_is_not_there_is_an_error_before_a_run(monkeypatch):
    """An unknown tracker names the known ones; one not installed names the command."""
    with pytest.raises(UnknownName, match="mlflow, wandb"):
        run_logger(["tensorboard"])
    monkeypatch.setitem(sys.modules, "wandb", None)
    with pytest.raises(MissingExtra, match="track"):
        run_logger(["wandb"])


class Broken:
    """A tracker whose store fails when it is needed."""

    def check(self):
        """Nothing is wrong yet."""

    def log(self, record):
        """Fails as a server would."""
        raise ConnectionError(f"no answer for {record.name}")


def test_a_tracker_that_fails_after_the_run_says_where_the_run_is(run, monkeypatch):
    """One sentence, and no traceback."""
    monkeypatch.setattr("augkit.core.registry.find", lambda group, name: Broken)
    with pytest.raises(BackendFailed, match=r"--track mlflow: no answer for r.*complete in .*r,"):
        run_logger(["mlflow"])(run)
