"""Which person a pronoun stands for: how much right answers would gain, and an encoder's answers.

    python -m benchmarks.research.panda_coref ceiling
    python -m benchmarks.research.panda_coref decisions FOLDER --data DIR
    python -m benchmarks.research.panda_coref silver FOLDER --data DIR
    python -m benchmarks.research.panda_coref_train FOLDER --encoder ENCODER [--silver]
    python -m benchmarks.research.panda_coref measure FOLDER

Each part prints one JSON line. The items are those of two persons of one gender of tests/gold.

- ceiling: the items that are right if some decisions are taken from the accepted rewrites.
- decisions: writes those of scripts/data/fit_antecedents.py and of the items to FOLDER.
- silver: writes those of panda_coref_silver.py to FOLDER.
- measure: the right decisions of the held-out parts and the right items, with the scores that the
  encoder wrote to FOLDER: panda_coref_train.py, which wants a GPU.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from augkit.augmenters.panda.rules import coreference as rules
from augkit.augmenters.panda.rules.antecedents import antecedent_scores, weights
from augkit.augmenters.panda.rules.document import BETWEEN, Document
from augkit.augmenters.panda.rules.mentions import Mention, Person, find_mentions
from augkit.english.parser import SpacyParser
from benchmarks.command_line import argument, arguments, print_line
from benchmarks.release.panda import ROOT
from benchmarks.research.panda_coref_ceiling import Items, ceiling

sys.path.insert(0, str(ROOT / "scripts"))
import fit_antecedents as corpora

from benchmarks.research.panda_coref_silver import silver

HELD = ("GUM", "LitBank", "GAP")


def decisions(options: argparse.Namespace) -> dict[str, Any]:
    """Write the decisions of the corpora, and those of the items without answers."""
    parts = {
        "train": [
            *(corpora.gum(options.data, part) for part in ("train", "test")),
            *(corpora.litbank(options.data, part) for part in ("train", "test")),
            *(corpora.gap(options.data, part) for part in ("development", "test")),
        ],
        "GUM": [corpora.gum(options.data, "dev")],
        "LitBank": [corpora.litbank(options.data, "dev")],
        "GAP": [corpora.gap(options.data, "validation")],
    }
    rows = []
    for name, texts in parts.items():
        for one in (one for some in texts for one in corpora.decisions(some)):
            known = weights()
            scores = [sum(known.get(f, 0.0) for f in row) for row in one.features]
            mentions = [m for theirs in one.mentions for m in theirs]
            right = [r for r, theirs in zip(one.right, one.mentions, strict=True) for _ in theirs]
            persons = [n for n, theirs in enumerate(one.mentions) for _ in theirs]
            row = {"text": one.text, "pronoun": one.pronoun, "mentions": mentions}
            linear = one.right[scores.index(max(scores))]
            rows.append({"part": name, **row, "right": right, "persons": persons, "linear": linear})
    rows += [{"part": "items", **row} for row in _asked()]
    options.folder.mkdir(parents=True, exist_ok=True)
    with gzip.open(options.folder / "decisions.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    return {name: sum(row["part"] == name for row in rows) for name in (*parts, "items")}


def more_decisions(options: argparse.Namespace) -> dict[str, Any]:
    """Write the decisions over texts of a man and a woman."""
    options.folder.mkdir(parents=True, exist_ok=True)
    rows = list(silver(options.data))
    with gzip.open(options.folder / "silver.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    return {"silver": len(rows)}


def _asked() -> Iterator[dict[str, Any]]:
    """Each pronoun of the items with all mentions before it that agree with it."""
    items, parser = Items(), SpacyParser()
    for task in map(items.task, items.items):
        joined = BETWEEN.join(task.fields.values())
        doc = Document(task, {joined: parser.parse([joined])[0]})
        found = rules.with_genderless(doc, find_mentions(doc))
        mentions = [m for m in found if m.number == "singular"]
        for number, mention in enumerate(mentions):
            fits = [m for m in mentions[:number] if m.gender in {mention.gender, "unknown"}]
            if mention.kind == "pronoun" and fits:
                spans = [(m.start, m.end) for m in fits]
                yield {"text": doc.text, "pronoun": (mention.start, mention.end), "mentions": spans}


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """The right decisions and items: of the rules, and of each seed of the encoder."""
    with gzip.open(options.folder / "decisions.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [row for row in map(json.loads, file) if row["part"] != "train"]
    items = Items()
    found = {"rules": _measured(items, rows, [row.get("linear") for row in rows], None)}
    for path in sorted(options.folder.glob("scores-*.json")):
        scores = json.loads(path.read_text("utf-8"))
        right = [_is_right(row, some) for row, some in zip(rows, scores, strict=True)]
        found[path.stem.removeprefix("scores-")] = _measured(
            items, rows, right, Recorded(rows, scores)
        )
    return {"found": found}


def _measured(
    items: Items, rows: Sequence[Any], right: Sequence[Any], scorer: Recorded | None
) -> dict[str, Any]:
    shares: dict[str, Any] = {}
    for name, parts in {**{part: [part] for part in HELD}, "all": HELD}.items():
        some = [r for row, r in zip(rows, right, strict=True) if row["part"] in parts]
        shares[name] = {"n": len(some), "right": round(sum(some) / len(some), 3)}
    with patch.multiple(rules, antecedent_scores=scorer or antecedent_scores):
        bound = items.count()
        with patch.multiple(rules, _bound=lambda *_: []):
            alone = items.count()
    return {"decisions": shares, "items": bound, "items without grammar": alone}


def _is_right(row: dict[str, Any], scores: Sequence[float]) -> bool | None:
    """Whether the person whose mentions have most weight together is right."""
    if "right" not in row:
        return None
    weight: dict[int, float] = {}
    for person, score in zip(row["persons"], scores, strict=True):
        weight[person] = weight.get(person, 0.0) + math.exp(score)
    best = max(weight, key=weight.__getitem__)
    return bool(row["right"][row["persons"].index(best)])


class Recorded:
    """The scores of a file in the place of the fitted ones."""

    def __init__(self, rows: Sequence[Any], scores: Sequence[Sequence[float]]) -> None:
        """Take the scores of the mentions of the items."""
        self._known = {
            (row["text"], tuple(row["pronoun"])): dict(
                zip(map(tuple, row["mentions"]), some, strict=True)
            )
            for row, some in zip(rows, scores, strict=True)
            if row["part"] == "items"
        }

    def __call__(self, doc: Document, pronoun: Mention, persons: list[Person]) -> list[float]:
        """The logarithm of the weight of the mentions of each person."""
        known = self._known.get((doc.text, (pronoun.start, pronoun.end)))
        if known is None:
            return antecedent_scores(doc, pronoun, persons)
        spans = [[(m.start, m.end) for m in person.mentions] for person in persons]
        totals = [sum(math.exp(known[s]) for s in some if s in known) for some in spans]
        return [math.log(total or math.exp(-30)) for total in totals]


def main() -> None:
    """Run the part that is asked for."""
    parts = {
        "ceiling": lambda _: ceiling(),
        "decisions": decisions,
        "silver": more_decisions,
        "measure": measure,
    }
    options = arguments(
        __doc__,
        argument("part", choices=parts),
        argument("folder", type=Path, nargs="?", help="of decisions and scores"),
        argument("--data", type=Path, default=os.environ.get("AUGKIT_DATA")),
    )
    if options.folder is None and options.part != "ceiling":
        sys.exit(f"{options.part} needs a folder")
    print_line({"benchmark": f"panda-coref-{options.part}", **parts[options.part](options)})


if __name__ == "__main__":
    main()
