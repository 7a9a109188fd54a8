"""Screens: at 80 columns no line is longer, and no word is broken."""

from __future__ import annotations

import re
import sys
from contextlib import suppress

import pytest

from augkit.cli.app import main
from augkit.report.terminal import print_rows

RUN = "runs/a-folder-with-a-long-name-of-several-words/and-one-more-inside-it"
STUDY = """
methods: [{chain: [swap, eda]}]
datasets: [reviews-demo]
seeds: [0, 1]
sample: 40
"""
CONTRACT = "{shortcuts: {allow: [dorian vale]}}"
ANSWERS = """
{"scenario": 1, "axis": "gender", "group": "man", "answer": 0.75}
{"scenario": 1, "axis": "gender", "group": "woman", "answer": 0.5}
"""
COMMANDS = (
    ["list", "methods"],
    ["list", "methods", "coba"],
    ["list", "datasets"],
    ["list", "models"],
    ["list", "metrics"],
    ["list", "--check"],
    ["shortcuts", "reviews-demo"],
    ["run", "--method", "swap", "--sample", "40", "--out", RUN],
    ["evaluate", RUN, "--test", "reviews-demo:test", "--set", "model.strength=1"],
    ["sweep", "study.yaml", "--dry-run"],
    ["sweep", "study.yaml", "--trials", "1", "--out", "study"],
    ["check", "reviews-demo", "--contract", "contract.yaml"],
    ["audit", "--answers", "answers.jsonl"],
    ["benchmark", "occupation-pronouns", "--sample", "20", "--model"],
)


@pytest.fixture
def screen(monkeypatch, capsys, tmp_path):
    """A function that gives the screen of a command on a terminal."""
    monkeypatch.chdir(tmp_path)

    def run(arguments, columns):
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        monkeypatch.setattr(sys, "argv", ["augkit", *arguments])
        with suppress(SystemExit):
            main()
        return re.sub(r"\x1b\[[\d;]*m", "", capsys.readouterr().out)

    return run


def words(shown):
    """The words of a screen, without the rules of tables."""
    return set(shown.replace("─", " ").split())


@pytest.mark.slow
def test_screens_fit_80_columns(screen, tiny_masked, tmp_path):
    """No line is longer and no word is broken; the last commands use the files of those before."""
    (tmp_path / "study.yaml").write_text(STUDY, encoding="utf-8")
    (tmp_path / "contract.yaml").write_text(CONTRACT, encoding="utf-8")
    (tmp_path / "answers.jsonl").write_text(ANSWERS, encoding="utf-8")
    for command in COMMANDS:
        arguments = [*command, str(tiny_masked)] if command[0] == "benchmark" else command
        shown = screen(arguments, 80)
        assert len(shown.splitlines()) > 2, arguments
        assert not [line for line in shown.splitlines() if len(line) > 80], arguments
        if command[0] == "run":  # not again: the clock would show another time
            assert RUN in shown
        else:
            assert words(shown) <= words(screen(arguments, 400)), arguments


def test_a_table_that_does_not_fit_is_stacked(capsys, monkeypatch):
    """Its words stay whole: a block of lines for each row."""
    monkeypatch.setenv("COLUMNS", "80")
    row = {f"a-long-name-{n}": f"a-word-that-is-long-{n}" for n in range(6)}
    print_rows([row])
    shown = capsys.readouterr().out
    assert all(word in shown for pair in row.items() for word in pair)
    assert max(map(len, shown.splitlines())) <= 80


def test_a_narrow_terminal_leaves_spare_columns_out(capsys, monkeypatch):
    """The first one first, and it says which; a wide one shows all."""
    row = {"feature": "branch", "rows": "a-word-of-24-characters-", "kind": "token", "z": "13.7"}
    for columns, left_out in ((80, ""), (30, "rows"), (18, "rows, kind")):
        monkeypatch.setenv("COLUMNS", str(columns))
        print_rows([row], spare=("rows", "kind"))
        shown = capsys.readouterr().out
        said = f"Not shown at this width: {left_out} (--json has all)"
        assert (said in shown) == bool(left_out)
        assert ("token" in shown) == (left_out != "rows, kind")
