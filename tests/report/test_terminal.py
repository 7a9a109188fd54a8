"""Screens: at 80 columns no line is longer, and no word is broken."""

from __future__ import annotations

import re
import sys
from contextlib import suppress

import pytest

from augkit.cli.app import main
from augkit.report.terminal import print_rows

COMMANDS = (
    ["list", "methods"],
    ["list", "methods", "coba"],
    ["list", "datasets"],
    ["list", "metrics"],
    ["doctor"],
    ["shortcuts", "--dataset", "reviews-demo"],
    ["run", "--method", "swap", "--limit", "40", "--out", "RUN"],
    ["evaluate", "RUN", "--test", "reviews-demo:test", "--set", "model.strength=1"],
)


@pytest.fixture
def screen(monkeypatch, capsys, tmp_path):
    """A function that gives the screen of a command on a terminal of 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)

    def run(arguments):
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        monkeypatch.setattr(sys, "argv", ["augkit", *arguments])
        with suppress(SystemExit):
            main()
        return re.sub(r"\x1b\[[\d;]*m", "", capsys.readouterr().out)

    return run


def test_screens_fit_80_columns(screen):
    """Each command in turn; the last ones use the run before them."""
    for arguments in COMMANDS:
        lines = screen(arguments).splitlines()
        assert len(lines) > 2
        assert not [line for line in lines if len(line) > 80], arguments


def test_a_table_that_does_not_fit_is_stacked(capsys, monkeypatch):
    """Its words stay whole: a block of lines for each row."""
    monkeypatch.setenv("COLUMNS", "80")
    row = {f"a-long-name-{n}": f"a-word-that-is-long-{n}" for n in range(6)}
    print_rows([row])
    shown = capsys.readouterr().out
    assert all(word in shown for pair in row.items() for word in pair)
    assert max(map(len, shown.splitlines())) <= 80
