"""A sample of a pair dataset with equal labels, of pairs short enough for a synchronous grammar.

    AUGKIT_DATA=DIR python -m lab.grammar_sample qqp:train --rows 93000
        --out qqp.jsonl

As friedman2022finding samples SNLI and QQP (65,000 pairs to train, 16,000 to validate, equally many
of each label). augkit holds 30 % of the rows out, so 93,000 rows leave 65,000. The rows are drawn
by ``--seed`` and written as JSON Lines. One JSON line: rows, rows of each label, and the share of
the dataset that is short enough.
"""

from __future__ import annotations

import json
import os
import random
from collections import defaultdict
from pathlib import Path

from augkit.core.types import Example
from augkit.datasets.load import load_dataset
from augkit.grammars.model.corpus import CorpusConfig, split_corpus
from lab.command_line import argument, arguments, print_line


def main() -> None:
    """Draw, write and print."""
    options = arguments(
        __doc__,
        argument("dataset"),
        argument("--rows", type=int, default=93_000),
        argument("--out", type=Path, required=True),
        argument("--seed", type=int, default=0),
    )
    rows = load_dataset(options.dataset, data_folder=os.environ.get("AUGKIT_DATA"))
    labelled = [row for row in rows if row.label is not None]
    corpus = split_corpus(labelled, CorpusConfig())
    by_label: dict[str, list[Example]] = defaultdict(list)
    for unit in corpus.units:
        by_label[str(corpus.examples[unit.row].label)].append(corpus.examples[unit.row])
    size = min(options.rows // len(by_label), *map(len, by_label.values()))
    rng = random.Random(options.seed)
    drawn = [row for _, some in sorted(by_label.items()) for row in rng.sample(some, size)]
    rng.shuffle(drawn)
    with options.out.open("w", encoding="utf-8") as file:
        for row in drawn:
            texts = dict(zip(("text_a", "text_b"), row.fields.values(), strict=True))
            file.write(json.dumps({**texts, "label": row.label}, ensure_ascii=False) + "\n")
    record = {
        "dataset": options.dataset,
        "rows": len(drawn),
        "rows_a_label": size,
        "short_enough": round(len(corpus.units) / len(labelled), 4),
    }
    print_line(record)


if __name__ == "__main__":
    main()
