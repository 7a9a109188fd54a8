"""coba on a sample of a large dataset."""

import json
from collections import Counter

import pytest
import yaml

from augkit import create, load_dataset
from augkit.augmenters.coba.fit import fit_sample
from augkit.core.types import example

THINGS = "film plot cast script story ending music scene show pilot".split()


def reviews(count):
    """So many short reviews."""
    return [
        {
            "text": f"The {THINGS[n % 10]} number {n} was {('great', 'awful')[n % 2]}.",
            "label": ("positive", "negative")[n % 2],
        }
        for n in range(count)
    ]


def test_a_sample_is_the_same_in_any_order_and_has_rare_labels():
    """It depends on the rows alone; a label of few rows keeps all that it has, up to 100."""
    rows = [example(f"row {n}", "rare" if n < 5 else "common") for n in range(2000)]
    sample = fit_sample(rows, 300)
    assert {row.id for row in sample} == {row.id for row in fit_sample(rows[::-1], 300)}
    assert Counter(row.label for row in sample)["rare"] == 5
    assert 300 <= len(sample) <= 305
    assert fit_sample(rows, 2000) is rows


@pytest.mark.slow
def test_command_yaml_and_python_fit_on_the_same_sample(augkit, tmp_path, write_rows):
    """The screen and the manifest say how many rows voted; the variants are the same."""
    data = write_rows(reviews(240))
    shown = augkit("run", "-m", "coba", "-d", str(data), "--out", "a", "--set", "fit_rows=120")
    assert "trained on" in shown.out
    settings = {"method": "coba", "dataset": str(data), "options": {"fit_rows": 120}}
    config = tmp_path / "run.yaml"
    config.write_text(yaml.safe_dump(settings), encoding="utf-8")
    assert augkit("run", "--config", str(config), "--out", "b").code == 0
    manifests = [json.loads((tmp_path / out / "manifest.json").read_text()) for out in "ab"]
    assert manifests[0]["fitted"] == manifests[1]["fitted"]
    (note,) = (note for note in manifests[0]["fitted"] if "fit_rows" in note)
    assert "of 240 rows" in note
    texts = [
        [
            json.loads(line)["fields"]["text"]
            for line in (tmp_path / out / "variants.jsonl").read_text("utf-8").splitlines()
        ]
        for out in "ab"
    ]
    rows = list(load_dataset(str(data)))
    pairs = create("coba", fit_rows=120).fit(rows)(rows)
    assert texts[0] == texts[1] == [pair.variant.fields["text"] for pair in pairs] != []
