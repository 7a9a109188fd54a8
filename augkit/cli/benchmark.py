"""``augkit benchmark``: score a language model on a published bias benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from augkit.cli import options
from augkit.cli.terminal import next_line, progress, without_dry_run


@options.made_from(
    "augkit.commands.benchmark:BenchmarkSettings",
    "name model file sample base_url budget settings out dry_run as_json",
    argument="name",
)
def command(
    values: dict[str, Any], dry_run: options.DryRun = False, as_json: options.AsJson = False
) -> None:
    """Measure the biases of a language model by a published benchmark.

    Examples:

        augkit benchmark occupation-pronouns --model ./bert

        augkit benchmark crows-pairs --model bert-base-uncased --json

        augkit benchmark crows-pairs --model gpt2 --set score=causal

        augkit benchmark seat --model ./bert --set pooling=mean

        augkit benchmark seat --model ./bert --set debias=sentence-debias

        augkit benchmark bbq --model llm:openai:gpt-4o-mini --sample 1000 --budget 1.00

    The data are not bundled (except occupation-pronouns): put the published files under `bias` in
    the folder AUGKIT_DATA, or name one with --file. Every score has its interval, and the known
    faults of the benchmark are printed with the result.
    """
    from augkit.commands.benchmark import RESULT, BenchmarkSettings, benchmark, estimate_benchmark
    from augkit.commands.tested_llm import check_complete
    from augkit.core.config import validate
    from augkit.core.results import read_answers
    from augkit.report.summary import print_estimate
    from augkit.report.terminal import print_benchmark, print_written

    settings = validate(BenchmarkSettings, values, "benchmark")
    if dry_run:
        print_estimate(estimate_benchmark(settings))
        without_dry_run()
    else:
        with progress():
            record = benchmark(settings)
        print_benchmark(record, as_json=as_json)
        print_written([Path(record["folder"]) / RESULT] if "folder" in record else [])
        if not as_json:
            next_line("augkit", "list", "benchmarks")
        check_complete(read_answers(record.get("llm")))
