"""Rewrites of other corpora: WinoBias, round trips, grammar, references to be read.

``benchmarks/release/panda.py`` says what each part measures, and runs it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from augkit.augmenters.panda.perturbers.protocol import Perturbed, PerturbTask
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.augmenters.panda.references import references
from augkit.core.types import Example, Rejection
from augkit.english.parser import SpacyParser

PRONOUNS = frozenset("he she him her his hers himself herself".split())
BATCH = 1_024
CORPORA = ("sst2", "snli", "rte")
READ = (
    ("rte", "train"),
    ("mrpc", "test"),
    ("fever", "test"),
    ("mnli", "train_10k"),
    ("anli", "test"),
    ("qnli", "dev"),
    ("fm2", "test"),
    ("paws", "test"),
)
TARGETS = {"gender": ("woman", "man"), "race": ("asian", "black"), "age": ("senior", "young")}


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


def winobias(options: argparse.Namespace) -> dict[str, Any]:
    """Pairs whose partner comes out letter for letter, both ways."""
    pairs: dict[str, list[dict[str, Any]]] = {}
    for split in ("dev", "test"):
        for row in rows(options.data / "bias" / "winobias", split):
            pairs.setdefault(row["pair_id"], []).append(row)
    right = total = 0
    wrong = []
    for pair in pairs.values():
        if len(pair) != 2 or not _differ_in_pronouns(pair[0]["text"], pair[1]["text"]):
            continue
        for one, other in (pair, pair[::-1]):
            output = _swapped(one)
            total += 1
            right += output == other["text"]
            if output != other["text"]:
                wrong.append((one["text"], output, other["text"]))
    show(options, wrong)
    return {"pairs_both_ways": total, "equal": round(right / total, 4)}


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
    return answer.fields["text"] if isinstance(answer, Perturbed) else text


def roundtrip(options: argparse.Namespace) -> dict[str, Any]:
    """Changed share and texts that come back, per corpus and overall."""
    result: dict[str, Any] = {}
    sums = [0, 0, 0]
    failed = []
    for name in CORPORA:
        held, changed, back = 0, 0, 0
        for text, task, answer in first_changes(texts(options.data, name), "man", "woman"):
            held += 1
            if not isinstance(answer, Perturbed) or task is None:
                failed.append(("kept", text, answer.detail if answer else ""))
                continue
            changed += 1
            again = _back(task, answer)
            back += again == text
            if again != text:
                failed.append(("lost", text, answer.fields["text"], again))
        result[name] = {
            "held": held,
            "changed": _share(changed, held),
            "back": _share(back, changed),
        }
        sums = [a + b for a, b in zip(sums, (held, changed, back), strict=True)]
    show(options, failed)
    return {"changed": _share(sums[1], sums[0]), "back": _share(sums[2], sums[1]), **result}


def first_changes(
    some: Sequence[str], source: str, target: str
) -> Iterator[tuple[str, PerturbTask | None, Perturbed | Rejection | None]]:
    """For each text with a reference to ``source``: the first job that changes it, or the last."""
    rules = RulePerturber(SpacyParser())
    for start in range(0, len(some), BATCH):
        waiting = {}
        for text in some[start : start + BATCH]:
            found = [r for r in references({"text": text}, ["gender"]) if r.attribute == source]
            if found:
                waiting[text] = [(text, r.start, r.end) for r in found[:4]]
        done: dict[str, tuple[PerturbTask, Perturbed | Rejection]] = {}
        left = {text: list(places) for text, places in waiting.items()}
        while left:
            tasks = {text: _task(*places.pop(0), target) for text, places in left.items()}
            for (text, task), answer in zip(
                tasks.items(), rules.perturb([*tasks.values()]), strict=True
            ):
                done[text] = (task, answer)
            left = {
                text: places
                for text, places in left.items()
                if places and isinstance(done[text][1], Rejection)
            }
        for text in waiting:
            yield text, *done[text]


def _task(text: str, start: int, end: int, target: str) -> PerturbTask:
    return PerturbTask(
        Example({"text": text}), "text", start, end, "gender", target, random.Random(0)
    )


def _back(task: PerturbTask, answer: Perturbed) -> str:
    """The text after the chosen word was changed back."""
    edits = answer.edits or ()
    chosen = next((e for e in edits if e.start <= task.start < e.end), edits[0])
    start = chosen.start + sum(
        len(e.after) - len(e.before) for e in edits if e.start < chosen.start
    )
    back = _task(answer.fields["text"], start, start + len(chosen.after), "man")
    again = RulePerturber(SpacyParser()).perturb([back])[0]
    return again.fields["text"] if isinstance(again, Perturbed) else answer.fields["text"]


def grammar(options: argparse.Namespace) -> dict[str, Any]:
    """Errors that Harper finds in originals and in perturbed texts."""
    pairs = []
    some = [text for name in CORPORA for text in texts(options.data, name)]
    for source, target in (("man", "woman"), ("woman", "man"), ("man", "non-binary")):
        for text, _, answer in first_changes(some, source, target):
            if isinstance(answer, Perturbed):
                pairs.append((text, answer.fields["text"], target))
    random.Random(options.seed).shuffle(pairs)
    pairs = pairs[: options.limit or 5_000]
    kinds = linted(options.python, [text for pair in pairs for text in pair[:2]])
    before, after = ([sum(some.values()) for some in kinds[side::2]] for side in (0, 1))
    more = sum(kinds[1::2], Counter())
    more.subtract(sum(kinds[::2], Counter()))
    worse = [(*pair, b, a) for pair, b, a in zip(pairs, before, after, strict=True) if a > b]
    show(options, worse)
    return {
        "texts": len(pairs),
        "errors_before": sum(before),
        "errors_after": sum(after),
        "more_per_text": round((sum(after) - sum(before)) / max(1, len(pairs)), 4),
        "more_per_error": round((sum(after) - sum(before)) / max(1, sum(before)), 4),
        "texts_with_more": round(len(worse) / max(1, len(pairs)), 4),
        "more_by_kind": {kind: count for kind, count in sorted(more.items()) if count},
    }


HARPER = """
import json, sys
import harper
linter = harper.Linter()
for line in sys.stdin:
    text = json.loads(line)
    kinds = [str(lint.lint_kind) for lint in linter.lint(text)]
    print(json.dumps([kind for kind in kinds if kind != "Spelling"]), flush=True)
"""


def linted(python: str, some: Sequence[str]) -> list[Counter[str]]:
    """The faults other than unknown words that Harper finds in each text, by kind."""
    lines = "".join(json.dumps(text) + "\n" for text in some)
    found = subprocess.run(
        [python, "-c", HARPER], input=lines, capture_output=True, text=True, check=False
    )
    if found.returncode:
        raise SystemExit(f"harper-py does not run in {python}: {found.stderr.strip()[-300:]}")
    return [Counter(json.loads(line)) for line in found.stdout.splitlines()]


def read(options: argparse.Namespace) -> dict[str, Any]:
    """Nouns, adjectives and names of drawn texts that are changed, to be read: are they persons?"""
    draw = random.Random(options.seed)
    tasks = []
    for name, split in READ:
        some = [text for text in texts(options.data, name, split) if len(text) < 700]
        for text in draw.sample(some, min(len(some), 400)):
            for axis, targets in TARGETS.items():
                for r in references({"text": text}, [axis]):
                    target = next(one for one in targets if one != r.attribute)
                    if text[r.start : r.end].lower() not in PRONOUNS:
                        place = (r.start, r.end, axis, target)
                        tasks.append(
                            PerturbTask(Example({"text": text}), "text", *place, random.Random(0))
                        )
    tasks = draw.sample(tasks, min(len(tasks), options.limit or 5_000))
    answers = RulePerturber(SpacyParser()).perturb(tasks)
    for task, answer in zip(tasks, answers, strict=True):
        text = task.fields["text"]
        marked = f"{text[max(0, task.start - 50) : task.start]}[{task.word}]{text[task.end :][:50]}"
        if options.show:
            print(isinstance(answer, Perturbed), task.axis, marked, sep=" | ", file=sys.stderr)
    return {"read": len(tasks), "changed": sum(isinstance(a, Perturbed) for a in answers)}


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def show(options: argparse.Namespace, some: Sequence[object]) -> None:
    """Print a sample of what went wrong to the error stream, where it is asked for."""
    for each in random.Random(0).sample(list(some), min(options.show, len(some))):
        print(each, file=sys.stderr)
