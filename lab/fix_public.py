"""What does ``augkit fix`` say of public datasets, and do independent tests contradict it?

    python -m lab.fix_public --data DATA [--only NAME ...] [--rows 4000]

Each set is fixed as it is. A classifier that ``fix`` did not use (a linear support vector machine
on runs of letters and, of pairs, on what two texts share) is then trained on the rows as they are
and on the result, and tested on sets that ``fix`` never saw. A line a test: the kind, the end, the
change in balanced accuracy with its standard error, and whether it upholds or contradicts the end.
"""

from __future__ import annotations

import gzip
import json
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab.command_line import argument, arguments, print_line

Row = dict[str, Any]
CLEAR = 2.0
_BLUNT = 0.02
"""A test with a larger standard error cannot contradict much."""
BETTER = {"repaired", "reads better", "leans less"}


@dataclass(frozen=True)
class PublicSet:
    """A set, and the tests that others made for it."""

    name: str
    file: str
    tests: tuple[str, ...] = ()


SETS = (
    PublicSet("IMDb", "imdb_cad/original_train.jsonl.gz", ("imdb_cad/revised_dev.jsonl",)),
    PublicSet("SST-2", "sst2_sentences/train.jsonl.gz", ("uci_sentences/imdb.jsonl",)),
    PublicSet("Yelp", "yelp_sentences/train.jsonl.gz", ("uci_sentences/yelp.jsonl",)),
    PublicSet("CR", "cr/all.jsonl.gz", ("uci_sentences/yelp.jsonl",)),
    PublicSet("MR", "mr/all.jsonl.gz", ("uci_sentences/imdb.jsonl",)),
    PublicSet("Subj", "subj/all.jsonl.gz"),
    PublicSet("CoLA", "cola/train.jsonl.gz"),
    PublicSet(
        "SNLI",
        "snli/train_20k.jsonl.gz",
        (
            "snli/test_hard.jsonl.gz",
            "nli_cad/revised_premise_dev.jsonl",
            "nli_cad/revised_hypothesis_dev.jsonl",
        ),
    ),
    PublicSet("MNLI", "mnli/dev_matched.jsonl.gz", ("mnli/dev_mismatched_hard.jsonl.gz",)),
    PublicSet("FEVER", "fever/test.jsonl.gz", ("fever_symmetric/dev.jsonl",)),
    PublicSet("QQP", "qqp/train.jsonl.gz", ("paws/dev.jsonl.gz",)),
    PublicSet("SICK", "sick/train.jsonl.gz", ("sick/test.jsonl.gz",)),
    PublicSet("MRPC", "mrpc/train.jsonl.gz", ("mrpc/test.jsonl.gz",)),
)


def main() -> None:
    """Fix each set, and print a line for each test."""
    options = arguments(
        __doc__,
        argument("--data", type=Path, required=True, help="the datasets"),
        argument("--only", nargs="*", default=[], help="names of sets; default: all"),
        argument("--rows", type=int, default=4_000, help="rows of a set, at most"),
    )
    for public in SETS:
        if options.only and public.name not in options.only:
            continue
        for line in measure(public, options.data, options.rows):
            print_line(line)


def measure(public: PublicSet, data: Path, most: int) -> Iterator[Row]:
    """Fix a set and test the result."""
    import pandas as pd

    import augkit

    rows = read_rows(data / public.file, most)
    started = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        result = augkit.fix(pd.DataFrame(rows), out=Path(folder) / "out")
        seconds = time.process_time() - started
        ends = [f"{ending.kind}: {ending.verdict}" for ending in result.endings]
        about = {
            "set": public.name,
            "rows": len(rows),
            "found": ", ".join(result.chosen[:4]) or "no mark",
            "ends": "; ".join(ends) or "nothing to fix",
            "cpu_seconds": round(seconds, 1),
        }
        after, weights = trained_on(result, Path(folder) / "out", rows)
        for name in public.tests or ("",):
            tested = _tested(data, name, rows)
            if not tested or after is None:
                yield {**about, "test": name or "none", "verdict": "untested"}
                continue
            yield {**about, "test": name, **compare(rows, after, weights, tested, result)}


def _tested(data: Path, name: str, rows: Sequence[Row]) -> list[Row]:
    """The rows of a test whose labels the set has."""
    if not name or not (data / name).exists():
        return []
    known = {row["label"] for row in rows}
    return [row for row in read_rows(data / name, 4_000) if row["label"] in known]


def trained_on(
    result: Any, folder: Path, rows: list[Row]
) -> tuple[list[Row] | None, list[float] | None]:
    """The rows to train on at the end, with the weights that were offered; None: as they were."""
    if (folder / "weighted.jsonl").exists():
        weighed = _lines(folder / "weighted.jsonl")
        return rows, [row["weight"] for row in weighed]
    if result.train_on is None:
        return None, None
    return _lines(result.train_on), None


def compare(
    rows: Sequence[Row],
    after: Sequence[Row],
    weights: Sequence[float] | None,
    tested: Sequence[Row],
    result: Any,
) -> Row:
    """Balanced accuracy before and after, by a classifier of another kind."""
    import numpy as np

    from augkit.commands.fix.reader import balanced_accuracy, balanced_difference

    labels = [row["label"] for row in tested]
    rights = []
    for train, given in ((rows, None), (after, weights)):
        predicted = _fit(train, given, tested)
        rights.append(np.array([a == b for a, b in zip(predicted, labels, strict=True)]))
    change, error = balanced_difference(rights[0], rights[1], labels)
    verdicts = {ending.verdict for ending in result.endings}
    says_better = bool(verdicts & BETTER)
    contradicted = (says_better and change < -CLEAR * error) or (
        "harm" in verdicts and change > CLEAR * error
    )
    verdict = "upheld"
    if contradicted:
        verdict = "contradicted"
    elif error >= _BLUNT or verdicts <= {"not testable"}:
        verdict = "untested"
    return {
        "test_rows": len(tested),
        "before": round(100 * balanced_accuracy(rights[0], labels), 1),
        "change": round(100 * change, 1),
        "error": round(100 * error, 1),
        "verdict": verdict,
    }


def _fit(train: Sequence[Row], weights: Sequence[float] | None, tested: Sequence[Row]) -> list[str]:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import make_union
    from sklearn.svm import LinearSVC

    letters = TfidfVectorizer(
        analyzer="char_wb", ngram_range=(2, 4), sublinear_tf=True, min_df=2, preprocessor=_joined
    )
    views = [letters]
    if "text_a" in train[0]:
        views.append(TfidfVectorizer(analyzer=_shared, min_df=2))
    union = make_union(*views)
    model = LinearSVC(C=0.3, class_weight="balanced")
    model.fit(union.fit_transform(train), [row["label"] for row in train], sample_weight=weights)
    return list(model.predict(union.transform(tested)))


def _joined(row: Row) -> str:
    texts = [row[name] for name in ("text", "text_a", "text_b") if name in row]
    return " | ".join(texts).lower()


def _shared(row: Row) -> list[str]:
    """The words of the second text, by whether the first has them."""
    first = set(row["text_a"].lower().split())
    second = row["text_b"].lower().split()
    known = [word for word in second if word in first]
    found = [f"known {word}" for word in known]
    found += [f"new {word}" for word in second if word not in first]
    return [*found, f"share {round(10 * len(known) / max(1, len(second)))}"]


def read_rows(path: Path, most: int) -> list[Row]:
    """The texts and labels of a file; of many rows a sample."""
    columns = ("text", "text_a", "text_b", "label")
    labelled = (row for row in _lines(path) if row.get("label"))
    rows = [{name: row[name] for name in columns if name in row} for row in labelled]
    if len(rows) > most:
        rows = random.Random(0).sample(rows, most)
    return rows


def _lines(path: Path) -> list[Row]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


if __name__ == "__main__":
    main()
