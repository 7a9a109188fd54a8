"""``augkit benchmark``: score a language model on a published bias benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from augkit.cli import options


@options.takes(options.ConnectionOptions)
def command(
    name: Annotated[str, Argument(help="a benchmark: `augkit list benchmarks`")],
    model: Annotated[
        str,
        Option(
            "--model",
            "-m",
            help="a folder with a saved model, a hub id, or an LLM: llm:openai:NAME",
        ),
    ],
    score: Annotated[
        str | None, Option(help="the scoring rule; default: the published one")
    ] = None,
    pooling: Annotated[
        str, Option(help="the vector of a sentence: first, last or mean token")
    ] = "first",
    precision: Annotated[
        str, Option(help="of masked models: float32, or bfloat16, which rounds")
    ] = "float32",
    debias: Annotated[
        str | None, Option(help="sentence-debias: remove the gender direction first")
    ] = None,
    debias_texts: Annotated[
        str | None, Option(help="dataset to estimate it on; default: the bundled ones")
    ] = None,
    file: Annotated[Path | None, Option(help="the benchmark's own file or folder")] = None,
    sample: Annotated[int | None, Option(help="use at most N items, drawn by their texts")] = None,
    data_folder: Annotated[
        Path | None, Option("--data", help="folder with bias/...", envvar="AUGKIT_DATA")
    ] = None,
    orders: Annotated[
        int | None, Option(help="of an LLM: orders of the answers of a question; default: all")
    ] = None,
    draws: Annotated[
        int | None, Option(help="of an LLM: sampled answers, where it has no log-probabilities")
    ] = None,
    out: Annotated[
        Path | None,
        Option(
            "--out",
            "-o",
            help="folder of benchmark.json; of an LLM also of its replies, to continue there "
            "(default: one under runs/)",
        ),
    ] = None,
    workers: options.Workers = None,
    prompts: options.Prompts = None,
    dry_run: options.DryRun = False,
    as_json: options.AsJson = False,
    **shared: Any,
) -> None:
    """Measure the biases of a language model by a published benchmark.

    Examples:

        augkit benchmark occupation-pronouns --model ./bert

        augkit benchmark crows-pairs --model bert-base-uncased --data DATA --json

        augkit benchmark crows-pairs --model gpt2 --score causal --data DATA

        augkit benchmark seat --model ./bert --pooling mean --data DATA

        augkit benchmark seat --model ./bert --debias sentence-debias --data DATA

        augkit benchmark bbq --model llm:openai:gpt-4o-mini --sample 1000 --budget 1.00 --data DATA

    The data are not bundled (except occupation-pronouns): put the published files under
    DATA/bias, or name one with --file. Every score has its interval, and the known faults of the
    benchmark are printed with the result.
    """
    given = options.given_settings(locals(), "dry_run")
    given["connection"] = options.take(given, options.ASKING)
    from augkit.cli.terminal import progress
    from augkit.commands.bias_benchmarks.command import (
        RESULT,
        BenchmarkSettings,
        benchmark,
        estimate_benchmark,
    )
    from augkit.commands.tested_llm import check_complete
    from augkit.core.config import validate
    from augkit.report.summary import print_estimate
    from augkit.report.terminal import print_benchmark, print_written

    chosen = validate(BenchmarkSettings, given, "benchmark")
    if dry_run:
        print_estimate(estimate_benchmark(chosen))
    else:
        with progress():
            record = benchmark(chosen)
        print_benchmark(record, as_json=as_json)
        print_written([Path(record["folder"]) / RESULT] if "folder" in record else [])
        check_complete(record.get("llm"))
