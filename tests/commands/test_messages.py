"""What commands say is wrong: the true cause, and commands that run as they are printed."""

from __future__ import annotations

import json
import re
import shlex
import warnings

import datasets
import pandas as pd
import pytest

import augkit
from augkit.core.errors import AugkitError, DataError, UnknownName
from augkit.core.python_messages import argument_names

REVIEWS = [{"text": f"A film, number {n}.", "label": ("good", "bad")[n % 2]} for n in range(40)]
ANSWERS = [
    {
        "question": f"Where was woman number {n} born?",
        "context": f"She was born in {place}, and her brother too.",
        "answer": place,
    }
    for n, place in enumerate(f"{first}{last}" for first in "ABCDEFGH" for last in ("am", "ok"))
]
SQUAD = [
    {
        "question": row["question"],
        "context": row["context"],
        "answers": {"text": [row["answer"]], "answer_start": [16]},
    }
    for row in ANSWERS
]
TOKENS = [
    {"my tokens": ["He", "met", "Jane", str(n)], "my tags": ["O", "O", "B-PER", "O"]}
    for n in range(20)
]
NAMED_TOKENS = [{"tokens": row["my tokens"], "my tags": row["my tags"]} for row in TOKENS]
PLAIN = [{"text": f"He sold his car, the {n}th."} for n in range(20)]


def test_an_unknown_method_of_fix_is_refused_before_the_data_are_read(run_augkit):
    """The file does not even exist; a method that is known is not enough."""
    result = run_augkit("fix", "nothing.csv", "--method", "swap", "--method", "rasor")
    assert result.code == 2
    assert "no method 'rasor'. Did you mean 'razor'?" in result.err
    with pytest.raises(UnknownName, match="no method 'rasor'"):
        augkit.fix(pd.DataFrame(REVIEWS), methods=["swap", "rasor"])


@pytest.mark.parametrize("command", ["check", "fix", "split", "shortcuts"])
@pytest.mark.parametrize(
    ("rows", "options"),
    [
        (PLAIN, []),
        (ANSWERS, []),
        (SQUAD, []),
        (NAMED_TOKENS, []),
        (NAMED_TOKENS, ["--label-column", "my tags"]),
        (TOKENS, ["--text-column", "my tokens"]),
        (TOKENS, ["--text-column", "my tokens", "--label-column", "my tags"]),
    ],
)
def test_rows_without_labels_get_the_command_that_rewrites_them(
    rows, options, command, write_rows, augkit_command
):
    """It runs as it is printed: of this file, with its columns and without a warning."""
    path = write_rows(rows, "my rows.jsonl")
    data = ["--dataset", path] if command == "shortcuts" else [path]
    result = augkit_command(command, *data, *options)
    assert result.code == 2
    line = result.err.strip().splitlines()[-1]
    words = shlex.split(line[line.index("augkit run ") :])
    again = augkit_command(*words[1:], "--out", path.parent / "run", "--limit", 8)
    assert again.code == 0, again.err
    assert "seems to quote" not in again.err
    manifest = json.loads((path.parent / "run" / "manifest.json").read_text())
    assert manifest["counts"]["accepted"] > 0
    assert words[words.index("-d") + 1] == str(path)


@pytest.fixture
def augkit_command(run_augkit, monkeypatch, tmp_path):
    """Call ``augkit`` with arguments, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return run_augkit


@pytest.mark.parametrize("rows", [PLAIN, ANSWERS, SQUAD, NAMED_TOKENS])
@pytest.mark.parametrize("kind", ["file", "frame", "dataset"])
def test_in_python_they_get_the_call(rows, kind, write_rows, monkeypatch, tmp_path):
    """Which works as it is printed, of a file and of rows in memory."""
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame(rows)
    data = {"file": write_rows(rows), "frame": frame, "dataset": datasets.Dataset.from_list(rows)}
    for function in (augkit.check, augkit.fix, augkit.shortcuts):
        with pytest.raises(DataError, match="no label column") as caught:
            function(data[kind])
        message = str(caught.value)
        assert "--" not in message
        assert "memory:" not in message or kind == "dataset"
    call = message.rpartition("rewrite them: ")[2]
    names = {"augkit": augkit, "frame": frame, "data": data["dataset"]}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = eval(call, names)
    assert result is not None


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: augkit.augment_frame(pd.DataFrame(REVIEWS), "eda", "txt"), "'txt' (text_column)."),
        (
            lambda: augkit.augment_frame(pd.DataFrame(REVIEWS), "eda", "text", "q"),
            "the data frame: no column 'q' (label_column).",
        ),
        (lambda: augkit.load_dataset(pd.DataFrame(REVIEWS), label_column="q"), "(label_column)."),
        (lambda: augkit.load_dataset("reviews-demo", text_columns="q"), "(text_columns)."),
        (
            lambda: augkit.augment_dataset("reviews-demo", "eda", text_columns=["bdy"]),
            "no column 'bdy' (text_columns).",
        ),
        (
            lambda: augkit.augment_frame(pd.DataFrame(NAMED_TOKENS), "panda"),
            "add span_columns=['my tags'], or",
        ),
        (
            lambda: augkit.augment_frame(pd.DataFrame(NAMED_TOKENS), "eda", None, "my tags"),
            "keep the tags: text_column='tokens', span_columns=['my tags']",
        ),
        (
            lambda: augkit.as_map(augkit.create("eda"), "txt")({"text": ["a b"]}),
            "no column 'txt' (text_column).",
        ),
        (
            lambda: augkit.load_dataset(pd.DataFrame({"a": ["b"]})),
            "Choose it: text_columns=[NAME], or for a pair of texts text_columns=[A, B]",
        ),
        (lambda: augkit.check(pd.DataFrame(REVIEWS[:1])), "Name the column with label_column, or"),
        (
            lambda: augkit.fit_finder("tokens", [augkit.example("A film.", "good")]),
            "Name the column with label_column, or",
        ),
    ],
)
def test_python_names_its_own_arguments(call, words):
    """Those of the function that was called."""
    with pytest.raises(AugkitError) as caught:
        call()
    assert words in str(caught.value)
    assert "--" not in str(caught.value)


def test_a_warning_of_a_frame_names_arguments_and_the_line_of_the_caller():
    """The option of the command line is none of Python."""
    with pytest.warns(UserWarning, match=r"answer_columns=\['answer'\]") as caught:
        augkit.augment_frame(pd.DataFrame(ANSWERS), "eda")
    assert [warning.filename for warning in caught] == [__file__]


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("give it --llm openai:MODEL (or --base-url)", "give it llm='openai:MODEL' (or base_url)"),
        ("--group-column goes with choices", "group_column goes with choices"),
        ("Use --no-quotes.", "Use quotes=False."),
        ("add --span-column 'my tags', or not", "add span_columns=['my tags'], or not"),
        ("continue: augkit run --resume --out a.b/c", "continue: augkit run --resume --out a.b/c"),
        ("augkit check --group-column keeps them", "augkit check --group-column keeps them"),
        ("Judges: augkit audit --judge v.jsonl; or", "Judges: augkit.audit(judge='v.jsonl'); or"),
        ("see augkit check a.csv --test b.csv.", "see augkit.check('a.csv', test='b.csv')."),
        (
            "(augkit evaluate --metric pearson), cut it",
            "(augkit.evaluate(metrics=['pearson'])), cut it",
        ),
    ],
)
def test_options_and_commands_become_arguments_and_calls(message, words):
    """Prose after an option is none of its values, and what no function does stays."""
    assert argument_names(message) == words


@pytest.mark.parametrize("command", ["check", "fix", "shortcuts"])
def test_texts_that_are_missing_are_the_cause(command, augkit_command, tmp_path):
    """Not the labels, which are there."""
    path = tmp_path / "blank.csv"
    path.write_text("text,label\n,a\n,b\n ,a\n")
    data = ["--dataset", path] if command == "shortcuts" else [path]
    result = augkit_command(command, *data)
    assert result.code == 2
    assert "the text column 'text' is empty in all rows" in result.err
    assert "label" not in result.err
    frame = pd.DataFrame({"text": [None, "", " "], "label": ["a", "b", "a"]})
    with pytest.raises(DataError, match="the data frame: the text column 'text' is empty in all"):
        getattr(augkit, command)(frame)


def test_a_number_in_place_of_a_text_is_the_cause(write_rows):
    """Where the other rows have one label."""
    path = write_rows([{"text": "a b c", "label": "x"}, {"text": 5, "label": "y"}])
    for function in (augkit.check, augkit.fix, augkit.shortcuts):
        with pytest.raises(DataError, match=r"no text in some rows \(1 row: number\), and the oth"):
            function(path)
    path = write_rows([{"text": "a b c", "label": "x"}, {"text": 5, "label": "x"}])
    with pytest.raises(DataError, match="two different labels, and there is only 'x' in 2 rows"):
        augkit.check(path)


def test_answers_and_ids_are_no_classes(write_rows, augkit_command):
    """No command goes on with them, and none leads to another one that fails."""
    rows = [{"text": f"Text number {n}.", "id": f"T{n}", "of": f"c{n % 30}"} for n in range(90)]
    path = write_rows(rows)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for command in (["check"], ["fix"], ["split"], ["shortcuts", "--dataset"]):
            result = augkit_command(*command, path, "--label-column", "id")
            assert result.code == 2
            assert "90 different labels" in result.err
            assert "no classes" in result.err
            assert "Next:" not in result.err
        assert augkit.check(path, label_column="of").about["rows"] == 90


def test_a_warning_of_sklearn_is_not_shown(write_rows):
    """With as many labels as it wonders about, which are too few for an error of ours."""
    rows = [
        {"premise": f"Text {n}.", "hypothesis": f"More of {n}.", "label": f"c{n % 18}"}
        for n in range(36)
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report = augkit.check(write_rows(rows))
    checked = next(check for check in report.checks if check.name == "field_accuracy")
    assert not checked.skipped
    assert re.search(r"premise \d", checked.summary)
