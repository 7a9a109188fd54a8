"""``augkit train-perturber``: a perturber of your own from pairs of texts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def command(
    pairs: Annotated[
        Path,
        typer.Argument(help="JSON lines {original, selected_word, target_attribute, perturbed}"),
    ],
    base: Annotated[
        str, typer.Option("--base", help="the model to begin with: a folder, or a hub id")
    ],
    out: Annotated[Path, typer.Option("--out", help="the folder to write the trained model into")],
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", help="a setting: key=value, as epochs=3 or validation=FILE; repeat for more"
        ),
    ] = None,
) -> None:
    """Fine-tune a sequence-to-sequence model on pairs in PANDA's format, with the paper's settings.

    The folder then rewrites: `augkit run --method panda --set perturber=seq2seq --set model=DIR`.

    Example:

        augkit train-perturber pairs.jsonl --base facebook/bart-large --out perturber/
    """
    from augkit.core.config import parse_settings, validate
    from augkit.models.language_models.perturber import (
        PerturberEpoch,
        PerturberSettings,
        read_pairs,
        train_perturber,
    )

    def tell(epoch: PerturberEpoch) -> None:
        losses = f"loss {epoch.train_loss:.4f}, on validation {epoch.validation_loss:.4f}"
        typer.echo(f"epoch {epoch.number}: {losses}", err=True)

    chosen = validate(PerturberSettings, parse_settings(settings or []), "settings of the training")
    training = train_perturber(read_pairs(pairs), base, out, chosen, tell)
    counts = f"{training.trained_on} pairs, {training.too_long} too long"
    typer.echo(f"{out}: epoch {training.best} of {len(training.epochs)} is kept ({counts})")
