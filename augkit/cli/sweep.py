"""``augkit sweep``: a whole study from one YAML file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from augkit.cli import options
from augkit.cli.terminal import next_line, without_dry_run
from augkit.text.screen import show, show_json


@options.made_from(
    "augkit.commands.sweep.settings:SweepSettings",
    "study out trials model llm base_url budget settings list_studies schema dry_run",
)
def command(
    values: dict[str, Any],
    study: Annotated[
        str | None,
        Argument(help="a YAML file (methods, datasets, seeds), or a name of --list"),
    ] = None,
    out: Annotated[
        Path | None, Option("--out", "-o", help="folder of the study; default: runs/NAME")
    ] = None,
    trials: Annotated[int, Option(min=1, help="trials at a time")] = 2,
    dry_run: options.DryRun = False,
    list_studies: Annotated[
        bool, Option("--list", help="print the studies that come with augkit")
    ] = False,
    schema: Annotated[
        bool, Option("--schema", help="print the JSON schema of such files, for editors")
    ] = False,
    model: Annotated[
        list[str] | None,
        Option(
            help="classifier, instead of those of the file: linear, encoder:PATH or "
            "transformers:PATH; repeatable"
        ),
    ] = None,
) -> None:
    """Run and evaluate every method on every dataset with every seed, and show one table.

    STUDY is a file of yours, or the name of a study that comes with augkit: most tables of the
    papers are. What it needs (data, columns, packages, models) is checked before the first trial
    starts, and one error lists all that is missing. A failed trial does not stop the others.
    Repeat the command to resume: finished trials are not run again.

    Examples:

        augkit sweep --list

        augkit sweep quickstart

        augkit sweep my-study.yaml --dry-run

        augkit sweep coba-table-4 --model encoder:./minilm

        augkit sweep razor-table-3 --llm openai:gpt-4o-mini --budget 2.00
    """
    from augkit.commands.report_page import write_page
    from augkit.commands.sweep.named import find_sweep, sweep_list
    from augkit.commands.sweep.settings import SweepSettings, read_sweep
    from augkit.commands.sweep.study import preview, run_study
    from augkit.commands.sweep.text import print_study, print_study_estimate, print_trial
    from augkit.core.errors import ConfigError
    from augkit.report.terminal import print_rows

    if schema:
        show_json(SweepSettings.model_json_schema(), indent=1)
        return
    if list_studies:
        print_rows(sweep_list())
        next_line("augkit", "sweep", "quickstart")
        return
    if study is None:
        raise ConfigError("no study: give a YAML file, or a name of augkit sweep --list")
    if model:
        values["models"] = model
    settings = read_sweep(find_sweep(study), values.pop("data_folder", None), values)
    if dry_run:
        print_study_estimate(preview(settings))
        without_dry_run()
        return
    folder = out or Path("runs") / settings.name
    done = run_study(settings, folder, trials, print_trial)
    write_page(folder)
    if done.earlier:
        verb = "was" if done.earlier == 1 else "were"
        show(f"{done.earlier} of {done.planned} trials {verb} finished already")
    print_study(done)
    next_line("augkit", "report", str(folder), "--open")
    if done.failures:
        raise typer.Exit(1)
