"""What ``prune`` leaves, and what a ranker of another make still finds in it.

    AUGKIT_DATA=DIR python -m lab.prune_choices [--pairs 600] [--kinds 12]

TruthfulQA in its two-option version, whole, as its authors' audited subsets have it, and pruned in
three ways; then pairs of random words with one planted feature of strength 0.65, of twelve kinds.
The audit shares no code with ``prune``: logistic regression on the differences of TF-IDF vectors
of words and word pairs, five folds by item, scikit-learn alone. One JSON line a row: items, blind
accuracy and AUC (the mean over three draws of the folds), how often the winner is longer, and, of
a planted feature, how often the winner has it before and after.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from scipy.sparse import vstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from augkit.augmenters.choices.prune import PruneConfig, prune
from augkit.core.choices import Choice
from augkit.datasets.choices.load import load_choices
from lab.command_line import argument, arguments, print_line

WORDS = (
    "amber basket candle dune ember fjord grove harbour island jacket kettle lantern meadow needle "
    "orchard pebble quarry ribbon saddle timber umbrella valley willow yarrow"
).split()
STRENGTH = 0.65
PLANTS: dict[str, tuple[Callable[[str], str], Callable[[str], float]]] = {
    "more words": (lambda text: f"{text} And so on and on.", len),
    "bold": (lambda text: f"**{text}**", lambda text: text.count("**")),
    "list": (lambda text: f"- {text}", lambda text: text.startswith("- ")),
    "heading": (lambda text: f"# Answer\n{text}", lambda text: text.count("# ")),
    "first word": (lambda text: f"Sure, {text}", lambda text: text.startswith("Sure")),
    "last word": (lambda text: f"{text[:-1]} indeed.", lambda text: text.endswith("indeed.")),
    "closing": (lambda text: f"{text} I hope this helps!", lambda text: text.count("hope")),
    "exclamation mark": (lambda text: f"{text[:-1]}!", lambda text: text.endswith("!")),
    "digits": (lambda text: f"{text} See page 12.", lambda text: len(re.findall(r"\d", text))),
    "newline at the end": (lambda text: f"{text}\n", lambda text: text.endswith("\n")),
    "quotation": (lambda text: f'"{text}"', lambda text: text.count('"')),
    "hedge": (lambda text: f"Perhaps {text}", lambda text: text.count("Perhaps")),
}


def texts_of(choices: Sequence[Choice]) -> tuple[list[str], list[str]]:
    """Winners and losers of pairs."""
    winners = [choice.candidates[choice.winners[0]] for choice in choices]
    return winners, [choice.candidates[1 - choice.winners[0]] for choice in choices]


def audit(choices: Sequence[Choice], seed: int) -> tuple[float, float]:
    """Blind accuracy and AUC of pairs by five folds of items."""
    rng = np.random.default_rng(seed)
    winners, losers = (np.array(texts, dtype=object) for texts in texts_of(choices))
    folds = rng.permutation(len(choices)) % 5
    margins = np.zeros(len(choices))
    for fold in range(5):
        seen, held = folds != fold, folds == fold
        vectorizer = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True)
        vectorizer.fit([*winners[seen], *losers[seen]])
        gaps = vectorizer.transform(winners) - vectorizer.transform(losers)
        labels = np.repeat([1, 0], int(seen.sum()))
        model = LogisticRegression(fit_intercept=False, max_iter=1000)
        model.fit(vstack([gaps[seen], -gaps[seen]]), labels)
        margins[held] = gaps[held] @ model.coef_[0]
    signs = rng.choice([-1, 1], len(choices))
    accuracy = float(np.mean((margins > 0) + 0.5 * (margins == 0)))
    return accuracy, float(roc_auc_score(signs > 0, signs * margins))


def share_of_winners(choices: Sequence[Choice], amount: Callable[[str], float]) -> float:
    """How often the winner has more, of the pairs that differ."""
    signs = [
        np.sign(amount(winner) - amount(loser))
        for winner, loser in zip(*texts_of(choices), strict=True)
    ]
    differing = [sign for sign in signs if sign]
    return float(np.mean([sign > 0 for sign in differing] or [0.5]))


def measured(name: str, choices: Sequence[Choice]) -> dict[str, object]:
    """One row of the table."""
    audits = [audit(choices, seed) for seed in range(3)]
    accuracy, auc = (float(np.mean(column)) for column in zip(*audits, strict=True))
    return {
        "set": "TruthfulQA",
        "data": name,
        "items": len(choices),
        "blind accuracy": round(accuracy, 3),
        "blind AUC": round(auc, 3),
        "winner is longer": round(share_of_winners(choices, len), 3),
    }


def kept(choices: Sequence[Choice], config: PruneConfig) -> list[Choice]:
    """What prune leaves."""
    weights = prune(choices, config).weights
    return [choice for choice, weight in zip(choices, weights, strict=True) if weight]


def planted(name: str, size: int) -> list[Choice]:
    """Pairs of random words, with a feature in the winner of a share of them, else in the loser."""
    rng = random.Random(f"{name} {size}")
    change, _ = PLANTS[name]
    choices = []
    for number in range(size):
        texts = [
            " ".join(rng.choices(WORDS, k=rng.randint(8, 14))).capitalize() + "." for _ in range(2)
        ]
        place = 0 if rng.random() < STRENGTH else 1
        texts[place] = change(texts[place])
        choices.append(Choice(tuple(texts), (0,), f"Say {number}."))
    return choices


def main() -> None:
    """TruthfulQA, then every kind of planted feature."""
    asked = arguments(
        __doc__,
        argument("--pairs", type=int, default=600),
        argument("--kinds", type=int, default=len(PLANTS)),
    )
    folder = Path(os.environ.get("AUGKIT_DATA", "")) / "candidates"
    names = ("binary", "tau052", "K300") if folder.is_dir() else ()
    sets = {
        name: load_choices(folder / f"choices_truthfulqa_{name}.jsonl.gz").choices for name in names
    }
    for name, choices in sets.items():
        print_line(measured(f"TruthfulQA {name}", choices))
    configs = {
        "prune": PruneConfig(),
        "prune, aflite": PruneConfig(algorithm="aflite"),
        "prune, features: characters": PruneConfig(features=("characters",)),
    }
    for title, config in configs.items() if sets else ():
        print_line(measured(title, kept(sets["binary"], config)))
    for name in list(PLANTS)[: asked.kinds]:
        choices = planted(name, asked.pairs)
        left = kept(choices, PruneConfig())
        row = {
            "set": "planted",
            "planted": name,
            "before": round(share_of_winners(choices, PLANTS[name][1]), 3),
            "after": round(share_of_winners(left, PLANTS[name][1]), 3),
            "kept": round(len(left) / len(choices), 3),
        }
        print_line(row)


if __name__ == "__main__":
    main()
