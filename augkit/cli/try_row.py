"""``augkit try``: one row and one method, with all that a model was asked and answered."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer import Argument, Option

from augkit.cli import options
from augkit.cli.terminal import next_line, words_given
from augkit.text.screen import show


@options.made_from(
    "augkit.runs.settings:RunSettings",
    "data dataset method llm row texts label settings config",
    owner="of the method (of the finder: find.KEY=VALUE)",
)
def command(
    values: dict[str, Any],
    data: Annotated[str | None, Argument(help="as in `augkit run`")] = None,
    dataset: options.DatasetName = None,
    row: Annotated[
        int | None,
        Option(
            help="the number of the row, from 1, among those used; default: the first with an "
            "accepted variant, with a language model the first"
        ),
    ] = None,
    texts: Annotated[
        list[str] | None, Option("--text", help="a text of your own; give it twice for pairs")
    ] = None,
    label: Annotated[str | None, Option(help="the label of --text")] = None,
    config: options.Config = None,
) -> None:
    """Augment one row and show every prompt, answer and check: to choose models and tune prompts.

    Examples:

        augkit try -m paraphrase --llm openai:gpt-4o-mini --row 4

        augkit try -m paraphrase --text "A warm and funny film." --label positive \
            --config model.yaml

    `model.yaml` has the settings of a run: `llm: openai:NAME`, `prompts: FOLDER`,
    `connection: {base_url: http://localhost:8000/v1, budget: 0.50}`.

    Exit codes: 0 done, 2 invalid input, 3 budget exhausted, 4 back end failed.
    """
    from augkit.commands.try_row import trial_lines, try_row
    from augkit.core.errors import BackendFailed
    from augkit.runs.settings import merge_settings

    given = options.run_settings(values)
    given["dataset"] = options.one_dataset(data, dataset)
    chosen = merge_settings(given, config)
    trial = try_row(chosen, row, texts or (), label)
    for line in trial_lines(trial):
        show(line)
    if trial.failed_calls:
        raise typer.Exit(BackendFailed.exit_code)
    next_line("augkit", "run", *_words_of_a_run())


def _words_of_a_run() -> list[str]:
    """The words of this command that `run` takes too.

    >>> import sys
    >>> sys.argv = ["augkit", "try", "-m", "coba", "--row", "4", "--text=He left."]
    >>> _words_of_a_run()
    ['-m', 'coba']
    """
    words = iter(words_given()[1:])
    kept: list[str] = []
    for word in words:
        flag, _, value = word.partition("=")
        if word.startswith("base_url=") and kept[-1:] == ["--set"]:
            kept[-1:] = ["--base-url", value]  # it has an option there
        elif flag not in {"--row", "--text", "--label"}:
            kept.append(word)
        elif not value:
            next(words, None)
    return kept
