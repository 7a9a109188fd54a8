"""Reward models by difficulty: the split, what arms train on, and the bar."""

from __future__ import annotations

import gzip
import json

import pytest

from benchmarks.release.reward_gap import (
    ARMS,
    HELD_OUT,
    NATURAL,
    RM_BENCH,
    held_out,
    judged,
    load,
    measured,
    meets_bar,
    parse_model,
    record_of,
    training_rows,
)


@pytest.fixture
def people(tmp_path):
    rows = [
        {
            "prompt": f"Question {n}?",
            "chosen": f"**warm** and {'long ' * (n % 7)}right {n % 5}",
            "rejected": f"cold wrong {n % 3}",
            "group": "ab"[n % 2],
            "difficulty": ["easy", "normal", "hard"][n % 3],
        }
        for n in range(60)
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "pairs.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    return load(tmp_path, "pairs.jsonl.gz")


def test_a_prompt_is_on_one_side_and_seeds_differ(people):
    sides = [[held_out(row, seed) for row in people] for seed in (0, 1)]
    assert sides[0] != sides[1]
    assert all(0 < sum(side) < 30 for side in sides)


def test_an_arm_changes_the_training_rows_and_all_is_measured(people, tmp_path):
    """Without Markdown the winner's is gone; one seed gives one line of figures."""
    assert training_rows(people, ("none", {}), 0, tmp_path) == people
    plain = training_rows(people, ARMS["normalise"], 1, tmp_path)
    assert not any("**" in row.fields["candidate 1"] for row in plain)
    tests = {RM_BENCH: people, NATURAL: people, HELD_OUT: people}
    model = parse_model("linear")
    before, after = (measured([judged(rows, tests, model)] * 2) for rows in (people, plain))
    first, record = record_of("none", before, before), record_of("normalise", after, before)
    assert first["gap"] == first["easy"] - first["hard"]
    assert record["gap, change"][1] <= record["gap, change"][0] <= record["gap, change"][2]
    assert f"{HELD_OUT}, change" in record


def test_the_bar_wants_half_the_gap_and_nothing_worse():
    before = {"gap": 80.0, "normal": 45.0}
    kept = {f"{NATURAL}, change": [0, -3, 2], f"{HELD_OUT}, change": [1, 0, 2]}
    assert meets_bar({"gap": 40.0, "normal": 45.0, **kept}, before)
    assert not meets_bar({"gap": 41.0, "normal": 45.0, **kept}, before)
    assert not meets_bar({"gap": 10.0, "normal": 44.0, **kept}, before)
    worse = kept | {f"{HELD_OUT}, change": [-5, -7, -3]}
    assert not meets_bar({"gap": 10.0, "normal": 45.0, **worse}, before)
