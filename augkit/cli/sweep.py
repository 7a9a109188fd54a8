"""``augkit sweep``: a whole study from one YAML file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from augkit.cli import options


@options.made_from(
    "augkit.commands.sweep.settings:SweepSettings",
    "file out workers dry_run schema track data_folder engine ray_address",
)
def command(
    values: dict[str, Any],
    file: Annotated[Path, Argument(help="a YAML file: methods, datasets, seeds")],
    out: Annotated[
        Path | None, Option("--out", "-o", help="folder of the study; default: runs/NAME")
    ] = None,
    workers: Annotated[int, Option("--workers", "-w", min=1, help="trials in parallel")] = 2,
    dry_run: options.DryRun = False,
    schema: Annotated[
        bool, Option("--schema", help="print the JSON schema of such files, for editors")
    ] = False,
    track: options.Track = None,
) -> None:
    """Run and evaluate every method on every dataset with every seed, and show one table.

    Everything is checked before the first trial starts. A failed trial does not stop the others.
    Repeat the command to resume: finished trials are not run again.

    Examples:

        augkit sweep configs/sweeps/quickstart.yaml

        augkit sweep configs/sweeps/quickstart.yaml --dry-run
    """
    from augkit.commands.report_page import write_page
    from augkit.commands.sweep.settings import SweepSettings, read_sweep
    from augkit.commands.sweep.study import preview, run_study
    from augkit.commands.sweep.text import print_study, print_study_estimate, print_trial
    from augkit.commands.trackers import run_logger

    if schema:
        import json

        typer.echo(json.dumps(SweepSettings.model_json_schema(), indent=1))
        return
    study = read_sweep(file, values.pop("data_folder", None), values)
    if dry_run:
        print_study_estimate(preview(study))
        return
    folder = out or Path("runs") / study.name
    log = run_logger(track or ())
    done = run_study(study, folder, workers, print_trial)
    write_page(folder)
    for trial in dict.fromkeys(row.trial for row in done.rows):
        log(folder / "trials" / trial)
    if done.earlier:
        verb = "was" if done.earlier == 1 else "were"
        typer.echo(f"{done.earlier} of {done.planned} trials {verb} finished already")
    print_study(done)
    if done.failures:
        raise typer.Exit(1)
