"""``augkit push``: a run's dataset on the hub."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def command(
    run: Annotated[Path, typer.Argument(help="a finished run folder")],
    name: Annotated[str, typer.Argument(help="the repository: OWNER/NAME")],
    private: Annotated[bool, typer.Option("--private", help="only you can see it")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="print the card and what would go up; do nothing")
    ] = False,
) -> None:
    """Put the dataset of a run on the Hugging Face hub, with a card that tells how it was made.

    The card says what was changed, by which method with which settings, what was measured, what
    to mind, and how to make it again. Log in first: `hf auth login`. The original dataset may not
    allow this: its licence holds for what was made of it.

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
