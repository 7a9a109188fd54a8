"""How good the texts read that ``augkit run --method panda`` writes: sheets for blind readers.

    python -m lab.panda_texts draw NAME --sheet FILE --key FILE [--seed N]
    python -m lab.panda_texts score --key FILE VERDICTS [VERDICTS]

NAME is yelp (sentences and reviews by turns), snli, imdb or sst2. Rows are drawn from the training
parts in DIR (default: AUGKIT_DATA), one variant a row, all axes, as a run writes them. Untouched
originals of further rows are mixed in. A line of the sheet has an id and the text, nothing else;
the key says which ids are variants, of which row, and what was changed. Both hold rows of other
people's data and stay out of the repository; verdicts are kept by id.

A reader writes a line for every id: ``{"id": ..., "good": true}``. Good means: a stranger who is
given the text alone calls it natural and gives it the label that it carries. ``score`` prints the
share of good ones of the variants and of the originals, each with a 95 % interval (Wilson), and how
often two readers agree.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from random import Random
from typing import Any

import augkit
from augkit.core.types import Pair, example
from lab.command_line import argument, arguments, print_line

Row = dict[str, str]
BATCH = 64
MOST_WORDS = 150
"""Words of a review, at most: a reader has a hundred of them before them."""


def read(data: Path, name: str) -> Iterator[dict[str, Any]]:
    """The rows of a packed file."""
    with gzip.open(data / name, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def texts(data: Path, name: str, random: Random) -> list[Row]:
    """The texts of a file in random order, without long ones."""
    found = [{"text": str(row["text"])} for row in read(data, name)]
    short = [row for row in found if len(row["text"].split()) <= MOST_WORDS]
    random.shuffle(short)
    return short


def yelp(data: Path, random: Random) -> list[Row]:
    """Sentences and reviews by turns."""
    sentences = texts(data, "yelp_sentences/train.jsonl.gz", random)
    reviews = texts(data, "yelp/reviews.jsonl.gz", random)
    return list(chain.from_iterable(zip(sentences, reviews, strict=False)))


def snli(data: Path, random: Random) -> list[Row]:
    """Premises and hypotheses."""
    rows = read(data, "snli/train_20k.jsonl.gz")
    found = [{"premise": row["text_a"], "hypothesis": row["text_b"]} for row in rows]
    random.shuffle(found)
    return found


def imdb(data: Path, random: Random) -> list[Row]:
    """Film reviews."""
    return texts(data, "imdb/all.jsonl.gz", random)


def sst2(data: Path, random: Random) -> list[Row]:
    """Sentences of film reviews, in small letters."""
    return texts(data, "sst2_sentences/train.jsonl.gz", random)


SOURCES = {"yelp": yelp, "snli": snli, "imdb": imdb, "sst2": sst2}


def variants(rows: Sequence[Row], seed: int) -> Iterator[Pair]:
    """One variant of each row that has some, in the order of the rows."""
    panda = augkit.create("panda", mix="replace", seed=seed)
    for start in range(0, len(rows), BATCH):
        batch = rows[start : start + BATCH]
        by_row: dict[str, list[Pair]] = {}
        for outcome in panda.outcomes([example(row) for row in batch]):
            if isinstance(outcome, Pair):
                by_row.setdefault(outcome.original.id, []).append(outcome)
        for key, pairs in by_row.items():
            yield Random(f"{seed} {key}").choice(pairs)


def draw(options: argparse.Namespace) -> None:
    """Write a sheet and its key."""
    random = Random(f"{options.seed} {options.name}")
    rows = SOURCES[options.name](options.data, random)
    count = options.variants + options.originals
    pairs = list(islice(variants(rows, options.seed), count))
    chosen = [(pair, number < options.variants) for number, pair in enumerate(pairs)]
    random.shuffle(chosen)
    sheet = []
    key = {}
    for number, (pair, is_variant) in enumerate(chosen, start=1):
        name = f"panda-{options.name}-{number:03}"
        shown = pair.variant if is_variant else pair.original
        sheet.append({"id": name, **shown.fields})
        key[name] = {
            "variant": is_variant,
            "row": pair.original.id,
            "original": dict(pair.original.fields),
            "about": dict(pair.provenance.about),
        }
    lines = (json.dumps(line, ensure_ascii=False) + "\n" for line in sheet)
    options.sheet.write_text("".join(lines), encoding="utf-8")
    options.key.write_text(json.dumps(key, ensure_ascii=False, indent=1), encoding="utf-8")


def read_verdicts(path: Path) -> dict[str, bool]:
    """Whether each id is good."""
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    return {row["id"]: bool(row["good"]) for row in rows}


def share(goods: Sequence[bool]) -> dict[str, Any]:
    """How many are good, and the interval of their share.

    >>> share([True, True, True, False])
    {'read': 4, 'good': 3, 'share': 0.75, 'interval': [0.301, 0.954]}
    """
    count = len(goods)
    good = sum(goods)
    if not count:
        return {"read": 0, "good": 0}
    z = 1.96
    rate = good / count
    middle = (rate + z * z / (2 * count)) / (1 + z * z / count)
    half = z * math.sqrt(rate * (1 - rate) / count + z * z / (4 * count * count))
    half /= 1 + z * z / count
    interval = [round(middle - half, 3), round(middle + half, 3)]
    return {"read": count, "good": good, "share": round(rate, 3), "interval": interval}


def score(key: Mapping[str, Any], verdicts: Sequence[Mapping[str, bool]]) -> dict[str, Any]:
    """The shares of each reader, and how often two agree on what both have read."""
    readers = []
    for verdict in verdicts:
        unknown = sorted(verdict.keys() - key.keys())
        if unknown:
            raise SystemExit(f"the key has no '{unknown[0]}': is it of another sheet?")
        kinds = {
            kind: share(
                [good for name, good in verdict.items() if key[name]["variant"] is is_variant]
            )
            for kind, is_variant in (("variants", True), ("originals", False))
        }
        readers.append({**kinds, "not_read": len(key.keys() - verdict.keys())})
    result: dict[str, Any] = {"readers": readers}
    if len(verdicts) == 2:
        first, second = verdicts
        both = [first[name] == second[name] for name in first.keys() & second.keys()]
        result["agreement"] = share(both)
    return result


def main() -> None:
    """Draw a sheet, or score verdicts."""
    options = arguments(
        __doc__,
        argument("part", choices=["draw", "score"]),
        argument("names", nargs="+", help="the dataset to draw from, or one or two verdicts"),
        argument("--data", type=Path, default=Path(os.environ.get("AUGKIT_DATA", "data"))),
        argument("--sheet", type=Path, help="the file for readers"),
        argument("--key", type=Path, required=True, help="what each id is"),
        argument("--variants", type=int, default=120),
        argument("--originals", type=int, default=30),
        argument("--seed", type=int, default=1),
    )
    if options.part == "draw":
        (options.name,) = options.names
        if options.name not in SOURCES or options.sheet is None:
            raise SystemExit(f"draw needs --sheet FILE and one of {', '.join(SOURCES)}")
        draw(options)
        return
    key = json.loads(options.key.read_text(encoding="utf-8"))
    verdicts = [read_verdicts(Path(name)) for name in options.names]
    print_line({"benchmark": "panda-texts", **score(key, verdicts)})


if __name__ == "__main__":
    main()
