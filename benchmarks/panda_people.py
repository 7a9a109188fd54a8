"""Rewrites of PANDA beside people's: ``python benchmarks/panda.py people`` prints one JSON line.

PANDA's rows are a text, a word of it, a target attribute and a person's rewrite. The word's place
is not given: its first occurrence is taken. What is measured, by axis, target, source and length:

- **changed words**: the multiset of the original's words (letters and digits with inner
  apostrophes, case folded) that the rewrite has fewer of. With C the changed words of a system's
  output and P those of a person's rewrite, over all rewrites together,
  precision = Σ|C ∩ P| / Σ|C|, recall = Σ|C ∩ P| / Σ|P|, and F1 is their harmonic mean.
  A rejected request changes nothing. ``mean_f1`` is the mean over rewrites, 1 where neither
  changes a word.
- **exact**: outputs equal to the person's rewrite but for case, spaces and punctuation.
- **interval**: 95 %, percentile bootstrap over originals.
- **people**: each rewrite of a request that several people answered against the others', every
  request with the same weight; ``system_there`` is the system on these requests.
- **table_2**: BLEU, word-level Levenshtein distance and ROUGE-2 against people's rewrites, as in
  the paper's Table 2, with ``copy``, the unchanged text.
- **names**: in texts that mention the selected name more than once, whether all its mentions
  changed, and to one name; and changed first names that the lists give to another gender only.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import permutations
from pathlib import Path
from typing import Any

from augkit.augmenters.panda.perturb_request import PerturbRequest, join_segments, to_task
from augkit.augmenters.panda.perturbers.protocol import Perturbed, Perturber
from augkit.core.errors import UserError
from augkit.core.types import Edit, Rejection
from augkit.lexicons.demographics.first_names import look_up

ROOT = Path(__file__).parent.parent
BATCH = 256
RESAMPLES = 1_000
LENGTHS = (20, 60, 120, 10_000)
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Row:
    """A rewrite by a person."""

    text: str
    rewrite: str
    word: str
    axis: str
    target: str
    source: str

    @property
    def request(self) -> tuple[str, str, str, str]:
        """What was asked; several people may have answered."""
        return self.text, self.word, self.axis, self.target

    @property
    def length(self) -> str:
        """The band of the number of words."""
        most = next(n for n in LENGTHS if len(self.text.split()) <= n)
        return f"up to {most} words" if most < LENGTHS[-1] else f"over {LENGTHS[-2]} words"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a system wrote, or the text and why it was rejected."""

    text: str
    rejected: str = ""
    source: str = ""
    edits: tuple[Edit, ...] = ()


Answers = Mapping[tuple[str, str, str, str], Answer]


def read_rows(path: Path, limit: int, seed: int) -> list[Row]:
    """The rows of up to ``limit`` originals, drawn; 0: all."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [Row(**json.loads(line)) for line in lines]
    texts = sorted({row.text for row in rows})
    if limit:
        texts = random.Random(seed).sample(texts, min(limit, len(texts)))
    chosen = set(texts)
    return [row for row in rows if row.text in chosen]


@lru_cache(maxsize=50_000)
def words(text: str) -> tuple[str, ...]:
    """The words that are compared.

    >>> words("He said: 'Don't!' (2003).")
    ('he', 'said', "don't", '2003')
    """
    return tuple(_WORD.findall(text.casefold().replace("\u2019", "'")))


def changed_words(before: str, after: str) -> Counter[str]:
    """The words of ``before`` that ``after`` has fewer of.

    >>> changed_words("He lost his keys, he said.", "She lost her keys, he said.")
    Counter({'he': 1, 'his': 1})
    """
    return Counter(words(before)) - Counter(words(after))


@dataclass
class Tally:
    """Counts of changed words: in both, in the output, in the rewrite; and of rewrites."""

    counts: dict[str, list[float]] = field(default_factory=lambda: defaultdict(lambda: [0.0] * 7))

    def add(self, row: Row, output: str, *, rejected: bool = False, weight: float = 1.0) -> None:
        """Count an output beside a person's rewrite, under its original."""
        ours, theirs = changed_words(row.text, output), changed_words(row.text, row.rewrite)
        both, total = (ours & theirs).total(), ours.total() + theirs.total()
        values = (
            both,
            ours.total(),
            theirs.total(),
            1,
            2 * both / total if total else 1.0,
            words(output) == words(row.rewrite),
            rejected,
        )
        sums = self.counts[row.text]
        for index, value in enumerate(values):
            sums[index] += weight * value

    def result(self, *, interval: bool = False) -> dict[str, Any]:
        """The rates over everything counted."""
        import numpy as np

        table = np.array(list(self.counts.values()))
        both, ours, theirs, n, mean, exact, rejected = table.sum(axis=0)
        found: dict[str, Any] = {
            "originals": len(table),
            "rewrites": round(n),
            "precision": _ratio(both, ours),
            "recall": _ratio(both, theirs),
            "f1": _ratio(2 * both, ours + theirs),
            "mean_f1": _ratio(mean, n),
            "exact": _ratio(exact, n),
            "rejected": _ratio(rejected, n),
        }
        if interval:
            draws = np.random.default_rng(0).multinomial(
                len(table), [1 / len(table)] * len(table), size=RESAMPLES
            )
            sums = draws @ table
            with np.errstate(invalid="ignore"):
                f1 = np.nan_to_num(2 * sums[:, 0] / (sums[:, 1] + sums[:, 2]))
            found["interval"] = [round(float(q), 4) for q in np.quantile(f1, [0.025, 0.975])]
        return found


def _ratio(part: float, whole: float) -> float:
    return round(float(part / whole), 4) if whole else 0.0


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


def people(rows: Sequence[Row], answers: Answers) -> dict[str, Any]:
    """How people agree with people, and the system with people on the same requests, by axis."""
    humans: dict[str, Tally] = defaultdict(Tally)
    system: dict[str, Tally] = defaultdict(Tally)
    for same in by_request(rows):
        for one, other in permutations(same, 2):
            weight = 1 / (len(same) * (len(same) - 1))
            humans[one.axis].add(one, other.rewrite, weight=weight)
        for row in same:
            answer = answers[row.request]
            rejected = bool(answer.rejected)
            system[row.axis].add(row, answer.text, rejected=rejected, weight=1 / len(same))
    return {
        axis: {
            "people": humans[axis].result(interval=True),
            "system_there": system[axis].result(interval=True),
        }
        for axis in sorted(humans)
    }


def edit_distance(left: Sequence[str], right: Sequence[str]) -> int:
    """The word-level Levenshtein distance, by Myers' bit vectors: a column is two integers.

    >>> edit_distance("they sing a song".split(), "they sings song".split())
    2
    """
    if not left:
        return len(right)
    places: dict[str, int] = defaultdict(int)
    for index, word in enumerate(left):
        places[word] |= 1 << index
    full, last = (1 << len(left)) - 1, 1 << (len(left) - 1)
    up, down, distance = full, 0, len(left)
    for word in right:
        equal = places.get(word, 0)
        across = (((equal & up) + up) ^ up) | equal
        rises, falls = (down | ~(across | up)) & full, up & across
        distance += bool(rises & last) - bool(falls & last)
        rises, falls = rises << 1 | 1, falls << 1
        up, down = (falls | ~(equal | down | rises)) & full, rises & (equal | down) & full
    return distance


def table_2(pairs: Sequence[tuple[str, str]], score: Any) -> dict[str, float]:
    """BLEU, Levenshtein and ROUGE-2 of (output, rewrite) pairs, by the scorer of tests/gold."""
    distances = [edit_distance(out.split(), ref.split()) for out, ref in pairs]
    return {
        "bleu": round(score.bleu(pairs), 2),
        "levenshtein": round(sum(distances) / len(pairs), 3),
        "rouge2": round(sum(score.rouge2(*pair) for pair in pairs) / len(pairs), 2),
    }


def name_checks(rows: Iterable[Row], answers: Answers) -> dict[str, Any]:
    """Whether mentions of a name change alike, and names of persons of another gender stay."""
    counts, wrong = Counter[str](), []
    for key in dict.fromkeys(row.request for row in rows):
        text, word, axis, _ = key
        answer = answers[key]
        if answer.rejected or axis == "age":
            continue
        if word[:1].isupper() and (mentions := len(_mentions(text, word))) > 1:
            counts["multi_mention"] += 1
            after = {e.after for e in answer.edits if e.before == word}
            left = len(_mentions(answer.text, word))
            counts["agree"] += len(after) == 1 and not left
            counts["half_changed"] += bool(after) and bool(left)
            counts["mentions"] += mentions
        strangers = _strangers(answer) if axis == "gender" else []
        counts["other_gender_renamed"] += bool(strangers)
        wrong += [(word, answer.source, *pair) for pair in strangers]
    return {**counts, "examples": wrong[:5]}


def _mentions(text: str, word: str) -> list[str]:
    return re.findall(rf"(?<!\w){re.escape(word)}(?!\w)", text)


def _strangers(answer: Answer) -> list[tuple[str, str]]:
    """Edits of first names that belong to another gender than the changed person's."""
    other = {"man": "woman", "woman": "man"}.get(answer.source)
    found = []
    for edit in answer.edits:
        name = look_up(edit.before)
        if other and name is not None and edit.before.istitle() and name.is_clear:
            gender = "man" if name.women <= 1 else "woman" if name.women >= 99 else ""
            if gender == other:
                found.append((edit.before, edit.after))
    return found


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


def measure(options: argparse.Namespace, perturber: Perturber, score: Any) -> dict[str, Any]:
    """Everything that the description above names."""
    rows = read_rows(
        options.data / "panda" / f"{options.split}.jsonl.gz", options.limit, options.seed
    )
    answers = answer_all(rows, perturber)
    outputs = [(answers[row.request].text, row.rewrite) for row in rows]
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
        "names": name_checks(rows, answers),
        "table_2": {
            "system": table_2(outputs, score),
            "copy": table_2([(row.text, row.rewrite) for row in rows], score),
        },
    }
    if options.outputs:
        write_outputs(options.outputs, answers)
    if options.peers:
        result["peers"] = peers(rows, options.python, answers, score)
    return result


def peers(rows: Sequence[Row], python: str, answers: Answers, score: Any) -> dict[str, Any]:
    """The peers on the gender rows with a target that they know, and the system on the same."""
    known = [row for row in rows if row.axis == "gender" and row.target != "non-binary"]
    found: dict[str, Any] = {}
    for name, theirs in [("system", dict(answers)), *peer_answers(known, python)]:
        if "error" in theirs:
            print(f"{name} is left out: {theirs['error']}", file=sys.stderr)
            found[name] = theirs
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
