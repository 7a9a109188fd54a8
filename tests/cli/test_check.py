import json
import shutil
from xml.etree import ElementTree as ET

import pytest


@pytest.mark.slow
def test_the_demos_fail_and_exit_codes(augkit, write_rows):
    """The planted shortcuts of the bundled data are found: exit code 1; without them 0."""
    result = augkit("check", "reviews-demo")
    assert result.code == 1
    assert "'dorian vale'" in result.out
    assert "86 of 91 rows" in result.out
    result = augkit("check", "claims-demo")
    assert result.code == 1
    assert "'not'    refutes  35 of 37 rows" in result.out
    path = write_rows([{"text": f"film {n}", "label": "xy"[n % 2]} for n in range(50)])
    assert augkit("check", path).code == 0


@pytest.mark.slow
def test_a_baseline(augkit, tmp_path):
    """What is written passes afterwards, by the option or the contract; another dataset fails."""
    result = augkit("check", "reviews-demo", "--write-baseline", "known.json")
    assert result.code == 0
    assert "2 known in the baseline" in result.out
    assert "Written: known.json (2 known shortcuts)" in result.err
    assert augkit("check", "reviews-demo", "--baseline", "known.json").code == 0
    (tmp_path / "c.yaml").write_text("no_new_shortcuts: known.json", encoding="utf-8")
    assert augkit("check", "reviews-demo", "-c", "c.yaml").code == 0
    assert augkit("check", "claims-demo", "-c", "c.yaml").code == 1


@pytest.mark.slow
def test_coba_adds_no_shortcut(augkit):
    """The result of coba for rows of the demo passes with the baseline of all of them.

    ``lab/check_data.py`` does the same with all rows.
    """
    assert augkit("check", "reviews-demo", "--write-baseline", "known.json").code == 0
    assert augkit("run", "-m", "coba", "-d", "reviews-demo", "-n", 120, "-o", "run").code == 0
    result = augkit("check", "run/dataset.jsonl", "--baseline", "known.json")
    assert result.code == 0, result.out


@pytest.mark.slow
def test_files(augkit, tmp_path):
    """A file gets the format that was asked for, people the text."""
    read = {"json": json.loads, "sarif": json.loads, "junit": ET.fromstring}
    for form, parse in read.items():
        result = augkit("check", "reviews-demo", "-f", form, "-o", f"out/check.{form}")
        assert result.code == 1
        assert "FAILED" in result.out
        text = (tmp_path / "out" / f"check.{form}").read_text(encoding="utf-8")
        assert len(parse(text)) > 0
        assert augkit("check", "reviews-demo", "-f", form).out == text


def test_leakage_between_splits(augkit, tmp_path):
    """The test set of the command line is compared; a copy of the rows is found."""
    assert "leakage" in augkit("check", "reviews-demo", "--test", "reviews-demo:test").out
    from augkit.datasets.named import bundled_folder

    source = bundled_folder("reviews-demo") / "train.jsonl"
    shutil.copy(source, tmp_path / "same.jsonl")
    result = augkit("check", "reviews-demo", "--test", "same.jsonl")
    assert "380 of 380 test texts are in this dataset" in result.out
