"""Rewrites of PANDA beside people's: the part ``people`` of ``benchmarks.release.panda``.

PANDA's rows are a text, a word of it, a target attribute and a person's rewrite. The word's place
is not given: its first occurrence is taken. What is measured, by axis, target, source and length:

- **changed words**: the multiset of the original's words (letters and digits, case folded, however
  apostrophes are written: "it 's" = "it's" = "its") that the rewrite has fewer of. With C the
  changed words of a system's output and P those of a person's rewrite, over all rewrites together,
  precision = Σ|C ∩ P| / Σ|C|, recall = Σ|C ∩ P| / Σ|P|, and F1 is their harmonic mean.
  A rejected request changes nothing. ``mean_f1`` is the mean over rewrites, 1 where neither
  changes a word.
- **by_original**: precision, recall and F1 with every original alike, however long it is and
  however many rewrites it has: precision is the mean over originals of the mean over their rewrites
  that the system changes, recall the same over rewrites in which the person changed a word, and F1
  the harmonic mean of the two.
- **exact**: outputs equal to the person's rewrite but for case, spaces and punctuation.
- **interval**: 95 %, percentile bootstrap over originals.
- **people**: each rewrite of a request that several people answered against the others', every
  request with the same weight; ``pairs`` is the same with every pair of rewrites alike, and
  ``system_there`` is the system on these requests.
- **short**: the same by axis, for the short texts of some sources alone.
- **table_2**: BLEU, word-level Levenshtein distance and ROUGE-2 against people's rewrites, as in
  the paper's Table 2, beside the unchanged text, and beside the rewrite of another person who
  answered the request, where there is one.
- **names**: in texts that mention the selected name more than once, whether all its mentions
  became one new name, or all stayed (a surname, where the gender changes), or only some changed;
  and changed first names that the lists give to another gender only.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

from augkit.augmenters.panda.perturbers.protocol import Perturbed, Perturber
from augkit.commands.perturb import (
    PerturbRequest,
    join_segments,
    to_task,
)
from augkit.core.errors import UserError
from augkit.core.types import Rejection
from benchmarks.release.panda_counts import Row, Tally, table_2
from benchmarks.release.panda_names import Answer, Answers, name_checks

ROOT = Path(__file__).parents[2]
BATCH = 256


def read_rows(path: Path, limit: int, seed: int) -> list[Row]:
    """The rows of up to ``limit`` originals, drawn; 0: all."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [Row(**json.loads(line)) for line in lines]
    texts = sorted({row.text for row in rows})
    if limit:
        texts = random.Random(seed).sample(texts, min(limit, len(texts)))
    chosen = set(texts)
    return [row for row in rows if row.text in chosen]


def answer_all(
    rows: Iterable[Row], perturber: Perturber
) -> dict[tuple[str, str, str, str], Answer]:
    """One answer per request."""
    requests, tasks, answers = dict.fromkeys(row.request for row in rows), {}, {}
    for key in requests:
        text, word, axis, target = key
        try:
            task = to_task(PerturbRequest(text, axis, target, word), random.Random(word))
        except UserError as error:
            answers[key] = Answer(text, f"bad request: {error}")
            continue
        if isinstance(task, Rejection):
            answers[key] = Answer(text, task.reason)
        else:
            tasks[key] = task
    keys = list(tasks)
    for start in range(0, len(keys), BATCH):
        part = keys[start : start + BATCH]
        for key, result in zip(part, perturber.perturb([tasks[k] for k in part]), strict=True):
            answers[key] = _answer(key[0], result)
    return {key: answers[key] for key in requests}


def _answer(text: str, result: Perturbed | Rejection) -> Answer:
    if isinstance(result, Rejection):
        return Answer(text, result.reason)
    return Answer(
        join_segments(result.fields), "", result.about.get("source", ""), result.edits or ()
    )


def grouped(rows: Sequence[Row], answers: Answers, key: Callable[[Row], str]) -> dict[str, Any]:
    """The rates of the groups of rows, each with its interval."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    for row in rows:
        answer = answers[row.request]
        tallies[key(row)].add(row, answer.text, rejected=bool(answer.rejected))
    return {name: tallies[name].result(interval=True) for name in sorted(tallies)}


def by_request(rows: Sequence[Row]) -> list[list[Row]]:
    """The rows of the requests that several people answered."""
    requests: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        requests[row.request].append(row)
    return [same for same in requests.values() if len(same) > 1]


def pairs_of_people(rows: Sequence[Row]) -> list[tuple[str, str]]:
    """For each rewrite of a request that several people answered: the next one's, and it."""
    return [
        (same[index - 1].rewrite, row.rewrite)
        for same in by_request(rows)
        for index, row in enumerate(same)
    ]


def people(rows: Sequence[Row], answers: Answers) -> dict[str, Any]:
    """How people agree with people, and the system with people on the same requests, by axis."""
    humans: dict[str, Tally] = defaultdict(Tally)
    pairs: dict[str, Tally] = defaultdict(Tally)
    system: dict[str, Tally] = defaultdict(Tally)
    for same in by_request(rows):
        for one, other in permutations(same, 2):
            weight = 1 / (len(same) * (len(same) - 1))
            humans[one.axis].add(one, other.rewrite, weight=weight)
            pairs[one.axis].add(one, other.rewrite, weight=1 / 2)
        for row in same:
            answer = answers[row.request]
            rejected = bool(answer.rejected)
            system[row.axis].add(row, answer.text, rejected=rejected, weight=1 / len(same))
    return {
        axis: {
            "people": humans[axis].result(interval=True),
            "pairs": pairs[axis].result(interval=True),
            "system_there": system[axis].result(interval=True),
        }
        for axis in sorted(humans)
    }


def peer_answers(rows: Sequence[Row], python: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The outputs of each peer for the requests of the gender axis, or its error."""
    keys = list(dict.fromkeys(row.request for row in rows if row.axis == "gender"))
    lines = "".join(
        json.dumps({"id": n, "text": key[0], "target": key[3]}) + "\n" for n, key in enumerate(keys)
    )
    script = ROOT / "benchmarks" / "panda_peers.py"
    found = subprocess.run(
        [python, str(script)], input=lines, capture_output=True, text=True, check=False
    )
    if found.returncode:
        yield "peers", {"error": found.stderr.strip()[-300:]}
        return
    for line in found.stdout.splitlines():
        answer = json.loads(line)
        name = answer.pop("peer")
        if "outputs" in answer:
            texts = answer["outputs"]
            answer = {key: Answer(texts[str(n)]) for n, key in enumerate(keys)}
        yield name, answer


def measure(
    options: argparse.Namespace, rows: Sequence[Row], perturber: Perturber, score: Any
) -> dict[str, Any]:
    """Everything that the description above names."""
    answers = answer_all(rows, perturber)
    short = short_rows(options, rows)
    result: dict[str, Any] = {
        "split": options.split,
        "originals": len({row.text for row in rows}),
        "all": grouped(rows, answers, lambda _: "all")["all"],
        "axis": grouped(rows, answers, lambda row: row.axis),
        "target": grouped(rows, answers, lambda row: row.target),
        "source": grouped(rows, answers, lambda row: row.source),
        "length": grouped(rows, answers, lambda row: f"{row.axis}, {row.length}"),
        "rejections": Counter(a.rejected.split(":")[0] for a in answers.values() if a.rejected),
        "people": people(rows, answers),
        "short": {
            "max_words": options.max_words,
            "sources": options.sources,
            "axis": grouped(short, answers, lambda row: row.axis),
            "people": people(short, answers),
        },
        "names": name_checks(rows, answers),
        "table_2": {
            **table_2_rows(rows, answers, score),
            **table_2_rows(short, answers, score, "short: "),
        },
    }
    result["summary"] = summary(result)
    if options.outputs:
        write_outputs(options.outputs, answers)
    if options.peers:
        result["peers"] = peers(rows, options.python, answers, score)
    return result


def table_2_rows(
    rows: Sequence[Row], answers: Answers, score: Any, name: str = ""
) -> dict[str, Any]:
    """Table 2 for the system, the unchanged text and another person's rewrite."""
    outputs = {
        "augkit": [(answers[row.request].text, row.rewrite) for row in rows],
        "unchanged text": [(row.text, row.rewrite) for row in rows],
        "another person": pairs_of_people(rows),
    }
    return {name + key: table_2(pairs, score) for key, pairs in outputs.items() if pairs}


def summary(result: Mapping[str, Any]) -> dict[str, Any]:
    """For each axis that has all of them: the system, people, and the system on short texts."""
    people, short = result["people"], result["short"]["axis"]
    return {
        axis: {"system": rates, "people": people[axis]["people"], "short": short[axis]}
        for axis, rates in result["axis"].items()
        if axis in people and axis in short
    }


def short_rows(options: argparse.Namespace, rows: Sequence[Row]) -> list[Row]:
    """The rows of the short texts of some sources."""
    return [
        row
        for row in rows
        if row.source in options.sources and len(row.text.split()) <= options.max_words
    ]


def peers(rows: Sequence[Row], python: str, answers: Answers, score: Any) -> dict[str, Any]:
    """The peers that run and the system, on the gender rows with a target that peers know."""
    known = [row for row in rows if row.axis == "gender" and row.target != "non-binary"]
    found: dict[str, Any] = {}
    for name, theirs in [("augkit", dict(answers)), *peer_answers(known, python)]:
        if "error" in theirs:
            print(f"{name} is left out: {theirs['error']}", file=sys.stderr)
            continue
        pairs = [(theirs[row.request].text, row.rewrite) for row in known]
        found[name] = grouped(known, theirs, lambda _: "all")["all"] | table_2(pairs, score)
    return found


def write_outputs(path: Path, answers: Answers) -> None:
    """One JSON line per request: for reading, and for comparing versions."""
    with path.open("w", encoding="utf-8") as file:
        for (text, word, axis, target), answer in answers.items():
            row = {"text": text, "word": word, "axis": axis, "target": target}
            row |= {"output": answer.text, "rejected": answer.rejected}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
