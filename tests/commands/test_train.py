"""``augkit train`` and what ``augkit evaluate`` makes of its folders."""

import json

import pytest

from augkit.commands.evaluate.classifiers import load_training
from augkit.commands.evaluate.evaluate import evaluate
from augkit.commands.evaluate.scores import evaluate_run
from augkit.commands.evaluate.settings import evaluation_settings
from augkit.commands.train import train, training_settings
from augkit.core.errors import ConfigError
from augkit.core.results import Comparison
from augkit.datasets.settings import RowSelection
from augkit.runs.execute import run
from augkit.runs.settings import RunSettings
from tests.data import cued_claims, write_jsonl

COLUMNS = {"text_columns": ("claim", "evidence"), "label_column": "label"}


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A file to train on, in which a word of the claim gives the label away, and one to test on."""
    folder = tmp_path_factory.mktemp("claims")
    train_file = write_jsonl(folder / "train.jsonl", cued_claims(500, seed=0, shortcut=0.9))
    test_file = write_jsonl(folder / "test.jsonl", cued_claims(400, seed=1, shortcut=0.5))
    return str(train_file), str(test_file)


@pytest.fixture(scope="module")
def plain(data, tmp_path_factory):
    """The folder of a plain training of three seeds, and its record."""
    folder = tmp_path_factory.mktemp("trained") / "plain"
    return folder, train(asked(data[0], folder))


def asked(train_file, out, **more):
    return training_settings({"train": train_file, "out": out, "reading": COLUMNS, **more})


def test_rows_are_chosen_as_in_a_run(write_rows, tmp_path):
    """A sample of the first ones by the seed."""
    rows = cued_claims(100, seed=0, shortcut=0.9)
    chosen = {"limit": 90, "sample": 60, "seed": 3}
    numbers = RowSelection(**chosen).numbers(100)
    same = write_rows([rows[number] for number in numbers], "chosen.jsonl")
    given = [(write_rows(rows, "all.jsonl"), chosen), (same, {"seed": 3})]
    found = [
        train(asked(str(file), tmp_path / file.stem, seeds=1, **more))["seeds"]
        for file, more in given
    ]
    assert found[0] == found[1]
    assert found[0][0]["trained_on"] + found[0][0]["validated_on"] == 60


@pytest.mark.slow
def test_seeds_are_trained_saved_and_measured(data, plain, tmp_path):
    """Each seed has a folder, the best by validation is named, and evaluate shows their spread.

    The same training gives the same weights, to the last byte; another seed has others.
    """
    (train_file, test_file), (folder, record) = data, plain
    assert record == json.loads((folder / "training.json").read_text())
    assert [one["seed"] for one in record["seeds"]] == [0, 1, 2]
    best = max(record["seeds"], key=lambda one: one["accuracy"])
    assert record["best"] == best["folder"]
    assert record["train"]["rows"] == best["trained_on"] + best["validated_on"] == 500
    assert "scikit-learn" in record["versions"]
    values = {"classifiers": (folder,), "tests": (test_file,), "reading": COLUMNS}
    (result,) = evaluate(evaluation_settings(values))
    assert result.train == "plain"
    assert len(result.seeds.values) == 3
    assert result.seeds.of == "each seed"
    train(asked(train_file, tmp_path / "again", seeds=1))
    weights = [(folder / f"seed-{seed}" / "model.npz").read_bytes() for seed in (0, 1)]
    again = (tmp_path / "again" / "seed-0" / "model.npz").read_bytes()
    assert weights[0] == again != weights[1]


def test_trained_rows_of_a_test_set_are_counted_or_not_known(write_rows, tmp_path):
    """Read as they were for the training, whatever the columns of the test set are called."""
    rows = cued_claims(100, seed=0, shortcut=0.9)
    file = write_rows(rows, "all.jsonl")
    train(asked(str(file), tmp_path / "plain", seeds=1, limit=60))
    test = [{"one": row["claim"], "two": row["evidence"], "kind": row["label"]} for row in rows]
    texts = {(row["claim"], row["evidence"]) for row in rows[:60]}
    seen = sum((row["one"], row["two"]) in texts for row in test)
    reading = {"text_columns": ("one", "two"), "label_column": "kind"}
    values = {"classifiers": (tmp_path / "plain",), "tests": (str(write_rows(test, "test.jsonl")),)}
    settings = evaluation_settings({**values, "reading": reading})
    assert evaluate_run(settings).results[0].rows.in_train == seen
    file.unlink()
    evaluation = evaluate_run(settings)
    assert evaluation.results[0].rows.in_train is None
    unknown = "the training rows of plain cannot be read here: whether they include test rows is "
    assert f"{unknown}not known" in evaluation.verdict["caveats"]


@pytest.mark.slow
@pytest.mark.parametrize("method", ["jtt", "drift", "poe", "rew", "clever"])
def test_robust_training_is_compared_with_plain(data, plain, tmp_path, method):
    """Against the claim, which is found, each method raises the accuracy on counter-examples."""
    train_file, test_file = data
    record = train(asked(train_file, tmp_path / method, seeds=1, robust=method))
    assert record["robust"]["method"] == method
    if method != "jtt":
        assert record["robust"]["against"] == {"field": "claim", "words": []}
    values = {
        "classifiers": (plain[0], tmp_path / method),
        "tests": (test_file,),
        "metrics": ("counter-examples",),
        "reading": COLUMNS,
    }
    records = evaluate(evaluation_settings(values))
    comparisons = [record for record in records if isinstance(record, Comparison)]
    counter = next(comparison for comparison in comparisons if comparison.score == "counter")
    assert counter.difference.value > 0.03
    assert (counter.first, counter.second) == ("plain", method)


def test_a_run_s_result_is_trained_on_with_its_families_together(tmp_path):
    """Variants count as rows, and none is held out without its original."""
    folder = run(RunSettings(method="eda", dataset="reviews-demo", limit=60), tmp_path / "run")
    record = train(training_settings({"train": str(folder), "out": tmp_path / "out", "seeds": 1}))
    assert record["train"]["rows"] == 120
    assert record["train"]["name"] == "run (result)"
    found = load_training(tmp_path / "out")
    assert found.best.labels == ("negative", "positive")


@pytest.mark.slow
def test_rows_out_of_distribution_are_recognised(data, plain, write_rows):
    """Rows out of distribution need no label of the task; the record names both sides."""
    other = [{"claim": f"x{n}", "evidence": f"y{n}", "label": "?"} for n in range(30)]
    values = {
        "classifiers": (plain[0],),
        "tests": (data[1],),
        "ood": (str(write_rows(other, "ood.jsonl")),),
        "metrics": ("ood-auroc",),
        "reading": COLUMNS,
    }
    (result,) = evaluate(evaluation_settings(values))
    assert result.scores["ood_auroc"].value > 0.8
    assert result.rows.ood == 30


def test_fairscore_of_a_saved_classifier(tmp_path):
    """Its training rows are read again, for the control's words."""
    train(training_settings({"train": "nli-demo", "out": tmp_path / "plain", "seeds": 1}))
    values = {
        "classifiers": (tmp_path / "plain",),
        "tests": ("nli-demo:test",),
        "metrics": ("fairscore",),
        "method": "swap",
        "options": {"pairs": [["man", "woman"], ["girl", "boy"], ["men", "women"]]},
    }
    (result,) = evaluate(evaluation_settings(values))
    assert result.scores["changed_rows"].n > 10
    assert result.scores["control"].n > 0


@pytest.mark.slow
def test_transformers_with_lora_are_trained(tiny_bert, tmp_path):
    """The folder opens again and its best pass was chosen on the rows held out."""
    values = {
        "train": "reviews-demo",
        "out": tmp_path / "bert",
        "model_kind": f"transformers:{tiny_bert}",
        "model": {"epochs": 1, "max_tokens": 16, "lora": True},
        "seeds": 1,
    }
    record = train(training_settings(values))
    assert record["model"]["lora"]["rank"] == 8
    assert load_training(tmp_path / "bert").best.labels == ("negative", "positive")


@pytest.mark.slow
def test_a_masked_model_is_pretrained_further(tiny_masked, tmp_path):
    """Texts of a dataset; the folder is no classifier, and says what it is."""
    values = {
        "train": "nli-demo",
        "out": tmp_path / "mlm",
        "model_kind": f"mlm:{tiny_masked}",
        "model": {"epochs": 1, "max_tokens": 16, "learning_rate": 1e-3},
    }
    record = train(training_settings(values))
    assert record["epochs"][1]["validation_loss"] < record["epochs"][0]["validation_loss"]
    with pytest.raises(ConfigError, match="masked language model"):
        load_training(tmp_path / "mlm")
