"""``augkit split``: a test part and a challenge set."""

from __future__ import annotations

from typing import Any

from augkit.cli import options
from augkit.cli.terminal import next_line, progress, reading_flags
from augkit.text.screen import show_json


@options.made_from(
    "augkit.commands.split:SplitSettings",
    "data cues out parts challenge_rows group_column seed as_json text_columns label_column limit "
    "sample subset quotes data_folder",
    argument="data",
)
def command(values: dict[str, Any], as_json: options.AsJson = False) -> None:
    """Hold a test part out, and build a challenge set in which a cue points the wrong way.

    `train.jsonl`, `test.jsonl` and `challenge.jsonl` have the columns of the input. Rows with equal
    or near texts, and pairs with one first text, stay on one side. In the challenge set the cue is
    taken out of held-out rows with its label and put into others; those in which it says the wrong
    thing by nature are as they are. The column `augkit_challenge` says which. Of preference pairs
    and multiple choice, prompts are held out, and there is no challenge set.

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
        show_json(result.record())
        return
    print_lines(*str(result).splitlines())
    columns = reading_flags(values.get("reading", {}))
    if not result.cues and result.unit == "row":
        next_line("augkit", "shortcuts", "--dataset", settings.data, *columns)
        return
    files = result.files
    method = "razor" if result.unit == "row" else "prune"
    tests = [
        word
        for part in ("test", "challenge")
        if part in files
        for word in ("--test", str(files[part]))
    ]
    run = ["augkit", "run", "--method", method, "--dataset", str(files["train"])]
    next_line(*run, *columns, "--evaluate", *tests)
