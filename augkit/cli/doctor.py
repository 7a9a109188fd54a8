"""``augkit doctor``: what is installed, what is missing, and the command that fixes it."""

from __future__ import annotations

import os
from typing import Annotated

import typer


def command(
    json_lines: Annotated[bool, typer.Option("--json", help="one JSON object per line")] = False,
) -> None:
    """Check the installation: each line shows what works, or the command that fixes it.

    Nothing is downloaded or sent. Keys are checked for, never shown.
    """
    from augkit.report.tables import print_rows
    from augkit.runs.commands.doctor import diagnose

    print_rows(diagnose(os.environ), json_lines=json_lines)
