"""The example plug-in, installed as anybody would install it, in a folder of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from augkit import create, example
from augkit.core import registry
from augkit.testing import check_augmenter

pytestmark = pytest.mark.slow

PLUGIN = Path(__file__).parents[2] / "examples" / "plugin"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder that the plug-in is installed in."""
    target = tmp_path_factory.mktemp("plugin")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target"]
    done = subprocess.run(
        [*install, str(target), str(PLUGIN)], capture_output=True, text=True, check=False
    )
    if done.returncode and ("hatchling" in done.stderr or "No module named pip" in done.stderr):
        pytest.skip(f"pip could not fetch the build back end: {done.stderr[-300:]}")
    assert done.returncode == 0, done.stderr
    return target


@pytest.fixture
def installed(folder, monkeypatch):
    """Python finds the installed plug-in."""
    monkeypatch.syspath_prepend(str(folder))


@pytest.mark.usefixtures("installed")
def test_it_keeps_the_contract():
    """Installing the package is all it takes to be listed; our checks of methods hold for it."""
    assert "shortcut-mask" in registry.names("augmenters")
    check_augmenter("shortcut-mask")


@pytest.mark.usefixtures("installed")
def test_it_works_through_create():
    """It is made by name, learns from a corpus, and masks what gives the label away."""
    rows = [example(f"Bland {n}", "bad") for n in range(5)]
    rows += [example(f"Grand {n}", "good") for n in range(5)]
    step = create("shortcut-mask").fit(rows)
    masked = [pair.variant.fields["text"] for pair in step(rows[:1] + rows[-1:])]
    assert masked == ["something 0", "something 4"]


@pytest.mark.usefixtures("installed")
def test_its_finder_has_a_place_everywhere(augkit, tmp_path):
    """In ``augkit shortcuts``, in ``--find``, and on the page of the run."""
    rows = [{"text": f"I HATE film {n}.", "label": "bad"} for n in range(9)]
    rows += [{"text": f"A fine film, {n}.", "label": "good"} for n in range(9)]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    listed = json.loads(augkit("shortcuts", "rows.jsonl", "--by", "shouting", "--json").out)
    assert [(row["label"], row["share"]) for row in listed["rows"]] == [("bad", 1.0), ("good", 0.0)]
    augkit("run", "-m", "mask-words", "-d", "rows.jsonl", "-o", "out", "--find", "shouting")
    variants = (tmp_path / "out" / "variants.jsonl").read_text().splitlines()
    expected = [f"I [MASK] film {n}." for n in range(9)]
    assert [json.loads(line)["fields"]["text"] for line in variants] == expected
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "shouting" in (tmp_path / "out" / "settings.yaml").read_text(encoding="utf-8")
    assert "word in capitals → bad" in page


@pytest.mark.usefixtures("installed")
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


def test_its_own_tests_pass(folder, torchless):
    """The tests that the package carries pass where it is installed."""
    pytest_here = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*pytest_here, "-c", os.devnull, "--rootdir", PLUGIN, PLUGIN / "tests"],
        env={**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{torchless}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
