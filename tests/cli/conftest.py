"""The command line, called in this process as a shell would call it."""

from dataclasses import dataclass

import pytest


@dataclass
class Result:
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str


@pytest.fixture
def augkit(monkeypatch, capsys, tmp_path):
    """Call ``augkit`` with arguments, in an empty folder."""
    from augkit.cli.app import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def call(*arguments):
        monkeypatch.setattr("sys.argv", ["augkit", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = stop.code or 0
        printed = capsys.readouterr()
        return Result(code, printed.out, printed.err)

    return call
