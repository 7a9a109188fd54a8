"""Studies: what a YAML file means, resuming, and failures that stop nobody else."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from augkit.commands.sweep.best import read_comparisons
from augkit.commands.sweep.results import read_results
from augkit.commands.sweep.settings import read_sweep, trials
from augkit.commands.sweep.study import preview, run_study
from augkit.commands.sweep.text import study_summary
from augkit.core import registry
from augkit.core.errors import ConfigError
from augkit.runs.settings import MethodSettings
from tests.commands.sweep.conftest import run_silently
from tests.data import study_row

SMALL = """
name: small
methods:
  - eda
  - {method: swap, name: words, options: {pairs: [[film, movie]]}}
  - {method: swap, name: nothing, options: {pairs: [[quokka, numbat]]}}
  - {method: mask-words, name: mask, find: tokens, grid: {find.top: [900, 1, 901]}}
datasets: [reviews-demo]
seeds: [0, 1]
limit: 60
tests: {reviews-demo: [reviews-demo:test]}
"""
PLAIN = SMALL[: SMALL.index("  - {method: mask")] + SMALL[SMALL.index("datasets:") :]
"""The same without the grid."""


def test_trials_are_methods_times_datasets_times_seeds_times_grid(write):
    """A grid multiplies one method only, and every trial has a name of its own."""
    text = """
methods:
  - eda
  - {method: eda, name: strong, grid: {alpha: [0.1, 0.3], copies: [1, 2]}}
datasets: [reviews-demo, claims-demo]
seeds: [0, 1, 2]
"""
    found = trials(read_sweep(write(text)))
    assert len(found) == 2 * 3 * (1 + 4)
    assert len({trial.name for trial in found}) == len(found)
    options = {json.dumps(t.settings.options) for t in found if t.method.startswith("strong")}
    assert len(options) == 4


def test_a_grid_takes_settings_of_the_run(write):
    """Beside the method's own: each trial says what was given, in its name and in its results."""
    text = """
methods:
  - method: mask-words
    options: {copies: 2}
    find: {name: tokens, options: {top: 3}}
    judge: {by: none}
    grid: {per_row: [1, 4], find.top: [8], mix: [replace], judge.rows: [5], targets: [2]}
  - {method: mask-words, name: other, grid: {find: [tokens, razor-definition]}}
datasets: [reviews-demo]
"""
    first, second, *others = trials(read_sweep(write(text)))
    assert (first.settings.per_row, second.settings.per_row) == (1, 4)
    assert second.settings.mix == "replace"
    assert second.settings.options == {"copies": 2, "targets": 2}
    assert second.settings.find.options == {"top": 8}
    assert (second.settings.judge.by, second.settings.judge.rows) == ("none", 5)
    assert [trial.settings.find.name for trial in others] == ["tokens", "razor-definition"]
    assert first.options == {
        "copies": 2,
        "per_row": 1,
        "find.top": 8,
        "mix": "replace",
        "judge.rows": 5,
        "targets": 2,
    }
    assert first.name.startswith("mask-words-find-tokens-per_row=1-find.top=8-mix=replace")
    assert others[1].name.startswith("other-find=razor-definition-reviews-demo-0-")


def test_no_method_has_a_setting_of_the_run():
    """So that a key of a grid means one thing; the run gives the mix to a method that asks."""
    configs = [registry.find("augmenters", name).Config for name in registry.names("augmenters")]
    of_methods = {key for config in configs for key in config.model_fields}
    assert of_methods & MethodSettings.model_fields.keys() == {"mix"}


def test_a_file_extends_another(write):
    """Keys of the file win over those of its base; an error of a trial names the trial."""
    write(SMALL, "base.yaml")
    study = read_sweep(write("extends: base.yaml\nseeds: [7]\n"))
    assert (study.seeds, study.limit) == ((7,), 60)
    write(SMALL.replace("pairs:", "pears:"), "base.yaml")
    with pytest.raises(ConfigError, match=r"study\.yaml: trial words: settings of 'swap'.*pears"):
        read_sweep(write("extends: base.yaml\nseeds: [7]\n"))


@pytest.fixture(scope="module")
def studied(tmp_path_factory):
    """The folder of a study of six methods and two seeds, and what it gave."""
    folder = tmp_path_factory.mktemp("study")
    path = folder / "study.yaml"
    path.write_text(SMALL, encoding="utf-8")
    return folder / "out", run_silently(path, folder / "out")


@pytest.mark.slow
def test_a_study_gives_tables(studied):
    """results.csv has a row for each trial and test set; the summary, one for each method."""
    folder, done = studied
    with (folder / "results.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == len(done.rows) == 12
    assert [row["method"] for row in rows] == [row.method for row in done.rows]
    assert read_results(folder) == done.rows
    for row in study_summary(done.rows):
        of_method = [result for result in done.rows if result.method == row["method"]]
        clear = sum(result.low > 0 or result.high < 0 for result in of_method)
        assert row["excludes 0"] == f"{clear} of 2"
    (row,) = study_summary(done.rows[:1])
    first = done.rows[0]
    assert row["95 % interval"] == f"{first.low:+.3f} to {first.high:+.3f}"
    assert float(row["p"].lstrip("< ")) == pytest.approx(first.p, abs=0.001)
    few = "fewer than 100 rows were compared on reviews-demo:test: weak evidence"
    assert all(few in row.caveats for row in done.rows)
    assert all(few in row["caveats"] for row in rows)


@pytest.mark.slow
def test_methods_and_settings_without_an_effect_are_named(studied):
    """A method that changed no row; of two lines with the same training sets the second one."""
    _, done = studied
    unchanged = {row.method for row in done.rows if "no row was changed" in " ".join(row.caveats)}
    assert unchanged == {"nothing"}
    same = "on reviews-demo the same training set as 'mask find.top=900': "
    repeated = {row.method for row in done.rows if any(same in caveat for caveat in row.caveats)}
    assert repeated == {"mask find.top=901"}
    assert {json.loads(row.options).get("find.top") for row in done.rows} == {None, 900, 1, 901}


@pytest.mark.slow
def test_a_study_is_not_done_twice(studied, write, augkit):
    """Repeated, it runs nothing and shows the same; another study has another folder."""
    folder, done = studied
    before = {path: path.stat().st_mtime_ns for path in folder.glob("trials/*/variants.jsonl")}
    assert done.earlier == 0
    shown = augkit("sweep", write(SMALL), "--out", folder).out
    assert "12 of 12 trials were finished already" in shown
    assert "±: the standard deviation over seeds" in shown
    assert "(same): the same training set in every seed" in shown
    (line,) = [line for line in shown.splitlines() if line.startswith(" nothing ")]
    assert line.split()[1:5] == ["0", *line.split()[3:4], *line.split()[3:4], "+0.000"]
    assert "Caveats: 0 variants: no row was changed (nothing)\n" in shown
    assert shown.count("rows were compared on reviews-demo:test: weak evidence (all methods)") == 1
    best = done.comparisons[0].best
    assert read_comparisons(folder)[0].best == best
    assert f"\nBest accuracy on reviews-demo:test (80 rows): {best} 0." in shown
    assert "Which method is best?" in (folder / "report.html").read_text(encoding="utf-8")
    assert before == {path: path.stat().st_mtime_ns for path in before}
    with pytest.raises(ConfigError, match="another study"):
        run_silently(write(SMALL.replace("[0, 1]", "[5]")), folder)


@pytest.mark.parametrize(("digests", "shown"), [("aa", "+0.500 (same)"), ("ab", "+0.500 ± 0.000")])
def test_seeds_are_the_same_by_their_training_sets(digests, shown):
    """Random choices may give the same mean: that is evidence from several seeds."""
    change = {"before": 0.25, "after": 0.75, "difference": 0.5, "low": 0.1, "high": 0.9}
    rows = [
        study_row(trial=str(seed), seed=seed, training_set=digest, **change)
        for seed, digest in enumerate(digests)
    ]
    (line,) = study_summary(rows)
    assert line["change"] == shown


@pytest.mark.slow
def test_a_failing_trial_stops_no_other(run, monkeypatch):
    """A server that is not there fails its own trials; the rest end, and the reason is kept."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    text = """
methods: [{method: paraphrase, llm: "openai:x"}, eda]
datasets: [reviews-demo]
limit: 5
tests: {reviews-demo: [reviews-demo:test]}
connection: {base_url: "http://127.0.0.1:9/v1", attempts: 1, breaker: 1, timeout: 2}
"""
    done = run(text)
    assert {row.method for row in done.rows} == {"eda"}
    assert [name.split("-")[0] for name in done.failures] == ["paraphrase"]


def test_columns_are_named_for_all_datasets_and_for_one(run, write, write_rows):
    """Test sets are read with the columns of their dataset; its own names win."""
    rows = [{"says": f"A good film {n}.", "hint": "x", "verdict": "ab"[n % 2]} for n in range(24)]
    one = write_rows(rows, "one.jsonl")
    other = write_rows([{**row, "stars": row.pop("verdict")} for row in rows], "other.jsonl")
    text = f"""
methods: [eda]
datasets: ["{one}", "{other}"]
tests: {{"{one}": ["{one}"], "{other}": ["{other}"]}}
text_columns: [says]
label_column: verdict
columns: {{"{other}": {{label_column: stars}}}}
"""
    study = read_sweep(write(text))
    found = [(t.settings.text_columns, t.settings.label_column) for t in trials(study)]
    assert found == [(("says",), "verdict"), (("says",), "stars")]
    done = run(text)
    assert not done.failures
    assert [row.rows for row in done.rows] == [24, 24]


@pytest.mark.slow
def test_a_preview_spends_nothing(write, tmp_path):
    """A line for each method and dataset over all seeds, and the sum; nothing is written."""
    text = """
methods:
  - eda
  - {method: paraphrase, llm: "openai:gpt-4o-mini"}
  - {method: swap, options: {pairs: [[film, movie]]}}
datasets: [reviews-demo]
seeds: [0, 1, 2]
limit: 20
"""
    eda, paraphrase, swap, in_all = preview(read_sweep(write(text)))
    assert (eda["trials"], eda["calls"], in_all["trials"]) == (3, "none", 9)
    assert paraphrase["calls"] == in_all["calls"] == "about 60"
    assert str(in_all["money"]).startswith("about $0.0")
    assert (eda["settings"], swap["settings"]) == ("", 'pairs=[["film", "movie"]]')
    assert set(eda) == set(paraphrase) == set(swap) == set(in_all)
    assert (eda["rows"], eda["augmented"]) == ("380", "20")
    offline, _ = preview(read_sweep(write("methods: [eda]\ndatasets: [reviews-demo]\n")))
    assert "calls" not in offline
    assert not list(tmp_path.glob("runs"))


@pytest.mark.slow
def test_a_killed_study_goes_on(write, tmp_path):
    """After SIGKILL the finished trials are left as they are, and the rest is done."""
    path, folder = write(PLAIN.replace("[0, 1]", "[0, 1, 2]")), tmp_path / "out"
    command = [sys.executable, "-m", "augkit", "sweep", str(path), "--out", str(folder)]
    process = subprocess.Popen(
        [*command, "--trials", "1"], stderr=subprocess.DEVNULL, start_new_session=True
    )
    while process.poll() is None and not list(folder.glob("trials/*/scores.json")):
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    kept = {file: file.read_bytes() for file in folder.glob("trials/*/scores.json")}
    ran: list[str] = []
    done = run_study(read_sweep(path), folder, 1, lambda name, *_: ran.append(name))
    assert len(kept) >= 1
    assert len(ran) == 9 - len(kept)
    assert len(done.rows) == 9
    assert all(file.read_bytes() == text for file, text in kept.items())


@pytest.mark.slow
def test_methods_are_put_together_in_the_file(run, write):
    """A chain, a union and a draw are methods of a study; a name alone is a step."""
    text = """
methods:
  - chain: [eda, {method: swap, options: {pairs: [[film, movie]]}}]
  - {union: [eda, mask-words], name: both}
  - {one_of: [eda, mask-words], options: {weights: [3, 1]}}
  - {sometimes: eda, grid: {p: [0.2, 0.8]}}
datasets: [reviews-demo]
limit: 30
tests: {reviews-demo: [reviews-demo:test]}
"""
    study = read_sweep(write(text))
    found = trials(study)
    names = ["eda then swap", "both", "eda or mask-words", "eda p=0.2", "eda p=0.8"]
    assert [trial.method for trial in found] == names
    done = run(text)
    assert not done.failures
    accepted = {row.method: row.accepted for row in done.rows}
    assert accepted["both"] > accepted["eda or mask-words"]
    assert accepted["eda p=0.2"] < accepted["eda p=0.8"] < 30


@pytest.mark.slow
def test_what_a_method_learns_is_learnt_once(run, tmp_path):
    """Trials that differ in copies alone share one artifact, and each has it in its folder."""
    text = """
methods: [{method: random-edit, grid: {copies: [1, 2]}}]
datasets: [reviews-demo]
limit: 10
tests: {reviews-demo: [reviews-demo:test]}
"""
    done = run(text, 2)
    assert not done.failures
    kept = [path for path in (tmp_path / "out" / "artifacts").iterdir() if path.is_dir()]
    assert len(kept) == 1
    copies = list((tmp_path / "out" / "trials").rglob(kept[0].name))
    assert len(copies) == 2
