import importlib.util
import json
import shlex
import sys
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

import augkit as package
from augkit.commands.fix.cues import Cue, CueFeature
from augkit.commands.fix.results import BothScores, Fixed, TriedMethod, best_method
from augkit.commands.fix.settings import FixSettings
from augkit.core.config import load
from augkit.core.errors import ConfigError, DataError, OutputExists
from augkit.core.results import Comparison, Score
from augkit.runs.manifest import read_manifest
from augkit.text.features.kinds import FORMAT

from .conftest import tickets, write_csv

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
    assert "billing: 200 rows" in screen
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
    for words in ("marta", "razor", "about", "seconds"):
        assert words in done.out
    assert not list(tmp_path.glob("fix-*"))


def test_a_dry_run_may_name_a_folder_with_other_cues(fixed, augkit):
    """It writes nothing there, so nothing is lost."""
    path, result = fixed
    words = ["fix", path, *COLUMNS, "--cue", "invoice", "--out", result.folder]
    assert augkit(*words, "--dry-run").code == 0
    done = augkit(*words)
    assert done.code == 2
    assert "has a fix of other cues" in done.err


def test_pairs_are_fixed_with_rows_as_they_are(nli_file, tmp_path):
    """Pairs: the cue is "not" of the hypothesis, and the challenge set is natural."""
    result = package.fix(nli_file, out=tmp_path / "out", cues=["not"], methods=["mask-words"])
    assert (result.chosen[0].field, result.chosen[0].label) == ("hypothesis", "contradiction")
    assert set(result.split.how) == {"as it is"}
    assert result.tried[0].name == "mask-words"


def test_errors_name_arguments_in_python_and_options_in_the_terminal(ticket_file, augkit):
    """The same mistake: cues= and label_column= here, --cue and --label-column there."""
    with pytest.raises(ConfigError, match=r"^cues=\['zeppelin'\]: no text has it"):
        package.fix(ticket_file, cues="zeppelin", text_columns=["message"], label_column="queue")
    done = augkit("fix", ticket_file, *COLUMNS, "--cue", "zeppelin")
    assert done.code == 2
    assert "--cue zeppelin" in done.err


def test_a_sign_inside_of_numbers_is_no_word_of_its_own(augkit, tmp_path, monkeypatch):
    """Dates with hyphens go with a label: nothing is cut out of them, and parts are explained."""
    monkeypatch.chdir(tmp_path)
    said = ["the money never came", "my card was refused", "it took too long", "nobody answered"]
    lines = ["text,label"]
    for number in range(160):
        is_transfer, day = number % 2, number % 27 + 1
        date = f"2024-03-{day:02d}" if is_transfer == (number % 10 > 1) else f"March {day}"
        label = "transfer" if is_transfer else "card"
        lines.append(f"On {date} {said[number % 7 % 4]} in branch {number},{label}")
    (tmp_path / "bank.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = augkit("fix", "bank.csv")
    assert done.code == 0
    assert "sign - (as in 2024-03-" in done.out
    assert "No method takes sign - (as in 2024-03-" in done.out
    assert not list(tmp_path.glob("fix-*"))
    assert "inside of words or numbers (2024-03-" in augkit("fix", "bank.csv", "--cue=-").err
    assert (
        "no text has it as a whole word ('2024-03-"
        in augkit("fix", "bank.csv", "--cue", "2024-0").err
    )


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
        ({"challenge": 0.3, "test": -0.3}, "at a cost"),
        ({"challenge": 0.3, "deleting": 0.2}, "deleting is better"),
        ({"challenge": 0.01}, "not fixed"),
    ],
)
def test_the_outcome(tmp_path, arguments, outcome, fixed):
    """Fixed; amber where a new shortcut took its place; honest where deleting or nothing helps."""
    method = tried(tmp_path, "method", **arguments)
    result = replace(
        fixed[1],
        tried=[method],
        before=BothScores(score(0.9), score(0.4)),
        deleting=BothScores(score(0.85), score(0.4)),
        unfit=(),
        left=(),
        commands={},
    )
    if outcome == "at a cost":
        method = replace(method, test_against_deleting=compared(0.0), left_out=290)
        result = replace(result, tried=[method])
    assert isinstance(result, Fixed)
    assert result.outcome == outcome
    heading = {
        "fixed": "Fixed: method breaks",
        "at a cost": "Improved at a cost: method breaks",
        "renamed": "Improved, but a new shortcut took its place",
        "deleting is better": "Simply deleting",
        "not fixed": "Not fixed",
    }
    assert heading[outcome] in str(result)
    if outcome == "at a cost":
        expected = f"290 of {result.split.train} rows are left out"
        assert expected in " ".join(str(result).split())


def test_a_method_that_falls_to_chance_has_a_cost(tmp_path, fixed):
    """Not clearly worse on a small test set, but no longer clearly better than chance."""
    method = replace(tried(tmp_path, "method", 0.3), on_test=compared(-0.04))
    method = replace(method, scores=BothScores(score(0.54), score(0.7)))
    before = BothScores(score(0.58), score(0.4))
    result = replace(fixed[1], tried=[method], before=before, deleting=None, chance=0.5)
    assert result.outcome == "at a cost"
    assert replace(result, chance=0.4).outcome == "fixed"


def test_what_is_not_relied_on_leaves_the_file_as_it_is(tmp_path, fixed):
    """The last lines name the file itself, and nothing that is left in another."""
    as_good = BothScores(score(0.9), score(0.9))
    result = replace(fixed[1], before=as_good, deleting=as_good, left=())
    assert result.outcome == "not relied on"
    assert f"Train on: {result.data} as it is" in " ".join(str(result).split())


def test_a_run_the_functions_for_python_and_fix_give_the_same_rows(fixed, tmp_path, augkit):
    """Same file, same method: the rows of fix, from the command, a frame and a resampler."""
    _, result = fixed
    train = result.split.files["train"]
    expected = written(next(method.run for method in result.tried if method.name == "razor"))
    frame = pd.read_json(train, lines=True)
    options = read_manifest(result.folder / "runs" / "razor").settings["options"]
    settings = [f"{name}={json.dumps(chosen)}" for name, chosen in options.items()]
    words = [word for setting in settings for word in ("--set", setting)]
    done = augkit("run", "-m", "razor", "-d", train, *words, *COLUMNS, "--out", tmp_path / "run")
    assert done.code == 0, done.err
    assert written(tmp_path / "run") == expected
    columns = {"text_columns": ["message"], "label_column": "queue"}
    folder = package.augment_dataset(
        train, "razor", tmp_path / "python", options=options, **columns
    )
    assert written(folder) == expected
    framed = package.augment_frame(frame, "razor", "message", "queue", settings=options)
    assert list(zip(framed["message"], framed["queue"], strict=True)) == expected
    resampler = package.TextResampler("razor", options)
    texts, labels = resampler.fit_resample(frame["message"].tolist(), frame["queue"].tolist())
    assert list(zip(texts, labels, strict=True)) == expected


def written(folder):
    """Texts and labels of the result of a run, in order."""
    lines = (folder / "dataset.jsonl").read_text(encoding="utf-8").splitlines()
    return [(row["message"], row["queue"]) for row in map(json.loads, lines)]


@pytest.fixture
def server():
    """A real HTTP server that speaks OpenAI's protocol and gives answers that fit the schema."""
    path = Path(__file__).parents[2] / "faults" / "server.py"
    spec = importlib.util.spec_from_file_location("fault_server_fix", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    with module.FaultServer(module.Behaviour()) as running:
        yield running


def test_a_language_model_is_tried_within_the_budget(ticket_file, server, augkit):
    """A dry run says calls and asks nothing; the run makes no call more than the budget allows."""
    words = ["fix", ticket_file, *COLUMNS, "--method", "razor", "--method", "mask-phrase"]
    words += ["--llm", "openai:tiny", "--base-url", server.url, "--out", "out", "--limit", "160"]
    dry = augkit(*words, "--budget", "12calls", "--dry-run")
    assert dry.code == 0, dry.err
    for part in ("razor-llm", "calls about", "12calls", "answers of the model"):
        assert part in dry.out
    assert server.calls == 0
    done = augkit(*words, "--budget", "12calls", "--json")
    assert done.code == 0, done.err
    assert 0 < server.calls <= 12
    record = json.loads(done.out)
    assert "mask-phrase" in {method["method"] for method in record["methods"]}
    assert "budget" in record["not_tried"]["razor-llm"]


def test_columns_with_unusual_names_are_suggested(ticket_file, tmp_path, augkit):
    """The error has the options that would do; none where it is not clear which."""
    done = augkit("fix", ticket_file)
    assert done.code == 2
    assert "Perhaps: --text-column message --label-column queue" in done.err
    rows = [{**row, "team": row["queue"]} for row in tickets(60)]
    unclear = augkit("fix", write_csv(tmp_path / "unclear.csv", rows))
    assert unclear.code == 2
    assert "Perhaps" not in unclear.err
    with pytest.raises(DataError, match=r"text_columns=\['message'\], label_column='queue'"):
        package.fix(ticket_file)


def test_results_print_in_a_notebook(fixed, monkeypatch):
    """In a line as repr; tables are in the text, without colours, where rich sees a notebook."""
    _, result = fixed
    assert repr(result).startswith(f"Fixed({result.data!r}, outcome=")
    assert repr(result.split).startswith("Split(")
    assert "<pre>" in result.split._repr_html_()
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    scores = package.evaluate(train="reviews-demo", tests="reviews-demo:test", seeds=0)
    assert "0.9875" in str(scores)
    assert "\x1b" not in str(scores)
    assert "rich" not in scores._repr_html_()


def test_deleting_wins_over_a_new_shortcut_that_is_no_better(tmp_path, fixed):
    """A mask that gives the label away is not worth more than the text without the cue."""
    method = tried(tmp_path, "mask", 0.3, caveats=["has a new shortcut: 'mask' (no)"])
    result = replace(fixed[1], tried=[method], before=BothScores(score(0.9), score(0.4)))
    assert replace(result, deleting=method.scores).outcome == "deleting is better"
    helps = replace(result, deleting=BothScores(score(0.8), score(0.6)))
    assert helps.outcome == "deleting is better"
    safer = "is safer than rewriting (mask: 70.0 %, but it has a new shortcut: 'mask' (no))"
    assert safer in " ".join(str(helps).split())
    worse = tried(tmp_path, "other", 0.4, test=-0.3, caveats=["has a new shortcut: 'other' (no)"])
    assert "so it is not chosen" not in str(replace(helps, tried=[worse, method]))
    no_help = BothScores(method.scores.test, score(0.4))
    assert replace(result, deleting=no_help).outcome == "renamed"


def test_of_a_sign_nothing_is_proved(fixed):
    """The classifier reads words alone: that it does as well is no evidence."""
    sign = Cue((CueFeature("message", FORMAT, "sign !", "billing", 0.8, 200, 190),))
    as_good = BothScores(score(0.9), score(0.9))
    result = replace(fixed[1], chosen=[sign], before=as_good, deleting=as_good, left=())
    assert result.outcome == "not relied on"
    assert "Not proved: the classifier reads words and no signs" in str(result)
    assert "as it is\n" not in str(result).partition("Not proved")[2]
    words = replace(result, chosen=fixed[1].chosen)
    assert "does not rely on" in str(words)


def test_deleting_that_makes_a_new_shortcut_does_not_win(tmp_path, fixed):
    """It is said of both, and a method without one is better."""
    caveats = ["has a new shortcut: ends with . (billing)"]
    before = BothScores(score(0.9), score(0.4))
    method = tried(tmp_path, "method", 0.3)
    result = replace(fixed[1], tried=[method], before=before, deleting_caveats=caveats)
    made = replace(result, deleting=BothScores(score(0.9), score(0.75)))
    assert made.outcome == "fixed"
    assert f"Deleting the cue {caveats[0]}" in " ".join(str(made).split())
    higher = tried(tmp_path, "high", 0.4, caveats=["still has 'x' (no)", *caveats])
    beside = " ".join(str(replace(made, tried=[higher, method])).split())
    assert f"high {caveats[0]}, so it is not chosen" in beside
    alone = replace(made, tried=[], deleting=BothScores(score(0.9), score(0.75)))
    assert f"Deleting the cue {caveats[0]}" in " ".join(str(alone).split())
    renamed = tried(tmp_path, "mask", 0.3, caveats=caveats)
    assert replace(made, tried=[renamed]).outcome == "deleting is better"


def test_deleting_wins_where_it_gives_more_on_the_two_sets(tmp_path, fixed):
    """Not clearly better on the challenge set, but better on the two together: said as it is."""
    method = tried(tmp_path, "method", 0.3)
    result = replace(fixed[1], tried=[method], before=BothScores(score(0.9), score(0.4)))
    deleted = replace(result, deleting=BothScores(score(0.88), score(0.75)))
    assert deleted.outcome == "deleting is better"
    assert "is as good as rewriting (method: 70.0 %)" in " ".join(str(deleted).split())
    for test in (0.84, 0.85):  # less, and the same
        as_much = replace(result, deleting=BothScores(score(test), score(0.75)))
        assert as_much.outcome == "fixed"
