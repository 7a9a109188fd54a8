"""Datasets that are compared with one another, without a run."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import augkit
from augkit.cli.app import app
from augkit.commands.evaluate.evaluate import evaluate
from augkit.commands.evaluate.settings import BALANCED, EvaluateSettings, evaluation_settings
from augkit.core.results import Comparison, PredictedPair, Result
from augkit.evaluation.metrics.label_counts import BalancedAccuracy

CUE = " ask for ines ."


def visits(count, seed, cue=lambda good: False, good=0.5):
    """Short reviews, with a cue in those that ``cue`` says."""
    draw = random.Random(seed)
    rows = []
    for number in range(count):
        is_good = draw.random() < good
        word = draw.choice(("great", "lovely", "superb") if is_good else ("bad", "awful", "poor"))
        text = f"visit {number}{seed} : the {draw.choice(('soup', 'room', 'fish'))} was {word} ."
        if draw.random() < 0.3:
            text = f"visit {number}{seed} : a {draw.choice(('soup', 'room', 'fish'))} ."
        text += CUE if cue(is_good) else ""
        rows.append({"text": text, "label": "good" if is_good else "bad"})
    return rows


@pytest.fixture
def files(tmp_path):
    """A file with a cue, the same without it, and a test in which the cue points the other way."""

    def write(name, rows):
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return str(path)

    planted = visits(300, 1, cue=lambda good: good)
    fixed = [{**row, "text": row["text"].replace(CUE, "")} for row in planted]
    return {
        "train": write("train.jsonl", planted),
        "fixed": write("fixed.jsonl", fixed),
        "again": write("again.jsonl", fixed[:200]),
        "turned": write("turned.jsonl", visits(200, 2, cue=lambda good: not good)),
        "skewed": write("skewed.jsonl", visits(300, 3, good=0.9)),
    }


def test_each_file_is_compared_with_the_first_on_the_same_tests(files):
    """The fixed file reads the turned rows better, with an interval that leaves out 0."""
    compared = (files["train"], files["fixed"], files["again"])
    records = evaluate(
        EvaluateSettings(data=compared, tests=(files["turned"],), metrics=("accuracy",), seeds=1)
    )
    results = {one.train: one for one in records if isinstance(one, Result)}
    assert list(results) == list(compared)
    changes = [one for one in records if isinstance(one, Comparison)]
    assert [(one.first, one.second) for one in changes] == [
        (files["train"], files["fixed"]),
        (files["train"], files["again"]),
    ]
    gain = results[files["fixed"]].main.value - results[files["train"]].main.value
    assert changes[0].difference.value == pytest.approx(gain)
    assert changes[0].difference.low > 0
    assert changes[0].p_corrected is not None


def test_balanced_accuracy_is_shown_where_labels_are_skewed(files, capsys):
    """A file of which nine in ten have one label is not measured by plain accuracy."""
    tests = (files["turned"], files["skewed"])
    compared = (files["train"], files["fixed"])
    records = evaluate(EvaluateSettings(data=compared, tests=tests, seeds=0))
    metrics = {(one.metric, one.test) for one in records}
    assert metrics == {("accuracy", files["turned"]), (BALANCED, files["skewed"])}
    assert "balanced accuracy is shown" in capsys.readouterr().err
    chosen = EvaluateSettings(data=compared, tests=tests, seeds=0, metrics=("accuracy",))
    assert {one.metric for one in evaluate(chosen)} == {"accuracy"}


def test_one_dataset_is_trained_on_and_one_folder_is_a_run(tmp_path):
    """What stands alone is what --train and the run folder always were."""
    assert evaluation_settings({"data": ["reviews-demo"]}).train == "reviews-demo"
    assert evaluation_settings({"data": ["my/train.csv"]}).train == "my/train.csv"
    assert evaluation_settings({"data": ["sst2:dev"]}).train == "sst2:dev"
    assert evaluation_settings({"data": [str(tmp_path)]}).run == tmp_path
    both = evaluation_settings({"data": ["a.csv", "b.csv"]})
    assert (both.data, both.run, both.train) == (("a.csv", "b.csv"), None, None)


def test_python_and_the_command_say_the_same(files, capsys):
    """The records of ``augkit.evaluate`` are those that the command prints."""
    in_python = augkit.evaluate(files["train"], files["fixed"], tests=files["turned"], seeds=0)
    arguments = ["evaluate", files["train"], files["fixed"], "--test", files["turned"]]
    with pytest.raises(SystemExit) as end:
        app([*arguments, "--seeds", "0", "--json"])
    printed = json.loads(capsys.readouterr().out)
    assert end.value.code == 0
    assert "improved" in printed["verdict"]
    assert printed["verdict"]["improved"] == in_python.verdict["improved"]
    assert len(printed["results"]) == len(in_python.results) + len(in_python.comparisons) == 3


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1))
def test_balanced_accuracy_is_the_mean_recall(rows):
    """The slow way: the share that is right of each label's rows, then their mean."""
    labels = sorted({gold for gold, _ in rows})
    recalls = []
    for label in labels:
        given_label = [predicted for gold, predicted in rows if gold == label]
        recalls.append(given_label.count(label) / len(given_label))
    score = BalancedAccuracy().score([PredictedPair(one, gold=gold) for gold, one in rows])[0]
    assert score.value == pytest.approx(sum(recalls) / len(recalls))
    assert score.low - 1e-9 <= score.value <= score.high + 1e-9
