"""Options that several commands share, each declared once, and what the command line gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_type_hints

from typer import Option

Command = TypeVar("Command", bound=Callable[..., None])

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
Workers = Annotated[
    int | None, Option("--workers", "-w", help="of an LLM: calls in flight; default: 8")
]
IdColumn = Annotated[str | None, Option(help="column with a unique id for each row")]
Settings = Annotated[
    list[str] | None,
    Option(
        "--set",
        help="a setting of the method: KEY=VALUE; of the finder: find.KEY=VALUE; of the checks "
        "of an LLM's texts: text_gates.KEY=VALUE, judge.KEY=VALUE; repeatable",
    ),
]
Config = Annotated[Path | None, Option(help="settings in a YAML file; options override it")]
DataFolder = Annotated[
    Path | None,
    Option("--data", help="data folder with NAME/SPLIT.jsonl[.gz]", envvar="AUGKIT_DATA"),
]
Llm = Annotated[
    str | None,
    Option(
        help="offline (default: no key, no cost), openai:MODEL, transformers:PATH, "
        "scripted:PATH (replays a run or a file of replies)",
    ),
]
AsJson = Annotated[bool, Option("--json", help="one JSON object")]
JsonLines = Annotated[bool, Option("--json", help="one JSON object per line")]
Track = Annotated[list[str] | None, Option(help="log to mlflow or wandb; repeat for both")]
Prompts = Annotated[
    Path | None, Option(help="your prompts: a folder with the tree of augkit/prompts")
]
DryRun = Annotated[
    bool, Option("--dry-run", help="only show what would be done and what it would cost")
]


class ReadingOptions:
    """How a dataset is read."""

    text_columns: Annotated[
        list[str] | None,
        Option("--text-column", help="column of a text; repeatable"),
    ]
    label_column: Annotated[str | None, Option(help="column of the label")]
    subset: Annotated[str | None, Option(help="configuration of a hub dataset")]
    quotes: Annotated[bool | None, Option(help='whether " quotes the cells of a CSV file')]
    data_folder: DataFolder


class SelectionOptions:
    """Which rows are used."""

    limit: Annotated[int | None, Option("--limit", "-n", help="use only the first N rows")]
    sample: Annotated[int | None, Option(help="use only N rows, drawn by --seed; after --limit")]
    seed: Annotated[int | None, Option(help="default: 0")]


class ColumnOptions:
    """What may change, what must stay true, and the order of labels."""

    edit_columns: Annotated[
        list[str] | None,
        Option("--edit-column", help="text column that may change; repeatable; default: all"),
    ]
    edit_roles: Annotated[
        list[str] | None,
        Option("--edit-role", help="role of a chat whose messages may change; default: user"),
    ]
    span_columns: Annotated[
        list[str] | None,
        Option(
            "--span-column",
            help="column of offsets, SQuAD answers or token tags that must stay true; "
            "COLUMN=TEXT names its text; repeatable",
        ),
    ]
    answer_columns: Annotated[
        list[str] | None,
        Option("--answer-column", help="column of a string that occurs in a text; repeatable"),
    ]
    tag_names: Annotated[
        str | None, Option(help="names of tags that are numbers, as O,B-PER,I-PER")
    ]
    label_order: Annotated[
        str | None,
        Option(help='labels from lowest to highest, as "1,2,3,4,5", where they are ordered'),
    ]


class ConnectionOptions:
    """The server of a language model, and what it may cost."""

    base_url: Annotated[str | None, Option(help="your own server, as http://localhost:8000/v1")]
    budget: Annotated[
        str | None, Option(help="hard limit: 2.00 (dollars), 500calls or 100000tokens; exit code 3")
    ]
    prices: Annotated[Path | None, Option(help="YAML file of dollars per million tokens")]
    cache: Annotated[
        Path | None, Option(help="file that keeps paid replies for all runs", envvar="AUGKIT_CACHE")
    ]


class PromptOptions:
    """A second language model, and what both are asked."""

    judge_llm: Annotated[str | None, Option(help="a second model that judges the variants")]
    prompts: Prompts
    examples: Annotated[
        str | None,
        Option(help="worked examples for the model: a YAML file, or data:3 (rows for the judge)"),
    ]


class ClusterOptions:
    """Where the work is done."""

    engine: Annotated[str | None, Option(help="local, or ray (shards on a Ray cluster)")]
    ray_address: Annotated[
        str | None, Option(help="HOST:6379 or auto; default: start Ray on this machine")
    ]


READING = tuple(ReadingOptions.__annotations__)
CONNECTION = (*ConnectionOptions.__annotations__, "batch", "batch_wait")
ASKING = (*CONNECTION, "workers")
"""The options of a command that asks an LLM under test."""


def takes(*groups: type) -> Callable[[Command], Command]:
    """Replace ``**shared`` of a command by the options of these groups, for typer to read."""
    shared = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=hint)
        for group in groups
        for name, hint in get_type_hints(group, include_extras=True).items()
    ]

    def add_options(command: Command) -> Command:
        own = signature(command, eval_str=True).parameters.values()
        named = [one for one in own if one.kind is not Parameter.VAR_KEYWORD]
        command.__signature__ = Signature([*named, *shared])  # type: ignore[attr-defined]
        return command

    return add_options


def given_settings(options: Mapping[str, Any], *other: str) -> dict[str, Any]:
    """The settings among a command's options (its ``locals()``) that were given.

    ``other`` are options that are no settings.
    """
    left_out = {"settings", "as_json", "shared", *other}
    named = {**options, **options.get("shared", {})}
    given = {name: value for name, value in named.items() if value is not None and value != []}
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
