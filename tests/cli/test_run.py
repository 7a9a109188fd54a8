import gzip
import json
import re

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


@pytest.mark.parametrize("dataset", ["reviews-demo:test+challenge", "claims-demo", "nli-demo:test"])
@pytest.mark.parametrize("method", ["eda", "swap"])
def test_bundled_sets_run_with_every_offline_method(augkit, dataset, method):
    """Single texts and pairs, single and joined splits."""
    assert augkit("run", "-m", method, "-d", dataset, "-o", "out").code == 0


def test_a_run_that_changes_nothing_says_so(augkit, write_rows, tmp_path):
    """People need not find out from an unchanged dataset."""
    rows = write_rows([{"text": "nothing here", "label": "a"}])
    result = augkit("run", "-m", "swap", "-d", rows, "--out", tmp_path / "out")
    assert result.code == 0
    assert "no row was changed" in result.out


def test_a_dry_run_writes_nothing(augkit, tmp_path):
    """--dry-run says what would be done and leaves the folder empty."""
    result = augkit("run", "--dry-run", "--limit", 10)
    assert result.code == 0
    assert "10 would be augmented" in result.out
    assert re.search(r"time +(?:a few seconds|about \d+ (?:seconds|minutes))", result.out)
    assert list(tmp_path.iterdir()) == []


def test_a_config_file_is_read_and_a_flag_wins(augkit, tmp_path):
    """Settings of a YAML file count, unless the command line says otherwise."""
    (tmp_path / "run.yaml").write_text("method: swap\nlimit: 5\nseed: 3\noptions: {copies: 2}\n")
    assert augkit("run", "--config", "run.yaml", "--limit", 7, "-o", "out").code == 0
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert (manifest["method"], manifest["seed"], manifest["counts"]["selected"]) == ("swap", 3, 7)
    assert manifest["config"]["copies"] == 2


def test_a_run_is_resumed_by_its_folder_alone(augkit):
    """--resume --out FOLDER needs no other word."""
    assert augkit("run", "-m", "swap", "--seed", 4, "-o", "out").code == 0
    assert augkit("run", "--resume", "-o", "out").code == 0


def test_text_of_a_dataset_cannot_write_to_the_terminal(augkit, write_rows):
    """Escape sequences, markup and emoji names in a dataset are shown as they are."""
    rows = [{"text": "\x1b[2J the movie [bold red]x[/] :smile: \x07", "label": "a"}]
    printed = augkit("run", "-m", "swap", "-d", write_rows(rows, ":train:.jsonl"), "-o", "o").out
    assert "\x1b" not in printed
    assert "[bold red]x[/] :smile:" in printed


def fault(augkit, *arguments):
    """Call run, see that it failed as the user's mistake and wrote nothing; give the message."""
    result = augkit("run", "-o", "out", *arguments)
    assert result.code == 2
    assert "Traceback" not in result.err
    return result.err


class TestFaults:
    """Each fault of a file or of the settings: exit code 2, a message with place and cure."""

    @pytest.fixture(autouse=True)
    def _nothing_is_written(self, tmp_path):
        yield
        assert not (tmp_path / "out").exists()

    def test_missing_file(self, augkit, write_rows):
        """A file that is not there is named, with the nearest one that is."""
        write_rows(ROWS, "reviews.jsonl")
        assert "review.jsonl" in (message := fault(augkit, "-d", "review.jsonl"))
        assert "reviews.jsonl" in message

    def test_empty_file(self, augkit, tmp_path):
        """An empty file is named."""
        (tmp_path / "e.jsonl").write_text("")
        assert "e.jsonl" in fault(augkit, "-d", "e.jsonl")

    def test_wrong_encoding(self, augkit, tmp_path):
        """Latin-1 bytes are told with their line and the cure."""
        (tmp_path / "l.csv").write_bytes("text,label\ncafé,a\nthé,b\n".encode("latin-1"))
        message = fault(augkit, "-d", "l.csv")
        assert "l.csv" in message
        assert "UTF-8" in message

    def test_missing_text_column(self, augkit, write_rows):
        """Without a text column the columns there are and the flag are named."""
        message = fault(augkit, "-d", write_rows([{"stuff": "x", "label": "a"}]))
        assert "stuff" in message
        assert "--text-column" in message

    def test_ambiguous_text_column(self, augkit, write_rows):
        """Two candidates are not guessed between."""
        message = fault(augkit, "-d", write_rows([{"text": "x", "review": "y", "label": "a"}]))
        assert "--text-column" in message

    def test_unknown_text_column(self, augkit, write_rows):
        """A column that is not there is told with the nearest."""
        path = write_rows([{"review": "x", "label": "a"}])
        assert "review" in fault(augkit, "-d", path, "--text-column", "reviews")

    def test_labels_absent(self, augkit, write_rows):
        """Balancing needs labels."""
        path = write_rows([{"text": "a movie"}])
        assert "--label-column" in fault(augkit, "-d", path, "--mix", "balance")

    def test_repeated_id(self, augkit, write_rows):
        """An id twice in the user's id column is told with the rows."""
        path = write_rows([{"id": 1, "text": "a"}, {"id": 1, "text": "b"}])
        assert "id" in fault(augkit, "-d", path, "--id-column", "id")

    def test_ragged_csv(self, augkit, tmp_path):
        """A row with too many cells is told with its line."""
        (tmp_path / "r.csv").write_text("text,label\na,b\nc,d,e\n")
        message = fault(augkit, "-d", "r.csv")
        assert "r.csv" in message
        assert "3" in message

    def test_broken_json(self, augkit, tmp_path):
        """A line that is no JSON is told with its number."""
        (tmp_path / "b.jsonl").write_text('{"text": "a"}\n{"text": \n')
        assert "line 2" in fault(augkit, "-d", "b.jsonl")

    def test_truncated_gzip(self, augkit, tmp_path):
        """A cut-off .gz is told."""
        whole = gzip.compress("".join(json.dumps(row) + "\n" for row in ROWS).encode())
        (tmp_path / "t.jsonl.gz").write_bytes(whole[:-12])
        assert "t.jsonl.gz" in fault(augkit, "-d", "t.jsonl.gz")

    def test_unknown_method(self, augkit):
        """A misspelt method is answered with the nearest."""
        assert "Did you mean 'swap'" in fault(augkit, "-m", "swapp")

    def test_unknown_dataset(self, augkit):
        """A misspelt dataset is answered with the nearest."""
        assert "Did you mean 'reviews-demo'" in fault(augkit, "-d", "review-demo")

    def test_unknown_split(self, augkit):
        """A split that is absent is answered with those there are."""
        assert "challenge" in fault(augkit, "-d", "reviews-demo:dev")

    def test_unknown_llm(self, augkit):
        """A misspelt back end is answered with the nearest."""
        assert "Did you mean 'openai'" in fault(augkit, "--llm", "opnai:x")

    def test_unknown_option_of_the_method(self, augkit):
        """A misspelt setting is answered with the nearest."""
        assert "Did you mean 'copies'" in fault(augkit, "--set", "copis=2")

    def test_unknown_flag(self, augkit):
        """A misspelt flag is refused."""
        assert "--limt" in fault(augkit, "--limt", "2")

    def test_unknown_gate(self, augkit):
        """A misspelt gate is answered with the nearest."""
        assert "Did you mean 'length'" in fault(augkit, "--gate", "lenght")

    def test_yaml_with_an_unknown_key(self, augkit, tmp_path):
        """File, line, key and the nearest right one."""
        (tmp_path / "c.yaml").write_text("method: swap\nlimt: 3\n")
        message = fault(augkit, "--config", "c.yaml")
        assert "c.yaml:2: limt" in message
        assert "Did you mean 'limit'" in message

    def test_yaml_with_a_wrong_type(self, augkit, tmp_path):
        """File, line, key, and what was found."""
        (tmp_path / "c.yaml").write_text("method: swap\n\nlimit: many\n")
        message = fault(augkit, "--config", "c.yaml")
        assert "c.yaml:3: limit" in message
        assert "many" in message

    def test_wrong_value_of_a_flag(self, augkit):
        """A mix that does not exist is answered with those that do."""
        assert "'append', 'replace' or 'balance'" in fault(augkit, "--mix", "blend")

    def test_a_method_that_needs_a_model(self, augkit):
        """An LLM method offline says which flag to add."""
        assert "--llm openai:MODEL" in fault(augkit, "-m", "paraphrase")

    def test_a_local_model_that_is_not_there(self, augkit):
        """A missing model folder is told before anything is written."""
        message = fault(augkit, "-m", "paraphrase", "--llm", "transformers:./no-model")
        assert "no-model" in message

    def test_nothing_to_resume(self, augkit):
        """--resume without a run says so."""
        assert "there is no such folder" in fault(augkit, "--resume")


def test_an_output_folder_that_exists(augkit, tmp_path):
    """It is named, nothing in it changes, and the cures are told."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("precious")
    result = augkit("run", "-o", "out")
    assert result.code == 2
    assert "--resume" in result.err
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.txt"]


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


def test_a_mistake_found_late_leaves_no_folder(augkit, tmp_path):
    """A field that the rows do not have is told, and the corrected command can use the folder."""
    wrong = augkit("run", "-m", "eda", "-d", "claims-demo", "-o", "out", "--set", "fields=[clam]")
    assert wrong.code == 2
    assert "Did you mean 'claim'" in wrong.err
    assert not (tmp_path / "out").exists()
    right = augkit("run", "-m", "eda", "-d", "claims-demo", "-o", "out", "--set", "fields=[claim]")
    assert right.code == 0


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


def test_a_row_of_a_run_with_ids_can_be_tried_again(augkit, write_rows, tmp_path):
    """The seeds of requests follow from the ids, so augkit try takes the column too."""
    path = write_rows([{**row, "number": f"n{place}"} for place, row in enumerate(ROWS)])
    script = tmp_path / "answers.jsonl"
    script.write_text(json.dumps({"match": "", "reply": {"text": "A new text."}}) + "\n")
    more = ["-m", "paraphrase", "-d", path]
    ids = ["--id-column", "number"]
    assert augkit("run", *more, *ids, "--llm", f"scripted:{script}", "-o", "out").code == 0
    replay = ["try", *more, "--llm", f"scripted:{tmp_path / 'out'}"]
    assert "no recorded reply" not in augkit(*replay, *ids).out
    assert "no recorded reply" in augkit(*replay).out


def test_a_resumed_run_logs_its_exchanges_still(augkit, tmp_path):
    """--log-exchanges holds for the rest of the run, and is in its command."""
    script = tmp_path / "answers.jsonl"
    script.write_text(json.dumps({"match": "", "reply": {"text": "A new text."}}) + "\n")
    more = ["-m", "paraphrase", "--llm", f"scripted:{script}", "--limit", 2, "-o", "out"]
    stopped = augkit("run", *more, "--log-exchanges", "--budget", "1calls")
    assert stopped.code == 3
    assert "continue with: augkit run --resume --out out " in stopped.err
    assert stopped.err.endswith(" --budget MORE\n")
    assert augkit("run", "--resume", "-o", "out", "--budget", "9calls").code == 0
    assert len((tmp_path / "out" / "exchanges.jsonl").read_text().splitlines()) >= 2
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert "--log-exchanges" in manifest["command"]


def test_a_stop_during_the_evaluation_tells_the_command_that_continues(augkit, monkeypatch):
    """The finished run is not made again, and what was to be measured is in the command."""

    def stop(_settings):
        raise Stopped(2)

    monkeypatch.delenv("AUGKIT_DATA", raising=False)
    monkeypatch.setattr("augkit.commands.evaluate.scores.evaluate_run", stop)
    result = augkit("run", "-m", "swap", "--limit", 5, "--test", "reviews-demo:test")
    again = "augkit run --resume --out runs/swap-reviews-demo --test reviews-demo:test\n"
    assert (result.code, f"continue with: {again}" in result.err) == (130, True)


def test_one_column_cannot_be_text_and_label(augkit, write_rows):
    """The same column for two things is the user's mistake."""
    path = write_rows(ROWS)
    result = augkit("run", "-d", path, "--text-column", "text", "--label-column", "text")
    assert result.code == 2
    assert "used twice" in result.err


def test_a_run_without_labels_says_so(augkit, write_rows):
    """Where no label column is found the summary tells the flag."""
    path = write_rows([{"text": "A movie.", "stars": 5}])
    assert "--label-column" in augkit("run", "-m", "swap", "-d", path, "-o", "out").out


def test_a_dry_run_tells_calls_and_money(augkit):
    """With a model, --dry-run estimates calls, tokens and money of writer and judge."""
    printed = augkit(
        "run", "-m", "paraphrase", "--llm", "openai:gpt-4o-mini", "--judge-llm", "openai:gpt-4o",
        "--limit", 50, "--dry-run",
    ).out  # fmt: skip
    assert "about 198" in printed  # 50 written, 50 judged twice, and the judge measured on 24 rows
    assert "about $0." in printed
