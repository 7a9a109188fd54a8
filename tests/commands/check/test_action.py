"""The files through which other programs call the command."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[3]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
EXPRESSION = re.compile(r"\$\{\{ *inputs\.(\w+) *\}\}")


@pytest.fixture
def act(tmp_path):
    """Run the steps of the action as GitHub runs them: inputs, shell, files for results."""

    def run(**inputs):
        given = {name: one.get("default") for name, one in ACTION["inputs"].items()} | inputs
        missing = [name for name, value in given.items() if value is None]
        assert not missing
        files = {"GITHUB_OUTPUT": tmp_path / "output", "GITHUB_STEP_SUMMARY": tmp_path / "summary"}
        for path in files.values():
            path.write_text("", encoding="utf-8")
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        code = 0
        for step in ACTION["runs"]["steps"]:
            if "if" in step and not condition(step["if"], given):
                continue
            script = tmp_path / "script.sh"
            script.write_text(step["run"], encoding="utf-8")
            assert step["shell"] == "bash"  # which GitHub calls so:
            command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script]
            env = {key: EXPRESSION.sub(lambda m: given[m[1]], v) for key, v in step["env"].items()}
            env = {**os.environ, "PATH": path, **{k: str(v) for k, v in files.items()}, **env}
            done = subprocess.run(
                command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False
            )
            code = done.returncode
            if code:
                break
        return code, done.stdout, {name: path.read_text("utf-8") for name, path in files.items()}

    return run


def condition(text, given):
    """The only kind of condition in the action: an input that is not empty."""
    name = re.fullmatch(r"inputs\.(\w+) != ''", text)[1]
    return given[name] != ""


@pytest.mark.slow
def test_the_action_fails_and_reports(act, tmp_path, write_rows):
    """Two files, one with spaces in its name, an option: exit code 1, summary, output, SARIF."""
    rows = [{"text": f"film {n}", "stars": "xy"[n % 2]} for n in range(50)]
    write_rows(rows, "good data.jsonl")
    write_rows([*rows, *rows], "bad.jsonl")
    (tmp_path / "c.yaml").write_text("field_accuracy: false\nlabel_balance: 0.1", encoding="utf-8")
    inputs = {"contract": "c.yaml", "options": "--label-column stars", "install": ""}
    code, out, files = act(data="good data.jsonl\nbad.jsonl\n", **inputs)
    assert code == 1
    assert files["GITHUB_OUTPUT"] == "passed=false\n"
    assert "FAIL duplicates" in out
    assert "FAIL duplicates" in files["GITHUB_STEP_SUMMARY"]
    assert '"2.1.0"' in (tmp_path / "augkit-check.sarif").read_text(encoding="utf-8")


@pytest.mark.slow
def test_inputs_are_data(act, tmp_path):
    """An input is never a part of the script: a name that looks like a command is a name."""
    steps = ACTION["runs"]["steps"]
    assert not [step["run"] for step in steps if "${{" in step["run"]]
    code, out, files = act(data="$(touch hacked).jsonl", install="")
    assert code == 2
    assert "hacked" in out
    assert not (tmp_path / "hacked").exists()
    assert files["GITHUB_OUTPUT"] == "passed=false\n"


def test_the_hook_calls_the_command():
    """The hook of pre-commit names a command that exists and the files that it reads."""
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert hook["entry"] == "augkit check"
    assert hook["require_serial"] is True  # several files are one report
    pattern = re.compile(hook["files"])
    assert pattern.search("data/train.jsonl")
    assert not pattern.search("data/train.py")
