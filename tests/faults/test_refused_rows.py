"""What no command can tell apart or write down is refused by all of them, in the same sentence."""

from __future__ import annotations

import json

import pandas as pd
import pytest

import augkit as package
from augkit.core.errors import DataError, UserError
from tests.data import numbered, write_csv, write_jsonl

COMMANDS = [
    "check FILE",
    "check PLAIN --test FILE",
    "shortcuts FILE --out out",
    "fix FILE --out out",
    "fix PLAIN --test FILE --out out",
    "run --method eda --dataset FILE --out out",
    "run --method eda --dataset PLAIN --test FILE --out out",
    "try --method eda --dataset FILE --row 1",
    "train FILE --out out",
    "evaluate --train FILE --test PLAIN --out out",
    "evaluate --train PLAIN --test FILE --out out",
]
"""Each reads FILE; PLAIN has the same rows without a defect."""


def rows_with(defect):
    """Make rows, of which the last has a defect, and say what the error must name."""
    rows = numbered(30, labels=("café", "tea"))
    if defect == "half of a character":
        rows[-1]["text"] += " \ud83d"
        return rows, ["30: 'text' has half of a character (\\ud83d"]
    if defect == "half of a character inside":
        rows[-1]["notes"] = [{"by": "\ud83d"}]
        return rows, ["30: 'notes.0.by' has half of a character (\\ud83d"]
    ending = {"another form": "cafe\u0301", "nothing seen": "tea\u200b", "space": "tea\xa0"}[defect]
    rows[-1]["label"] = ending
    count = {"another form": "'cafe\\u0301' (1 row) and 'caf\\xe9' (15 rows)"}
    count |= {"nothing seen": "'tea' (14 rows) and 'tea\\u200b' (1 row)"}
    count |= {"space": "'tea' (14 rows) and 'tea\\xa0' (1 row)"}
    return rows, [f"the labels {count[defect]} in the column 'label' look the same"]


TEXTS = ("half of a character", "half of a character inside")
LABELS = ("another form", "nothing seen", "space")


def written(folder):
    """List the files of a folder, at any depth."""
    return {path for path in folder.rglob("*") if path.is_file()}


def refused(augkit, folder, command, file, names):
    """Check that a command ends with one sentence that names the defect, and writes nothing."""
    plain = write_jsonl(folder / "plain.jsonl", numbered(30, labels=("café", "tea")))
    before = written(folder)
    words = [{"FILE": file, "PLAIN": plain}.get(word, word) for word in command.split()]
    result = augkit(*words)
    assert result.code == 2, result.err
    assert result.out == ""
    last = result.err.rstrip("\n").split("\n")[-1]
    assert last.startswith(f"augkit: {file}"), result.err
    for name in names:
        assert name in last
    assert written(folder) == before


@pytest.mark.slow
@pytest.mark.parametrize("defect", [*TEXTS, *LABELS])
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_refuses_the_row(augkit, tmp_path, command, defect):
    """In JSON Lines: texts that cannot be written, and labels that nobody can tell apart."""
    if "--test FILE" in command and command.startswith("check") and defect in LABELS:
        pytest.skip("only the texts of a check's test set are read")
    rows, names = rows_with(defect)
    refused(augkit, tmp_path, command, write_jsonl(tmp_path / "rows.jsonl", rows), names)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["jsonl", "json"])
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_refuses_a_key_given_twice(augkit, tmp_path, command, ending):
    """At the top of a row or inside of it, wherever the spaces are."""
    lines = [json.dumps(row) for row in numbered(30, labels=("café", "tea"))]
    lines[-1] = lines[-1].removesuffix("}") + ', "more": {"a" : 1, "b": "::", "a":2}}'
    text = "\n".join(lines) if ending == "jsonl" else f"[{', '.join(lines)}]"
    file = tmp_path / f"rows.{ending}"
    file.write_text(text, encoding="utf-8")
    refused(augkit, tmp_path, command, file, ["30: the key 'a' is given twice in one object"])


@pytest.mark.parametrize("defect", [*TEXTS[:1], *LABELS])
@pytest.mark.parametrize("ending", ["json", "csv"])
def test_every_reader_refuses_the_row(tmp_path, defect, ending):
    """Also arrays and tables, where the bytes of half a character stand in the file."""
    rows, names = rows_with(defect)
    file = tmp_path / f"rows.{ending}"
    if ending == "json":
        file.write_text(json.dumps(rows), encoding="utf-8")
    else:
        half = rows[-1]["text"]
        rows[-1]["text"] = half.replace("\ud83d", "HALF")
        content = write_csv(file, rows).read_bytes()
        file.write_bytes(content.replace(b"HALF", b"\xed\xa0\xbd"))
    with pytest.raises(DataError) as error:
        package.load_dataset(file)
    assert str(error.value).startswith(str(file))
    assert all(name in str(error.value) for name in names)


READ_IN_PYTHON = {
    "load_dataset": package.load_dataset,
    "check": package.check,
    "shortcuts": package.shortcuts,
    "split": package.split,
    "augment_frame": lambda frame: package.augment_frame(frame, "eda"),
}


@pytest.mark.slow
@pytest.mark.parametrize("function", READ_IN_PYTHON)
@pytest.mark.parametrize("defect", [*TEXTS, *LABELS])
def test_every_function_refuses_the_row(tmp_path, monkeypatch, defect, function):
    """Rows of a data frame are those of a file."""
    monkeypatch.chdir(tmp_path)
    rows, names = rows_with(defect)
    with pytest.raises(DataError) as error:
        READ_IN_PYTHON[function](pd.DataFrame(rows, dtype=object))
    assert all(name in str(error.value) for name in names), str(error.value)
    assert not written(tmp_path)


def test_what_is_given_in_python_is_whole():
    """Texts, labels and settings have no halves of characters, and labels look different."""
    half = "'text' has half of a character (\\ud83d"
    with pytest.raises(DataError) as error:
        package.example("cut \ud83d")
    assert half in str(error.value)
    with pytest.raises(DataError) as error:
        package.create("eda").augment(["whole", "cut \ud83d"])
    assert f"text 2: {half}" in str(error.value)
    rows = [package.example(f"Text {n}.", label) for n, label in enumerate(["tea", "tea\u200b"])]
    for fit in (package.create("eda").fit, lambda rows: package.fit_finder("tokens", rows)):
        with pytest.raises(DataError, match=r"the labels 'tea' .* look the same"):
            fit(rows)
    with pytest.raises(UserError, match=r"label_column.*half of a character"):
        package.load_dataset("reviews-demo", label_column="\ud83d")


@pytest.mark.parametrize(
    "command",
    [
        "try --method eda --text HALF",
        "perturb HALF --axis gender",
        "check HALF.csv",
        "run --config HALF.yaml",
        "run --set HALF=1 --out out",
        "run --method eda --dataset reviews-demo --out HALF",
    ],
)
def test_arguments_are_utf8(augkit, tmp_path, command):
    """Bytes that are none are told, in texts, in names of files and in settings."""
    result = augkit(*command.replace("HALF", "caf\udce9").split())
    assert result.code == 2
    assert "caf\\udce9" in result.err
    assert "no UTF-8 text" in result.err
    assert not written(tmp_path)


def test_texts_keep_their_characters(tmp_path):
    """Only labels are compared: a text keeps its bytes, whatever its form and its direction."""
    texts = ["cafe\u0301", "caf\xe9", "\u202etxt\u200b", "a :b", 'say "a":b', "a\tb : c"]
    rows = [{"text": text, "label": "xy"[number % 2]} for number, text in enumerate(texts)]
    file = write_jsonl(tmp_path / "rows.jsonl", rows)
    assert [row.fields["text"] for row in package.load_dataset(file)] == texts


def test_labels_that_look_different_are_read(tmp_path):
    """Compatible characters are not the same ones, and neither are capitals."""
    labels = ["x2", "x\xb2", "\ufb01x", "fix", "\uff21", "A", "a"]
    rows = [{"text": f"Text {label}.", "label": label} for label in labels]
    file = write_jsonl(tmp_path / "rows.jsonl", rows)
    assert [row.label for row in package.load_dataset(file)] == labels
