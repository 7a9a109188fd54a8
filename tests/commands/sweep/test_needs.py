"""Several classifiers, robust training, rows out of distribution; what a study lacks."""

from __future__ import annotations

import csv
import json
import sys

import pytest

from augkit.commands.evaluate.evaluation_sets import load_evaluation_set
from augkit.commands.evaluate.inputs import predicted_labels
from augkit.commands.evaluate.settings import EvaluateSettings
from augkit.commands.sweep.best import read_comparisons
from augkit.commands.sweep.settings import SweepSettings, read_sweep, trials
from augkit.commands.sweep.study import check, preview
from augkit.core.errors import ConfigError
from augkit.datasets.load import load_dataset
from augkit.models.classifiers.linear import LinearConfig, train_linear
from augkit.models.robust.bias_view import BiasView
from augkit.models.robust.config import RobustConfig
from augkit.models.robust.train import RobustTraining, train_robust

ROBUST = """
name: robust
methods:
  - {robust: {method: poe, against: claim}}
  - {robust: jtt, name: twice}
  - {method: eda, robust: poe}
datasets: [claims-demo]
tests: {claims-demo: [claims-demo:test]}
models: [linear, {model: linear, name: unigrams, options: {ngrams: 1}}]
"""


@pytest.mark.slow
def test_every_classifier_is_trained_plainly_and_robustly(run, tmp_path):
    """The scores are those of classifiers that are trained by hand on the same rows.

    After a stop between two classifiers the trial goes on; its dataset is left alone.
    """
    done = run(ROBUST)
    assert not done.failures
    rows = load_dataset("claims-demo")
    test = load_evaluation_set("claims-demo:test", EvaluateSettings()).rows
    gold = [row.label for row in test]
    for name, ngrams in (("linear", 2), ("unigrams", 1)):
        config = LinearConfig(ngrams=ngrams)
        against = RobustTraining("poe", RobustConfig(), BiasView(field="claim"))
        classifiers = [train_linear(rows, config), train_robust(rows, config, against)]
        hand = [
            sum(map(str.__eq__, predicted_labels(classifier, test), gold)) / len(gold)
            for classifier in classifiers
        ]
        (line,) = [row for row in done.rows if (row.method, row.model) == ("poe", name)]
        assert [line.before, line.after] == pytest.approx(hand)
        assert line.variants == 0
        assert not any("no row was changed" in caveat for caveat in line.caveats)
        assert not any("same training set" in caveat for caveat in line.caveats)
    assert {row.method for row in done.rows} == {"poe", "twice", "eda, poe"}
    best = read_comparisons(tmp_path / "out")
    assert {line.model for line in best} == {"linear", "unigrams"}
    assert not any(line.shortcuts for line in best if line.best in {"poe", "twice"})
    with (tmp_path / "out" / "results.csv").open(encoding="utf-8") as lines:
        assert {row["model"] for row in csv.DictReader(lines)} == {"linear", "unigrams"}
    (trial,) = (tmp_path / "out" / "trials").glob("poe-*")
    (trial / "classifiers" / "unigrams" / "scores.json").unlink()
    written = (trial / "dataset.jsonl").stat().st_mtime_ns
    again = run(ROBUST)
    assert (again.rows, again.earlier) == (done.rows, 2)
    assert (trial / "dataset.jsonl").stat().st_mtime_ns == written


@pytest.mark.slow
def test_rows_out_of_distribution_and_metrics_by_dataset(run):
    """Each dataset has metrics and sets of its own; a list is for all."""
    text = """
methods: [eda]
datasets: [reviews-demo, claims-demo]
limit: 30
tests: {reviews-demo: [reviews-demo:test], claims-demo: [claims-demo:test]}
ood: {reviews-demo: [reviews-demo:challenge]}
metrics: {reviews-demo: [accuracy, ood-auroc]}
"""
    done = run(text)
    assert not done.failures
    assert {(row.dataset, row.metric, row.test) for row in done.rows} == {
        ("reviews-demo", "accuracy", "reviews-demo:test"),
        ("reviews-demo", "ood-auroc", "reviews-demo:test against reviews-demo:challenge"),
        ("claims-demo", "accuracy", "claims-demo:test"),
    }
    for_all = SweepSettings(methods=["eda"], datasets=["a", "b"], metrics=["f"], ood=["x"])
    assert (for_all.metrics, for_all.ood) == ({"a": ["f"], "b": ["f"]}, {"a": ["x"], "b": ["x"]})


def test_all_that_is_missing_is_said_at_once(run, write_rows, tmp_path, monkeypatch):
    """Data, a column, a set out of distribution, a model's folder, a key: in one error."""
    monkeypatch.setattr("augkit.datasets.readers.hub.hub_answers", lambda: False)
    plain = write_rows([{"text": f"Row {n}.", "label": "ab"[n % 2]} for n in range(30)], "a.jsonl")
    pairs = write_rows([{"premise": "A", "hypothesis": "B", "label": "a"}], "b.jsonl")
    text = f"""
methods: [eda, {{method: paraphrase, llm: "openai:x"}}, {{robust: {{method: drift, against: no}}}}]
datasets: ["{plain}", sst2]
tests: {{"{plain}": ["{plain}", "{pairs}", "{tmp_path}/absent.csv"], sst2: ["sst2:dev"]}}
metrics: [accuracy, pair-consistency, counter-examples, ood-auroc]
ood: {{"{plain}": ["{pairs}"]}}
models: [linear, "encoder:{tmp_path}/none"]
"""
    with pytest.raises(ConfigError) as raised:
        run(text)
    heading, *problems = str(raised.value).split("\n- ")
    assert heading == f"{len(problems)} things are missing or wrong, and nothing was run:"
    for message in (
        "no folder",
        "OPENAI_API_KEY",
        "pair-consistency: no row has a counterfactual",
        "counter-examples: 0 rows whose shortcut",
        "different text fields",
        "absent.csv: no such file",
        "sst2: --metric ood-auroc needs rows out of distribution",
        "dataset 'sst2'",
        "robust drift: the rows have no field 'no'",
    ):
        assert any(message in problem for problem in problems), message
    assert not (tmp_path / "out").exists()


def test_robust_training_is_for_a_logistic_learner_and_labels_that_are_names(run, tmp_path):
    """Both are said before anything runs."""
    text = ROBUST.replace("options: {ngrams: 1}", "options: {learner: svm}")
    with pytest.raises(ConfigError, match="robust training is for the learner logistic"):
        run(text)
    absent = ROBUST.replace("against: claim", f"shortcuts: {tmp_path}/grammar")
    with pytest.raises(ConfigError, match=r"no grammar in .*--by grammar"):
        run(absent)


@pytest.mark.slow
def test_a_study_may_ask_for_a_language_model(write):
    """It is given with --llm, for the methods that can use one; a dry run needs no key."""
    text = "methods: [eda, paraphrase]\ndatasets: [reviews-demo]\nlimit: 5\nllm: required\n"
    study = read_sweep(write(text), overrides={"llm": "openai:gpt-4o-mini"})
    assert [trial.settings.llm for trial in trials(study)] == ["offline", "openai:gpt-4o-mini"]
    assert preview(study)[1]["calls"] == "about 5"
    with pytest.raises(ConfigError, match="no API key"):
        check(study, to_run=True)


@pytest.mark.slow
def test_the_command_line_chooses_what_the_file_leaves_open(augkit, write, tmp_path):
    """Classifiers, metrics, sets out of distribution, and the number of rows."""
    path = write(
        "name: s\nmethods: [eda, {robust: jtt}, {robust: poe}]\ndatasets: [reviews-demo]\n"
        "limit: 99\n"
    )
    shown = augkit(
        *("sweep", path, "--out", tmp_path / "out", "--trials", "1", "--set", "limit=30"),
        *("--model", "linear", "--set", "ood=reviews-demo:challenge"),
        *("--set", "metrics=[accuracy, ood-auroc]"),
    ).out
    assert "ood-auroc on reviews-demo:test against reviews-demo:challenge" in shown
    record = json.loads((tmp_path / "out" / "study.json").read_text(encoding="utf-8"))
    assert record["limit"] == 30
    assert [entry["robust"] and entry["robust"]["method"] for entry in record["methods"]] == [
        None,
        "jtt",
        "poe",
    ]


@pytest.mark.slow
def test_encoders_and_transformers_are_classifiers_of_a_study(run, tmp_path, tiny_bert):
    """Plain and robust training of a head on an encoder and of a whole network, beside linear."""
    text = f"""
methods: [eda, {{robust: {{method: poe, against: claim}}}}]
datasets: [claims-demo]
limit: 24
tests: {{claims-demo: [claims-demo:test]}}
models:
  - linear
  - {{model: "encoder:{tiny_bert}", name: head}}
  - {{model: "transformers:{tiny_bert}", name: network, options: {{epochs: 1, max_tokens: 16}}}}
"""
    done = run(text)
    assert not done.failures
    expected = {
        (method, name) for method in ("eda", "poe") for name in ("linear", "head", "network")
    }
    assert {(row.method, row.model) for row in done.rows} == expected
    trained = {}
    for path in (tmp_path / "out" / "trials").glob("poe-*/**/scores.json"):
        results = json.loads(path.read_text(encoding="utf-8"))["results"]
        models = [result["model"] for result in results if "model" in result]
        trained[models[0]["kind"]] = [model.get("robust") for model in models]
    assert trained == {kind: [None, "poe"] for kind in ("linear", "encoder", "transformers")}


def test_without_transformers_the_extra_is_named(run, tmp_path, monkeypatch, tiny_bert):
    """Before anything runs."""
    monkeypatch.setitem(sys.modules, "transformers", None)
    text = f'methods: [eda]\ndatasets: [reviews-demo]\nmodels: ["encoder:{tiny_bert}"]\n'
    with pytest.raises(ConfigError, match=r"needs an extra package: pip install 'augkit\[nn\]'"):
        run(text)
    assert not (tmp_path / "out").exists()
