"""Every method for choices works in every way that a method can be used."""

import json
import random
import signal
import subprocess
import sys
from functools import cache

import pytest
import yaml

import augkit
from augkit.commands.report_page import write_page
from augkit.core.errors import BudgetExhausted
from augkit.core.protocols import Tools
from augkit.core.types import Pair
from augkit.llm.scripted import Scripted
from augkit.runs.execute import run
from augkit.runs.settings import RunSettings

ITEMS = 24
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
def settings_of(quiz, tmp_path_factory):
    """The settings of a run by the name in the table; restyle asks a model that pads."""
    script = tmp_path_factory.mktemp("script") / "script.jsonl"
    script.write_text(json.dumps({"match": "", "reply": REPLY}) + "\n", encoding="utf-8")

    def settings(name, **connection):
        method, options = METHODS[name]
        model = {"llm": f"scripted:{script}"} if method == "restyle" else {}
        return RunSettings(
            method=method, dataset=str(quiz), options=options, connection=connection, **model
        )

    return settings


@pytest.fixture(scope="module")
def whole(settings_of, tmp_path_factory):
    """The folder of a run that nothing disturbed, made once for each name."""
    return cache(lambda name: run(settings_of(name), tmp_path_factory.mktemp(name) / "whole"))


def files(folder):
    names = ("dataset.jsonl", "variants.jsonl", "rejected.jsonl")
    return {name: (folder / name).read_bytes() for name in names}


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("name", METHODS)
def test_from_the_command_line_and_in_python(run_augkit, settings_of, whole, tmp_path, name):
    """The same bytes, rows in the shape that was read, and a report."""
    settings = settings_of(name)
    options = [f"--set={key}={json.dumps(value)}" for key, value in settings.options.items()]
    if settings.method == "restyle":
        options += ["--llm", settings.llm]
    asked = ("run", "-m", settings.method, "-d", settings.dataset, *options)
    done = run_augkit(*asked, "--out", tmp_path / "shown")
    assert done.code == 0, done.err
    assert files(tmp_path / "shown") == files(whole(name))
    rows = lines(whole(name) / "dataset.jsonl")
    assert rows
    assert all({"question", "options", "answer"} <= row.keys() for row in rows)
    assert all(len(row["options"]) == 2 and row["answer"] in "AB" for row in rows)
    page = write_page(whole(name)).read_text(encoding="utf-8")
    assert settings.method in page
    if name != "weights":  # there no item changes or is left out
        assert "What is" in page
    tools = Tools(llm=Scripted(lambda _: REPLY)) if settings.method == "restyle" else None
    method = augkit.create(settings.method, tools=tools, **settings.options)
    read = augkit.load_dataset(settings.dataset, choices=True)
    pairs = [outcome for outcome in method.fit(read).outcomes(read) if isinstance(outcome, Pair)]
    written = [line["id"] for line in lines(whole(name) / "variants.jsonl")]
    assert [pair.variant.id for pair in pairs] == written


@pytest.mark.parametrize("name", ["weights", "mirror", "positions", "restyle"])
def test_in_a_composition(settings_of, tmp_path, name):
    """After normalise, or before it: rows of the same shape, with both steps in the record."""
    settings = settings_of(name)
    steps = [{"method": settings.method, "options": settings.options}, "normalise"]
    update = {"method": "compose", "options": {"steps": steps}}
    folder = run(settings.model_copy(update=update), tmp_path / "composed")
    rows = lines(folder / "dataset.jsonl")
    assert rows
    assert all(len(row["options"]) == 2 for row in rows)
    variants = [row for row in rows if row["augkit_origin"] == "variant"]
    assert name == "weights" or not any("**" in text for row in variants for text in row["options"])


def test_in_a_sweep(run_augkit, quiz, tmp_path):
    """A study in YAML runs a method with two seeds and evaluates reward models of each."""
    method, options = METHODS["mirror"]
    study = {
        "methods": [{"method": method, "name": "tried", "options": options}],
        "datasets": [str(quiz)],
        "seeds": [0, 1],
        "tests": {str(quiz): [str(quiz)]},
    }
    path = tmp_path / "study.yaml"
    path.write_text(yaml.safe_dump(study), encoding="utf-8")
    done = run_augkit("sweep", path, "--out", tmp_path / "study", "--trials", "1")
    assert done.code == 0, done.err
    assert "tried" in done.out
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


@pytest.mark.parametrize("name", ["weights", "restyle"])
def test_after_a_kill(settings_of, whole, tmp_path, name):
    """Killed with SIGKILL when the first rows are written, then resumed: the same bytes."""
    settings = settings_of(name)
    command = [sys.executable, "-c", KILLED, settings.model_dump_json(), str(tmp_path / "parts")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    manifest = json.loads((tmp_path / "parts" / "manifest.json").read_text())
    assert manifest["status"] != "done"
    run(settings, tmp_path / "parts", resume=True)
    assert files(tmp_path / "parts") == files(whole(name))


def test_answers_are_kept_and_the_budget_holds(settings_of, tmp_path):
    """A run of restyle stops at its budget, goes on from there, and a cache answers all."""
    kept = {"cache": str(tmp_path / "cache")}
    whole = run(settings_of("restyle", **kept), tmp_path / "whole")
    calls = json.loads((whole / "manifest.json").read_text())["cost"]["calls"]
    assert calls >= ITEMS
    with pytest.raises(BudgetExhausted):
        run(settings_of("restyle", budget="5calls"), tmp_path / "part")
    run(settings_of("restyle", budget=f"{calls}calls"), tmp_path / "part", resume=True)
    assert files(tmp_path / "part") == files(whole)
    cached = run(settings_of("restyle", budget="1calls", **kept), tmp_path / "cached")
    assert files(cached) == files(whole)
