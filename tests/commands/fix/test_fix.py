import json
import shlex

import pandas as pd
import pytest

import augkit as package
from augkit.runs.manifest import read_manifest
from tests.data import signed_tickets, write_csv

pytestmark = pytest.mark.slow
COLUMNS = ("--text-column", "message", "--label-column", "queue")


@pytest.fixture(scope="module")
def fixed(tmp_path_factory):
    """One fix of tickets by Python, shared by the tests that only look at it."""
    folder = tmp_path_factory.mktemp("fixed")
    path = write_csv(folder / "my tickets.csv", signed_tickets(400))
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


def test_nothing_to_fix_is_said_with_exit_code_0(null_file, augkit, tmp_path, monkeypatch):
    """Where the texts say nothing about the label, nothing is written."""
    monkeypatch.chdir(tmp_path)
    done = augkit("fix", null_file)
    assert done.code == 0
    assert "nothing to fix" in done.out
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


def test_a_language_model_is_tried_within_the_budget(ticket_file, serve, augkit):
    """A dry run says calls and asks nothing; the run makes no call more than the budget allows."""
    server = serve()
    words = ["fix", ticket_file, *COLUMNS, "--method", "razor", "--method", "mask-phrase"]
    words += ["--llm", "openai:tiny", "--base-url", server.url, "--out", "out", "--limit", "160"]
    dry = augkit(*words, "--budget", "12calls", "--dry-run")
    assert dry.code == 0, dry.err
    for part in ("razor-llm", "calls about", "12calls", "answers of the model"):
        assert part in dry.out
    assert server.calls == 0
    done = augkit(*words, "--budget", "12calls", "--json")
    assert done.code == 3, done.err
    assert 0 < server.calls <= 12
    record = json.loads(done.out)
    assert "mask-phrase" in {method["method"] for method in record["methods"]}
    assert "budget" in record["not_tried"]["razor-llm"]


@pytest.mark.slow
def test_a_method_whose_calls_failed_is_not_measured(ticket_file, serve, faults, augkit):
    """The others are shown, and exit code 4 says that the same command has more to do."""

    def refuse(call):  # some of the questions, however often they are asked
        return (500, {"error": "no"}) if faults.question(call.body)[0] in "01" else None

    server = serve(refuse=refuse)
    words = ["fix", ticket_file, *COLUMNS, "--method", "razor", "--method", "mask-phrase"]
    words += ["--llm", "openai:tiny", "--base-url", server.url, "--out", "out", "--limit", "160"]
    done = augkit(*words, "--json")
    assert done.code == 4, done.err
    record = json.loads(done.out)
    assert "mask-phrase" in {method["method"] for method in record["methods"]}
    assert "failed (server error 500: " in record["not_tried"]["razor-llm"]
    server.behave(type(server.behaviour)())
    assert augkit(*words, "--json").code == 0


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
