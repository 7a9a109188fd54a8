"""What a grammar checker finds in coba's edited sentences and clauses, and in unedited ones.

    python -m benchmarks.research.coba_grammar RUN [--texts 1500] [--seed 0]

RUN is a folder of ``augkit run --method coba`` with sentences beside their unedited twins (the
default for long texts). Needs ``augkit[bench]``. Spelling is left out: names are no mistakes.
Prints one JSON line: per cent of the texts with a problem, and problems for every 100 words.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from augkit.evaluation.metrics.quality.text_measures import harper, problem_rate
from benchmarks.command_line import argument, arguments, print_line

UNITS = {"edited": {"sentence", "clause"}, "unedited": {"twin"}}


def main() -> None:
    """Draw texts of both kinds and count."""
    asked = arguments(
        __doc__,
        argument("run", type=Path),
        argument("--texts", type=int, default=1500),
        argument("--seed", type=int, default=0),
    )
    with (asked.run / "variants.jsonl").open(encoding="utf-8") as lines:
        variants = [json.loads(line) for line in lines]
    record: dict[str, object] = {"benchmark": "coba_grammar", "run": asked.run.name}
    for name, units in UNITS.items():
        texts = [one["fields"]["text"] for one in variants if one["about"]["unit"] in units]
        drawn = Random(asked.seed).sample(texts, min(asked.texts, len(texts)))
        record[name] = measured(drawn)
    print_line(record)


def measured(texts: list[str]) -> dict[str, float]:
    """Both rates of some texts."""
    checker = harper()
    rate = problem_rate(texts, checker)
    return {
        "texts": len(texts),
        "with a problem, %": round(100 * sum(map(bool, map(checker, texts))) / len(texts), 1),
        "problems per 100 words": round(rate.value, 2),
    }


if __name__ == "__main__":
    main()
