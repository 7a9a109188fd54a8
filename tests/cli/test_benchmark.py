"""``augkit benchmark`` as a user types it."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from augkit.cli.app import app
from augkit.core.errors import AugkitError
from augkit.models.language_models.masked_lm import supports_bfloat16

ROUNDED = ["--precision", "bfloat16"]


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


def test_a_person_reads_a_table(model):
    """The table names the score and its interval."""
    result = run("occupation-pronouns", "--model", model, "--sample", "20")
    assert "95 % interval" in result.stdout
    assert "Caveats:" in result.stdout


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


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["crows-pears"], "Did you mean 'crows-pairs'"),
        (["crows-pairs"], "Put them at FOLDER/bias/crows_pairs"),
        (["crows-pairs", "--data", "."], "no data at"),
        (["crows-pairs", "--file", "absent.csv"], "absent.csv: no such file"),
        (["occupation-pronouns", "--score", "loud"], "Known: causal, masked"),
        (["occupation-pronouns", "--score", "causal"], "needs a causal language model"),
    ],
)
def test_wrong_input_is_answered_with_the_cure(model, arguments, said):
    """An unknown name, missing data, an unknown score, the wrong kind of model: exit code 2."""
    result = run(*arguments, "--model", model)
    assert isinstance(result.exception, AugkitError)
    assert result.exception.exit_code == 2
    assert said in str(result.exception)
