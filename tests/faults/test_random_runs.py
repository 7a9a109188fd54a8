"""Datasets and settings drawn at random, through a run: it ends as promised and no row is lost."""

from __future__ import annotations

import json

import pytest

from augkit.core.errors import AugkitError
from augkit.runs.execute import run
from augkit.runs.settings import merge_settings
from tests.faults.cases import try_cases
from tests.faults.generator import LABELLED, mutated, odd_rows, rows_file, run_settings

ASKING = {"paraphrase", "auggpt", "coba-style", "gpt3mix"}
"""Methods that need a language model."""


def attempt(number, rng, place):
    """Carry out a run as the command would; its exit code."""
    ending = rng.choice(["jsonl"] * 4 + ["csv", "csv", "tsv", "json"])
    content = rows_file(rng, odd_rows(rng, LABELLED, odd=rng.choice([0, 0.1, 0.5])), ending)
    if rng.random() < 0.1:
        content = mutated(rng, content)
    rows = place / f"rows.{ending}"
    rows.write_bytes(content)
    settings = {"dataset": str(rows), "workers": 1, **run_settings(rng)}
    if settings["method"] in ASKING:
        script = place / "answers.jsonl"
        script.write_text('{"match": "", "reply": "{\\"text\\": \\"Some other words.\\"}"}\n')
        settings["llm"] = f"scripted:{script}"
    try:
        out = run(merge_settings(settings), place / "out")
    except AugkitError as refused:
        error = refused
    else:
        accounted_for(out)
        return "0"
    assert str(error).strip(), "an error without a message"
    assert error.exit_code in {2, 3, 4}
    return str(error.exit_code)


def accounted_for(out):
    """Every selected row is a variant or a rejection, and the dataset has every row."""
    counts = json.loads((out / "manifest.json").read_text(encoding="utf-8"))["counts"]
    dataset, variants, rejected = (
        [json.loads(line) for line in (out / f"{name}.jsonl").read_bytes().splitlines()]
        for name in ("dataset", "variants", "rejected")
    )
    parents = {record["parents"][0] for record in variants + rejected}
    originals = {row["augkit_id"] for row in dataset if row["augkit_origin"] == "original"}
    replaced = {row["augkit_parent"] for row in dataset if row["augkit_origin"] != "original"}
    assert len(originals | replaced) == counts["read"]
    assert len(parents) == counts["selected"]


@pytest.mark.slow
def test_random_runs_keep_their_promises(tmp_path):
    """No error in the code, no endless run, exit codes as promised, no row lost."""
    codes = try_cases(attempt, 60, tmp_path / "case")
    tried = codes.total()
    assert codes["0"] > tried / 5
    assert codes["2"] > tried / 5
