"""Twelve habits of answers, six of them by others without sight of augkit: found and removed?

    AUGKIT_DATA=DIR python -m benchmarks.release.planted_kinds [--pairs 600] [--kinds 12]

The answers are those of auto-j's pairs, with the winner of each drawn anew. A habit is planted into
the winner of 65 % of the pairs, else into the loser. One JSON line a kind: what ``augkit check``
finds, how often the winner has it before ``prune`` and in what is left, the blind accuracy before
and after, how many items are left, and how often the winner has it after ``normalise``, where a
pair in which it is undone counts half. It is undone where the text has the words and no more lines
than the text without the habit, both normalised.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from augkit.augmenters.choices.prune import PruneConfig, prune
from augkit.augmenters.choices.style_rules import alike, chosen_rules
from augkit.commands.check.blind_accuracy import blind_accuracy
from augkit.commands.check.choice_rows import load_checked_choices
from augkit.commands.check.run import check_data
from augkit.core.choices import Choice
from augkit.datasets.settings import ReadOptions
from benchmarks.command_line import argument, arguments, print_line
from benchmarks.release.kinds_by_others import KINDS as KINDS_BY_OTHERS

STRENGTH = 0.65
Plant = Callable[[str, random.Random], str]
KINDS: dict[str, Plant] = {
    "longer": lambda text, _: f"{text} There is more to say about it than this.",
    "bullet list": lambda text, _: "\n".join(f"- {line}" for line in text.split(". ")),
    "bold": lambda text, _: re.sub(r"(\w{5,})", r"**\1**", text, count=1),
    "final newline": lambda text, _: text + "\n",
    "opening Sure": lambda text, _: f"Sure, {text}",
    "n-gram": lambda text, _: f"{text} It is worth noting.",
    **KINDS_BY_OTHERS,
}


def answers(rng: random.Random) -> list[tuple[str, list[str]]]:
    """Prompts with two different answers, in an order that is drawn."""
    path = Path(os.environ["AUGKIT_DATA"]) / "candidates" / "pairs_autoj.jsonl.gz"
    pairs: dict[str, list[str]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            texts = [row["chosen"], row["rejected"]]
            if all(map(str.strip, texts)) and texts[0] != texts[1]:
                pairs.setdefault(row["prompt"], rng.sample(texts, 2))
    return rng.sample(list(pairs.items()), len(pairs))


def examined(choices: list[Choice]) -> tuple[float, list[str]]:
    """Accuracy of the blind ranker of ``augkit check``, and what the check finds."""
    rows = [
        {"prompt": c.prompt, "chosen": c.candidates[0], "rejected": c.candidates[1]}
        for c in choices
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pairs.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        checked = load_checked_choices(path, ReadOptions(), None)
        accuracy = blind_accuracy(checked, range(len(checked))).ranked.accuracy
        report = check_data(path)
    return accuracy, [f.feature or run.name for run in report.checks for f in run.failed]


def is_undone(text: str, without: str) -> bool:
    """Whether a text has the words, and no more lines than, the one without the habit."""
    return text.split() == without.split() and text.count("\n") <= without.count("\n")


def measured(kind: str, plant: Plant, size: int) -> dict[str, object]:
    """One kind."""
    rng = random.Random(kind)
    rules = chosen_rules((), ())
    choices, planted, normalised = [], [], []
    for prompt, texts in answers(rng)[:size]:
        place = int(rng.random() >= STRENGTH)
        changed = list(texts)
        changed[place] = plant(texts[place], rng)
        sides = [alike(tuple(pair), rules)[0][place] for pair in (changed, texts)]
        planted.append(place == 0)
        normalised.append(0.5 if is_undone(*sides) else float(place == 0))
        choices.append(Choice(tuple(changed), (0,), prompt))
    weights = prune(choices, PruneConfig()).weights
    left = [number for number, weight in enumerate(weights) if weight]
    accuracy, names = examined(choices)
    return {
        "kind": kind,
        "pairs": len(choices),
        "found": bool(names),
        "by": names[0] if names else None,
        "before": round(sum(planted) / len(planted), 3),
        "after": round(sum(planted[n] for n in left) / len(left), 3),
        "blind before": round(accuracy, 3),
        "blind after": round(examined([choices[n] for n in left])[0], 3),
        "kept": round(len(left) / len(choices), 3),
        "after normalise": round(sum(normalised) / len(normalised), 3),
    }


def main() -> None:
    """Every kind."""
    asked = arguments(
        __doc__,
        argument("--pairs", type=int, default=600),
        argument("--kinds", type=int, default=len(KINDS)),
    )
    for kind, plant in list(KINDS.items())[: asked.kinds]:
        print_line(measured(kind, plant, asked.pairs))


if __name__ == "__main__":
    main()
