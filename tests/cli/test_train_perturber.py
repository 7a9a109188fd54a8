"""``augkit train-perturber``, and the runs that need a model."""

from __future__ import annotations

import json

QUICK = ("--set", "epochs=2", "--set", "held_out=0", "--set", "warmup_updates=0")


def rows(pairs):
    return [pair.model_dump() for pair in pairs]


def test_a_folder_is_trained_and_then_rewrites(augkit, write_rows, tiny_model, eight_pairs):
    """What one command writes another reads: rows are answered, none is lost."""
    pairs = write_rows(rows(eight_pairs), "pairs.jsonl")
    result = augkit(
        "train-perturber", "--data", pairs, "--base", tiny_model, "--out", "mine", *QUICK
    )
    assert result.code == 0, result.err
    assert "epoch 2: loss" in result.err
    assert "of 2 is kept (8 pairs, 0 too long)" in result.out
    data = write_rows([{"text": "He lost his keys.", "label": "a"}, {"text": "It rains."}])
    settings = ("--set", "perturber=seq2seq:mine", "--set", "axes=[gender]")
    result = augkit("run", "--method", "panda", "--dataset", data, "--out", "out", *settings)
    assert result.code == 0, result.err
    manifest = json.loads((data.parent / "out" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["counts"]["read"] == manifest["counts"]["proposed"] == 2


def test_mistakes_are_errors_before_any_work(augkit, write_rows, tiny_model, eight_pairs, tmp_path):
    """A wrong setting, file or model: exit code 2, and no folder."""
    pairs = write_rows(rows(eight_pairs), "pairs.jsonl")
    broken = write_rows([{"original": "He."}], "broken.jsonl")
    for arguments, told in [
        ((pairs, "--base", tiny_model, "--set", "epoch=2"), "'epochs'"),
        ((broken, "--base", tiny_model), "broken.jsonl:1"),
        ((pairs, "--base", "./absent"), "no folder"),
    ]:
        result = augkit("train-perturber", "--data", *arguments, "--out", "mine")
        assert (result.code, told in result.err) == (2, True), result.err
    assert not (tmp_path / "mine").exists()


def test_a_run_with_an_llm_offline_says_what_it_needs(augkit, tmp_path):
    """Before anything is written; a dry run says the same."""
    for more in ((), ("--dry-run",)):
        asked = ("run", "--method", "panda", "--set", "perturber=llm", "--out", "out", *more)
        result = augkit(*asked)
        assert result.code == 2
        assert "cannot work without a model (llm)" in result.err
    assert not (tmp_path / "out").exists()


def test_a_run_with_an_llm_rewrites_by_its_answers(augkit, write_rows):
    """A script of answers in the place of a model: the variant is the answer's text."""
    data = write_rows([{"text": "He lost his keys.", "label": "a"}])
    reply = {"1 He": "She", "2 his": "her"}
    script = write_rows([{"match": "woman", "reply": reply}], "script.jsonl")
    asked = ("--set", "perturber=llm", "--set", "axes=[gender]", "--set", "target=woman")
    result = augkit(
        *("run", "--method", "panda", "--dataset", data, "--out", "out"),
        *("--llm", f"scripted:{script}", *asked),
    )
    assert result.code == 0, result.err
    [line] = (data.parent / "out" / "dataset.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["text"] == "She lost her keys."
    manifest = json.loads((data.parent / "out" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["prompts"][0].startswith("panda/rewrite@")


def test_a_tagger_is_trained_from_the_data_folder(
    augkit, write_rows, tiny_bert, eight_pairs, tmp_path
):
    """``--data panda`` is panda/train.jsonl of the data folder, in either naming of the columns."""
    columns = {
        "original": "text",
        "selected_word": "word",
        "target_attribute": "target",
        "perturbed": "rewrite",
    }
    named = [{columns[key]: value for key, value in row.items()} for row in rows(eight_pairs)]
    (tmp_path / "data" / "panda").mkdir(parents=True)
    write_rows(named, "data/panda/train.jsonl")
    asked = ("--kind", "tagger", "--base", tiny_bert, "--data-folder", "data")
    quick = ("--set", "epochs=1", "--set", "held_out=0.5")
    result = augkit("train-perturber", "--data", "panda", "--out", "mine", *asked, *quick)
    assert result.code == 0, result.err
    assert "F1 on held-out texts: gender" in result.err
    assert "epoch 1 of 1 is kept" in result.out
    result = augkit("train-perturber", "--data", "absent", "--out", "other", *asked)
    assert result.code == 2
    assert "absent/train.jsonl" in result.err
