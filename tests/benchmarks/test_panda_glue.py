"""Tables 4 and 5 of PANDA's paper: which rows are trained and tested on, and what is measured."""

from __future__ import annotations

import argparse
import json

import pytest

from benchmarks.release.panda_glue import PAPER, TASKS, Task, run_task, task_rows

SUBJECTS = ["man", "woman", "boy", "girl", "king", "queen", "father", "mother", "uncle", "aunt"]


@pytest.fixture
def data(tmp_path):
    """A training part of RTE's shape without a test part."""
    rows = [
        {"text_a": f"A {who} bought {n} books.", "text_b": f"A {who} {verb} books.", "label": label}
        for n in range(2, 8)
        for who in SUBJECTS
        for verb, label in (("bought", "entailment"), ("sold", "not_entailment"))
    ]
    (tmp_path / "rte").mkdir()
    path = tmp_path / "rte" / "train.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return tmp_path


def test_drawn_test_rows_are_not_trained_on(data):
    """Where a task has one part, its rows are on one side or the other, the same every time."""
    task = Task("rte:train", train_rows=80, test_rows=40)
    train, test = task_rows(task, data)
    assert (len(train), len(test)) == (80, 40)
    assert not {row.id for row in train} & {row.id for row in test}
    assert task_rows(task, data) == (train, test)


def test_every_task_has_the_figures_of_the_paper():
    """Six tasks; STS-B has no fairscore, as its labels are numbers."""
    assert PAPER.keys() == TASKS.keys()
    assert [name for name in PAPER if PAPER[name]["fairscore, original"] is None] == ["stsb"]


@pytest.mark.slow
def test_fairtuning_keeps_or_grows_the_training_set(data, monkeypatch, capsys):
    """Algorithm 1 keeps the size, all versions of a row do not; the verbs alone decide."""
    monkeypatch.setenv("AUGKIT_DATA", str(data))
    monkeypatch.setitem(TASKS, "rte", Task("rte:train", train_rows=80, test_rows=40))
    asked = argparse.Namespace(
        arms=["original", "paper", "augkit"], seeds=[0], rows=None, model="linear"
    )
    figures = run_task(asked, "rte", data)
    rows = {arm: figures["arms"][arm]["train_rows"] for arm in asked.arms}
    assert rows["original"] == rows["paper"] == 80 < rows["augkit"]
    assert figures["changed_rows"] == 40
    assert [figures["arms"][arm]["quality"] for arm in asked.arms] == [100.0] * 3
    assert [figures["arms"][arm]["fairscore"] for arm in asked.arms] == [0.0] * 3
    assert "rte augkit 0" in capsys.readouterr().err
