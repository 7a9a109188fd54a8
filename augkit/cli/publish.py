"""``augkit report`` (the page of a folder) and ``augkit export``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from augkit.cli import options
from augkit.cli.terminal import next_line
from augkit.text.screen import show


def report_command(
    folder: Annotated[
        Path, Argument(help="the folder of a run, of a study, or of `augkit shortcuts --out`")
    ],
    rows: Annotated[int, Option(help="at most N variants and rejections on the page")] = 20_000,
    open_page: Annotated[bool, Option("--open", help="open it in the browser")] = False,
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
    from augkit.commands.report_page import write_page

    path = write_page(folder, rows)
    show(str(path))
    if open_page:
        typer.launch(path.resolve().as_uri())
    else:
        next_line("augkit", "report", str(folder), "--open")


def export_command(
    run: Annotated[Path, Argument(help="a finished run folder")],
    out: Annotated[Path, Option("--out", "-o", help="an empty folder for the files")],
    kind: Annotated[
        str, Option("--format", help="jsonl, lm-eval (lm-evaluation-harness) or inspect")
    ] = "jsonl",
    data_folder: options.DataFolder = None,
) -> None:
    """Write the originals of a run and their variants as a test for other harnesses.

    Each row is a question with the labels as choices; an original and its variants share a
    `pair_id`. Both harnesses report accuracy and the share of pairs of which all rows are right.

    Examples:

        augkit export runs/panda-reviews-demo --format lm-eval --out tasks

        augkit export runs/coba-reviews-demo --format inspect --out tasks
    """
    from augkit.commands.publish.export import export_run

    done = export_run(run, out, kind, data_folder)
    show("{folder}: {rows:,} rows of {pairs:,} pairs".format(**done))
    if kind == "lm-eval":
        task = ("--tasks", done["name"], "--include_path", str(out))
        next_line("lm_eval", "--model", "hf", "--model_args", "pretrained=MODEL", *task)
    elif kind == "inspect":
        next_line("inspect", "eval", str(out / f"{done['name']}.py"), "--model", "MODEL")
