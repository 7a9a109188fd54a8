import json
import shlex
from dataclasses import replace

import pytest

import augkit as package
from augkit.commands.fix.results import BothScores, Fixed, TriedMethod, best_method
from augkit.commands.fix.settings import FixSettings
from augkit.core.config import load
from augkit.core.errors import ConfigError, DataError, OutputExists
from augkit.core.results import Comparison, Score

from .conftest import tickets, write_csv, write_jsonl

pytestmark = pytest.mark.slow
COLUMNS = ("--text-column", "message", "--label-column", "queue")


@pytest.fixture(scope="module")
def fixed(tmp_path_factory):
    """One fix of tickets by Python, shared by the tests that only look at it."""
    folder = tmp_path_factory.mktemp("fixed")
    path = write_csv(folder / "my tickets.csv", tickets(400))
    result = package.fix(
        path,
        out=folder / "out",
        methods=["razor", "mask-phrase"],
        text_columns=["message"],
        label_column="queue",
    )
    return path, result


def test_the_planted_name_is_found_broken_and_proved(fixed):
    """The cue is the agent's name; as it is, the challenge set fails, and the best repairs it."""
    _, result = fixed
    assert [cue.is_name for cue in result.chosen] == [True]
    assert result.before.test.value > 0.9
    assert result.before.challenge.value < 0.6
    assert result.deleting.challenge.low > result.before.challenge.high
    assert result.outcome in {"fixed", "deleting is better"}
    assert result.train_on.is_file()
    assert result.left is not None


def test_the_result_is_one_record_and_one_screen(fixed):
    """fix.json is the record; the screen is at most 80 columns wide but for commands and paths."""
    _, result = fixed
    record = json.loads((result.folder / "fix.json").read_text(encoding="utf-8"))
    assert record["outcome"] == result.outcome
    assert {method["method"] for method in record["methods"]} == {"razor", "mask-phrase"}
    screen, _, commands = str(result).partition("Repeat each step:")
    assert "'billing': 200 rows" in screen
    assert "deleting the cue" in screen
    long = [line for line in screen.splitlines() if len(line) > 80 and "/" not in line]
    assert not long
    assert commands.count("augkit ") >= 5
    assert "<pre>" in result._repr_html_()


def test_the_page_has_the_verdict_and_the_commands(fixed):
    """report.html has the headline, each method with a link to its page, and each command."""
    _, result = fixed
    page = (result.folder / "report.html").read_text(encoding="utf-8")
    assert "Did it help?" in page
    for method in result.tried:
        assert f"runs/{method.name}/report.html" in page
        assert (method.run / "report.html").is_file()
    assert "augkit split" in page


def test_every_command_to_repeat_a_step_works(fixed, augkit):
    """Each command is run as it is printed; check says with 1 that something is left."""
    _, result = fixed
    assert {"find", "split", "break", "prove", "check again"} <= result.commands.keys()
    parts = {part: path.read_bytes() for part, path in result.split.files.items()}
    for step, command in result.commands.items():
        name, *words = shlex.split(command)
        assert name == "augkit"
        done = augkit(*words)
        assert done.code in ({0, 1} if "check" in words else {0}), f"{step}: {done.err}"
    assert {part: path.read_bytes() for part, path in result.split.files.items()} == parts


def test_a_second_fix_uses_the_finished_runs(fixed):
    """The same call again runs no method again, and gives the same figures."""
    path, result = fixed
    stamps = {method.name: method.dataset.stat().st_mtime_ns for method in result.tried}
    again = package.fix(
        path,
        out=result.folder,
        methods=["razor", "mask-phrase"],
        text_columns=["message"],
        label_column="queue",
    )
    assert {m.name: m.dataset.stat().st_mtime_ns for m in again.tried} == stamps
    assert again.record()["methods"] == result.record()["methods"]


def test_another_cue_in_the_same_folder_is_refused(fixed):
    """A folder holds one fix."""
    path, result = fixed
    with pytest.raises(OutputExists, match="fix of other cues"):
        package.fix(
            path,
            cues="euros",
            out=result.folder,
            methods=["mask-words"],
            text_columns=["message"],
            label_column="queue",
        )


def test_nothing_to_fix_is_said_with_exit_code_0(null_file, augkit, tmp_path, monkeypatch):
    """Where the texts say nothing about the label, nothing is written."""
    monkeypatch.chdir(tmp_path)
    done = augkit("fix", null_file)
    assert done.code == 0
    assert "nothing to fix" in done.out
    assert not list(tmp_path.glob("fix-*"))


def test_a_dry_run_writes_nothing(ticket_file, augkit, tmp_path, monkeypatch):
    """--dry-run names the cue, the methods and a time."""
    monkeypatch.chdir(tmp_path)
    done = augkit("fix", ticket_file, *COLUMNS, "--dry-run")
    assert done.code == 0
    for words in ("marta", "razor", "about", "min"):
        assert words in done.out
    assert not list(tmp_path.glob("fix-*"))


def test_pairs_are_fixed_with_rows_as_they_are(nli_file, tmp_path):
    """Pairs: the cue is "not" of the hypothesis, and the challenge set is natural."""
    result = package.fix(nli_file, out=tmp_path / "out", cues=["not"], methods=["mask-words"])
    assert (result.chosen[0].field, result.chosen[0].label) == ("hypothesis", "contradiction")
    assert set(result.split.how) == {"as it is"}
    assert result.tried[0].name == "mask-words"


def test_errors_name_arguments_in_python_and_options_in_the_terminal(ticket_file, augkit):
    """The same mistake: cues= and label_column= here, --cue and --label-column there."""
    with pytest.raises(ConfigError, match=r"^cues= zeppelin: no text has it"):
        package.fix(ticket_file, cues="zeppelin", text_columns=["message"], label_column="queue")
    done = augkit("fix", ticket_file, *COLUMNS, "--cue", "zeppelin")
    assert done.code == 2
    assert "--cue zeppelin" in done.err


def test_choices_are_refused(tmp_path):
    """A file of preferences is no file of labelled rows."""
    rows = [{"prompt": "Hi?", "chosen": f"Yes {n}.", "rejected": f"No {n}."} for n in range(30)]
    with pytest.raises(DataError, match="holds choices"):
        package.fix(write_jsonl(tmp_path / "prefs.jsonl", rows))


def test_settings_are_read_from_yaml(tmp_path):
    """The settings of fix have one model: the same names in a file."""
    path = tmp_path / "fix.yaml"
    path.write_text("data: a.csv\ncues: [marta]\nparts: 5\nmethods: [razor]\n", encoding="utf-8")
    settings = load(FixSettings, path)
    assert (settings.cues, settings.parts, settings.methods) == (("marta",), 5, ("razor",))


def score(value, n=200):
    """A score with an interval of five points each way."""
    return Score("accuracy", value, value - 0.05, value + 0.05, n)


def compared(value):
    """A difference that is clear unless it is small."""
    difference = Score("accuracy", value, value - 0.05, value + 0.05, 200)
    p = 0.001 if abs(value) > 0.05 else 0.5
    return Comparison("accuracy", "higher", "accuracy", difference, p, "a", "b", "t")


def tried(tmp_path, name, challenge, *, test=0.0, caveats=(), deleting=0.0):
    """A method with these changes against the rows as they are, and against deleting."""
    return TriedMethod(
        name,
        tmp_path / name,
        BothScores(score(0.9 + test), score(0.4 + challenge)),
        compared(test),
        compared(challenge),
        compared(-test),
        compared(deleting),
        tuple(caveats),
        10,
    )


def test_the_best_method_is_clean_and_not_worse_on_the_test_set(tmp_path):
    """Worse on the test set: out. A new shortcut: only where nothing clean helps."""
    worse = tried(tmp_path, "worse", 0.5, test=-0.3)
    renamed = tried(tmp_path, "renamed", 0.4, caveats=["has a new shortcut: 'mask' (no)"])
    clean = tried(tmp_path, "clean", 0.3)
    assert best_method([worse, renamed, clean]) is clean
    assert best_method([worse, renamed]) is renamed
    assert best_method([worse]) is None


@pytest.mark.parametrize(
    ("arguments", "outcome"),
    [
        ({"challenge": 0.3}, "fixed"),
        ({"challenge": 0.3, "caveats": ["has a new shortcut: 'mask' (no)"]}, "renamed"),
        ({"challenge": 0.3, "deleting": 0.2}, "deleting is better"),
        ({"challenge": 0.01}, "not fixed"),
    ],
)
def test_the_outcome(tmp_path, arguments, outcome, fixed):
    """Fixed; amber where a new shortcut took its place; honest where deleting or nothing helps."""
    method = tried(tmp_path, "method", **arguments)
    before = BothScores(score(0.9), score(0.4))
    result = replace(
        fixed[1], tried=[method], before=before, deleting=before, unfit=(), left=(), commands={}
    )
    assert isinstance(result, Fixed)
    assert result.outcome == outcome
    heading = {
        "fixed": "Fixed: method breaks",
        "renamed": "Improved, but a new shortcut took its place",
        "deleting is better": "Simply deleting",
        "not fixed": "Not fixed",
    }
    assert heading[outcome] in str(result)
