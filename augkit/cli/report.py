"""``augkit report``: the page of a run, a study, or of shortcuts found."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def command(
    folder: Annotated[
        Path, typer.Argument(help="the folder of a run, of a study, or of `augkit shortcuts --out`")
    ],
    rows: Annotated[
        int, typer.Option("--rows", help="at most so many variants and rejections on the page")
    ] = 20_000,
    show: Annotated[bool, typer.Option("--open", help="open it in the browser")] = False,
) -> None:
    """Write report.html into a folder: the verdict, charts, and every change in colour.

    The page is one file without anything from elsewhere: it can be mailed, kept, and opened
    offline. `augkit run` and `augkit sweep` write it at their end; after `augkit evaluate RUN`
    write it again, and it shows what was measured. Of shortcuts that a grammar found it draws the
    trees.

    Examples:

        augkit report runs/panda-reviews-demo --open

        augkit report studies/quickstart
    """
    from augkit.report.page.write import write_page

    path = write_page(folder, rows)
    typer.echo(str(path))
    if show:
        typer.launch(path.resolve().as_uri())
