"""``augkit list``: what is installed; with ``--check``, what is missing, and the fix."""

from __future__ import annotations

import os
from typing import Annotated

from typer import Argument, Option

from augkit.cli import options
from augkit.cli.terminal import next_line

_KINDS = "methods datasets llms models gates metrics finders benchmarks".split()
_IN_PYTHON = {"augmenters": "methods"}
"""What the Python package calls a kind → its name here."""


def list_command(
    kind: Annotated[str, Argument(help=f"what to list: {', '.join(_KINDS)}")] = "methods",
    name: Annotated[str | None, Argument(help="one of them: everything about it")] = None,
    show_all: Annotated[
        bool, Option("--all", help="show all settings, not only what most people need")
    ] = False,
    check: Annotated[
        bool, Option("--check", help="check the installation, and say how to fix what is missing")
    ] = False,
    as_json: options.AsJson = False,
) -> None:
    """List methods, datasets, llms, models, gates, metrics, finders or benchmarks.

    Plug-ins appear as soon as their package is installed. `--check` downloads and sends nothing;
    keys are looked for, never shown.

    Examples:

        augkit list methods

        augkit list methods coba

        augkit list datasets --json

        augkit list --check
    """
    from augkit.commands.catalogue import catalogue, main_settings, settings_of
    from augkit.core.errors import UnknownName, UserError, nearest
    from augkit.report.terminal import print_catalogue, print_entry, print_lines

    if check:
        _print_checks(as_json=as_json)
        return
    if kind not in _KINDS:
        near = nearest(kind, [*_KINDS, *_IN_PYTHON])
        near = _IN_PYTHON.get(near or "", near)
        hint = f" Did you mean '{near}'?" if near else ""
        kinds = sorted(_KINDS, key=lambda name: name != near)
        raise UserError(f"there is no list of '{kind}'.{hint} Known: {', '.join(kinds)}.")
    rows = {str(row["name"]): row for row in catalogue(kind)}
    if name is None:
        print_catalogue(list(rows.values()), as_json=as_json)
        if not as_json:
            _next(kind)
        return
    if name not in rows:
        raise UnknownName(kind.removesuffix("s"), name, rows)
    settings = settings_of(kind, name)
    shown = settings if show_all or as_json else main_settings(kind, name, settings)
    print_entry(rows[name], shown, as_json=as_json)
    if len(shown) < len(settings):
        left = len(settings) - len(shown)
        print_lines(f"{left} more settings: augkit list {kind} {name} --all")


def _next(kind: str) -> None:
    """The command after a list: one of its names in use."""
    after = {
        "methods": ("list", "methods", "coba"),
        "datasets": ("check", "reviews-demo"),
        "finders": ("shortcuts", "reviews-demo"),
    }
    if kind in after:
        next_line("augkit", *after[kind])


def _print_checks(*, as_json: bool) -> None:
    """What is installed, what is missing, and the command that fixes it."""
    from augkit.commands.catalogue import diagnose
    from augkit.report.terminal import print_rows

    print_rows(diagnose(os.environ), as_json=as_json)
    if not as_json:
        next_line("augkit", "fix", "reviews-demo")
