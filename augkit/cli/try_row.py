"""``augkit try``: one row and one method, with all that a model was asked and answered."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Option

from augkit.cli.options import (
    CONNECTION,
    AnswerColumns,
    BaseUrl,
    Budget,
    Cache,
    DataFolder,
    EditColumns,
    EditRoles,
    Examples,
    LabelColumn,
    LabelOrder,
    Llm,
    Prices,
    Prompts,
    SpanColumns,
    TagNames,
    TextColumns,
    given_settings,
    take,
)


def command(
    method: Annotated[
        str | None, Option("--method", "-m", help="a name of `augkit list methods`; default: coba")
    ] = None,
    dataset: Annotated[
        str | None, Option("--dataset", "-d", help="as for `augkit run`; default: reviews-demo")
    ] = None,
    row: Annotated[int, Option(help="the number of the row, from 0")] = 0,
    texts: Annotated[
        list[str] | None, Option("--text", help="a text of your own; give it twice for pairs")
    ] = None,
    label: Annotated[str | None, Option(help="the label of --text")] = None,
    text_columns: TextColumns = None,
    edit_columns: EditColumns = None,
    edit_roles: EditRoles = None,
    span_columns: SpanColumns = None,
    answer_columns: AnswerColumns = None,
    tag_names: TagNames = None,
    label_column: LabelColumn = None,
    label_order: LabelOrder = None,
    llm: Llm = None,
    judge_llm: Annotated[str | None, Option(help="a second model that judges the variants")] = None,
    prompts: Prompts = None,
    examples: Examples = None,
    base_url: BaseUrl = None,
    budget: Budget = None,
    prices: Prices = None,
    cache: Cache = None,
    settings: Annotated[
        list[str] | None, Option("--set", help="a setting, as for `augkit run`; repeatable")
    ] = None,
    config: Annotated[
        Path | None, Option(help="settings in a YAML file; options override it")
    ] = None,
    data_folder: DataFolder = None,
) -> None:
    """Augment one row and show every prompt, answer and check: to choose models and tune prompts.

    Examples:

        augkit try -m paraphrase --llm openai:gpt-4o-mini --row 3

        augkit try -m paraphrase --llm openai:any --base-url http://localhost:8000/v1 \
            --text "A warm and funny film." --label positive --prompts my-prompts
    """
    given = given_settings(locals(), "config", "row", "texts", "label")
    from augkit.core.config import parse_settings
    from augkit.report.trial import trial_lines
    from augkit.runs.commands.try_row import try_row
    from augkit.runs.settings import merge_settings

    options = parse_settings(settings or [])
    connection = take(given, CONNECTION)
    given |= {name: options.pop(name, {}) for name in ("text_gates", "judge")}
    given |= {"options": options, "connection": connection}
    trial = try_row(merge_settings(given, config), row, texts or (), label)
    for line in trial_lines(trial.row, trial.exchanges, trial.verdicts, trial.outcomes):
        typer.echo(line)
