"""The shares of Table 13, counted on rows made by hand."""

from __future__ import annotations

import json
from argparse import Namespace

from lab.panda_table_13 import table_13


def test_rows_count_once_for_each_axis_they_change_on(tmp_path):
    """Two of four rows have a reference; a row that stands twice counts twice."""
    texts = ["He lost his keys.", "He lost his keys.", "It rains.", "The sun is out."]
    (tmp_path / "sst2").mkdir()
    lines = "".join(json.dumps({"text": text, "label": "positive"}) + "\n" for text in texts)
    (tmp_path / "sst2" / "dev.jsonl").write_text(lines, encoding="utf-8")
    (record,) = table_13(Namespace(data=tmp_path, limit=0))
    found = record["tasks"]["sst2"]
    assert found["rows"] == 4
    assert found["augkit"] == {"age": 0.0, "gender": 50.0, "race": 0.0, "total": 50.0}
    assert found["paper"]["total"] == 22.5
