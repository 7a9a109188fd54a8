"""Options that several commands share, each declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

TextColumns = Annotated[
    list[str] | None,
    typer.Option("--text-column", help="column of the text; give it twice for pairs"),
]
LabelColumn = Annotated[str | None, typer.Option("--label-column", help="column of the label")]
IdColumn = Annotated[
    str | None, typer.Option("--id-column", help="column with a unique id for each row")
]
Subset = Annotated[str | None, typer.Option("--subset", help="configuration of a hub dataset")]
Quotes = Annotated[
    bool | None,
    typer.Option("--quotes/--no-quotes", help='whether " quotes the cells of a CSV file'),
]
DataFolder = Annotated[
    Path | None,
    typer.Option("--data", help="data folder with NAME/SPLIT.jsonl[.gz]", envvar="AUGKIT_DATA"),
]
AsJson = Annotated[bool, typer.Option("--json", help="one JSON object")]
Llm = Annotated[
    str | None,
    typer.Option(
        "--llm",
        help="offline (default: no key, no cost), openai:MODEL, transformers:PATH, "
        "scripted:PATH (replays a run or a file of replies)",
    ),
]
BaseUrl = Annotated[
    str | None, typer.Option("--base-url", help="your own server, as http://localhost:8000/v1")
]
Budget = Annotated[
    str | None,
    typer.Option(
        "--budget", help="hard limit: 2.00 (dollars), 500calls or 100000tokens; exit code 3"
    ),
]
Prices = Annotated[
    Path | None, typer.Option("--prices", help="YAML file of dollars per million tokens")
]
Cache = Annotated[
    Path | None,
    typer.Option(
        "--cache", help="file that keeps paid replies for all runs", envvar="AUGKIT_CACHE"
    ),
]
Engine = Annotated[
    str | None,
    typer.Option("--engine", help="local, or ray (shards on a Ray cluster)"),
]
RayAddress = Annotated[
    str | None,
    typer.Option("--ray-address", help="HOST:6379 or auto; default: start Ray on this machine"),
]
Track = Annotated[
    list[str] | None,
    typer.Option("--track", help="log to mlflow or wandb; repeat for both"),
]


def reading(
    text_column: TextColumns,
    label_column: LabelColumn,
    data_folder: DataFolder,
    subset: Subset = None,
    quotes: Quotes = None,
) -> dict[str, Any]:
    """The options of ``load_dataset``."""
    options = {
        "text_columns": tuple(text_column or ()),
        "label_column": label_column,
        "subset": subset,
        "data_folder": data_folder,
    }
    return options if quotes is None else {**options, "quotes": quotes}
