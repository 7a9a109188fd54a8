"""``augkit benchmark`` as a user types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from augkit.cli.app import app
from augkit.models.precision import supports_bfloat16

ROUNDED = ["--set", "precision=bfloat16"]
TF32 = ["--set", "precision=tf32"]


@pytest.fixture
def model(tiny_masked):
    return str(tiny_masked)


def run(*arguments):
    return CliRunner().invoke(app, ["benchmark", *arguments], catch_exceptions=True)


def test_the_bundled_pairs_need_no_data(model):
    """One JSON object with scores, intervals and the benchmark's known faults."""
    result = run("occupation-pronouns", "--model", model, "--sample", "20", "--json")
    record = json.loads(result.stdout)
    assert record["items"] == 20
    assert record["scores"][0]["low"] <= record["scores"][0]["value"] <= record["scores"][0]["high"]
    assert any("known faults" in caveat for caveat in record["caveats"])
    assert any("sample" in caveat for caveat in record["caveats"])


@pytest.mark.slow
def test_rounding_is_a_caveat(model, tmp_path):
    """A result in bfloat16 says so, and whether close pairs were rescored in float32."""
    file = tmp_path / "pairs.csv"
    file.write_text("sent_more,sent_less,bias_type\nThe old cook.,The young cook.,age\n")
    plain = ["crows-pairs", "--file", str(file), "--model", model, "--json"]
    exact, rounded = (json.loads(run(*plain, *more).stdout) for more in ([], ROUNDED))
    assert rounded["scores"] == exact["scores"]
    assert not any("bfloat16" in caveat for caveat in exact["caveats"])
    other = run("occupation-pronouns", "--model", model, "--sample", "20", "--json", *ROUNDED)
    last = [rounded["caveats"][-1], json.loads(other.stdout)["caveats"][-1]]
    if supports_bfloat16("cpu"):
        assert "close pairs were rescored in float32" in last[0]
        assert "may go either way" in last[1]
    else:
        assert last == ["this machine has no bfloat16 units: computed in float32"] * 2


def test_a_precision_that_the_machine_lacks_is_float32(model, monkeypatch):
    """Without units for tf32 the result says that it was computed in float32."""
    monkeypatch.setattr("torch.cuda.get_device_capability", lambda: (7, 5))
    said = run("occupation-pronouns", "--model", model, "--sample", "20", "--json", *TF32)
    last = json.loads(said.stdout)["caveats"][-1]
    assert last == "this machine has no tf32 units: computed in float32"


def scripted(tmp_path):
    """A model that always answers A."""
    file = tmp_path / "first.jsonl"
    file.write_text('{"match": "", "reply": "A"}\n')
    return f"llm:scripted:{file}"


def test_an_llm_answers_questions(augkit, tmp_path):
    """Scores, position effect and cost; the estimate has the same calls and asks nothing."""
    command = ["benchmark", "occupation-pronouns", "--model", scripted(tmp_path), "--sample", "20"]
    dry = augkit(*command, "--dry-run")
    assert "about 40" in dry.out
    assert not (tmp_path / "runs").exists()
    record = json.loads(augkit(*command, "--json").out)
    assert (record["score"], record["items"]) == ("choice", 20)
    assert record["scores"][0]["value"] == 50.0
    assert record["llm"]["cost"]["calls"] == 40
    assert record["llm"]["position effect"]["first option"]["value"] == 0.5
    assert any("undecided" in caveat for caveat in record["caveats"])
    shown = augkit(*command, "--set", "workers=2")
    assert "position effect" in shown.out
    written = Path(record["folder"]) / "benchmark.json"
    assert shown.err == f"Written: {written}\nNext: augkit list benchmarks\n"
    assert json.loads((tmp_path / written).read_text())["scores"] == record["scores"]


def test_a_result_is_written_where_it_is_wanted(augkit, tmp_path, model):
    """Also of a local model, which has no replies to keep."""
    command = ["benchmark", "occupation-pronouns", "--model", model, "--sample", "20", "--json"]
    assert "Written" not in augkit(*command).err
    result = augkit(*command, "--out", "found")
    assert "Written: found/benchmark.json\n" in result.err
    assert json.loads((tmp_path / "found" / "benchmark.json").read_text()) == json.loads(result.out)
