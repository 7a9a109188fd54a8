"""What does ``augkit fix`` say of public datasets, and do independent tests contradict it?

    python -m lab.fix_public --data DATA [--only NAME ...] [--rows 4000]

Each set is fixed as it is. A classifier that ``fix`` did not use (a linear support vector machine
on runs of letters and, of pairs, on what two texts share) is then trained on the rows as they are
and on what ``fix`` says to train on, or on each of its offers, and tested on sets that ``fix``
never saw. A line a test: what was found and done, what the end says of it, and the change in
balanced accuracy with its standard error over the rows of the test. The verdict is

- contradicted: the end says better and the test is down by two standard errors or more, or the end
  says harm and the test is up by as many;
- gain not offered: the test is up by as many and the end says no help, or not testable;
- untested: there is no such test, or its standard error is over 2 points, so that it cannot
  contradict; upheld: all others.
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
BETTER = {"repaired", "reduced", "reads better", "leans less", "at chance"}
SILENT = {"no help", "not testable", "reads already", "not relied on"}


@dataclass(frozen=True)
class PublicSet:
    """A set, and the tests that others made for it."""

    name: str
    file: str
    tests: tuple[str, ...] = ()


HATE = "HateCheck, Yelp"
OTHER_TEMPLATES, IDENTITY = "other templates", "other templates about people, harmless or hateful"
SAME_LABELS = {"paraphrase": "duplicate", "not_paraphrase": "not_duplicate"}
"""Labels of PAWS in the words of QQP."""
BUILT = {OTHER_TEMPLATES, IDENTITY}
SETS = (
    PublicSet(HATE, "", (OTHER_TEMPLATES, IDENTITY)),
    PublicSet(
        "IMDb",
        "imdb_cad/original_train.jsonl.gz",
        ("imdb_cad/revised_dev.jsonl", "sst2_sentences/dev.jsonl"),
    ),
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


@dataclass(frozen=True)
class Said:
    """What can be trained on in place of the rows, and what the end says of it."""

    what: str
    end: str
    rows: list[Row]
    weights: list[float] | None = None


def measure(public: PublicSet, data: Path, most: int) -> Iterator[Row]:
    """Fix a set and test what it says."""
    import pandas as pd

    import augkit

    rows = read_set(public, data, most)
    started = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        result = augkit.fix(pd.DataFrame(rows), out=Path(folder) / "out")
        seconds = time.process_time() - started
        about = {
            "set": public.name,
            "rows": len(rows),
            "found": found_in(result),
            "cpu_seconds": round(seconds, 1),
        }
        said = list(said_by(result))
    if not said:
        yield {**about, "done": "nothing", "end": "nothing to fix", "verdict": "untested"}
    for offered in said:
        line = {**about, "done": offered.what, "end": offered.end}
        tests = [name for name in public.tests if (data / name).exists() or name in BUILT]
        for name in tests:
            tested = read_test(data, name, rows)
            yield {**line, "test": name, **compare(rows, offered, tested)}
        if not tests:
            yield {**line, "verdict": "untested"}


def found_in(result: Any) -> str:
    """The kinds and the first cues."""
    kinds = ", ".join(ending.kind for ending in result.endings)
    cues = ", ".join(result.chosen[:3])
    return f"{kinds}: {cues}" if cues else kinds or "nothing"


def said_by(result: Any) -> Iterator[Said]:
    """What there is to train on: the offers for a field alone, else the file of each end."""
    for ending in result.endings:
        if ending.kind == "field alone":
            best = ending.figures["recommended"]
            for name, offer in ending.figures["offers"].items():
                if best is None or name == best:
                    yield said(name, offer["verdict"], Path(offer["file"]))
        elif ending.kind == "people":
            yield said("weights", ending.verdict, ending.files["weights, in a column"])
        elif ending.kind in {"mark", "opinions"} and ending.files:
            what = "marks taken out" if ending.kind == "mark" else "opinions turned"
            yield said(what, ending.verdict, next(iter(ending.files.values())))
    if result.train_on is not None and {ending.kind for ending in result.endings} == {"mark"}:
        yield said("marks taken out", result.endings[0].verdict, result.train_on)


def said(what: str, end: str, path: Path) -> Said:
    """What a file says."""
    rows = _lines(path)
    weights = [row["augkit_weight"] for row in rows] if "augkit_weight" in rows[0] else None
    return Said(what, end, rows, weights)


def compare(rows: Sequence[Row], offered: Said, tested: Sequence[Row]) -> Row:
    """Balanced accuracy before and after, by a classifier of another kind."""
    import numpy as np

    from augkit.commands.fix.reader import balanced_accuracy, balanced_difference

    labels = [row["label"] for row in tested]
    rights = []
    for train, given in ((rows, None), (offered.rows, offered.weights)):
        predicted = _fit(train, given, tested)
        rights.append(np.array([a == b for a, b in zip(predicted, labels, strict=True)]))
    change, error = balanced_difference(rights[0], rights[1], labels)
    return {
        "test_rows": len(tested),
        "before": round(100 * balanced_accuracy(rights[0], labels), 1),
        "change": round(100 * change, 1),
        "error": round(100 * error, 1),
        "verdict": judge(offered.end, change, error),
    }


def judge(end: str, change: float, error: float) -> str:
    """What a test says of an end.

    >>> judge("leans less", -0.05, 0.01), judge("no help", 0.05, 0.01), judge("trade", 0.0, 0.01)
    ('contradicted', 'gain not offered', 'upheld')
    """
    is_up = change > 0 and change >= CLEAR * error
    is_down = change < 0 and -change >= CLEAR * error
    if (end in BETTER and is_down) or (end == "harm" and is_up):
        return "contradicted"
    if end in SILENT and is_up:
        return "gain not offered"
    return "untested" if error > _BLUNT else "upheld"


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


def read_set(public: PublicSet, data: Path, most: int) -> list[Row]:
    """The rows of a set, or of one that is put together here."""
    if public.name == HATE:
        return hate_rows(data, most)[0]
    return read_rows(data / public.file, most)


def read_test(data: Path, name: str, rows: Sequence[Row]) -> list[Row]:
    """The rows of a test whose labels the set has."""
    if name in BUILT:
        kept = hate_rows(data, len(rows))[1]
        return [row for row in kept if name != IDENTITY or row["about people"]]
    known = {row["label"] for row in rows}
    tested = read_rows(data / name, 4_000)
    for row in tested:
        if row["label"] not in known:
            row["label"] = SAME_LABELS.get(row["label"], row["label"])
    return [row for row in tested if row["label"] in known]


def hate_rows(data: Path, most: int) -> tuple[list[Row], list[Row]]:
    """Hateful rows of half of HateCheck's templates beside Yelp sentences; the other templates."""
    import csv
    import io

    packed = (data / "bias/hatecheck/test_suite_cases.csv.gz").read_bytes()
    cases = list(csv.DictReader(io.StringIO(gzip.decompress(packed).decode("utf-8"))))
    templates = sorted({case["templ_id"] for case in cases})
    seen = set(random.Random(0).sample(templates, len(templates) // 2))
    train: list[Row] = []
    tested: list[Row] = []
    for case in cases:
        is_hate = case["label_gold"] == "hateful"
        row = {"text": case["test_case"], "label": "toxic" if is_hate else "fine"}
        if case["templ_id"] not in seen:
            about_people = is_hate or case["functionality"] in {"ident_neutral_nh", "ident_pos_nh"}
            tested.append({**row, "about people": about_people})
        elif is_hate:
            train.append(row)
    train = random.Random(0).sample(train, min(len(train), most // 2))
    fine = read_rows(data / "yelp_sentences/train.jsonl.gz", len(train))
    train += [{"text": row["text"], "label": "fine"} for row in fine]
    random.Random(0).shuffle(train)
    return train, tested


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
