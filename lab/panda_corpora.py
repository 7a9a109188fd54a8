"""Rewrites of other corpora: WinoBias and round trips. ``panda.py`` says what is measured."""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from augkit.augmenters.panda.perturbers.protocol import PerturbTask
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.augmenters.panda.references import references
from augkit.augmenters.panda.rules.everybody import OPPOSITE
from augkit.core.types import Example, Variant
from augkit.english.parser import SpacyParser

PRONOUNS = frozenset("he she him her his hers himself herself".split())
BATCH = 1_024
CORPORA = ("sst2", "snli", "rte")


def rows(folder: Path, split: str) -> list[dict[str, Any]]:
    """The rows of a split, plain or gzipped."""
    plain = folder / f"{split}.jsonl"
    packed = folder / f"{split}.jsonl.gz"
    data = plain.read_bytes() if plain.exists() else gzip.decompress(packed.read_bytes())
    return [json.loads(line) for line in data.decode("utf-8").splitlines()]


def texts(data: Path, name: str, split: str = "dev") -> list[str]:
    """The texts of a dataset, each side of a pair for itself, every one once."""
    keys = ("text", "text_a", "text_b")
    found = [row[key] for row in rows(data / name, split) for key in keys if key in row]
    return list(dict.fromkeys(found))


def winobias(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Pairs whose partner comes out letter for letter, both ways."""
    pairs: dict[str, list[dict[str, Any]]] = {}
    for split in ("dev", "test"):
        for row in rows(options.data / "bias" / "winobias", split):
            pairs.setdefault(row["pair_id"], []).append(row)
    right = total = swapped = 0
    for pair in pairs.values():
        if len(pair) != 2 or not _differ_in_pronouns(pair[0]["text"], pair[1]["text"]):
            continue
        for one, other in (pair, pair[::-1]):
            total += 1
            right += _swapped(one) == other["text"]
            swapped += _opposite(one["text"]) == other["text"]
    equal = {"equal": round(right / total, 4), "opposite": round(swapped / total, 4)}
    yield {"pairs_both_ways": total, **equal}


def _opposite(text: str) -> str:
    """The text with every man a woman and every woman a man."""
    first = references({"text": text}, ["gender"])[0]
    place = (first.start, first.end, "gender", "woman")
    example, rng = Example({"text": text}), random.Random(0)
    task = PerturbTask(example, "text", *place, rng, alone=False, becomes=OPPOSITE)
    answer = RulePerturber(SpacyParser()).perturb([task])[0]
    return answer.fields["text"] if not answer.reason else text


def _differ_in_pronouns(one: str, other: str) -> bool:
    left, right = one.split(), other.split()
    different = [(a, b) for a, b in zip(left, right, strict=False) if a != b]
    strip = ".,;:!?'\""
    return (
        len(left) == len(right)
        and bool(different)
        and all({a.strip(strip).lower(), b.strip(strip).lower()} <= PRONOUNS for a, b in different)
    )


def _swapped(row: dict[str, Any]) -> str:
    marked = row["marked"]
    place = next(
        i
        for i in range(len(marked))
        if marked[i] == "[" and marked[i + 1 : marked.find("]", i)].lower() in PRONOUNS
    )
    start = place - marked[:place].count("[") - marked[:place].count("]")
    word = marked[place + 1 : marked.find("]", place)]
    target = "woman" if word.lower() in {"he", "him", "his", "himself"} else "man"
    text = row["text"]
    place = (start, start + len(word))
    task = PerturbTask(Example({"text": text}), "text", *place, "gender", target, random.Random(0))
    answer = RulePerturber(SpacyParser()).perturb([task])[0]
    return answer.fields["text"] if not answer.reason else text


def roundtrip(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Changed share and texts that come back, per corpus and overall."""
    result: dict[str, Any] = {}
    sums = [0, 0, 0]
    for name in CORPORA:
        held, changed, back = 0, 0, 0
        for text, task, answer in first_changes(texts(options.data, name), "man", "woman"):
            held += 1
            if answer.reason:
                continue
            changed += 1
            back += _back(task, answer) == text
        result[name] = {
            "held": held,
            "changed": _share(changed, held),
            "back": _share(back, changed),
        }
        sums = [a + b for a, b in zip(sums, (held, changed, back), strict=True)]
    yield {"changed": _share(sums[1], sums[0]), "back": _share(sums[2], sums[1]), **result}


def first_changes(
    some: Sequence[str], source: str, target: str
) -> Iterator[tuple[str, PerturbTask, Variant]]:
    """For each text with a reference to ``source``: the first job that changes it, or the last."""
    rules = RulePerturber(SpacyParser())
    for start in range(0, len(some), BATCH):
        waiting = {}
        for text in some[start : start + BATCH]:
            found = [r for r in references({"text": text}, ["gender"]) if r.attribute == source]
            if found:
                waiting[text] = [(text, r.start, r.end) for r in found[:4]]
        done: dict[str, tuple[PerturbTask, Variant]] = {}
        left = {text: list(places) for text, places in waiting.items()}
        while left:
            tasks = {text: _task(*places.pop(0), target) for text, places in left.items()}
            for (text, task), answer in zip(
                tasks.items(), rules.perturb([*tasks.values()]), strict=True
            ):
                done[text] = (task, answer)
            left = {
                text: places for text, places in left.items() if places and done[text][1].reason
            }
        for text in waiting:
            yield text, *done[text]


def _task(text: str, start: int, end: int, target: str) -> PerturbTask:
    return PerturbTask(
        Example({"text": text}), "text", start, end, "gender", target, random.Random(0)
    )


def _back(task: PerturbTask, answer: Variant) -> str:
    """The text after the chosen word was changed back."""
    edits = answer.edits or ()
    chosen = next((e for e in edits if e.start <= task.start < e.end), edits[0])
    start = chosen.start + sum(
        len(e.after) - len(e.before) for e in edits if e.start < chosen.start
    )
    back = _task(answer.fields["text"], start, start + len(chosen.after), "man")
    again = RulePerturber(SpacyParser()).perturb([back])[0]
    return answer.fields["text"] if again.reason else again.fields["text"]


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
