"""Fixtures that many tests share."""

import json
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def data_folder():
    """The folder with real datasets; tests that need it skip where it is absent."""
    folder = Path(os.environ.get("AUGKIT_DATA") or ROOT.parent / "shared" / "data")
    if not (folder / "sst2").is_dir():
        pytest.skip("needs real datasets: set AUGKIT_DATA to a folder with sst2/train.jsonl.gz")
    return folder


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch, tmp_path):
    """No test sees the user's key, data folder or cache."""
    for name in ("AUGKIT_DATA", "AUGKIT_CACHE", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def write_rows(tmp_path):
    """Write rows as JSON Lines and return the path."""

    def write(rows, name="rows.jsonl"):
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    return write
