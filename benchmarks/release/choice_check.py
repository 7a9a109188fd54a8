"""``augkit check`` on choices: known shortcuts, false alarms, blind accuracy, speed.

    AUGKIT_DATA=DIR python -m benchmarks.release.choice_check PART
        [--draws 400] [--items 120] [--pairs 100000]

The files are ``candidates/*.jsonl.gz`` of the data folder. Parts that ``augkit check`` is compared
with are plain Python here, without augkit's code. One JSON line a row.

known: the share of pairs whose winner has more of something, beside the finding of the check.
alarms: winners drawn anew in real items; the share of draws in which a test fails, by kind of data.
blind: accuracy of the ranker without the prompt, beside a conditional logit of its own.
speed: CPU-seconds and memory of ``augkit check`` on pairs of about 100 words a candidate.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from math import exp, log, sqrt
from pathlib import Path
from typing import Any

from augkit.commands.check import blind_accuracy as blind_check
from augkit.commands.check.blind_accuracy import blind_accuracy
from augkit.commands.check.choice_rows import CheckedChoices, load_checked_choices
from augkit.commands.check.contract import CheckContract
from augkit.commands.check.run import check_data, run_choice_checks
from augkit.datasets.settings import ReadOptions
from augkit.evaluation.statistics.intervals import share_bounds
from augkit.text.features import amounts, document_counts
from benchmarks.command_line import argument, arguments, print_line

Row = dict[str, Any]
Texts = Sequence[str]
_LIST_ITEM = re.compile(r"(?m)^\s*(?:[-*\u2022]|\d+[.)])\s")
_BOLD = re.compile(r"\*\*[^*\n]+\*\*|__[^_\n]+__")
_REFUSAL = re.compile(
    r"(?i)(?<![\w'\u2019-])(?:sorry|apologi[sz]e|apologies|cannot|can['\u2019]t|won['\u2019]t|unable)"
    r"(?![\w'\u2019-])"
)
AMOUNTS: dict[str, tuple[str, Callable[[str], float]]] = {
    "longer": ("characters", len),
    "list items": ("list items", lambda text: len(_LIST_ITEM.findall(text))),
    "newlines": ("lines", lambda text: text.count("\n")),
    "bold": ("bold phrases", lambda text: len(_BOLD.findall(text))),
    "!": ("exclamation marks", lambda text: text.count("!")),
    "sorry, cannot": ("refusals", lambda text: len(_REFUSAL.findall(text))),
    "ends with .": ("ends with .", lambda text: float(text.endswith("."))),
}
"""What is known to tell the winner: its name in the report, and how much a text has of it."""
KNOWN: list[tuple[str, dict[str, str], tuple[str, ...]]] = [
    ("pairs_autoj", {}, ("longer", "list items", "newlines")),
    ("pairs_pandalm", {}, ("longer", "list items")),
    ("pairs_mtbench", {}, ("longer", "list items")),
    ("pairs_llmeval2", {}, ("longer",)),
    ("pairs_hh_harmless", {}, ("longer", "sorry, cannot")),
    ("pairs_llmbar", {"group": "Adversarial-Neighbor"}, ("longer", "list items")),
    ("pairs_llmbar", {"group": "Adversarial-GPTInst"}, ("longer",)),
    ("pairs_llmbar", {"group": "Adversarial-Manual"}, ("longer",)),
    ("pairs_llmbar", {"group": "Adversarial-GPTOut"}, ("longer",)),
    ("pairs_llmbar", {"group": "Natural"}, ("longer",)),
    ("pairs_rmbench_half", {"group": "chat", "difficulty": "normal"}, ("longer", "bold", "!")),
    (
        "pairs_rmbench_half",
        {"group": "safety-refuse", "difficulty": "normal"},
        ("longer", "list items", "sorry, cannot"),
    ),
    (
        "pairs_rmbench_half",
        {"group": "safety-response", "difficulty": "normal"},
        ("longer", "sorry, cannot"),
    ),
    ("choices_quiz_before", {}, ("longer",)),
    ("choices_quiz_after", {}, ("longer",)),
    ("choices_truthfulqa_mc1", {}, ("longer",)),
    ("choices_truthfulqa_binary", {}, ("longer",)),
    ("choices_truthfulqa_tau052", {}, ("longer",)),
    ("choices_truthfulqa_K300", {}, ("longer",)),
    ("choices_halueval_qa", {"subset": "multi-turn"}, ("longer", "ends with .")),
    ("choices_halueval_qa", {"subset": "one-turn"}, ("longer", "ends with .")),
]
ALARMS = {
    "pairs with repeated prompts": ("pairs_pandalm", 9),
    "pairs": ("pairs_llmbar", 1),
    "multiple choice": ("choices_quiz_after", 1),
    "verdicts": ("judge_llmbar", 2),
    "nine rows a prompt": ("pairs_rmbench_half", 9),
}
"""A file, and how many rows of a prompt are taken."""
BLIND = (
    "pairs_pandalm",
    "pairs_llmbar",
    "choices_truthfulqa_binary",
    "choices_truthfulqa_tau052",
    "choices_truthfulqa_K300",
    "choices_halueval_qa",
)


def folder() -> Path:
    """The folder of the files."""
    return Path(os.environ["AUGKIT_DATA"]) / "candidates"


def read(name: str, only: Mapping[str, str]) -> list[Row]:
    """Rows of a file with these values."""
    with gzip.open(folder() / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [row for row in rows if all(row.get(key) == value for key, value in only.items())]


def write(path: Path, rows: Sequence[Row]) -> Path:
    """The rows as JSON Lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def candidates(row: Row) -> tuple[list[str], int]:
    """The texts of a row and the place of the winner."""
    if "options" in row:
        return row["options"], int(row["answer"])
    pair = [row["chosen"], row["rejected"]]
    texts = [side if isinstance(side, str) else side[-1]["content"] for side in pair]
    return texts, 0


def won_share(rows: Sequence[Row], amount: Callable[[str], float]) -> tuple[float, int]:
    """Of pairs that differ, the share whose winner has more; of more options, of a rule's hits."""
    shares = []
    for row in rows:
        texts, place = candidates(row)
        values = [amount(text) for text in texts]
        top = [number for number, value in enumerate(values) if value == max(values)]
        if len(top) < len(texts) or len(texts) > 2:
            shares.append((place in top) / len(top) if len(texts) > 2 else float(place in top))
    return sum(shares) / len(shares), len(shares)


def known() -> Iterator[Row]:
    """Every known shortcut, by a plain count and by the check."""
    with tempfile.TemporaryDirectory() as scratch:
        for name, only, features in KNOWN:
            rows = read(name, only)
            report = check_data(write(Path(scratch) / "rows.jsonl", rows))
            findings = [finding for check in report.checks for finding in check.failed]
            for feature in features:
                called, amount = AMOUNTS[feature]
                share, items = won_share(rows, amount)
                half = 1.96 * sqrt(share * (1 - share) / items)
                chance = sum(1 / len(candidates(row)[0]) for row in rows) / len(rows)
                sign = "more" if share > chance else "fewer"
                mine = [
                    finding
                    for finding in findings
                    if called in finding.feature.replace("does not end", "ends")
                    and finding.check != "blind_accuracy"
                ]
                yield {
                    "file": " ".join([name, *only.values()]),
                    "feature": feature,
                    "items": items,
                    "share": round(share, 4),
                    "low": round(share - half, 4),
                    "high": round(share + half, 4),
                    "direction": sign,
                    **_found(mine, share, half, sign),
                }
    yield from _places()


def _found(findings: Sequence[Any], share: float, half: float, sign: str) -> Row:
    """What the check says, and whether its sign and size are those of the plain count."""
    if not findings:
        return {"found": False, "check": None, "same": None}
    phrase = findings[0].feature
    pattern = (
        r"in ([\d.]+)% of [\d,]+ items that" if "most" not in phrase else r"right in ([\d.]+)%"
    )
    match = re.search(pattern, findings[0].message)
    value = float(match[1]) / 100 if match else 0.0
    is_less = any(word in phrase for word in ("fewer", "fewest", "lacks", "does not"))
    shown = 1 - value if is_less else value
    inside = abs(shown - share) <= half + 0.0006 and is_less == (sign == "fewer")
    return {"found": True, "check": round(shown, 4), "same": inside}


def _places() -> Iterator[Row]:
    """The place of the winner in the quizzes, before and after it was mixed."""
    for name in ("choices_quiz_before", "choices_quiz_after"):
        rows = read(name, {})
        shares = [sum(row["answer"] == place for row in rows) / len(rows) for place in range(4)]
        share, half = max(shares), 1.96 * sqrt(max(shares) * (1 - max(shares)) / len(rows))
        report = check_data(folder() / f"{name}.jsonl.gz", CheckContract(blind_accuracy=None))
        (run,) = [check for check in report.checks if check.name == "winner_place"]
        match = re.search(r"right in ([\d.]+)%", run.findings[0].message) if run.findings else None
        value = float(match[1]) / 100 if match else None
        yield {
            "file": name,
            "feature": "one place",
            "items": len(rows),
            "share": round(share, 4),
            "low": round(share - half, 4),
            "high": round(share + half, 4),
            "direction": "more",
            "found": bool(run.findings),
            "check": value,
            "same": None if value is None else abs(value - share) <= half,
        }


def drawn(rows: CheckedChoices, rng: random.Random) -> CheckedChoices:
    """The same items with winners drawn blindly; what does not depend on them is kept."""
    choices = []
    for choice in rows.choices:
        places = rng.sample(range(len(choice.candidates)), len(choice.winners))
        choices.append(replace(choice, winners=tuple(sorted(places))))
    redrawn = replace(rows, choices=choices)
    vars(redrawn)["units"] = rows.units
    vars(redrawn.labelled)["words"] = rows.labelled.words
    return redrawn


def remember_texts() -> None:
    """Texts stay the same in every draw: what is counted in them is counted once."""
    for table in (amounts.LENGTHS, amounts.FORMAT_AMOUNTS):
        for name, amount in table.items():
            if not isinstance(amount, amounts.WordAmount):
                table[name] = cache(amount)
    plain, counted = document_counts.formats, blind_check.blind_features
    document_counts.formats = cache(lambda text: tuple(plain(text)))
    remembered = cache(counted)
    blind_check.blind_features = lambda texts: remembered(tuple(texts))


def alarms(draws: int, items: int) -> Iterator[Row]:
    """The share of draws with any failed test."""
    contract = CheckContract(
        equal_candidates=None, empty_candidates=None, duplicates=None, conflicting_labels=None
    )
    remember_texts()
    for kind, (name, most) in ALARMS.items():
        pool = load_checked_choices(folder() / f"{name}.jsonl.gz", ReadOptions(), None)
        of_unit: dict[str, list[int]] = {}
        for number, unit in enumerate(pool.units):
            of_unit.setdefault(unit, []).append(number)
        units = random.Random(0).sample(list(of_unit), len(of_unit))
        chosen = sorted([number for unit in units for number in of_unit[unit][:most]][:items])
        rows = replace(
            pool,
            choices=[pool.choices[number] for number in chosen],
            indices=[pool.indices[number] for number in chosen],
        )
        failing: dict[str, int] = {}
        hits = 0
        for draw in range(draws):
            tested = drawn(rows, random.Random(draw))
            failed = [check.name for check in run_choice_checks(tested, contract) if check.failed]
            hits += bool(failed)
            for check in failed:
                failing[check] = failing.get(check, 0) + 1
        low, high = share_bounds(hits, draws)
        yield {
            "kind": kind,
            "items": len(rows),
            "units": len(set(rows.units)),
            "draws": draws,
            "alarms": hits,
            "share": round(hits / draws, 4),
            "low": round(low, 4),
            "high": round(high, 4),
            "checks": failing,
        }


def blind() -> Iterator[Row]:
    """Accuracy without the prompt."""
    for name in BLIND:
        rows = load_checked_choices(folder() / f"{name}.jsonl.gz", ReadOptions(), None)
        ours = blind_accuracy(rows, range(len(rows)))
        texts = [list(choice.candidates) for choice in rows.choices]
        winners = [choice.winners[0] for choice in rows.choices]
        theirs = plain_accuracy(texts, winners, rows.units)
        accuracy = ours.ranked.accuracy
        yield {
            "file": name,
            "items": len(rows),
            "accuracy": round(accuracy, 4),
            "independent": round(theirs, 4),
            "within two points": abs(accuracy - theirs) <= 0.02,
            "p": ours.p,
        }


def plain_accuracy(items: Sequence[Texts], winners: Sequence[int], units: Sequence[str]) -> float:
    """A conditional logit of words, word pairs and amounts, by stochastic gradient in plain Python.

    Five folds of units in the order of their names; features are those of the training items.
    """
    names = sorted(set(units))
    random.Random(1).shuffle(names)
    fold_of = {name: number % 5 for number, name in enumerate(names)}
    tokens = [[_plain_tokens(text) for text in texts] for texts in items]
    right = 0.0
    for fold in range(5):
        train = [n for n, unit in enumerate(units) if fold_of[unit] != fold]
        held = [n for n, unit in enumerate(units) if fold_of[unit] == fold]
        weights, vector = _plain_fit([tokens[n] for n in train], [winners[n] for n in train])
        for number in held:
            scores = [
                sum(weights.get(key, 0.0) * value for key, value in vector(counts).items())
                for counts in tokens[number]
            ]
            top = [place for place, score in enumerate(scores) if score == max(scores)]
            right += (winners[number] in top) / len(top)
    return right / len(items)


def _plain_tokens(text: str) -> dict[str, float]:
    """How often each word and word pair occurs, and ln(1 + amount) of length and format."""
    words = re.findall(r"\w+(?:['\u2019.,-]\w+)*", text.lower())
    counts: dict[str, float] = {}
    for key in [*words, *(f"{a} {b}" for a, b in pairwise(words))]:
        counts[key] = counts.get(key, 0.0) + 1
    for name, (_, amount) in AMOUNTS.items():
        counts[f"#{name}"] = log(1 + amount(text))
    counts["#words"] = log(1 + len(words))
    counts["#digits"] = log(1 + len(re.findall(r"\d", text)))
    return counts


def _plain_fit(
    items: Sequence[Sequence[dict[str, float]]], winners: Sequence[int]
) -> tuple[dict[str, float], Callable[[dict[str, float]], dict[str, float]]]:
    """Weights after 40 rounds of gradient steps with a ridge penalty, and how a text is weighed."""
    documents: dict[str, int] = {}
    texts = [counts for candidates in items for counts in candidates]
    for counts in texts:
        for key in counts:
            documents[key] = documents.get(key, 0) + 1
    spreads = {}
    for key in [key for key in documents if key.startswith("#")]:
        values = [counts[key] for counts in texts]
        mean = sum(values) / len(values)
        spreads[key] = sqrt(sum((value - mean) ** 2 for value in values) / len(values)) or 1e9

    def vector(counts: dict[str, float]) -> dict[str, float]:
        weighed = {}
        for key, value in counts.items():
            if key.startswith("#"):
                weighed[key] = 3 * value / spreads.get(key, 1e9)
            elif documents.get(key, 0) >= 2:
                rarity = log((1 + len(texts)) / (1 + documents[key])) + 1
                weighed[key] = (1 + log(value)) * rarity
        return weighed

    vectors = [[vector(counts) for counts in candidates] for candidates in items]
    return _descended(vectors, winners), vector


def _descended(
    vectors: Sequence[Sequence[dict[str, float]]], winners: Sequence[int]
) -> dict[str, float]:
    """The weights after the gradient steps."""
    weights: dict[str, float] = {}
    rng, penalty = random.Random(0), 10 / len(vectors)
    for epoch in range(40):
        rate = 0.004 / (1 + epoch / 8)
        for number in rng.sample(range(len(vectors)), len(vectors)):
            scores = [
                sum(weights.get(key, 0.0) * value for key, value in candidate.items())
                for candidate in vectors[number]
            ]
            powers = [exp(score - max(scores)) for score in scores]
            for place, candidate in enumerate(vectors[number]):
                error = powers[place] / sum(powers) - (place == winners[number])
                for key, value in candidate.items():
                    weight = weights.get(key, 0.0)
                    weights[key] = weight - rate * (error * value + penalty * weight)
    return weights


def pairs(size: int, rng: random.Random) -> Iterator[Row]:
    """Pairs of random texts by a Zipf model of words, some of them lists; no winner is better."""
    syllables = [first + second for first in "bcdfghjklmnprstvwz" for second in "aeiou"]
    common = "the of and to a in is it that for I may can not".split()
    vocabulary = common + [
        "".join(rng.choices(syllables, k=rng.randint(1, 4))) for _ in range(30000)
    ]
    weights = [1 / (number + 2) for number in range(len(vocabulary))]
    cumulative = [sum(weights[:1])]
    for weight in weights[1:]:
        cumulative.append(cumulative[-1] + weight)
    for number in range(size):
        texts = []
        for _ in range(2):
            drawn_words = rng.choices(
                vocabulary, cum_weights=cumulative, k=max(5, int(rng.gauss(100, 25)))
            )
            sentences = [
                " ".join(drawn_words[start : start + 12]).capitalize() + "."
                for start in range(0, len(drawn_words), 12)
            ]
            between = "\n- " if rng.random() < 0.2 else " "
            texts.append(between.join(sentences))
        prompt = f"{number}: {' '.join(rng.choices(vocabulary, cum_weights=cumulative, k=12))}?"
        yield {"prompt": prompt, "chosen": texts[0], "rejected": texts[1]}


def speed(size: int) -> Iterator[Row]:
    """CPU-seconds and the largest resident set of the whole command."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "pairs.jsonl"
        with path.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in pairs(size, random.Random(0)))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "augkit", "check", str(path), "--format", "json"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    report = json.loads(done.stdout)
    yield {
        "pairs": report["rows"],
        "cpu_seconds": round(cpu, 1),
        "max_rss_mb": round(after.ru_maxrss / 1024),
        "failed": [check["check"] for check in report["checks"] if not check["passed"]],
    }


def main() -> None:
    """One part."""
    asked = arguments(
        __doc__,
        argument("part", choices=("known", "alarms", "blind", "speed")),
        argument("--draws", type=int, default=400),
        argument("--items", type=int, default=120),
        argument("--pairs", type=int, default=100_000),
    )
    parts: dict[str, Callable[[], Iterator[Row]]] = {
        "known": known,
        "alarms": lambda: alarms(asked.draws, asked.items),
        "blind": blind,
        "speed": lambda: speed(asked.pairs),
    }
    for record in parts[asked.part]():
        print_line(record)


if __name__ == "__main__":
    main()
