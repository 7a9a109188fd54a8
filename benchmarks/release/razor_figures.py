"""RAZOR's Figure 3 and Table 4 on FEVER: 500 rewritten rows, and BLEU between train and test set.

    AUGKIT_DATA=DIR python -m benchmarks.release.razor_figures [--sample 500] [--seeds 3]
        [--arms "as it is" "razor, token"] [--run FOLDER]

The training set is ``fever:dev`` without the claims of the symmetric set. One JSON line an arm:

- ``rewritten``: rows of it that the arm rewrites, as a share;
- ``sample``: ``--sample`` rewritten rows, drawn by seed (all of them where fewer are rewritten):
  how often "no" and "not" stand in their claims before and after, and the accuracy in per cent of a
  linear classifier trained on these rows before and after; the means over the seeds;
- ``bleu``: corpus BLEU-4 in per cent of all claims of the training set, with all claims of a test
  set as references of each: ``fever:test``, ``fever_adversarial:annotated`` (without NOT ENOUGH
  INFO) and ``fever_symmetric:dev``.

``--run`` adds the arm of a finished run on the same rows, as one with a language model.
The accuracies beside them (Figures 4 and 5) are studies: ``augkit sweep razor-embedding``
and ``razor-500``.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from augkit.core.types import Example
from augkit.evaluation.metrics.quality.text_measures import bleu_to_all
from augkit.text.features.kinds import lowered_words
from benchmarks.command_line import argument, arguments, print_line
from benchmarks.release.razor_fever import Made, changed, made, percent, read
from benchmarks.release.razor_llm import TESTS, reads_pairs, rewrites, texts

NO_NOT = re.compile(r"\bno(?:t)?\b", re.IGNORECASE)
MORE_ROWS = {"score": "paper", "top": 1000, "rounds": 1}
"""As the study razor-embedding: one round of 1,000 rows of each label."""
ARMS = {
    "as it is": None,
    "razor, token": ("razor", {}),
    "razor, preset paper": ("razor", {"preset": "paper"}),
    "razor, Eq. 12, more rows": ("razor", MORE_ROWS),
    "razor, embeddings, more rows": ("razor", {**MORE_ROWS, "space": "embedding"}),
}


def main() -> None:
    """One line for each arm."""
    asked = arguments(
        __doc__,
        argument("--sample", type=int, default=500),
        argument("--seeds", type=int, default=3),
        argument("--arms", nargs="*", choices=ARMS, default=list(ARMS)),
        argument("--run", type=Path),
    )
    rows = [row for row in read("fever:dev") if not row.columns["in_symmetric_dev"]]
    labels = {row.label for row in rows}
    tests = {name: [row for row in read(name) if row.label in labels] for name in TESTS}
    arms = [(name, made(rows, ARMS[name])) for name in asked.arms]
    if asked.run:
        by_texts = rewrites(asked.run, None)
        new: Made = {row.id: [by_texts[texts(row)]] for row in rows if texts(row) in by_texts}
        arms.append((str(asked.run), new))
    for name, new in arms:
        replaced = changed(rows, new)
        after = [replaced.get(row.id, row) for row in rows]
        record: dict[str, object] = {"arm": name, "rows": len(rows), "rewritten": len(replaced)}
        pairs = [(row, replaced[row.id]) for row in rows if row.id in replaced]
        record["sample"] = sampled(pairs, tests, asked.sample, asked.seeds) if pairs else None
        record["bleu"] = {
            test: round(100 * bleu_to_all(claims(after), claims(references)), 2)
            for test, references in tests.items()
        }
        print_line(record)


def claims(rows: Sequence[Example]) -> list[Sequence[str]]:
    """The words of the claims."""
    return [lowered_words(row.fields["claim"]) for row in rows]


def sampled(
    pairs: Sequence[tuple[Example, Example]],
    tests: dict[str, list[Example]],
    size: int,
    seeds: int,
) -> dict[str, object]:
    """Negations in a sample of rewritten rows, and what is learnt from it, before and after."""
    found: dict[str, tuple[list[float], list[float]]] = {}
    for seed in range(seeds):
        drawn = random.Random(seed).sample(pairs, min(size, len(pairs)))
        for side in (0, 1):
            rows = [pair[side] for pair in drawn]
            right = reads_pairs(rows)
            counted = sum(len(NO_NOT.findall(row.fields["claim"])) for row in rows)
            values = {"negations": counted}
            values |= {name: percent(right(test)) for name, test in tests.items()}
            for name, value in values.items():
                found.setdefault(name, ([], []))[side].append(value)
    means = {name: [round(fmean(side), 1) for side in sides] for name, sides in found.items()}
    return {"rows": min(size, len(pairs)), **means}


if __name__ == "__main__":
    main()
