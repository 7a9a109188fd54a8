"""``augkit train`` and what ``augkit evaluate`` makes of its folders."""

import json
import random

import pytest

from augkit.commands.evaluate.classifiers import load_training
from augkit.commands.evaluate.evaluate import evaluate
from augkit.commands.evaluate.scores import evaluate_run
from augkit.commands.evaluate.settings import evaluation_settings
from augkit.commands.train import train, training_settings
from augkit.core.errors import ConfigError, DataError, OutputExists
from augkit.core.results import Comparison
from augkit.datasets.settings import RowSelection
from augkit.runs.execute import run
from augkit.runs.settings import RunSettings


def claims(rows, seed, shortcut):
    """Rows in which a word of the claim goes with the label as often as told."""
    draw = random.Random(seed)
    told = []
    for _ in range(rows):
        label = draw.choice(["refutes", "supports"])
        agrees = draw.random() < shortcut
        cue = "never" if (label == "refutes") == agrees else "always"
        side = ("dark", "light") if label == "refutes" else ("light", "dark")
        words = [f"{side[draw.random() > 0.65]}{place}" for place in range(5)]
        claim = f"she {cue} wore number{draw.randrange(9)}"
        suggested = {"never": "refutes", "always": "supports"}[cue]
        row = {"claim": claim, "evidence": " ".join(words), "label": label, "shortcut": suggested}
        told.append(row)
    return told


COLUMNS = {"text_columns": ("claim", "evidence"), "label_column": "label"}


@pytest.fixture
def data(write_rows):
    train_file = write_rows(claims(500, 0, 0.9), "train.jsonl")
    test_file = write_rows(claims(400, 1, 0.5), "test.jsonl")
    return str(train_file), str(test_file)


def asked(train_file, out, **more):
    return training_settings({"train": train_file, "out": out, "reading": COLUMNS, **more})


@pytest.mark.parametrize(
    ("chosen", "numbers"),
    [({"limit": 60}, range(60)), ({"limit": 90, "sample": 60, "seed": 3}, None)],
)
def test_rows_are_chosen_as_in_a_run(write_rows, tmp_path, chosen, numbers):
    """The first ones, or a sample of them by the seed."""
    rows = claims(100, 0, 0.9)
    numbers = RowSelection(**chosen).numbers(100) if numbers is None else numbers
    same = write_rows([rows[number] for number in numbers], "chosen.jsonl")
    given = [(write_rows(rows, "all.jsonl"), chosen), (same, {"seed": chosen.get("seed", 0)})]
    found = [
        train(asked(str(file), tmp_path / file.stem, seeds=1, **more))["seeds"]
        for file, more in given
    ]
    assert found[0] == found[1]
    assert found[0][0]["trained_on"] + found[0][0]["validated_on"] == 60


def test_seeds_are_trained_saved_and_measured(data, tmp_path):
    """Each seed has a folder, the best by validation is named, and evaluate shows their spread."""
    train_file, test_file = data
    record = train(asked(train_file, tmp_path / "plain"))
    assert record == json.loads((tmp_path / "plain" / "training.json").read_text())
    assert [one["seed"] for one in record["seeds"]] == [0, 1, 2]
    best = max(record["seeds"], key=lambda one: one["accuracy"])
    assert record["best"] == best["folder"]
    assert record["train"]["rows"] == best["trained_on"] + best["validated_on"] == 500
    assert "scikit-learn" in record["versions"]
    values = {"classifiers": (tmp_path / "plain",), "tests": (test_file,), "reading": COLUMNS}
    (result,) = evaluate(evaluation_settings(values))
    assert result.train == "plain"
    assert len(result.seeds.values) == 3
    assert result.seeds.of == "each seed"


def test_trained_rows_of_a_test_set_are_counted_or_not_known(write_rows, tmp_path):
    """Read as they were for the training, whatever the columns of the test set are called."""
    rows = claims(100, 0, 0.9)
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


def test_the_same_training_gives_the_same_bytes(data, tmp_path):
    """The weights are equal to the last byte; another seed has others."""
    train_file, _ = data
    for name, seed in (("one", 0), ("two", 0), ("three", 7)):
        train(asked(train_file, tmp_path / name, seeds=1, seed=seed))
    one, two, three = (
        (tmp_path / name / f"seed-{seed}" / "model.npz").read_bytes()
        for name, seed in (("one", 0), ("two", 0), ("three", 7))
    )
    assert one == two != three


@pytest.mark.slow
@pytest.mark.parametrize("method", ["jtt", "drift", "poe", "rew", "clever"])
def test_robust_training_is_compared_with_plain(data, tmp_path, method):
    """Against the claim, which is found, each method raises the accuracy on counter-examples."""
    train_file, test_file = data
    train(asked(train_file, tmp_path / "plain", seeds=1))
    record = train(asked(train_file, tmp_path / method, seeds=1, robust=method))
    assert record["robust"]["method"] == method
    if method != "jtt":
        assert record["robust"]["against"] == {"field": "claim", "words": []}
    values = {
        "classifiers": (tmp_path / "plain", tmp_path / method),
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


def test_rows_out_of_distribution_are_recognised(data, tmp_path, write_rows):
    """Rows out of distribution need no label of the task; the record names both sides."""
    train_file, test_file = data
    train(asked(train_file, tmp_path / "plain", seeds=1))
    other = [{"claim": f"x{n}", "evidence": f"y{n}", "label": "?"} for n in range(30)]
    values = {
        "classifiers": (tmp_path / "plain",),
        "tests": (test_file,),
        "ood": (str(write_rows(other, "ood.jsonl")),),
        "metrics": ("ood-auroc",),
        "reading": COLUMNS,
    }
    (result,) = evaluate(evaluation_settings(values))
    assert result.scores["ood_auroc"].value > 0.8
    assert result.rows.ood == 30
    with pytest.raises(ConfigError, match="needs rows out of distribution: pass --ood"):
        evaluate(evaluation_settings({**values, "ood": ()}))


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
        "model": {"epochs": 1, "max_tokens": 16},
        "lora": True,
        "seeds": 1,
    }
    record = train(training_settings(values))
    assert record["model"]["lora"]["rank"] == 8
    assert load_training(tmp_path / "bert").best.labels == ("negative", "positive")


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


def test_mistakes_are_explained(data, tmp_path, write_rows):
    """A folder in use, a field without --robust, LoRA of a linear model, a regression task."""
    train_file, _ = data
    train(asked(train_file, tmp_path / "plain", seeds=1))
    with pytest.raises(OutputExists, match="holds a training"):
        train(asked(train_file, tmp_path / "plain"))
    with pytest.raises(ConfigError, match="need --robust"):
        train(asked(train_file, tmp_path / "x", field="claim"))
    with pytest.raises(ConfigError, match="--lora is for"):
        asked(train_file, tmp_path / "x", lora=True)
    with pytest.raises(ConfigError, match="robust"):
        asked(train_file, tmp_path / "x", robust="pow")
    scale = write_rows([{"text": f"film {n}", "label": n / 5} for n in range(26)], "scale.jsonl")
    with pytest.raises(DataError, match="regression task"):
        train(training_settings({"train": str(scale), "out": tmp_path / "x"}))
    with pytest.raises(DataError, match="no trained classifier"):
        load_training(tmp_path)
