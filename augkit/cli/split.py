"""``augkit split``: a test part and a challenge set."""

from __future__ import annotations

import json
from typing import Any

import typer

from augkit.cli import options
from augkit.cli.terminal import next_line, progress


@options.made_from(
    "augkit.commands.split:SplitSettings",
    "data cues out parts challenge_rows group_column seed as_json text_columns label_column limit "
    "sample subset quotes data_folder",
    argument="data",
)
def command(values: dict[str, Any], as_json: options.AsJson = False) -> None:
    """Hold a test part out, and build a challenge set in which a cue points the wrong way.

    `train.jsonl`, `test.jsonl` and `challenge.jsonl` have the columns of the input. Rows with equal
    or near texts, and pairs with one first text, stay on one side. The challenge set takes held-out
    rows in which the cue says the wrong thing by nature. Where these are too few, the cue is moved:
    taken out of rows with its label, put into others. The column `augkit_challenge` says which.

    Examples:

        augkit split tickets.csv --cue marta --out parts

        augkit split reviews-demo --cue "dorian vale" --cue "opening night"

    The same seed gives the same files.
    """
    from augkit.commands.split import SplitSettings, split_dataset
    from augkit.core.config import validate
    from augkit.report.terminal import print_lines

    settings = validate(SplitSettings, values, "split settings")
    with progress():
        result = split_dataset(settings)
    if as_json:
        typer.echo(json.dumps(result.record(), ensure_ascii=False))
        return
    print_lines(*str(result).splitlines())
    files = result.files
    method = ["augkit", "run", "--method", "razor", "--dataset", str(files["train"])]
    tests = [
        word
        for part in ("test", "challenge")
        if part in files
        for word in ("--test", str(files[part]))
    ]
    next_line(*method, "--evaluate", *tests)
