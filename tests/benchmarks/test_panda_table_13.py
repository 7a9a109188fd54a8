"""The shares of Table 13, counted on rows made by hand."""

from __future__ import annotations

import json
from argparse import Namespace

from benchmarks.release.panda_table_13 import measure


def test_rows_count_once_for_each_axis_they_change_on(tmp_path):
    """Two of four rows have a reference; a row that stands twice counts twice."""
    texts = ["He lost his keys.", "He lost his keys.", "It rains.", "The sun is out."]
    (tmp_path / "sst2").mkdir()
    lines = "".join(json.dumps({"text": text, "label": "positive"}) + "\n" for text in texts)
    (tmp_path / "sst2" / "dev.jsonl").write_text(lines, encoding="utf-8")
    options = Namespace(data=tmp_path, sets=["sst2"], limit=0, seed=0, perturber="rules")
    for target in ("random", "complete"):
        found = measure(Namespace(**vars(options), target=target))["sst2"]
        assert found["rows"] == 4
        assert found["augkit"] == {"age": 0.0, "gender": 50.0, "race": 0.0, "total": 50.0}
        assert found["paper"]["total"] == 22.5
