import json

import pytest

from augkit.core.errors import Stopped
from augkit.datasets.named import bundled_folder

ROWS = [{"text": f"The movie {i} was big.", "label": "ab"[i % 2]} for i in range(6)]


@pytest.mark.slow
def test_the_demo_runs_without_any_flag(augkit, monkeypatch, tmp_path):
    """``augkit run`` alone augments the demo reviews (here: every eighth) and shows the result."""
    demo = (bundled_folder("reviews-demo") / "train.jsonl").read_text().splitlines()[::8]
    few = tmp_path / "data" / "reviews-demo" / "train.jsonl"
    few.parent.mkdir(parents=True)
    few.write_text("\n".join(demo) + "\n")
    monkeypatch.setenv("AUGKIT_DATA", str(tmp_path / "data"))
    result = augkit("run")
    assert result.code == 0
    assert "before" in result.out
    assert "after" in result.out
    assert "accepted" in result.out
    (folder,) = (tmp_path / "runs").iterdir()
    assert json.loads((folder / "manifest.json").read_text())["status"] == "done"


def test_a_config_file_is_read_and_a_flag_wins(augkit, tmp_path):
    """Settings of a YAML file count, unless the command line says otherwise."""
    (tmp_path / "run.yaml").write_text("method: swap\nlimit: 5\nseed: 3\noptions: {copies: 2}\n")
    assert augkit("run", "--config", "run.yaml", "--limit", 7, "-o", "out").code == 0
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert (manifest["method"], manifest["seed"], manifest["counts"]["selected"]) == ("swap", 3, 7)
    assert manifest["config"]["copies"] == 2


def test_text_of_a_dataset_cannot_write_to_the_terminal(augkit, write_rows):
    """Escape sequences, markup and emoji names in a dataset are shown as they are."""
    rows = [{"text": "\x1b[2J the movie [bold red]x[/] :smile: \x07", "label": "a"}]
    printed = augkit("run", "-m", "swap", "-d", write_rows(rows, ":train:.jsonl"), "-o", "o").out
    assert "\x1b" not in printed
    assert "[bold red]x[/] :smile:" in printed


@pytest.mark.slow
def test_faults_of_rows_are_refusals(augkit, write_rows, tmp_path):
    """Empty, endless and non-text rows are refused with a reason, and the run goes on."""
    rows = [
        {"text": "", "label": "a"},
        {"text": "movie " * 2_000_000, "label": "a"},
        {"text": 5, "label": "a"},
        {"text": None, "label": "a"},
        {"text": ["a"], "label": "a"},
        {"text": "A good movie.", "label": "a"},
    ]
    assert augkit("run", "-m", "swap", "-d", write_rows(rows), "-o", "out").code == 0
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["counts"]["accepted"] == 1
    assert manifest["rejected_by_reason"] == {
        "empty text": 1,
        "text too long": 1,
        "text is not text: number": 1,
        "text is missing": 1,
        "text is not text: list": 1,
    }
    lines = (tmp_path / "out" / "dataset.jsonl").read_text().splitlines()
    originals = [json.loads(line) for line in lines if '"original"' in line]
    assert [row["text"] for row in originals] == [row["text"] for row in rows]


@pytest.mark.slow
def test_a_resumed_run_keeps_its_connection(augkit, tmp_path):
    """Budget, prices and the like count on after a resume, unless they are given anew."""
    script = tmp_path / "answers.jsonl"
    script.write_text(json.dumps({"match": "", "reply": {"text": "A new text."}}) + "\n")
    more = ["-m", "paraphrase", "--llm", f"scripted:{script}", "--limit", 2, "-o", "out"]
    assert augkit("run", *more, "--budget", "7calls").code == 0
    manifest = tmp_path / "out" / "manifest.json"
    record = json.loads(manifest.read_text())
    assert record["connection"]["budget"] == "7calls"
    manifest.write_text(json.dumps(record | {"status": "interrupted"}))
    assert augkit("run", "--resume", "-o", "out").code == 0
    assert json.loads(manifest.read_text())["connection"]["budget"] == "7calls"


@pytest.mark.slow
def test_a_row_of_a_run_with_ids_can_be_tried_again(augkit, write_rows, tmp_path):
    """The seeds of requests follow from the ids, so augkit try takes the column too."""
    path = write_rows([{**row, "number": f"n{place}"} for place, row in enumerate(ROWS)])
    script = tmp_path / "answers.jsonl"
    script.write_text(json.dumps({"match": "", "reply": {"text": "A new text."}}) + "\n")
    more = ["-m", "paraphrase", "-d", path]
    ids = ["--set", "id_column=number"]
    assert augkit("run", *more, *ids, "--llm", f"scripted:{script}", "-o", "out").code == 0
    replay = ["try", *more, "--llm", f"scripted:{tmp_path / 'out'}"]
    assert "no recorded reply" not in augkit(*replay, *ids).out
    assert "no recorded reply" in augkit(*replay).out


@pytest.mark.slow
def test_a_resumed_run_logs_its_exchanges_still(augkit, tmp_path):
    """log_exchanges holds for the rest of the run, and is in its settings."""
    script = tmp_path / "answers.jsonl"
    script.write_text(json.dumps({"match": "", "reply": {"text": "A new text."}}) + "\n")
    more = ["-m", "paraphrase", "--llm", f"scripted:{script}", "--limit", 2, "-o", "out"]
    stopped = augkit("run", *more, "--set", "log_exchanges=true", "--budget", "1calls")
    assert stopped.code == 3
    assert "continue with: augkit run --resume --out out " in stopped.err
    assert stopped.err.endswith(" --budget MORE\n")
    assert augkit("run", "--resume", "-o", "out", "--budget", "9calls").code == 0
    assert len((tmp_path / "out" / "exchanges.jsonl").read_text().splitlines()) >= 2
    assert "log_exchanges: true" in (tmp_path / "out" / "settings.yaml").read_text()


def test_a_stop_during_the_evaluation_tells_the_command_that_continues(augkit, monkeypatch):
    """The finished run is not made again, and what was to be measured is in the command."""

    def stop(_settings):
        raise Stopped(2)

    monkeypatch.delenv("AUGKIT_DATA", raising=False)
    monkeypatch.setattr("augkit.commands.evaluate.scores.evaluate_run", stop)
    result = augkit("run", "-m", "swap", "--limit", 5, "--test", "reviews-demo:test")
    again = "augkit run --resume --out runs/swap-reviews-demo --test reviews-demo:test\n"
    assert (result.code, f"continue with: {again}" in result.err) == (130, True)
