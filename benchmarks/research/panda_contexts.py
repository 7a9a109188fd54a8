"""How often each context of contexts.yaml holds in real texts: one JSON line.

    python -m benchmarks.research.panda_contexts --data DIR sst2:train snli:dev [--limit 1000]

DIR (default: AUGKIT_DATA) holds the datasets. Of each, ``--limit`` references are drawn and
rewritten. A context that never holds earns nothing; ``unless`` counts its exceptions.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from unittest import mock

from augkit.augmenters.panda.perturbers.protocol import PerturbTask
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.augmenters.panda.references import references
from augkit.augmenters.panda.rules import contexts
from augkit.augmenters.panda.rules.document import Document
from augkit.core.types import Example
from augkit.english.parser import SpacyParser
from augkit.lexicons.demographics.axes import BUNDLED, read_axis
from augkit.lexicons.demographics.find_references import Hit
from benchmarks.command_line import argument, arguments, print_line
from benchmarks.release.panda_corpora import texts


def main() -> None:
    """Draw references of the datasets, rewrite them, and print the counts."""
    options = arguments(
        __doc__,
        argument("datasets", nargs="+", help="NAME:SPLIT"),
        argument("--data", type=Path, default=os.environ.get("AUGKIT_DATA", ".")),
        argument("--limit", type=int, default=1_000),
    )
    tasks = [
        task
        for dataset in options.datasets
        for task in islice(drawn(Path(options.data), dataset), options.limit)
    ]
    rows = contexts.context_table().rows
    names = {id(row): row.id for row in rows}
    names |= {id(row.unless): f"unless {row.id}" for row in rows if row.unless}
    counts = Counter(dict.fromkeys(names.values(), 0))
    holds = contexts.Context.holds

    def counted(
        context: contexts.Context, doc: Document, hit: Hit, window: tuple[int, int]
    ) -> bool:
        held = holds(context, doc, hit, window)
        counts[names[id(context)]] += held
        return held

    with mock.patch.object(contexts.Context, "holds", counted):
        RulePerturber(SpacyParser()).perturb(tasks)
    print_line({"references": len(tasks), "held": dict(counts.most_common())})


def drawn(data: Path, dataset: str) -> Iterator[PerturbTask]:
    """For each text of a dataset one reference and a target, drawn by the text."""
    for text in texts(data, *dataset.split(":")):
        rng = random.Random(text)
        if stated := references({"text": text}, BUNDLED):
            reference = rng.choice(stated)
            attributes = read_axis(reference.axis).attributes
            target = rng.choice([name for name in attributes if name != reference.attribute])
            yield PerturbTask(Example({"text": text}), *reference.span, reference.axis, target, rng)


if __name__ == "__main__":
    main()
