"""Texts per CPU-second: find a reference, rewrite its person, make the edits.

Everything is loaded and warmed up on texts of the training parts that are not measured. Then the
parts are measured in several rounds, each with a new perturber and no reference remembered, and the
medians are given. All of it runs on one core. With a peer AugLy's ``swap_gendered_words`` runs
in the same rounds, in a process of its own: the texts are given as one list, which is four times as
fast as one by one, and all gendered words are swapped (``aug_word_p=1.0``; with its default, 0.3 of
all words at most, it is about a sixth faster). Beside it stands ``opposite``, where every man
becomes a woman and back. ``to_augly`` is the median over the rounds of augkit's rate by AugLy's.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import subprocess
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from augkit.augmenters.panda.perturbers.protocol import PerturbTask
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.augmenters.panda.references import Reference, find_hits, references
from augkit.augmenters.panda.rules.everybody import OPPOSITE
from augkit.core.types import Example
from augkit.english.parser import SpacyParser
from lab.panda_corpora import BATCH, rows, texts

ROUNDS, WARM_UP = 9, 6_000
"""Rounds of each part, and texts of each training part for warming up."""
TARGETS = (("opposite",), ("woman", "man"), ("non-binary",))


def speed(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The medians of all parts, and beside AugLy where that is asked for."""
    if hasattr(os, "sched_setaffinity"):  # the peer's process inherits it
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    measured = {
        "sst2": texts(options.data, "sst2"),
        "snli_premises": premises(options, "dev"),
        "winobias": texts(options.data / "bias", "winobias", "test"),
    }
    known = {text for some in measured.values() for text in some}
    training = (texts(options.data, "sst2", "train"), premises(options, "train_20k"))
    warm = [text for some in training for text in some[:WARM_UP] if text not in known]
    for targets in TARGETS:
        count_changed(warm, targets)
    gc.collect()
    gc.freeze()
    found, rates = {}, defaultdict[str, list[float]](list)
    with augly(options, warm, measured) as peer:
        for _ in range(ROUNDS):
            for name, some in measured.items():
                for targets in TARGETS:
                    part = f"{name}_{'_'.join(targets)}"
                    began = time.process_time()
                    found[part] = (len(some), *count_changed(some, targets))
                    rates[part].append(len(some) / (time.process_time() - began))
            for name, rate in next(peer).items():
                rates[f"augly_{name}"].append(rate)
    result: dict[str, Any] = {part: _figures(*found[part], rates[part]) for part in found}
    for name in measured if "augly_sst2" in rates else ():
        result[f"augly_{name}"] = round(median(rates[f"augly_{name}"]))
        both = zip(rates[f"{name}_opposite"], rates[f"augly_{name}"], strict=True)
        result[f"{name}_opposite"]["to_augly"] = round(median(a / b for a, b in both), 2)
    yield result


def premises(options: argparse.Namespace, split: str) -> list[str]:
    """The premises of a part of SNLI, every one once."""
    return list(dict.fromkeys(row["text_a"] for row in rows(options.data / "snli", split)))


def count_changed(some: Sequence[str], targets: Sequence[str]) -> tuple[int, int]:
    """How many texts hold a reference, and how many change; what is kept by text is forgotten."""
    find_hits.cache_clear()
    rules, held, changed = RulePerturber(SpacyParser()), 0, 0
    rng = random.Random(0)
    for start in range(0, len(some), BATCH):
        tasks = []
        for text in some[start : start + BATCH]:
            found = [r for r in references({"text": text}, ["gender"]) if r.attribute != "mixed"]
            if found:
                tasks.append(_task(text, found[0], targets, rng))
        held += len(tasks)
        changed += sum(not answer.reason for answer in rules.perturb(tasks))
    return held, changed


def _task(text: str, first: Reference, targets: Sequence[str], rng: random.Random) -> PerturbTask:
    """The first person of a text made one of the targets, or everybody the opposite."""
    example, place = Example({"text": text}), ("text", first.start, first.end, "gender")
    if targets == ("opposite",):
        return PerturbTask(example, *place, "woman", rng, alone=False, becomes=OPPOSITE)
    target = next((t for t in targets if t != first.attribute), targets[0])
    return PerturbTask(example, *place, target, rng)


@contextmanager
def augly(
    options: argparse.Namespace, warm: Sequence[str], measured: Mapping[str, Sequence[str]]
) -> Iterator[Iterator[dict[str, float]]]:
    """AugLy's texts per CPU-second, a round at a time; empty rounds without its Python."""
    if not options.python:
        yield iter(dict, None)
        return
    command = [options.python, str(Path(__file__).with_name("panda_peers.py")), "speed"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        if process.stdin is None or process.stdout is None:
            raise SystemExit("the peer's process has no streams")
        process.stdin.write(json.dumps({"warm": warm, "measured": measured}) + "\n")
        yield _rounds(process)
        process.stdin.close()


def _rounds(process: subprocess.Popen[str]) -> Iterator[dict[str, float]]:
    """Ask for a round, and read it."""
    while process.stdin is not None and process.stdout is not None:
        process.stdin.write("round\n")
        process.stdin.flush()
        if not (line := process.stdout.readline()):
            raise SystemExit("AugLy does not run there: see above")
        yield json.loads(line)


def _figures(count: int, held: int, changed: int, rates: Sequence[float]) -> dict[str, float]:
    rate = median(rates)
    return {
        "texts": count,
        "per_second": round(rate),
        "held": held,
        "per_second_of_held": round(rate * held / count),
        "changed": changed,
    }
