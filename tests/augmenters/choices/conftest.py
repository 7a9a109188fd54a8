"""Runs on rows that are given, and the rows that come of them."""

import json

import pytest


@pytest.fixture
def run_rows(run_augkit, write_rows, tmp_path):
    """Run a method on rows from the command line; the rows of the dataset that it writes."""

    def run(method, rows, *options):
        sets = [f"--set={option}" for option in options]
        data = write_rows(rows)
        done = run_augkit("run", "-m", method, "-d", data, "-o", tmp_path / "out", *sets)
        assert done.code == 0, done.err
        lines = (tmp_path / "out" / "dataset.jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]

    return run
