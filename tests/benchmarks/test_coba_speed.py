"""The benchmark of coba's CPU-seconds."""

import json
import sys

from benchmarks.release import coba_speed


def test_commands_of_two_checkouts_take_turns_and_are_compared(monkeypatch, capsys):
    """A cheap command instead of coba: time is counted, and the ratio is that of the seconds."""
    monkeypatch.setitem(coba_speed.COMMANDS, "try", "--version")
    monkeypatch.setattr(
        sys, "argv", ["coba_speed", "--base", str(coba_speed.ROOT), "--only", "try"]
    )
    coba_speed.main()
    measured = json.loads(capsys.readouterr().out)["commands"]["try"]
    assert measured["cpu_s"] > 0
    assert measured["base_cpu_s"] > 0
    assert measured["ratio"] > 0
