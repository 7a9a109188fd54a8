"""Options that several commands share, each declared once, and what the command line gives."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from typer import Option

Method = Annotated[
    str | None, Option("--method", "-m", help="a name of `augkit list methods`; default: coba")
]
Dataset = Annotated[
    str | None,
    Option(
        "--dataset",
        "-d",
        help="a name (`augkit list datasets`), a hub id, or a jsonl/csv/tsv/parquet file; "
        "NAME:SPLIT selects a split, NAME:A+B joins two; default: reviews-demo",
    ),
]
Settings = Annotated[
    list[str] | None,
    Option(
        "--set",
        help="a setting of the method: KEY=VALUE; of the finder: find.KEY=VALUE; of the checks "
        "of an LLM's texts: text_gates.KEY=VALUE, judge.KEY=VALUE; repeatable",
    ),
]
Config = Annotated[Path | None, Option(help="settings in a YAML file; options override it")]
TextColumns = Annotated[
    list[str] | None, Option("--text-column", help="column of a text; give it again for each more")
]
EditColumns = Annotated[
    list[str] | None,
    Option("--edit-column", help="text column that may change; repeatable; default: all"),
]
EditRoles = Annotated[
    list[str] | None,
    Option("--edit-role", help="role of a chat whose messages may change; default: user"),
]
SpanColumns = Annotated[
    list[str] | None,
    Option(
        "--span-column",
        help="column of offsets, SQuAD answers or token tags that must stay true; "
        "COLUMN=TEXT names its text; repeatable",
    ),
]
AnswerColumns = Annotated[
    list[str] | None,
    Option("--answer-column", help="column of a string that occurs in a text; repeatable"),
]
TagNames = Annotated[str | None, Option(help="names of tags that are numbers, as O,B-PER,I-PER")]
LabelColumn = Annotated[str | None, Option(help="column of the label")]
LabelOrder = Annotated[
    str | None, Option(help='labels from lowest to highest, as "1,2,3,4,5", where they are ordered')
]
IdColumn = Annotated[str | None, Option(help="column with a unique id for each row")]
Subset = Annotated[str | None, Option(help="configuration of a hub dataset")]
Quotes = Annotated[bool | None, Option(help='whether " quotes the cells of a CSV file')]
DataFolder = Annotated[
    Path | None,
    Option("--data", help="data folder with NAME/SPLIT.jsonl[.gz]", envvar="AUGKIT_DATA"),
]
AsJson = Annotated[bool, Option("--json", help="one JSON object")]
JsonLines = Annotated[bool, Option("--json", help="one JSON object per line")]
Llm = Annotated[
    str | None,
    Option(
        help="offline (default: no key, no cost), openai:MODEL, transformers:PATH, "
        "scripted:PATH (replays a run or a file of replies)",
    ),
]
JudgeLlm = Annotated[str | None, Option(help="a second model that judges the variants")]
BaseUrl = Annotated[str | None, Option(help="your own server, as http://localhost:8000/v1")]
Budget = Annotated[
    str | None, Option(help="hard limit: 2.00 (dollars), 500calls or 100000tokens; exit code 3")
]
Prices = Annotated[Path | None, Option(help="YAML file of dollars per million tokens")]
Cache = Annotated[
    Path | None, Option(help="file that keeps paid replies for all runs", envvar="AUGKIT_CACHE")
]
Batch = Annotated[
    bool | None,
    Option(
        "--batch", help="submit each step as a batch of OpenAI's, at half the price; exit code 5"
    ),
]
BatchWait = Annotated[
    bool | None, Option("--batch-wait", help="the same, and wait until it is answered")
]
Prompts = Annotated[
    Path | None, Option(help="your prompts: a folder with the tree of augkit/prompts")
]
Examples = Annotated[
    str | None,
    Option(help="worked examples for the model: a YAML file, or data:3 (rows for the judge)"),
]
Engine = Annotated[str | None, Option(help="local, or ray (shards on a Ray cluster)")]
RayAddress = Annotated[
    str | None, Option(help="HOST:6379 or auto; default: start Ray on this machine")
]
Track = Annotated[list[str] | None, Option(help="log to mlflow or wandb; repeat for both")]
DryRun = Annotated[
    bool, Option("--dry-run", help="only show what would be done and what it would cost")
]

READING = ("text_columns", "label_column", "subset", "quotes", "data_folder")
CONNECTION = ("base_url", "budget", "prices", "cache", "batch", "batch_wait")


def given_settings(options: Mapping[str, Any], *other: str) -> dict[str, Any]:
    """The settings among a command's options (its ``locals()``) that were given.

    ``other`` are options that are no settings.
    """
    left_out = {"settings", "as_json", *other}
    given = {name: value for name, value in options.items() if value is not None and value != []}
    return {name: value for name, value in given.items() if name not in left_out}


def take(given: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """Move the settings of these names out of those ``given``."""
    return {name: given.pop(name) for name in names if name in given}


def run_settings(given: dict[str, Any], settings: list[str] | None) -> dict[str, Any]:
    """The settings of a run, by section, from the options ``given`` and the values of --set."""
    from augkit.core.config import parse_settings

    options = parse_settings(settings or [])
    sections = {name: options.pop(name, {}) for name in ("text_gates", "judge")}
    find = {"name": given.pop("find", None), "options": options.pop("find", {})}
    connection = {**take(given, CONNECTION), "workers": given.get("workers")}
    return {**given, **sections, "find": find, "options": options, "connection": connection}
