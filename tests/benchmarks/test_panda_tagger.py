"""The benchmark of a trained tagger, whole on a few rows and a tiny encoder."""

from __future__ import annotations

import gzip
import json
from argparse import Namespace

import pytest

from augkit.models.language_models.edit_tagger import TaggerInput, WordTag
from augkit.models.language_models.tagger_training import LabelledText
from benchmarks.release.panda_counts import Row
from benchmarks.research.panda_tagger import RecordedTagger, train, write_tags


def test_recorded_tags_are_those_that_were_written(tmp_path):
    """Likely words come back, unlikely ones as 0; the choice counts those over the threshold."""
    asked = TaggerInput("He lost his keys.", 0, 2, "gender", "woman")
    tags = [WordTag(0, 2, 0.9, 0.0), WordTag(3, 7, 0.01, 0.0), WordTag(8, 11, 0.3, 0.1)]
    path = tmp_path / "tags.jsonl.gz"
    write_tags(path, {"gender": 0.5}, [LabelledText(asked, ())], [tags])
    recorded = RecordedTagger(path)
    [found] = recorded.tag([asked])
    assert [tag.replace for tag in found] == [0.9, 0.0, 0.3, 0.0]
    row = Row("He lost his keys.", "She lost her keys.", "He", "gender", "woman", "sst")
    choice = recorded.choice([row])["gender"]
    assert (choice["precision"], choice["recall"]) == (1.0, 0.5)


def test_a_tagger_is_trained_and_measured(tmp_path, tiny_bert, eight_pairs):
    """From PANDA's files to metrics and tags."""
    pytest.importorskip("torch")
    (tmp_path / "panda").mkdir()
    lines = "".join(pair.model_dump_json() + "\n" for pair in eight_pairs * 3)
    texts = lines + lines.replace("keys", "hats").replace("late", "here").replace("well", "now")
    for part in ("train", "dev"):
        with gzip.open(tmp_path / "panda" / f"{part}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.write("".join(texts.replace("aunt", f"{n} aunt") for n in ("", "old", "tall")))
    options = Namespace(
        data=tmp_path, base=str(tiny_bert), out=tmp_path, seeds=1, epochs=1, limit=0
    )
    [result] = train(options)
    assert result["epochs"] == 1
    assert 0 <= result["choice"]["gender"]["f1"] <= 1
    assert json.loads((tmp_path / "metrics.json").read_text(encoding="utf-8")) == [result]
    assert RecordedTagger(tmp_path / "dev-seed0.jsonl.gz").axes == ("gender",)
