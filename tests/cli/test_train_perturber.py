"""``augkit train --model seq2seq:PATH``, and the runs that need a model."""

from __future__ import annotations

import json

import pytest

QUICK = tuple(
    word
    for setting in ("epochs=2", "held_out=0", "warmup_updates=0")
    for word in ("--set", f"model.{setting}")
)


def rows(pairs):
    return [pair.model_dump() for pair in pairs]


@pytest.mark.slow
def test_a_folder_is_trained_and_then_rewrites(augkit, write_rows, tiny_model, eight_pairs):
    """What one command writes another reads: rows are answered, none is lost."""
    pairs = write_rows(rows(eight_pairs), "pairs.jsonl")
    model = f"seq2seq:{tiny_model}"
    result = augkit("train", pairs, "--model", model, "--out", "mine", *QUICK)
    assert result.code == 0, result.err
    assert "epoch 2: loss" in result.err
    assert "of 2 is kept (8 pairs, 0 too long)" in result.out
    data = write_rows([{"text": "He lost his keys.", "label": "a"}, {"text": "It rains."}])
    settings = ("--set", "perturber=seq2seq:mine", "--set", "axes=[gender]")
    result = augkit("run", "--method", "panda", "--dataset", data, "--out", "out", *settings)
    assert result.code == 0, result.err
    manifest = json.loads((data.parent / "out" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["counts"]["read"] == manifest["counts"]["proposed"] == 2


@pytest.mark.slow
def test_pairs_are_found_in_the_data_folder(augkit, write_rows, tiny_model, eight_pairs, tmp_path):
    """``--train panda`` is panda/train.jsonl of the data folder, in both namings of columns."""
    columns = {
        "original": "text",
        "selected_word": "word",
        "target_attribute": "target",
        "perturbed": "rewrite",
    }
    named = [{columns[key]: value for key, value in row.items()} for row in rows(eight_pairs)]
    (tmp_path / "data" / "panda").mkdir(parents=True)
    write_rows(named, "data/panda/train.jsonl")
    asked = ("--model", f"seq2seq:{tiny_model}", "--set", "data_folder=data")
    result = augkit("train", "panda", "--out", "mine", *asked, *QUICK)
    assert result.code == 0, result.err
    assert "of 2 is kept" in result.out
