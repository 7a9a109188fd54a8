"""``augkit split``: a test part and a challenge set."""

from __future__ import annotations

from typing import Any

from augkit.cli import options
from augkit.cli.terminal import next_line, progress, reading_flags
from augkit.text.screen import show_json


@options.made_from(
    "augkit.commands.fix.parts:SplitSettings",
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
    Of preference pairs and multiple choice, Markdown and places are swapped.

    Examples:

        augkit split tickets.csv --cue marta --out parts

        augkit split reviews-demo --cue "dorian vale" --cue "opening night"

    The same seed gives the same files.
    """
    from augkit.commands.fix.parts import SplitSettings
    from augkit.commands.split import split_dataset
    from augkit.core.config import validate
    from augkit.report.terminal import print_lines

    settings = validate(SplitSettings, values, "split settings")
    with progress():
        result = split_dataset(settings)
    if as_json:
        show_json(result.record())
        return
    print_lines(*str(result).splitlines())
    columns = reading_flags(values.get("reading", {}))
    if not result.cues:
        next_line("augkit", "shortcuts", "--dataset", settings.data, *columns)
        return
    files = result.files
    method = "razor" if "deleted" in files else "prune"
    tests = [
        word
        for part in ("test", "challenge")
        if part in files
        for word in ("--test", str(files[part]))
    ]
    run = ["augkit", "run", "--method", method, "--dataset", str(files["train"])]
    next_line(*run, *columns, "--evaluate", *tests)
