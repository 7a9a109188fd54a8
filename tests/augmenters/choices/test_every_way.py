"""Every method for choices works in every way that a method can be used."""

import json
import random
import signal
import subprocess
import sys

import pytest
import yaml
from typer.testing import CliRunner

import augkit
from augkit.cli.app import app
from augkit.commands.report_page import write_page
from augkit.core.errors import BudgetExhausted
from augkit.core.protocols import Tools
from augkit.core.types import Pair
from augkit.llm.scripted import Scripted
from augkit.runs.execute import run
from augkit.runs.settings import RunSettings

ITEMS = 48
WORDS = "apple river stone cloud paper light glass field garden window silver market".split()
REPLY = json.dumps({"text": "It is, as many people like to know, quite a long story."})
METHODS = {
    "prune": ("prune", {"features": ["bold phrases"]}),
    "weights": ("prune", {"features": ["bold phrases"], "weights": True}),
    "aflite": ("prune", {"algorithm": "aflite", "aflite": {"partitions": 4}}),
    "normalise": ("normalise", {}),
    "mirror": ("mirror", {"pairs": "all"}),
    "positions": ("positions", {"copies": 1}),
    "restyle": ("restyle", {"kinds": ["pad"], "verify": False}),
}
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def quiz(tmp_path_factory):
    """Questions with two options, of which the right one is in bold in three of four."""
    rng = random.Random(0)
    rows = []
    for number in range(ITEMS):
        texts = [f"It is the {' '.join(rng.sample(WORDS, 4))}." for _ in range(2)]
        fancy = 0 if rng.random() < 0.75 else 1
        texts[fancy] = f"**Well**, {texts[fancy]}"
        rows.append({"question": f"What is {number}?", "options": texts, "answer": "A"})
    path = tmp_path_factory.mktemp("quiz") / "quiz.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    """A scripted model that pads every answer."""
    path = tmp_path_factory.mktemp("script") / "script.jsonl"
    path.write_text(json.dumps({"match": "", "reply": REPLY}) + "\n", encoding="utf-8")
    return f"scripted:{path}"


@pytest.fixture(params=METHODS)
def settings(request, quiz, script):
    """The settings of a run of each method."""
    method, options = METHODS[request.param]
    models = {"llm": script} if method == "restyle" else {}
    return RunSettings(method=method, dataset=str(quiz), options=options, **models)


def files(folder):
    """What a run has written, by name."""
    names = ("dataset.jsonl", "variants.jsonl", "rejected.jsonl")
    return {name: (folder / name).read_bytes() for name in names}


def rows_of(folder):
    """The rows of the result."""
    return [json.loads(line) for line in (folder / "dataset.jsonl").read_text().splitlines()]


@pytest.fixture
def whole(settings, tmp_path):
    """The folder of a run that nothing disturbed."""
    return run(settings, tmp_path / "whole")


def arguments(settings):
    """The same settings on the command line."""
    options = [f"--set={name}={json.dumps(value)}" for name, value in settings.options.items()]
    model = ["--llm", settings.llm] if settings.method == "restyle" else []
    return ["--method", settings.method, "--dataset", settings.dataset, *options, *model]


def test_from_the_command_line(settings, whole, tmp_path):
    """The same bytes as from Python's run, rows in the shape that was read, and a report."""
    done = CliRunner().invoke(app, ["run", *arguments(settings), "--out", f"{tmp_path}/shown"])
    assert done.exit_code == 0, done.output
    assert files(tmp_path / "shown") == files(whole)
    rows = rows_of(whole)
    assert rows
    assert all({"question", "options", "answer"} <= row.keys() for row in rows)
    assert all(len(row["options"]) == 2 and row["answer"] in "AB" for row in rows)
    page = write_page(whole).read_text(encoding="utf-8")
    assert settings.method in page
    if not settings.options.get("weights"):  # there no item changes or is left out
        assert "What is" in page


def test_in_python(settings, whole):
    """A method that is created and fitted makes the variants of the run."""
    tools = Tools(llm=Scripted(lambda _: REPLY)) if settings.method == "restyle" else None
    method = augkit.create(settings.method, tools=tools, **settings.options)
    rows = augkit.load_dataset(settings.dataset, choices=True)
    pairs = [outcome for outcome in method.fit(rows).outcomes(rows) if isinstance(outcome, Pair)]
    lines = (whole / "variants.jsonl").read_text().splitlines()
    assert [pair.variant.id for pair in pairs] == [json.loads(line)["id"] for line in lines]


def test_in_a_composition(settings, tmp_path):
    """After normalise, or before it: rows of the same shape, with both steps in the record."""
    step = {"method": settings.method, "options": settings.options}
    composed = settings.model_copy(
        update={"method": "compose", "options": {"steps": [step, "normalise"]}}
    )
    folder = run(composed, tmp_path / "composed")
    assert json.loads((folder / "manifest.json").read_text())["status"] == "done"
    rows = rows_of(folder)
    assert rows
    assert all(len(row["options"]) == 2 for row in rows)
    if settings.method in {"mirror", "positions", "restyle"}:
        variants = [row for row in rows if row["augkit_origin"] == "variant"]
        assert not any("**" in text for row in variants for text in row["options"])


def test_in_a_sweep(settings, quiz, tmp_path):
    """A study in YAML runs it with two seeds and evaluates reward models of each."""
    entry = {"method": settings.method, "name": "tried", "options": settings.options}
    study = {
        "methods": [entry],
        "datasets": [str(quiz)],
        "seeds": [0, 1],
        "tests": {str(quiz): [str(quiz)]},
    }
    if settings.method == "restyle":
        study["llm"] = settings.llm
    path = tmp_path / "study.yaml"
    path.write_text(yaml.safe_dump(study), encoding="utf-8")
    done = CliRunner().invoke(
        app, ["sweep", str(path), "--out", str(tmp_path / "study"), "--workers", "1"]
    )
    assert done.exit_code == 0, done.output
    assert "tried" in done.output
    finished = [
        json.loads(manifest.read_text())["status"]
        for manifest in (tmp_path / "study").rglob("manifest.json")
    ]
    assert finished == ["done", "done"]


KILLED = """
import os, signal, sys
from pathlib import Path
from augkit.runs import ledger
from augkit.runs.execute import run
from augkit.runs.settings import RunSettings
append = ledger.Ledger.append
def killed(self, chunk):
    append(self, chunk)
    os.kill(os.getpid(), signal.SIGKILL)
ledger.Ledger.append = killed
run(RunSettings.model_validate_json(sys.argv[1]), Path(sys.argv[2]))
"""


def test_after_a_kill(settings, whole, tmp_path):
    """Killed with SIGKILL when the first rows are written, then resumed: the same bytes."""
    command = [sys.executable, "-c", KILLED, settings.model_dump_json(), str(tmp_path / "parts")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    manifest = json.loads((tmp_path / "parts" / "manifest.json").read_text())
    assert manifest["status"] != "done"
    run(settings, tmp_path / "parts", resume=True)
    assert files(tmp_path / "parts") == files(whole)


def test_answers_are_kept_and_the_budget_holds(quiz, script, tmp_path):
    """A run of restyle stops at its budget, goes on from there, and a cache answers all."""
    method, options = METHODS["restyle"]
    cached = {"cache": str(tmp_path / "cache")}
    asked = RunSettings(method=method, dataset=str(quiz), options=options, llm=script)
    whole = run(asked.model_copy(update={"connection": connection(**cached)}), tmp_path / "whole")
    calls = json.loads((whole / "manifest.json").read_text())["cost"]["calls"]
    assert calls >= ITEMS
    with pytest.raises(BudgetExhausted):
        run(asked.model_copy(update={"connection": connection(budget="5calls")}), tmp_path / "part")
    rich = asked.model_copy(update={"connection": connection(budget=f"{calls}calls")})
    run(rich, tmp_path / "part", resume=True)
    assert files(tmp_path / "part") == files(whole)
    poor = asked.model_copy(update={"connection": connection(budget="1calls", **cached)})
    assert files(run(poor, tmp_path / "cached")) == files(whole)


def connection(**settings):
    """How the model is asked."""
    return RunSettings(method="restyle", dataset="quiz", connection=settings).connection
