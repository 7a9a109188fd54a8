"""Commands and calls that a message names run as they are printed."""

from __future__ import annotations

import json
import re
import shlex
import warnings

import datasets
import pandas as pd
import pytest

import augkit as package
from augkit.core.errors import DataError
from augkit.core.python_messages import argument_names

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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "rows", "options"),
    [
        ("check", PLAIN, []),
        ("fix", PLAIN, []),
        ("shortcuts", PLAIN, []),
        ("check", ANSWERS, []),
        ("check", SQUAD, []),
        ("fix", NAMED_TOKENS, []),
        ("check", NAMED_TOKENS, ["--label-column", "my tags"]),
        ("shortcuts", TOKENS, ["--text-column", "my tokens"]),
        ("check", TOKENS, ["--text-column", "my tokens", "--label-column", "my tags"]),
    ],
)
def test_rows_without_labels_get_the_command_that_rewrites_them(
    command, rows, options, write_rows, augkit
):
    """It runs as it is printed: of this file, with its columns and without a warning."""
    path = write_rows(rows, "my rows.jsonl")
    result = augkit(command, path, *options)
    assert result.code == 2
    line = result.err.strip().splitlines()[-1]
    words = shlex.split(line[line.index("augkit run ") :])
    again = augkit(*words[1:], "--out", path.parent / "run", "--limit", 8)
    assert again.code == 0, again.err
    assert "seems to quote" not in again.err
    manifest = json.loads((path.parent / "run" / "manifest.json").read_text())
    assert manifest["counts"]["accepted"] > 0
    assert words[2] == str(path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "rows"),
    [
        ("file", PLAIN),
        ("file", NAMED_TOKENS),
        ("frame", ANSWERS),
        ("frame", NAMED_TOKENS),
        ("dataset", SQUAD),
        ("dataset", PLAIN),
    ],
)
def test_in_python_they_get_the_call(kind, rows, write_rows, monkeypatch, tmp_path):
    """Which works as it is printed, of a file and of rows in memory."""
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame(rows)
    data = {"file": write_rows(rows), "frame": frame, "dataset": datasets.Dataset.from_list(rows)}
    for function in (package.check, package.fix, package.shortcuts):
        with pytest.raises(DataError, match="no label column") as caught:
            function(data[kind])
        message = str(caught.value)
        assert "--" not in message
        assert "memory:" not in message or kind == "dataset"
    call = message.rpartition("rewrite them: ")[2]
    names = {"augkit": package, "frame": frame, "data": data["dataset"]}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = eval(call, names)
    assert result is not None


def test_a_warning_of_a_frame_names_arguments_and_the_line_of_the_caller():
    """The option of the command line is none of Python."""
    with pytest.warns(UserWarning, match=r"answer_columns=\['answer'\]") as caught:
        package.augment_frame(pd.DataFrame(ANSWERS), "eda")
    assert [warning.filename for warning in caught] == [__file__]


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("give it --llm openai:MODEL (or --base-url)", "give it llm='openai:MODEL' (or base_url)"),
        ("--group-column goes with choices", "group_column goes with choices"),
        ("Use --set quotes=false.", "Use quotes=False."),
        ("add --span-column 'my tags', or not", "add span_columns=['my tags'], or not"),
        ("continue: augkit run --resume --out a.b/c", "continue: augkit run --resume --out a.b/c"),
        ("augkit check --group-column keeps them", "augkit check --group-column keeps them"),
        ("Judges: augkit audit --judge v.jsonl; or", "Judges: augkit.audit(judge='v.jsonl'); or"),
        (
            "augkit audit --judge measures it; augkit check lists them",
            "augkit audit --judge measures it; augkit.check lists them",
        ),
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


def test_a_warning_of_sklearn_is_not_shown(write_rows):
    """With as many labels as it wonders about, which are too few for an error of ours."""
    rows = [
        {"premise": f"Text {n}.", "hypothesis": f"More of {n}.", "label": f"c{n % 18}"}
        for n in range(36)
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report = package.check(write_rows(rows))
    checked = next(check for check in report.checks if check.name == "field_accuracy")
    assert not checked.skipped
    assert re.search(r"premise \d", checked.summary)
