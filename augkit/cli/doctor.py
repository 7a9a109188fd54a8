"""``augkit doctor``: what is installed, what is missing, and the command that mends it."""

from __future__ import annotations

import os
from typing import Annotated

import typer


def command(
    json_lines: Annotated[bool, typer.Option("--json", help="one JSON object a line")] = False,
) -> None:
    """Check the installation: each line says what works, or the exact command that mends it.

    Nothing is downloaded and nothing is sent anywhere. A key is only looked for, never shown.
    """
    from augkit.report.tables import print_rows
    from augkit.runs.commands.doctor import checkup

    print_rows(checkup(os.environ), json_lines=json_lines)
