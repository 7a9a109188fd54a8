"""``augkit train`` as a shell calls it."""

import json

import pytest


@pytest.mark.slow
def test_train_then_evaluate(augkit):
    """A summary names the folder and the next command; evaluate takes two such folders."""
    done = augkit("train", "nli-demo", "--out", "plain")
    assert done.code == 0
    assert "plain training on 180 rows of nli-demo, 3 seeds" in done.out
    assert "Next: augkit evaluate --classifier plain" in done.err
    robust = augkit(
        "train", "nli-demo", "--robust", "clever", "--set", "robust.subtract=0.5",
        "--out", "clever", "--seeds", 1, "--json",
    )  # fmt: skip
    assert json.loads(robust.out)["robust"]["config"]["subtract"] == 0.5
    assert "trained against the field" in robust.err
    compared = augkit(
        "evaluate", "--classifier", "plain", "--classifier", "clever", "--test", "nli-demo:test",
        "--metric", "accuracy", "--metric", "macro-f1", "--json",
    )  # fmt: skip
    scores = json.loads(compared.out)
    assert {"improved", "worse", "no clear change", "caveats"} <= set(scores["verdict"])
    assert sum("difference" in record for record in scores["results"]) == 2
