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
from augkit.commands.sweep.results import StudyRow, read_results
from augkit.commands.sweep.settings import read_sweep, trials
from augkit.commands.sweep.study import preview, run_study
from augkit.commands.sweep.text import study_summary
from augkit.core import registry
from augkit.core.errors import ConfigError
from augkit.runs.settings import MethodSettings

SMALL = """
name: small
methods: [eda, {method: swap, name: words, options: {pairs: [[film, movie]]}}]
datasets: [reviews-demo]
seeds: [0, 1]
limit: 20
tests: {reviews-demo: [reviews-demo:test]}
"""


@pytest.fixture
def write(tmp_path):
    """Write a YAML file and return its path."""

    def written(text, name="study.yaml"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return written


METHODS = "datasets: [reviews-demo]\nmethods:\n"
FIND = "  - method: mask-words\n    "


def silent(*_told):
    """Nobody listens."""


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
    find: {name: tokens, options: {alpha: 0.01}}
    judge: {by: none}
    grid: {per_row: [1, 4], find.top: [8], mix: [replace], judge.rows: [5], targets: [2]}
  - {method: mask-words, name: other, grid: {find: [tokens, razor-definition]}}
datasets: [reviews-demo]
"""
    first, second, *others = trials(read_sweep(write(text)))
    assert (first.settings.per_row, second.settings.per_row) == (1, 4)
    assert second.settings.mix == "replace"
    assert second.settings.options == {"copies": 2, "targets": 2}
    assert second.settings.find.options == {"alpha": 0.01, "top": 8}
    assert (second.settings.judge.by, second.settings.judge.rows) == ("none", 5)
    assert [trial.settings.find.name for trial in others] == ["tokens", "razor-definition"]
    assert first.from_file == {
        "copies": 2,
        "targets": 2,
        "find": "tokens",
        "find.alpha": 0.01,
        "find.top": 8,
        "judge.by": "none",
        "judge.rows": 5,
        "mix": "replace",
        "per_row": 1,
    }
    assert first.name.startswith("mask-words-find-tokens-per_row=1-find.top=8-mix=replace")
    assert others[1].name.startswith("other-find=razor-definition-reviews-demo-0-")


def test_no_method_has_a_setting_of_the_run():
    """So that a key of a grid means one thing; the run gives the mix to a method that asks."""
    configs = [registry.find("augmenters", name).Config for name in registry.names("augmenters")]
    of_methods = {key for config in configs for key in config.model_fields}
    assert of_methods & MethodSettings.model_fields.keys() == {"mix"}


def test_the_same_trial_twice_is_an_error(write):
    """A method listed twice with the same settings is a mistake, whatever it is called."""
    for second in ("eda", "{method: eda, name: again}"):
        with pytest.raises(ConfigError, match="twice"):
            trials(read_sweep(write(f"methods: [eda, {second}]\ndatasets: [reviews-demo]\n")))


def test_a_file_extends_another(write):
    """Keys of the file win over those of its base; a circle is an error."""
    write(SMALL, "base.yaml")
    study = read_sweep(write("extends: base.yaml\nseeds: [7]\n"))
    assert (study.seeds, study.limit) == ((7,), 20)
    write(SMALL.replace("pairs:", "pears:"), "base.yaml")
    with pytest.raises(ConfigError, match=r"base\.yaml:\d+: settings of 'swap'.*pears"):
        read_sweep(write("extends: base.yaml\nseeds: [7]\n"))
    with pytest.raises(ConfigError, match="circular"):
        read_sweep(write("extends: study.yaml\n"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (SMALL.replace("seeds:", "seedz:"), r"study\.yaml:5.*seedz.*seeds"),
        (SMALL.replace("name: words", "nam: words"), r"study\.yaml.*nam"),
        ("methods: []\ndatasets: [a]\n", "methods"),
        (SMALL.replace("limit: 20", "limit: none"), r"limit"),
        (SMALL + "datasets: [b]\n", "twice"),
        (SMALL.replace("{reviews-demo: [", "{reviews: ["), "not in 'datasets': reviews"),
        (METHODS + "  - {method: eda, grid: {alpa: [1]}}", r"yaml:3: .*'eda'.*grid.alpa.*'alpha'"),
        (METHODS + "  - method: eda\n    grid:\n      alpha: [0.1, x]", r"yaml:5: .*alpha.*'x'"),
        (METHODS + "  - method: eda\n    options: {sede: 1}", r"yaml:4: .*options.sede.*'seed'"),
        (METHODS + "  - eda\n  - edaa", r"yaml:4: methods.1.method: no method 'edaa'.*'eda'"),
        (METHODS + FIND + "find: tokns", r"yaml:4: methods.0.find: no finder 'tokns'.*'tokens'"),
        (METHODS + FIND + "find: tokens\n    grid: {find.tpo: [1]}", r"yaml:5: .*tpo.*'top'"),
        (METHODS + FIND + "grid: {find.top: [1]}", r"yaml:4: .*find.top.*Add 'find: NAME'"),
        (METHODS + FIND + "grid: {find: [tokns]}", r"yaml:4: .*no finder 'tokns'.*'tokens'"),
        (METHODS + FIND + "grid: {per_row: [2, 0]}", r"yaml:4: methods.0.grid.per_row: .*got 0"),
        (METHODS + FIND + "grid: {judge.row: [1]}", r"yaml:4: methods.0.grid.judge.row: .*'rows'"),
        (METHODS + FIND + "options: {per_row: 2}", r"yaml:4: .*per_row: .*run.*beside 'method'"),
    ],
)
def test_a_typo_is_answered_with_its_place_and_its_cure(write, text, said):
    """File, line, key, and the nearest right one."""
    with pytest.raises(ConfigError, match=said):
        read_sweep(write(text))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (SMALL.replace("[eda,", "[edaa,"), "Did you mean 'eda'"),
        (SMALL.replace("datasets: [reviews-demo]", "datasets: [reviews-demos]"), "trial|reviews"),
        (SMALL.replace("reviews-demo:test", "reviews-demo:tset"), "tset"),
        (SMALL.replace("pairs:", "pears:"), "pairs"),
        (SMALL.replace("[eda,", "[{method: coba, grid: {keep_words: [3]}},"), "keep_words has no"),
        (SMALL.replace("[eda,", "[eda, {method: eda, options: {fields: [a]}},"), "no field 'a'"),
    ],
)
def test_nothing_runs_where_a_trial_is_wrong(write, tmp_path, text, said):
    """All trials are checked before the first one starts."""
    with pytest.raises(ConfigError, match=said):
        run_study(read_sweep(write(text)), tmp_path / "out", 1, silent)
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_study_gives_tables_and_is_not_done_twice(write, tmp_path, augkit):
    """Repeated, it runs nothing; results.csv has a row for each trial and test set."""
    study, folder = read_sweep(write(SMALL)), tmp_path / "out"
    ran: list[str] = []
    done = run_study(study, folder, 1, lambda name, *_: ran.append(name))
    assert len(ran) == 4
    with (folder / "results.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert {row["method"] for row in rows} == {"eda", "words"}
    assert len(rows) == 4
    assert read_results(folder) == done.rows
    for row in study_summary(done.rows):
        of_method = [result for result in done.rows if result.method == row["method"]]
        clear = sum(result.low > 0 or result.high < 0 for result in of_method)
        assert row["excludes 0"] == f"{clear} of 2"
    (row,) = study_summary(done.rows[:1])
    first = done.rows[0]
    assert row["95 % interval"] == f"{first.low:+.3f} to {first.high:+.3f}"
    assert float(row["p"].lstrip("< ")) == pytest.approx(first.p, abs=0.001)
    before = {path: path.stat().st_mtime_ns for path in folder.glob("trials/*/variants.jsonl")}
    again = run_study(study, folder, 2, lambda name, *_: pytest.fail(f"{name} ran again"))
    assert again.rows == done.rows
    assert (done.earlier, again.earlier, again.planned) == (0, 4, 4)
    shown = augkit("sweep", write(SMALL), "--out", folder).out
    assert "4 of 4 trials were finished already" in shown
    assert "±: the standard deviation over seeds" in shown
    assert "(same): the same training set in every seed" in shown
    best = done.comparisons[0].best
    assert read_comparisons(folder)[0].best == best
    assert f"\nBest accuracy on reviews-demo:test (80 rows): {best} 0." in shown
    assert "Which method is best?" in (folder / "report.html").read_text(encoding="utf-8")
    few = "fewer than 100 rows were compared on reviews-demo:test: weak evidence"
    assert all(few in row.caveats for row in done.rows)
    assert all(few in row["caveats"] for row in rows)
    assert shown.count(f"Caveats: {few} (all methods)\n") == 1
    assert before == {path: path.stat().st_mtime_ns for path in before}
    with pytest.raises(ConfigError, match="another study"):
        run_study(read_sweep(write(SMALL.replace("[0, 1]", "[5]"))), folder, 1, silent)


@pytest.mark.parametrize(("digests", "change"), [("aa", "+0.500 (same)"), ("ab", "+0.500 ± 0.000")])
def test_seeds_are_the_same_by_their_training_sets(digests, change):
    """Random choices may give the same mean: that is evidence from several seeds."""
    rows = [
        StudyRow(
            trial=str(seed), method="eda", dataset="d", seed=seed, options="{}",
            variants=7, accepted=7, rejected=0, seconds=1.0, usd=0.0,
            metric="accuracy", test="t", score="accuracy", before=0.25, after=0.75,
            difference=0.5, low=0.1, high=0.9, rows=80, p=0.01, caveats=[], training_set=digest,
        )
        for seed, digest in enumerate(digests)
    ]  # fmt: skip
    (line,) = study_summary(rows)
    assert line["change"] == change


@pytest.mark.slow
def test_a_method_that_changed_no_row_is_named(write, tmp_path, augkit):
    """In the table and among the caveats."""
    text = SMALL.replace("[[film, movie]]", "[[quokka, numbat]]")
    shown = augkit("sweep", write(text), "--out", tmp_path / "out", "--workers", "1").out
    (line,) = [line for line in shown.splitlines() if line.startswith(" words ")]
    assert line.split()[1:5] == ["0", *line.split()[3:4], *line.split()[3:4], "+0.000"]
    assert "Caveats: 0 variants: no row was changed (words)\n" in shown


@pytest.mark.slow
def test_settings_without_an_effect_are_named(write, tmp_path):
    """Where two lines have the same training set in every seed, the second one says so."""
    text = """
methods: [{method: mask-words, name: mask, find: tokens, grid: {find.top: [900, 1, 901]}}]
datasets: [reviews-demo]
seeds: [0, 1]
limit: 60
tests: {reviews-demo: [reviews-demo:test]}
"""
    done = run_study(read_sweep(write(text)), tmp_path / "out", 1, silent)
    same = "on reviews-demo the same training set as 'mask find.top=900': "
    repeated = {row.method: any(same in caveat for caveat in row.caveats) for row in done.rows}
    assert repeated == {
        "mask find.top=900": False,
        "mask find.top=1": False,
        "mask find.top=901": True,
    }
    assert {json.loads(row.options)["find.top"] for row in done.rows} == {900, 1, 901}


def test_a_reversed_shortcut_is_named(write, write_rows, tmp_path):
    """A method that exchanges two cues turns them round, unless the originals stay too."""
    cues = {"happy": "sale", "unhappy": "store"}
    rows = [
        {"text": f"Bought in the {cue}, thing {n}.", "label": label}
        for n in range(40)
        for label, cue in cues.items()
    ]
    path = write_rows(rows)
    text = f"""
methods: [{{method: swap, options: {{pairs: [[sale, store]]}}, grid: {{mix: [append, replace]}}}}]
datasets: ["{path}"]
tests: {{"{path}": ["{path}"]}}
"""
    done = run_study(read_sweep(write(text)), tmp_path / "out", 1, silent)
    reversals = {
        row.method: [caveat for caveat in row.caveats if caveat.startswith("the result has")]
        for row in done.rows
    }
    reversal = "the result has a shortcut reversed: 'sale' (happy) now predicts 'unhappy'"
    assert reversals == {"swap mix=append": [], "swap mix=replace": [reversal]}


def test_a_failing_trial_stops_no_other(write, tmp_path, monkeypatch):
    """A server that is not there fails its own trials; the rest end, and the reason is kept."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    text = """
methods: [{method: paraphrase, llm: "openai:x"}, eda]
datasets: [reviews-demo]
limit: 5
tests: {reviews-demo: [reviews-demo:test]}
connection: {base_url: "http://127.0.0.1:9/v1", attempts: 1, breaker: 1, timeout: 2}
"""
    done = run_study(read_sweep(write(text)), tmp_path / "out", 1, silent)
    assert {row.method for row in done.rows} == {"eda"}
    assert [name.split("-")[0] for name in done.failures] == ["paraphrase"]


def test_columns_are_named_for_all_datasets_and_for_one(write, write_rows, tmp_path):
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
    done = run_study(study, tmp_path / "out", 1, silent)
    assert not done.failures
    assert [row.rows for row in done.rows] == [24, 24]
    with pytest.raises(ConfigError, match="columns of a dataset that is not in 'datasets': absent"):
        read_sweep(write(text.replace(f'columns: {{"{other}"', 'columns: {"absent"')))


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
    path, folder = write(SMALL.replace("[0, 1]", "[0, 1, 2, 3]")), tmp_path / "out"
    command = [sys.executable, "-m", "augkit", "sweep", str(path), "--out", str(folder)]
    process = subprocess.Popen(
        [*command, "--workers", "1"], stderr=subprocess.DEVNULL, start_new_session=True
    )
    while process.poll() is None and not list(folder.glob("trials/*/scores.json")):
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    kept = {file: file.read_bytes() for file in folder.glob("trials/*/scores.json")}
    ran: list[str] = []
    done = run_study(read_sweep(path), folder, 1, lambda name, *_: ran.append(name))
    assert len(kept) >= 1
    assert len(ran) == 8 - len(kept)
    assert len(done.rows) == 8
    assert all(file.read_bytes() == text for file, text in kept.items())


@pytest.mark.slow
def test_methods_are_put_together_in_the_file(write, tmp_path):
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
    done = run_study(study, tmp_path / "out", 1, silent)
    assert not done.failures
    accepted = {row.method: row.accepted for row in done.rows}
    assert accepted["both"] > accepted["eda or mask-words"]
    assert accepted["eda p=0.2"] < accepted["eda p=0.8"] < 30


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("{chain: [{method: eda, option: {}}]}", r"study\.yaml:3.*option.*Did you mean 'options'"),
        ("{chain: [eda], method: eda}", r"study\.yaml:3.*give one of"),
        ("{name: nothing}", "give one of"),
        ("{chain: []}", "give one of"),
    ],
)
def test_a_wrong_composition_is_answered_with_its_place(write, entry, said):
    """File, line and key, and the nearest right one."""
    with pytest.raises(ConfigError, match=said):
        read_sweep(write(f"datasets: [reviews-demo]\nmethods:\n  - {entry}\n"))


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("{chain: [eda, edaa]}", "step 2: no method 'edaa'. Did you mean 'eda'"),
        ("{chain: [eda, {method: swap, options: {pears: []}}]}", "step 2.*pears.*pairs"),
        ("{one_of: [razor, eda]}", "step 1: 'razor' needs all rows at once"),
        ("{one_of: [eda, swap], options: {weights: [1]}}", "2 steps need as many weights"),
        ("{chain: [{method: typo, options: {fields: [body]}}]}", "no field 'body'"),
    ],
)
def test_a_wrong_step_is_an_error_before_anything_runs(write, tmp_path, entry, said):
    """Every step is checked with the trials."""
    text = f"datasets: [reviews-demo]\nmethods:\n  - {entry}\n"
    with pytest.raises(ConfigError, match=said):
        run_study(read_sweep(write(text)), tmp_path / "out", 1, silent)
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_what_a_method_learns_is_learnt_once(write, tmp_path):
    """Trials that differ in copies alone share one artifact, and each has it in its folder."""
    text = """
methods: [{method: random-edit, grid: {copies: [1, 2]}}]
datasets: [reviews-demo]
limit: 10
tests: {reviews-demo: [reviews-demo:test]}
"""
    done = run_study(read_sweep(write(text)), tmp_path / "out", 2, silent)
    assert not done.failures
    kept = [path for path in (tmp_path / "out" / "artifacts").iterdir() if path.is_dir()]
    assert len(kept) == 1
    copies = list((tmp_path / "out" / "trials").rglob(kept[0].name))
    assert len(copies) == 2
