import json
import shutil

import pytest

GENDER = "method.pairs=[[girl,boy],[man,woman],[men,women],[mother,father]]"


@pytest.mark.slow
def test_one_measurement_is_one_json_object(augkit):
    """Fairscore of the bundled pairs, with the keys that programs rely on."""
    result = augkit(
        "evaluate", "--metric", "fairscore", "--train", "nli-demo", "--test", "nli-demo:test",
        "--method", "swap", "--set", GENDER, "--json",
    )  # fmt: skip
    assert result.code == 0
    record = json.loads(result.out)
    assert record["metric"] == "fairscore"
    assert set(record["scores"]["changed_rows"]) == {"value", "low", "high", "n"}
    assert (record["train"], record["test"]) == ("nli-demo", "nli-demo:test")
    assert record["method"] == "swap"


def test_several_measurements_are_results(augkit):
    """Two test sets give one object with a list."""
    tests = ["--test", "reviews-demo:test", "--test", "reviews-demo:challenge"]
    result = augkit("evaluate", "--train", "reviews-demo", *tests, "--json")
    records = json.loads(result.out)["results"]
    assert [record["test"] for record in records] == ["reviews-demo:test", "reviews-demo:challenge"]
    ordinary, challenge = (record["scores"]["accuracy"]["value"] for record in records)
    assert challenge < ordinary


def test_a_metric_and_a_model_by_name(augkit):
    """Macro-F1 of the linear classifier on the bundled reviews."""
    asked = ["--train", "reviews-demo", "--test", "reviews-demo:test", "--model", "linear"]
    result = augkit("evaluate", *asked, "--metric", "macro-f1", "--json")
    record = json.loads(result.out)
    assert record["model"]["kind"] == "linear"
    score = record["scores"]["macro_f1"]
    assert 0 < score["low"] < score["value"] < score["high"] <= 1


def test_a_model_may_perturb_the_test_rows(augkit, write_rows):
    """With --llm the answers of a model are the perturbed rows."""
    kinds = [("He lost his {} keys.", "sad"), ("He found a {} prize.", "glad")]
    sizes = ("big", "small", "red", "new")
    rows = [{"text": kind.format(size), "label": label} for kind, label in kinds for size in sizes]
    train = write_rows(rows, "train.jsonl")
    test = write_rows(rows[:1], "test.jsonl")
    reply = {"1 He": "She", "2 his": "her"}
    script = write_rows([{"match": "woman", "reply": reply}], "script.jsonl")
    asked = ["evaluate", "--train", train, "--test", test, "--metric", "fairscore", "--json"]
    asked += ["--set", "method.perturber=llm", "--set", "method.axes=[gender]"]
    asked += ["--set", "method.target=woman"]
    result = augkit(*asked, "--llm", f"scripted:{script}")
    assert result.code == 0, result.err
    assert json.loads(result.out)["scores"]["gender, man -> woman"]["n"] == 1


def test_an_evaluation_says_where_its_files_are(augkit, tmp_path):
    """Not on the standard output, which is JSON; without a folder nothing is written."""
    asked = ["evaluate", "--train", "reviews-demo", "--test", "reviews-demo:test", "--json"]
    assert "Written" not in augkit(*asked, "--seeds", 0).err
    result = augkit(*asked, "--seeds", 0, "--out", "found")
    assert result.err.splitlines() == [
        "Written: found/scores.json",
        "Written: found/predictions.jsonl",
    ]
    assert json.loads(result.out)["metric"] == "accuracy"
    assert len((tmp_path / "found" / "predictions.jsonl").read_text().splitlines()) == 80


def test_classifiers_in_folders_of_one_name_are_distinguished(augkit, tmp_path):
    """By their paths, in the scores and in the predictions."""
    assert augkit("train", "reviews-demo", "--out", "first/model").code == 0
    shutil.copytree(tmp_path / "first", tmp_path / "second")
    folders = ["first/model", "second/model"]
    chosen = [word for folder in folders for word in ("--classifier", folder)]
    result = augkit("evaluate", *chosen, "--test", "reviews-demo:test", "--out", "found")
    assert result.code == 0, result.err
    line = (tmp_path / "found" / "predictions.jsonl").read_text().splitlines()[0]
    assert list(json.loads(line)["predicted"]) == folders
