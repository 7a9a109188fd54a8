"""``augkit list``: what is installed."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer


class Kind(str, Enum):
    """What can be listed."""

    methods = "methods"
    datasets = "datasets"
    llms = "llms"
    gates = "gates"
    metrics = "metrics"
    finders = "finders"
    benchmarks = "benchmarks"
    trackers = "trackers"


def command(
    kind: Annotated[Kind, typer.Argument(help="what to list")] = Kind.methods,
    json_lines: Annotated[bool, typer.Option("--json", help="one JSON object per line")] = False,
) -> None:
    """List methods, datasets, models, gates, metrics, finders, benchmarks or trackers.

    Plug-ins appear as soon as their package is installed.

    Examples:

        augkit list methods

        augkit list datasets --json
    """
    from augkit.report.tables import print_catalogue
    from augkit.runs.commands.catalogue import catalogue

    print_catalogue(catalogue(kind.value), json_lines=json_lines)
