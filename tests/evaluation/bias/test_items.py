"""Where benchmark data are looked up, in which order, and what is said where they are nowhere."""

from __future__ import annotations

import pytest

from augkit.core import registry
from augkit.core.errors import ConfigError
from augkit.evaluation.bias.crows_pairs import CrowsPair
from augkit.evaluation.bias.items import benchmark_items

datasets = pytest.importorskip("datasets")

CSV = "sent_more,sent_less,bias_type\nThe old cook.,The young cook.,age\n"
KINDS = ["anti-stereotype", "stereotype", "unrelated"]


class Crows(datasets.GeneratorBasedBuilder):
    """Leaves in a cache what a visit to the hub would."""

    def _info(self):
        text, kind = datasets.Value("string"), datasets.ClassLabel(names=["age", "race-color"])
        features = {"sent_more": text, "sent_less": text, "bias_type": kind}
        return datasets.DatasetInfo(features=datasets.Features(features))

    def _split_generators(self, dl_manager):
        return [datasets.SplitGenerator("test")]

    def _generate_examples(self):
        yield 0, {"sent_more": "Black cats.", "sent_less": "White cats.", "bias_type": 1}


class Stereo(datasets.GeneratorBasedBuilder):
    """The same of StereoSet, whose three sentences stand in a list."""

    def _info(self):
        text = datasets.Value("string")
        sentences = {"sentence": datasets.List(text), "gold_label": datasets.List(
            datasets.ClassLabel(names=KINDS)
        )}  # fmt: skip
        features = {"target": text, "bias_type": text, "context": text, "sentences": sentences}
        return datasets.DatasetInfo(features=datasets.Features(features))

    def _split_generators(self, dl_manager):
        return [datasets.SplitGenerator("validation")]

    def _generate_examples(self):
        told = {"sentence": ["no", "yes", "fish"], "gold_label": [0, 1, 2]}
        yield 0, {"target": "cook", "bias_type": "age", "context": "A BLANK.", "sentences": told}


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hub")
    datasets.disable_progress_bars()
    for builder, repository, subset in (
        (Crows, "nyu-mll/crows_pairs", "default"),
        (Stereo, "McGill-NLP/stereoset", "intersentence"),
        (Stereo, "McGill-NLP/stereoset", "intrasentence"),
    ):
        builder(
            cache_dir=str(folder),
            dataset_name=repository.split("/")[1],
            repo_id=repository,
            config_name=subset,
            hash="abc123",
        ).download_and_prepare()
    return folder


def test_the_hub_s_cache_is_read(cache):
    """Labels by their names, and StereoSet's sentences in the order of its kinds."""
    source, items = benchmark_items(registry.find("benchmarks", "crows-pairs"), None, None, cache)
    assert source == "hub nyu-mll/crows_pairs@abc123"
    assert items == [CrowsPair("Black cats.", "White cats.", "race-color")]
    _, items = benchmark_items(registry.find("benchmarks", "stereoset"), None, None, cache)
    assert [item.kind for item in items] == ["intersentence", "intrasentence"]
    assert items[0].texts == ("yes", "no", "fish")


def test_a_path_comes_first_then_the_data_folder_then_the_hub(cache, tmp_path):
    """The same order as for datasets."""
    chosen = registry.find("benchmarks", "crows-pairs")
    home = tmp_path / "bias" / "crows_pairs"
    home.mkdir(parents=True)
    (home / "crows_pairs_anonymized.csv").write_text(CSV, encoding="utf-8")
    other = tmp_path / "other.csv"
    other.write_text(CSV.replace("cook", "nurse"), encoding="utf-8")
    assert benchmark_items(chosen, other, tmp_path, cache)[1][0].more == "The old nurse."
    assert benchmark_items(chosen, None, tmp_path, cache)[1][0].more == "The old cook."
    assert benchmark_items(chosen, None, tmp_path / "bias", cache)[1][0].more == "Black cats."


def test_missing_data_names_every_place_tried(tmp_path, monkeypatch):
    """All places that were tried, and where to put the file."""
    monkeypatch.setattr("datasets.config.HF_HUB_OFFLINE", True)
    with pytest.raises(ConfigError, match=r"FOLDER/bias/crows_pairs/crows_pairs_anonymized\.csv"):
        benchmark_items(registry.find("benchmarks", "crows-pairs"), None, tmp_path, tmp_path)
    with pytest.raises(ConfigError, match="no data folder is given"):
        benchmark_items(registry.find("benchmarks", "winobias"), None, None)
