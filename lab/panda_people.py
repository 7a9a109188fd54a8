"""Rewrites of PANDA beside people's: the part ``people`` of ``panda.py``.

PANDA's rows are a text, a word of it, a target attribute and a person's rewrite. The word's place
is not given: its first occurrence is taken. What is measured, by axis and source:

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

import gzip
import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

from augkit.augmenters.panda.perturbers.protocol import Perturber
from augkit.commands.perturb import (
    PerturbRequest,
    join_segments,
    to_task,
)
from augkit.core.errors import UserError
from augkit.core.types import Variant
from lab.panda_counts import Row, Tally, table_2
from lab.panda_names import Answer, Answers, name_checks

SPLIT = "dev"
SOURCES, MOST_WORDS = ("wiki", "bookcorpus"), 150
"""What the short texts are."""
BATCH = 256
Ask = Callable[[list[dict[str, Any]]], Iterable[tuple[str, Mapping[str, str]]]]
"""Texts with ids and targets → each peer, and its output for each id."""


def read_rows(path: Path, limit: int) -> list[Row]:
    """The rows of up to ``limit`` originals, drawn; 0: all."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [Row(**json.loads(line)) for line in lines]
    texts = sorted({row.text for row in rows})
    if limit:
        texts = random.Random(0).sample(texts, min(limit, len(texts)))
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
        if isinstance(task, Variant):
            answers[key] = Answer(text, task.reason)
        else:
            tasks[key] = task
    keys = list(tasks)
    for start in range(0, len(keys), BATCH):
        part = keys[start : start + BATCH]
        for key, result in zip(part, perturber.perturb([tasks[k] for k in part]), strict=True):
            answers[key] = _answer(key[0], result)
    return {key: answers[key] for key in requests}


def _answer(text: str, result: Variant) -> Answer:
    if result.reason:
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
    return {name: tallies[name].result() for name in sorted(tallies)}


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
            "people": humans[axis].result(),
            "pairs": pairs[axis].result(),
            "system_there": system[axis].result(),
        }
        for axis in sorted(humans)
    }


def measure(
    rows: Sequence[Row], perturber: Perturber, score: Any, ask: Ask | None = None
) -> dict[str, Any]:
    """Everything that the description above names; the peers too, where they can be asked."""
    answers = answer_all(rows, perturber)
    short = short_rows(rows)
    axes, persons = grouped(rows, answers, lambda row: row.axis), people(rows, answers)
    short_axes = grouped(short, answers, lambda row: row.axis)
    result: dict[str, Any] = {
        "originals": len({row.text for row in rows}),
        "summary": summary(axes, persons, short_axes),
        "axis": axes,
        "people": persons,
        "short": {"axis": short_axes, "people": people(short, answers)},
        "source": grouped(rows, answers, lambda row: row.source),
        "rejections": Counter(a.rejected.split(":")[0] for a in answers.values() if a.rejected),
        "names": name_checks(rows, answers),
        "table_2": {
            **table_2_rows(rows, answers, score),
            **table_2_rows(short, answers, score, "short: "),
        },
    }
    if ask is not None:
        result["peers"] = peers(rows, answers, score, ask)
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


def summary(
    axes: Mapping[str, Any], people: Mapping[str, Any], short: Mapping[str, Any]
) -> dict[str, Any]:
    """For each axis that has all of them: the system, people, and the system on short texts."""
    return {
        axis: {"system": rates, "people": people[axis]["people"], "short": short[axis]}
        for axis, rates in axes.items()
        if axis in people and axis in short
    }


def short_rows(rows: Sequence[Row]) -> list[Row]:
    """The rows of the short texts of some sources."""
    return [row for row in rows if row.source in SOURCES and len(row.text.split()) <= MOST_WORDS]


def peers(rows: Sequence[Row], answers: Answers, score: Any, ask: Ask) -> dict[str, Any]:
    """The system and the peers, on the gender rows with a target that peers know."""
    known = [row for row in rows if row.axis == "gender" and row.target != "non-binary"]
    requests = dict(enumerate(dict.fromkeys(row.request for row in known)))
    asked = [{"id": n, "text": text, "target": to} for n, (text, _, _, to) in requests.items()]
    answers_of = {"augkit": answers}
    for name, outputs in ask(asked):
        answers_of[name] = {key: Answer(outputs[str(n)]) for n, key in requests.items()}
    found: dict[str, Any] = {}
    for name, theirs in answers_of.items():
        pairs = [(theirs[row.request].text, row.rewrite) for row in known]
        found[name] = grouped(known, theirs, lambda _: "all")["all"] | table_2(pairs, score)
    return found
