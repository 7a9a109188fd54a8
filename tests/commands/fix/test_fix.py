"""What a user gets from ``augkit fix``: the rows to train on, the screen, the ending."""

import json
import shlex

import pandas as pd
import pytest

import augkit as package
from tests.data import read_jsonl, signed_tickets, write_csv

pytestmark = pytest.mark.slow
COLUMNS = ("--text-column", "message", "--label-column", "queue")


@pytest.fixture(scope="module")
def fixed(tmp_path_factory):
    """One fix of tickets by Python, shared by the tests that only look at it."""
    folder = tmp_path_factory.mktemp("fixed")
    path = write_csv(folder / "my tickets.csv", signed_tickets(400))
    result = package.fix(path, out=folder / "out", text_columns=["message"], label_column="queue")
    return path, result


def test_the_planted_signature_is_found_deleted_and_proved(fixed):
    """The end is "repaired", and the file has every row without the signature and nothing else."""
    path, result = fixed
    assert result.outcome == "repaired"
    (ending,) = result.endings
    (cue,) = ending.figures["cues"]
    assert cue["before"]["gap"] > 0.2
    assert cue["after"]["gap"] <= 0.05
    assert ending.figures["ordinary_after"] >= ending.figures["ordinary_before"] - 0.01
    before = pd.read_csv(path)
    after = pd.DataFrame(read_jsonl(result.train_on))
    expected = before["message"].str.replace(" Handled by Marta Kowalski.", "", regex=False)
    assert after["message"].tolist() == expected.tolist()
    assert after["queue"].tolist() == before["queue"].tolist()


def test_the_result_is_one_record_and_one_screen(fixed):
    """fix.json is the record; the screen is at most 80 columns wide but for commands and paths."""
    _, result = fixed
    record = json.loads((result.folder / "fix.json").read_text(encoding="utf-8"))
    assert record["outcome"] == result.outcome
    assert record["train_on"] == str(result.train_on)
    screen, _, commands = str(result).partition("Repeat each step:")
    assert "billing: 200 rows" in screen
    assert "Repaired: " in screen
    long = [line for line in screen.splitlines() if len(line) > 80 and "/" not in line]
    assert not long
    assert commands.count("augkit ") == 3
    assert "<pre>" in result._repr_html_()
    assert repr(result).startswith(f"Fixed({result.data!r}, outcome=")


def test_the_page_has_the_verdict_and_the_commands(fixed):
    """report.html has the headline, the cue and each command."""
    _, result = fixed
    page = (result.folder / "report.html").read_text(encoding="utf-8")
    assert "Did it help?" in page
    assert "Repaired: " in page
    assert "augkit fix" in page


def test_every_command_to_repeat_a_step_works(fixed, augkit):
    """Each command is run as it is printed, and writes the same bytes; check may find more."""
    _, result = fixed
    written = result.train_on.read_bytes()
    for step, command in result.commands.items():
        name, *words = shlex.split(command)
        assert name == "augkit"
        done = augkit(*words)
        assert done.code in ({0, 1} if "check" in words else {0}), f"{step}: {done.err}"
    assert result.train_on.read_bytes() == written


def test_nothing_to_fix_is_said_with_exit_code_0(null_file, augkit, tmp_path, monkeypatch):
    """Where the texts say nothing about the label, nothing is written."""
    monkeypatch.chdir(tmp_path)
    done = augkit("fix", null_file)
    assert done.code == 0
    assert "Nothing to fix." in done.out
    assert not list(tmp_path.glob("fix-*"))


def test_a_dry_run_writes_nothing_and_other_cues_need_another_folder(fixed, augkit):
    """A folder keeps the fix of its cues."""
    path, result = fixed
    words = ["fix", path, *COLUMNS, "--cue", "handled", "--out", result.folder]
    dry = augkit(*words, "--dry-run")
    assert dry.code == 0
    assert "'handled'" in dry.out
    done = augkit(*words)
    assert done.code == 2
    assert "has a fix of other cues" in done.err


def test_a_named_cue_is_what_was_typed_and_nothing_more(fixed, augkit, tmp_path):
    """Only the surname goes; the rest of each text is kept letter for letter."""
    path, _ = fixed
    done = augkit("fix", path, *COLUMNS, "--cue", "Kowalski", "--out", tmp_path / "out", "--json")
    assert done.code == 0, done.err
    record = json.loads(done.out)
    assert record["fixed"] == ["kowalski"]
    texts = [row["message"] for row in read_jsonl(tmp_path / "out" / "train.jsonl")]
    before = pd.read_csv(path)["message"]
    for old, new in zip(before, texts, strict=True):
        assert "Kowalski" not in new
        assert new == old.replace(" Kowalski.", ".")


def test_a_name_that_no_text_has_gets_a_suggestion_only_where_it_is_near(fixed, augkit, tmp_path):
    """Another word entirely is no misspelling."""
    path, _ = fixed
    far = augkit("fix", path, *COLUMNS, "--cue", "zebrafish", "--out", tmp_path / "a")
    assert far.code == 2
    assert "no text has it" in far.err
    assert "Did you mean" not in far.err


def test_python_gives_the_file_of_the_command(fixed, augkit, tmp_path):
    """A frame, a file in Python and the command have the same rows."""
    path, result = fixed
    done = augkit("fix", path, *COLUMNS, "--yes", "--out", tmp_path / "command")
    assert done.code == 0, done.err
    frame = package.fix(
        pd.read_csv(path),
        out=tmp_path / "frame",
        text_columns=["message"],
        label_column="queue",
    )
    rows = read_jsonl(result.train_on)
    assert read_jsonl(tmp_path / "command" / "train.jsonl") == rows
    assert read_jsonl(frame.train_on) == rows


def test_own_test_sets_are_measured_before_and_after(augkit, tmp_path):
    """Those that a dataset has itself, too; the challenge set of the demonstration is repaired."""
    done = augkit("fix", "reviews-demo", "--yes", "--out", tmp_path / "out", "--json")
    assert done.code == 0, done.err
    record = json.loads(done.out)
    kinds = [ending["kind"] for ending in record["endings"]]
    assert kinds == ["mark", "opinions"]
    header, test, challenge = record["own_tests"]
    assert header[1:] == ["as it is", "at the end"]
    assert test[0] == "reviews-demo:test"
    assert float(challenge[1]) < 60
    assert float(challenge[2].split()[0]) > 85


def test_a_language_model_that_refuses_leaves_the_rest_done(serve, augkit, tmp_path):
    """Exit code 4 says that the same command has more to do; the marks are taken out."""
    server = serve(refuse=lambda call: (500, {"error": "no"}))
    words = ["fix", "reviews-demo", "--yes", "--limit", "160", "--llm", "openai:tiny"]
    words += ["--base-url", server.url, "--out", tmp_path / "out", "--json"]
    done = augkit(*words)
    assert done.code == 4, done.err
    record = json.loads(done.out)
    stopped = [ending for ending in record["endings"] if ending["verdict"] == "stopped"]
    assert len(stopped) == 1
