"""``augkit report``: the page of a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from augkit.cli.terminal import next_line
from augkit.text.screen import show


def command(
    folder: Annotated[
        Path, Argument(help="the folder of a run, of a study, or of `augkit shortcuts --out`")
    ],
    open_page: Annotated[bool, Option("--open", help="open it in the browser")] = False,
) -> None:
    """Write report.html into a folder: the verdict, charts, and every change in colour.

    The page is one file without anything from elsewhere: it can be mailed, kept, and opened
    offline. It has the first 20,000 variants and rejections. `augkit run` and `augkit sweep` write
    it at their end; after `augkit evaluate RUN` write it again, and it shows what was measured. Of
    shortcuts that a grammar found it draws the trees.

    Examples:

        augkit report runs/panda-reviews-demo --open

        augkit report studies/quickstart
    """
    from augkit.commands.report_page import write_page

    path = write_page(folder)
    show(str(path))
    if open_page:
        typer.launch(path.resolve().as_uri())
    else:
        next_line("augkit", "report", str(folder), "--open")
