"""What does ``augkit check`` find in public data? The figures of docs/results/public-data.md.

    AUGKIT_DATA=DIR python -m lab.public_data [--only NAME ...]

The files of choices are in ``AUGKIT_DATA/candidates``, in the shapes that the page describes. Each
is checked with the default settings. One JSON line a file: items, chance, the accuracy of the best
rule that looks at one feature, and of a ranker that never sees the prompt; then one a check that
fails, with the feature that is strongest in the items that differ in it, and the one that is right
most often in all. One JSON line for each set of labelled rows: how far a field alone gets.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import augkit
from lab.command_line import argument, arguments, print_line

Row = dict[str, Any]

FEATURE = re.compile(
    r"the winner (?P<feature>.+) in (?P<share>[\d.]+)% of (?P<items>[\d,]+) items"
    r"(?: that differ in it; a rule that goes by it alone is right in (?P<ruler>[\d.]+)% of all)?"
)
BLIND = re.compile(
    r"(?P<blind>[\d.]+)% without the prompt \(chance (?P<chance>[\d.]+)%\)"
    r"; by one feature at best (?P<ruler>[\d.]+)% \((?P<feature>.+)\)"
)
FIELD = re.compile(r"(\w+) ([\d.]+)%")
LABELLED = ("snli:dev", "snli:train_20k", "mnli:dev_matched", "fever:dev")


def only(rows: list[Row], column: str, value: str) -> list[Row]:
    """The rows of a part of a file."""
    return [row for row in rows if row[column] == value]


def as_pairs(rows: list[Row]) -> list[Row]:
    """Questions with two options as preference pairs."""
    pairs = []
    for row in rows:
        right = row["answer"]
        wrong = 1 - right
        pair = {"chosen": row["options"][right], "rejected": row["options"][wrong]}
        pairs.append({"question": row["question"], **pair})
    return pairs


def neighbours(rows: list[Row]) -> list[Row]:
    """The pairs of LLMBar whose wrong answer belongs to a similar instruction."""
    return only(rows, "group", "Adversarial-Neighbor")


def one_turn(rows: list[Row]) -> list[Row]:
    """HaluEval's questions of one turn, as preference pairs."""
    return as_pairs(only(rows, "subset", "one-turn"))


def as_published(rows: list[Row]) -> list[Row]:
    """RM-Bench as its authors publish it: three chosen and three rejected answers a prompt."""
    styles = ("concise", "plain", "markdown")
    items: dict[Any, Row] = {}
    for row in rows:
        empty = {"prompt": row["prompt"], "chosen": [None] * 3, "rejected": [None] * 3}
        item = items.setdefault(row["item"], empty)
        for side in ("chosen", "rejected"):
            item[side][styles.index(row[f"{side}_style"])] = row[side]
    return list(items.values())


CHOICES: dict[str, tuple[str, Callable[[list[Row]], list[Row]]]] = {
    "auto-j": ("pairs_autoj", list),
    "PandaLM": ("pairs_pandalm", list),
    "MT-Bench": ("pairs_mtbench", list),
    "LLMEval²": ("pairs_llmeval2", list),
    "hh-rlhf, harmless": ("pairs_hh_harmless", list),
    "LLMBar": ("pairs_llmbar", list),
    "LLMBar, Neighbor": ("pairs_llmbar", neighbours),
    "RM-Bench, half, nine pairs each": ("pairs_rmbench_half", list),
    "RM-Bench, half, six answers each": ("pairs_rmbench_half", as_published),
    "quizzes": ("choices_quiz_before", list),
    "quizzes, places repaired": ("choices_quiz_after", list),
    "TruthfulQA, 2 to 13 options": ("choices_truthfulqa_mc1", list),
    "TruthfulQA, two options": ("choices_truthfulqa_binary", as_pairs),
    "TruthfulQA, audited, 528": ("choices_truthfulqa_tau052", list),
    "TruthfulQA, audited, 300": ("choices_truthfulqa_K300", list),
    "HaluEval": ("choices_halueval_qa", list),
    "HaluEval, one turn": ("choices_halueval_qa", one_turn),
}
"""What the page calls a set: its file, and what is made of its rows."""


def check_choices(name: str, candidates: Path, folder: Path) -> Iterator[Row]:
    """What is found in one set of choices."""
    file, make = CHOICES[name]
    with gzip.open(candidates / f"{file}.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = make([json.loads(line) for line in lines])
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    found = augkit.check(path)
    for check in found.checks:
        if check.name == "blind_accuracy" and (blind := BLIND.search(check.summary)):
            line = {"kind": "choices", "data": name, "items": found.about["rows"]}
            line |= {"chance": float(blind["chance"]), "ruler": float(blind["ruler"])}
            yield line | {"by": blind["feature"], "blind": float(blind["blind"])}
        else:
            for feature in strongest([one.message for one in check.findings]):
                yield {"kind": "feature", "data": name, "check": check.name, **feature}


def strongest(messages: list[str]) -> list[Row]:
    """The feature with the largest share, and the one whose rule is right most often."""
    features = []
    for message in messages:
        if match := FEATURE.search(message):
            share = float(match["share"])
            # The place of a winner is known in all items, so that its share is that of the rule.
            ruler = float(match["ruler"] or share)
            items = int(match["items"].replace(",", ""))
            row = {"feature": match["feature"], "share": share, "differ": items, "ruler": ruler}
            features.append(row)
    if not features:
        return []
    first = max(features, key=lambda row: row["share"])
    second = max(features, key=lambda row: row["ruler"])
    return [first] if first is second else [first, second]


def check_labelled(name: str) -> Row:
    """How far each field alone gets, and the most frequent label."""
    found = augkit.check(name)
    labels = found.about["labels"].values()
    line: Row = {"kind": "labelled", "data": name, "rows": sum(labels)}
    line["frequent"] = round(100 * max(labels) / sum(labels), 1)
    (check,) = (check for check in found.checks if check.name == "field_accuracy")
    fields = FIELD.findall(check.summary)
    return line | {"first": " ".join(fields[0]), "second": " ".join(fields[1])}


def main() -> None:
    """Print what is found in each set."""
    asked = arguments(__doc__, argument("--only", nargs="+", metavar="NAME", default=[]))
    candidates = Path(os.environ["AUGKIT_DATA"]) / "candidates"
    names = asked.only or [*CHOICES, *LABELLED]
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            if name in LABELLED:
                print_line(check_labelled(name))
            else:
                for line in check_choices(name, candidates, Path(folder)):
                    print_line(line)


if __name__ == "__main__":
    main()
