"""``augkit benchmark``: score a language model on a published bias benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from augkit.cli.options import AsJson


def command(
    name: Annotated[str, typer.Argument(help="a benchmark: `augkit list benchmarks`")],
    model: Annotated[
        str, typer.Option("--model", "-m", help="a folder with a saved model, or a hub id")
    ],
    score: Annotated[
        str | None,
        typer.Option("--score", help="the scoring rule; default: the published one"),
    ] = None,
    pooling: Annotated[
        str, typer.Option("--pooling", help="the vector of a sentence: first, last or mean token")
    ] = "first",
    precision: Annotated[
        str,
        typer.Option("--precision", help="of masked models: float32, or bfloat16, which rounds"),
    ] = "float32",
    debias: Annotated[
        str | None,
        typer.Option("--debias", help="sentence-debias: remove the gender direction first"),
    ] = None,
    debias_texts: Annotated[
        str | None,
        typer.Option("--debias-texts", help="dataset to estimate it on; default: the bundled ones"),
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", help="the benchmark's own file or folder")
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", help="at most this many items")
    ] = None,
    data_folder: Annotated[
        Path | None,
        typer.Option("--data", help="folder with bias/...", envvar="AUGKIT_DATA"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure the biases of a language model by a published benchmark.

    Examples:

        augkit benchmark occupation-pronouns --model ./bert

        augkit benchmark crows-pairs --model bert-base-uncased --data DATA --json

        augkit benchmark crows-pairs --model gpt2 --score causal --data DATA

        augkit benchmark seat --model ./bert --pooling mean --data DATA

        augkit benchmark seat --model ./bert --debias sentence-debias --data DATA

    The data are not bundled (except occupation-pronouns): put the published files under
    DATA/bias, or name one with --file. Every score has its interval, and the known faults of the
    benchmark are printed with the result.
    """
    from augkit.core.config import validate
    from augkit.report.benchmark import print_benchmark
    from augkit.runs.commands.benchmark import BenchmarkSettings, benchmark

    options = {
        "name": name,
        "model": model,
        "score": score,
        "pooling": pooling,
        "debias": debias,
        "debias_texts": debias_texts,
        "precision": precision,
        "file": file,
        "limit": limit,
        "data_folder": data_folder,
    }
    print_benchmark(benchmark(validate(BenchmarkSettings, options, "benchmark")), as_json=as_json)
