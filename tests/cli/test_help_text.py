"""Help screens: 80 columns, nothing cut off, quick to load."""

import re

import pytest
import typer.main
from typer.testing import CliRunner

from augkit.cli.app import app
from augkit.cli.help_text import help_text

COMMANDS = sorted(typer.main.get_command(app).commands)  # type: ignore[attr-defined]
SCREEN = {"COLUMNS": "80", "TERMINAL_WIDTH": "80"}


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_a_help_screen_fits_80_columns_and_cuts_nothing_off(command):
    shown = CliRunner().invoke(app, [*command.split(), "--help"], env=SCREEN).stdout
    assert shown.startswith("Usage:")
    assert [line for line in shown.splitlines() if len(line) > 80] == []
    assert "...\n" not in shown.partition("\n")[2]
    assert "<bool>" not in shown
    assert "<list" not in shown
    assert not re.search(r"\w-$", shown, re.MULTILINE)
    assert shown.isascii()


def test_a_long_command_is_continued_before_an_option():
    text = help_text("Do.\n\nExamples:\n\n    augkit do " + "--option value " * 6)
    first, second = " --option value" * 4, "--option value --option value"
    assert text == f"Do.\n\n\b\nExamples:\n  augkit do{first} \\\n      {second}"


def test_prose_and_commands_may_alternate():
    text = help_text("Do.\n\nFirst:\n\n    augkit a\n\nThen:\n\n    augkit b\n\nDone.")
    assert text == "Do.\n\n\b\nFirst:\n  augkit a\n\n\b\nThen:\n  augkit b\n\nDone."
