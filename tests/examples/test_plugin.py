"""The example plug-in, installed as anybody would install it, in a folder of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PLUGIN = Path(__file__).parents[2] / "examples" / "plugin"


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """The variables of a process that finds the installed plug-in."""
    target = tmp_path_factory.mktemp("plugin")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target"]
    done = subprocess.run(
        [*install, str(target), str(PLUGIN)], capture_output=True, text=True, check=False
    )
    if done.returncode and ("hatchling" in done.stderr or "No module named pip" in done.stderr):
        pytest.skip(f"pip could not fetch the build back end: {done.stderr[-300:]}")
    assert done.returncode == 0, done.stderr
    return {**os.environ, "PYTHONPATH": str(target)}


def python(code, environment):
    """Run code where the plug-in is installed, and give back what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def augkit(environment, tmp_path):
    """The command line where the plug-in is installed, in an empty folder."""

    def command(*arguments):
        done = subprocess.run(
            [sys.executable, "-m", "augkit", *arguments],
            env=environment, cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    return command


def test_it_is_registered(environment):
    """Installing the package is all it takes to be listed."""
    code = "from augkit.core import registry; print(registry.names('augmenters'))"
    assert "'shortcut-mask'" in python(code, environment)


def test_it_keeps_the_contract(environment):
    """The checks that augkit runs on its own methods hold for it."""
    python("from augkit.testing import check_augmenter as c; c('shortcut-mask')", environment)


def test_it_works_through_create(environment):
    """It is made by name, learns from a corpus, and masks what gives the label away."""
    code = (
        "import augkit\n"
        "rows = [augkit.example(f'Bland {n}', 'bad') for n in range(5)]\n"
        "rows += [augkit.example(f'Grand {n}', 'good') for n in range(5)]\n"
        "step = augkit.create('shortcut-mask').fit(rows)\n"
        "print([pair.variant.fields['text'] for pair in step(rows[:1] + rows[-1:])])"
    )
    assert python(code, environment) == "['something 0', 'something 4']"


def test_its_finder_has_a_place_everywhere(augkit, tmp_path):
    """In ``augkit shortcuts``, in ``--find``, and on the page of the run."""
    rows = [{"text": f"I HATE film {n}.", "label": "bad"} for n in range(9)]
    rows += [{"text": f"A fine film, {n}.", "label": "good"} for n in range(9)]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    listed = json.loads(augkit("shortcuts", "-d", "rows.jsonl", "--by", "shouting", "--json"))
    assert [(row["label"], row["share"]) for row in listed["rows"]] == [("bad", 1.0), ("good", 0.0)]
    augkit("run", "-m", "mask-words", "-d", "rows.jsonl", "-o", "out", "--find", "shouting")
    variants = (tmp_path / "out" / "variants.jsonl").read_text().splitlines()
    expected = [f"I [MASK] film {n}." for n in range(9)]
    assert [json.loads(line)["fields"]["text"] for line in variants] == expected
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "--find shouting" in page
    assert "word in capitals → bad" in page


def test_its_metric_is_compared_judged_and_reported(augkit, tmp_path):
    """The metric of the plug-in has a score, a difference, a verdict, a caveat and a chart."""
    augkit("run", "-m", "shortcut-mask", "-d", "reviews-demo", "-o", "run")
    test = ("--test", "reviews-demo:challenge", "--seeds", "0")
    augkit("evaluate", "run", *test, "--metric", "rare-label-errors")
    augkit("report", "run")
    scores = json.loads((tmp_path / "run" / "scores.json").read_text(encoding="utf-8"))
    originals, result, difference = scores["results"]
    assert list(originals["scores"]) == list(result["scores"]) == ["rare_label_errors"]
    assert (difference["score"], difference["direction"]) == ("rare_label_errors", "lower")
    assert 0 <= difference["p"] <= 1
    lines = [line for heading in scores["verdict"].values() for line in heading]
    assert any(line.startswith("rare-label-errors on reviews-demo:challenge") for line in lines)
    assert any("the rarest label has few rows" in line for line in scores["verdict"]["caveats"])
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert "rare-label-errors, %" in page
    assert "lower is better" in page


def test_its_own_tests_pass(environment):
    """The tests that the package carries pass where it is installed."""
    pytest_here = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*pytest_here, "-c", os.devnull, "--rootdir", PLUGIN, PLUGIN / "tests"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
