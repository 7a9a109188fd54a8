import json
import random
from collections import Counter
from operator import attrgetter

import pytest

from augkit.commands.evaluate.training_sets import run_training_sets
from augkit.core.errors import ConfigError, DataError, OutputExists
from augkit.datasets.readers import blocks
from augkit.datasets.settings import RowSelection
from augkit.runs.execute import run, tasks_left
from augkit.runs.manifest import read_manifest
from augkit.runs.plan import make_plan
from augkit.runs.settings import RunSettings

ROWS = [
    {"text": f"The movie number {i} was a big story.", "label": "pos" if i % 3 else "neg", "n": i}
    for i in range(30)
] + [{"text": "nothing here", "label": "neg", "n": 99}, {"text": "", "label": "neg", "n": 100}]


def read(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def go(path, out, **settings):
    return run(RunSettings(method="swap", dataset=str(path), **settings), out)


def test_a_run_folder_holds_what_was_promised(write_rows, tmp_path):
    """Variants, rejections, dataset and manifest agree with one another and with the input."""
    folder = go(write_rows(ROWS), tmp_path / "out")
    manifest = json.loads((folder / "manifest.json").read_text())
    variants, rejected = read(folder / "variants.jsonl"), read(folder / "rejected.jsonl")
    dataset = read(folder / "dataset.jsonl")
    assert manifest["status"] == "done"
    assert manifest["counts"] == {
        "read": 32, "selected": 32, "proposed": 32, "accepted": 30, "rejected": 2,
        "in_dataset": 30, "parts": 0, "open": 0, "failed_calls": {},
    }  # fmt: skip
    assert manifest["dataset"]["labels"] == {"pos": 20, "neg": 12}
    assert manifest["result_labels"] == {"pos": 40, "neg": 22}
    assert manifest["rejected_by_reason"] == {"no listed word": 1, "empty text": 1}
    assert set(manifest["dataset"]) >= {"name", "source", "rows", "digest"}
    assert manifest["versions"]["pipeline"].startswith(
        "augkit_pipeline 1.0.0 (augkit's own, sha256 "
    )
    assert set(manifest["cost"]) >= {
        "calls", "cached", "prompt_tokens", "completion_tokens", "usd", "seconds",
    }  # fmt: skip
    assert len(variants) == 30
    assert set(variants[0]) == {
        "id", "fields", "label", "parents", "method", "config", "copy", "edits", "contract", "cost",
    }  # fmt: skip
    assert {row["reason"] for row in rejected} == {"no listed word", "empty text"}
    originals = [row for row in dataset if row["augkit_origin"] == "original"]
    stripped = [{k: v for k, v in row.items() if not k.startswith("augkit_")} for row in originals]
    assert stripped == ROWS
    ids = {row["augkit_id"] for row in originals}
    assert all(set(variant["parents"]) <= ids for variant in variants)
    copies = [row for row in dataset if row["augkit_origin"] == "variant"]
    assert [row["augkit_id"] for row in copies] == [variant["id"] for variant in variants]
    assert all(row["augkit_parent"] in ids and row["augkit_method"] == "swap" for row in copies)


def test_replace_keeps_the_size_and_the_rows_without_variants(write_rows, tmp_path):
    """With mix=replace each row is there once: its variant, or itself."""
    folder = go(write_rows(ROWS), tmp_path / "out", mix="replace")
    dataset = read(folder / "dataset.jsonl")
    assert [row["n"] for row in dataset] == [row["n"] for row in ROWS]
    assert sum(row["augkit_origin"] == "variant" for row in dataset) == 30


def test_balance_brings_labels_together_and_repeats_itself(write_rows, tmp_path):
    """With mix=balance the labels are equally frequent, the same rows each time."""
    path = write_rows(ROWS)
    one = go(path, tmp_path / "one", mix="balance")
    two = go(path, tmp_path / "two", mix="balance")
    labels = [row["label"] for row in read(one / "dataset.jsonl")]
    assert labels.count("pos") == labels.count("neg") == 22
    assert read_manifest(one).result_labels == {"pos": 22, "neg": 22}
    assert read_manifest(one).counts.in_dataset == 12
    assert (one / "dataset.jsonl").read_bytes() == (two / "dataset.jsonl").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "most"),
    [({"copies": 2}, 2), ({"copies": 6}, 6), ({"copies": 6, "per_row": 2}, 2)],
)
@pytest.mark.parametrize("mix", ["append", "replace", "balance"])
def test_a_row_has_few_variants_in_the_dataset(write_rows, tmp_path, settings, most, mix):
    """Those beyond per_row stay in variants.jsonl; the counts of the manifest are right."""
    chosen = RunSettings(
        method="eda",
        dataset=str(write_rows(ROWS)),
        options={"copies": settings["copies"]},
        per_row=settings.get("per_row"),
        mix=mix,
    )
    folder = run(chosen, tmp_path / "out")
    manifest, dataset = read_manifest(folder), read(folder / "dataset.jsonl")
    of_row = Counter(row["augkit_parent"] for row in dataset if row["augkit_parent"])
    assert max(of_row.values()) <= most
    assert manifest.counts.in_dataset == of_row.total()
    assert manifest.result_labels == Counter(row["label"] for row in dataset)
    assert len(read(folder / "variants.jsonl")) == manifest.counts.accepted


@pytest.mark.parametrize("selection", [{"limit": 5}, {"sample": 5, "seed": 3}])
def test_the_dataset_holds_the_rows_that_were_augmented(write_rows, tmp_path, selection):
    """``keep_rest`` adds the others as they are."""
    path = write_rows(ROWS)
    expected = [row["n"] for row in RowSelection(**selection).of(ROWS)]
    for rest, total in ((False, 5), (True, 32)):
        folder = go(path, tmp_path / str(rest), keep_rest=rest, **selection)
        manifest, dataset = read_manifest(folder), read(folder / "dataset.jsonl")
        counts = manifest.counts
        assert (counts.read, counts.selected, counts.accepted) == (total, 5, 5)
        assert len(dataset) == total + 5
        assert sum(manifest.original_labels.values()) == total
        assert sorted(variants_by_row(folder)) == expected
        originals = run_training_sets(folder, "originals", None)[0].examples
        assert [row.columns["n"] for row in originals] == [
            row["n"] for row in dataset if row["augkit_origin"] == "original"
        ]


@pytest.mark.slow
@pytest.mark.parametrize("done", [0, 3, 6])
@pytest.mark.parametrize(
    "given", [{}, {"limit": 6}, {"sample": 6}, {"limit": 20, "sample": 6, "keep_rest": True}]
)
def test_a_resumed_run_has_the_rows_that_are_left(write_rows, monkeypatch, given, done):
    """In whatever blocks the file is read."""
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 500)
    settings = RunSettings(method="swap", dataset=str(write_rows(ROWS)), **given)
    with make_plan(settings) as plan:
        parts = [task.examples() for task in tasks_left(plan, done)]
    numbers = [
        [row.columns["n"] for part in parts for row in side(part)]
        for side in (attrgetter("all"), attrgetter("augmented"))
    ]
    chosen = [row["n"] for row in settings.of(ROWS)]
    left = [row["n"] for row in ROWS][done:] if settings.keep_rest else chosen[done:]
    assert numbers[0] == left
    assert numbers[-1] == [number for number in left if number in chosen]


def variants_by_row(folder):
    number = {row["augkit_id"]: row["n"] for row in read(folder / "dataset.jsonl")}
    return {number[v["parents"][0]]: v for v in read(folder / "variants.jsonl")}


@pytest.mark.slow
@pytest.mark.parametrize("method", ["swap", "eda"])
def test_a_row_gives_the_same_variant_in_any_order_and_sample(write_rows, tmp_path, method):
    """Shuffled, halved, or with two workers: the same row gives the same variant."""
    whole = variants_by_row(
        run(RunSettings(method=method, dataset=str(write_rows(ROWS))), tmp_path / "whole")
    )
    shuffled = random.Random(1).sample(ROWS, len(ROWS))
    half = shuffled[:16]
    for name, rows, workers in [("shuffled", shuffled, 1), ("half", half, 1), ("two", ROWS, 2)]:
        # The name of the file is the name of the dataset, and so part of the ids.
        path = write_rows(rows)
        settings = RunSettings(method=method, dataset=str(path), workers=workers)
        found = variants_by_row(run(settings, tmp_path / name))
        assert found == {n: whole[n] for n in found}
        assert set(found) == set(whole) & {row["n"] for row in rows}


@pytest.mark.slow
def test_one_and_two_workers_write_the_same_bytes(write_rows, tmp_path):
    """The number of processes leaves no trace in the results."""
    path = write_rows(ROWS * 3)
    folders = [go(path, tmp_path / str(n), workers=n) for n in (1, 2)]
    for name in ("variants.jsonl", "rejected.jsonl", "dataset.jsonl"):
        assert len({(folder / name).read_bytes() for folder in folders}) == 1


def test_repeated_rows_are_kept_with_ids_of_their_own(write_rows, tmp_path):
    folder = go(write_rows([ROWS[0]] * 10), tmp_path / "out")
    assert len({variant["id"] for variant in read(folder / "variants.jsonl")}) == 10


def test_resuming_a_finished_run_changes_nothing(write_rows, tmp_path):
    settings = RunSettings(method="swap", dataset=str(write_rows(ROWS)))
    folder = run(settings, tmp_path / "out")
    before = (folder / "manifest.json").read_bytes()
    assert run(settings, tmp_path / "out", resume=True) == folder
    assert (folder / "manifest.json").read_bytes() == before


def test_a_resumed_run_must_be_the_same_run(write_rows, tmp_path):
    path = write_rows(ROWS)
    settings = RunSettings(method="swap", dataset=str(path))
    run(settings, tmp_path / "out")
    with pytest.raises(ConfigError, match="seed = 0, now it is 5"):
        run(settings.model_copy(update={"seed": 5}), tmp_path / "out", resume=True)
    write_rows(ROWS[:-1])
    with pytest.raises(ConfigError, match="has changed since"):
        run(settings, tmp_path / "out", resume=True)


def test_nothing_is_written_where_the_input_is_wrong(write_rows, tmp_path):
    path = write_rows([{"text": "a movie"}])
    with pytest.raises(DataError, match="needs labels"):
        go(path, tmp_path / "out", mix="balance")
    assert not (tmp_path / "out").exists()


def test_an_existing_folder_is_refused(write_rows, tmp_path):
    path = write_rows(ROWS)
    go(path, tmp_path / "out")
    with pytest.raises(OutputExists):
        go(path, tmp_path / "out")


def test_the_seed_is_given_once(write_rows, tmp_path):
    with pytest.raises(ConfigError, match="given twice"):
        go(write_rows(ROWS), tmp_path / "out", options={"seed": 3}, seed=4)


def test_ordered_labels_are_declared_for_the_run(write_rows, tmp_path):
    """The order reaches a method that flips labels; for any other it is an error."""
    rows = [{"text": "It was a good day.", "label": str(n % 3)} for n in range(30)]
    with pytest.raises(ConfigError, match="'swap' does not use it"):
        go(write_rows(rows), tmp_path / "one", label_order="0,1,2")
    settings = RunSettings(method="coba", dataset=str(write_rows(rows)), label_order="0,1")
    with pytest.raises(DataError, match="three different labels"):
        run(settings, tmp_path / "two")
    assert not (tmp_path / "two").exists()


def test_a_dataset_in_another_language_is_refused(write_rows, tmp_path):
    """Before any work, with the share and the way to insist."""
    german = "Das Essen war kalt, und die Bedienung hat uns lange warten lassen."
    rows = [{"text": german if n % 5 else "The food was fine.", "label": "a"} for n in range(50)]
    refused = r"80% .* not English \(most like: de\).*other_languages=keep"
    with pytest.raises(DataError, match=refused):
        go(write_rows(rows), tmp_path / "out")
    assert not (tmp_path / "out").exists()
    folder = go(write_rows(rows), tmp_path / "out", options={"other_languages": "keep"})
    assert read_manifest(folder).status == "done"


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_a_rejection_names_its_row(write_rows, tmp_path, workers):
    """By its number in the dataset and by the user's id, with what was read there."""
    folder = go(write_rows(ROWS), tmp_path / "out", workers=workers, id_column="n", sample=20)
    rejected = read(folder / "rejected.jsonl")
    assert rejected
    for line in rejected:
        row = ROWS[line["row"] - 1]
        assert (line["row_id"], line["fields"]) == (row["n"], {"text": row["text"]})
        assert line["label"] == row["label"]
    plain = go(write_rows(ROWS), tmp_path / "plain")
    assert [(line["row"], "row_id" in line) for line in read(plain / "rejected.jsonl")] == [
        (31, False),
        (32, False),
    ]
