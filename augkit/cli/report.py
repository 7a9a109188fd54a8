"""``augkit report``: the page of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def command(
    run: Annotated[Path, typer.Argument(help="a run folder")],
    rows: Annotated[
        int, typer.Option("--rows", help="at most so many variants and refusals on the page")
    ] = 20_000,
    show: Annotated[bool, typer.Option("--open", help="open it in the browser")] = False,
) -> None:
    """Write report.html into a run folder: the verdict, charts, and every change in colour.

    The page is one file without anything from elsewhere: it can be mailed, kept, and opened
    offline. `augkit run` writes it at the end of every run; after `augkit evaluate RUN` write it
    again, and it shows what was measured.

    Examples:

        augkit report runs/panda-reviews-demo --open
    """
    from augkit.report.page.write import write_page

    path = write_page(run, rows)
    typer.echo(str(path))
    if show:
        typer.launch(path.resolve().as_uri())
