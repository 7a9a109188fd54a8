"""``augkit push``: upload the dataset of a run to the hub."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def command(
    run: Annotated[Path, typer.Argument(help="a finished run folder")],
    name: Annotated[str, typer.Argument(help="the repository: OWNER/NAME")],
    private: Annotated[bool, typer.Option("--private", help="make the repository private")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="only print the card and the files to upload")
    ] = False,
) -> None:
    """Upload the dataset of a run to the Hugging Face hub, with a dataset card.

    The card states the method and its settings, what changed, the scores, the caveats, and how to
    reproduce it. Log in first: `hf auth login`. Check the licence of the original dataset: it
    applies to what was made from it.

    Examples:

        augkit push runs/coba-reviews-demo me/reviews-coba --dry-run

        augkit push runs/coba-reviews-demo me/reviews-coba --private
    """
    from augkit.report.card.write import dataset_card
    from augkit.runs.commands.push import check_name, files_of, push

    check_name(name)
    files = files_of(run)
    card = dataset_card(run, name)
    if dry_run:
        typer.echo(card)
        for path in files:
            typer.echo(f"{path.name}: {path.stat().st_size:,} bytes", err=True)
        return
    typer.echo(push(run, name, card, private=private))
