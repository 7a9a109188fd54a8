"""``augkit list`` (what is installed) and ``augkit doctor`` (what is missing, and the fix)."""

from __future__ import annotations

import os
from enum import Enum
from typing import Annotated

from typer import Argument

from augkit.cli import options


class Kind(str, Enum):
    """What can be listed."""

    methods = "methods"
    datasets = "datasets"
    llms = "llms"
    models = "models"
    gates = "gates"
    metrics = "metrics"
    finders = "finders"
    benchmarks = "benchmarks"
    trackers = "trackers"


def list_command(
    kind: Annotated[Kind, Argument(help="what to list")] = Kind.methods,
    name: Annotated[str | None, Argument(help="one of them: everything about it")] = None,
    json_lines: options.JsonLines = False,
) -> None:
    """List methods, datasets, llms, models, gates, metrics, finders, benchmarks or trackers.

    Plug-ins appear as soon as their package is installed.

    Examples:

        augkit list methods

        augkit list methods coba

        augkit list datasets --json
    """
    from augkit.core.errors import UnknownName
    from augkit.report.terminal import print_catalogue, print_entry
    from augkit.runs.commands.catalogue import catalogue, settings_of

    rows = {str(row["name"]): row for row in catalogue(kind.value)}
    if name is None:
        print_catalogue(list(rows.values()), json_lines=json_lines)
        return
    if name not in rows:
        raise UnknownName(kind.value.removesuffix("s"), name, rows)
    print_entry(rows[name], settings_of(kind.value, name), as_json=json_lines)


def doctor_command(json_lines: options.JsonLines = False) -> None:
    """Check the installation: each line shows what works, or the command that fixes it.

    Nothing is downloaded or sent. Keys are checked for, never shown.
    """
    from augkit.report.terminal import print_rows
    from augkit.runs.commands.catalogue import diagnose

    print_rows(diagnose(os.environ), json_lines=json_lines)
