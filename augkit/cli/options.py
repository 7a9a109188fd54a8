"""Options that several commands share, each declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

TextColumns = Annotated[
    list[str] | None,
    typer.Option("--text-column", help="the text's column; give it twice for pairs"),
]
LabelColumn = Annotated[str | None, typer.Option("--label-column", help="the label's column")]
IdColumn = Annotated[
    str | None, typer.Option("--id-column", help="a column whose values name the rows")
]
Subset = Annotated[str | None, typer.Option("--subset", help="configuration of a hub dataset")]
Quotes = Annotated[
    bool | None, typer.Option("--quotes/--no-quotes", help='whether " quotes cells of a CSV')
]
DataFolder = Annotated[
    Path | None,
    typer.Option("--data", help="folder with NAME/SPLIT.jsonl[.gz]", envvar="AUGKIT_DATA"),
]
ModelSettings = Annotated[
    list[str] | None,
    typer.Option("--model-set", help="a setting of the model, as strength=1; repeat for more"),
]
AsJson = Annotated[bool, typer.Option("--json", help="one JSON object")]
Llm = Annotated[
    str | None,
    typer.Option(
        "--llm",
        help="offline (default: no key, no cost), openai:MODEL, transformers:PATH, "
        "scripted:PATH (replays a run or a file of answers)",
    ),
]
BaseUrl = Annotated[
    str | None, typer.Option("--base-url", help="your own server, e.g. http://localhost:8000/v1")
]
Budget = Annotated[
    str | None,
    typer.Option(
        "--budget", help="hard limit: 2.00 (dollars), 500calls or 100000tokens; exit code 3"
    ),
]
Prices = Annotated[
    Path | None, typer.Option("--prices", help="YAML with dollars per million tokens")
]
Cache = Annotated[
    Path | None,
    typer.Option("--cache", help="paid answers are kept here for all runs", envvar="AUGKIT_CACHE"),
]
Engine = Annotated[
    str | None,
    typer.Option("--engine", help="local, or ray: shards on the workers of a Ray cluster"),
]
RayAddress = Annotated[
    str | None,
    typer.Option(
        "--ray-address", help="HOST:6379 or auto; without it a Ray is started on this machine"
    ),
]
Track = Annotated[
    list[str] | None,
    typer.Option("--track", help="tell mlflow or wandb of it when it is done; repeat for both"),
]


def reading(
    text_column: TextColumns,
    label_column: LabelColumn,
    data_folder: DataFolder,
    subset: Subset = None,
    quotes: Quotes = None,
) -> dict[str, Any]:
    """How datasets are read, as ``load_dataset`` is told; what was not said is left to it."""
    told = {
        "text_columns": tuple(text_column or ()),
        "label_column": label_column,
        "subset": subset,
        "data_folder": data_folder,
    }
    return told if quotes is None else {**told, "quotes": quotes}
