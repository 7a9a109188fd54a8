"""How often a language model, asked as a judge, names the label that a row has.

    python -m benchmarks.research.judge_accuracy --llm openai:local \
        --base-url http://127.0.0.1:8000/v1 \
        --cache judge.sqlite --rows 60 sst2:dev fever:dev snli:dev

Each line is a JSON object: dataset, rows, accuracy, its interval and counts by label in words,
calls and tokens. With --cache nothing is asked twice, so that a stopped measurement goes on.
"""

from __future__ import annotations

from pathlib import Path

from augkit.datasets.load import open_dataset
from augkit.datasets.settings import ReadOptions
from augkit.labels.fit import measure_judge
from augkit.llm.settings import ConnectOptions
from augkit.llm.stack import OpenLLM, open_llm
from benchmarks.command_line import argument, arguments, print_line


def main() -> None:
    """Measure each dataset and print a line for it."""
    given = arguments(
        __doc__,
        argument("datasets", nargs="+"),
        argument("--llm", required=True),
        argument("--base-url"),
        argument("--cache", type=Path),
        argument("--rows", type=int, default=60),
        argument("--workers", type=int, default=2),
        argument("--data", type=Path),
    )
    options = ConnectOptions(base_url=given.base_url, cache=given.cache, workers=given.workers)
    for dataset in given.datasets:
        with open_llm(given.llm, options) as llm:
            print_line(measured(dataset, given.data, llm, given.rows))


def measured(dataset: str, data: Path | None, llm: OpenLLM, rows: int) -> dict[str, object]:
    """The record of one dataset; its rows are drawn by their ids, as many of each label."""
    examples = open_dataset(dataset, ReadOptions(data_folder=data)).examples({})
    labels = sorted({row.label for row in examples if row.label is not None})
    found = measure_judge(llm, labels, examples, rows)
    spent = llm.spent()
    return {
        "dataset": dataset,
        "rows": found.asked.total(),
        "accuracy": round(found.accuracy, 3),
        "judge": found.describe(),
        "calls": spent.calls,
        "prompt_tokens": spent.prompt_tokens,
    }


if __name__ == "__main__":
    main()
