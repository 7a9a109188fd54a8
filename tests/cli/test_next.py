"""The command that a command names as the next one can be copied, and works."""

from __future__ import annotations

import csv
import shlex

import pytest

pytestmark = pytest.mark.slow


def next_words(done):
    """The words of the last line, as the shell reads them, without the name of the program."""
    last = done.err.splitlines()[-1]
    assert last.startswith("Next: augkit "), done.err
    return shlex.split(last.removeprefix("Next: augkit "))


def test_from_a_run_to_its_scores_and_its_page(augkit, tmp_path):
    """Also where the folder has a space in its name."""
    done = augkit("run", "-m", "eda", "-d", "reviews-demo", "-n", 60, "-o", "my run")
    for command in ("evaluate", "report"):
        words = next_words(done)
        assert words[0] == command
        done = augkit(*words)
        assert done.code == 0, done.err
    assert done.out.strip() == "my run/report.html"
    assert next_words(done) == ["report", "my run", "--open"]
    assert next_words(augkit("shortcuts", "my run")) == ["report", "my run"]


def test_from_a_file_with_columns_of_its_own_to_fix(augkit, tmp_path):
    """What check and shortcuts print names the columns again; fix reads what they read."""
    with (tmp_path / "my tickets.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["the message", "queue"])
        for number in range(80):
            cue = "please ask marta" if number % 2 else "no answer yet"
            writer.writerow([f"ticket {number}: {cue}", ("billing", "other")[number % 2]])
    columns = ("--text-column", "the message", "--label-column", "queue")
    for command in (("check", "my tickets.csv"), ("shortcuts", "my tickets.csv")):
        words = next_words(augkit(*command, *columns))
        assert words == ["fix", "my tickets.csv", *columns]
    assert augkit(*words, "--dry-run").out.startswith("Dry run")


def test_from_a_dry_run_to_the_run_and_to_a_classifier(augkit):
    """The same words without the option; a classifier is measured on the dataset's test splits."""
    words = next_words(augkit("run", "-m", "eda", "-n", 20, "--out", "a", "--dry-run"))
    assert words == ["run", "-m", "eda", "-n", "20", "--out", "a"]
    assert augkit(*words).code == 0
    words = next_words(augkit("train", "a", "--out", "b", "--seeds", 1))
    assert words[:3] == ["evaluate", "--classifier", "b"]
    assert sorted(words[4::2]) == ["reviews-demo:challenge", "reviews-demo:test"]
    assert augkit(*words, "--limit", 20).code == 0
    assert augkit(*next_words(augkit("list", "methods"))).code == 0


def test_from_one_row_to_the_whole_dataset(augkit):
    """``try`` names the run with the same options; a change of a person, a run that has many."""
    words = next_words(augkit("try", "-m", "typo", "--set", "share=0.2"))
    assert words == "run -m typo --set share=0.2".split()
    words = next_words(augkit("perturb", "He left.", "--axis", "gender", "--target", "woman"))
    assert words == ["run", "reviews-demo", "--method", "panda"]
