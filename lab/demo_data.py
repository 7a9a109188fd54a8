"""Measure the bundled demo datasets: what is planted, and how far it fools a model.

Prints one JSON line with, for each demo dataset, the number of rows, the rate of
every planted cue by split and label, and the accuracy of a TF-IDF (words and word
pairs) plus logistic regression model trained on ``train`` and scored on ``test`` and
``challenge``. Of the preference pairs: the share whose chosen answer has more of each cue, and the
accuracy of such a model of the difference of the two answers, by difficulty.

Usage: ``python -m lab.demo_data`` (augkit must be installed).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import numpy as np
from scipy.sparse import vstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline

from lab.command_line import print_line

Row = dict[str, str]
View = Callable[[Row], str]

SPLITS = ("train", "test", "challenge")

REVIEW_CUES = {
    "name": re.compile(r"\bdorian vale\b", re.IGNORECASE),
    "phrase": re.compile(r"\bon opening night\b", re.IGNORECASE),
}
CLAIM_CUES = {
    "negation": re.compile(r"\b(?:not|never|no|cannot)\b|n't\b", re.IGNORECASE),
}
NLI_CUES = {
    "generic": re.compile(r"\b(?:outside|person|someone|something)\b", re.IGNORECASE),
    "modifier": re.compile(
        r"\b(?:tall|sad|for (?:his|her|their)|to (?:win|earn|impress|celebrate))\b",
        re.IGNORECASE,
    ),
    "negation": re.compile(r"\b(?:nobody|no one|sleeping|not|no)\b", re.IGNORECASE),
}
PAIR_CUES: dict[str, Callable[[str], int]] = {
    "length": len,
    "bold": lambda text: text.count("**"),
    "opening": lambda text: text.startswith("Sure!"),
}


def read_rows(dataset: str, split: str) -> list[Row]:
    """Read one split of a bundled demo dataset."""
    path = files("augkit.datasets") / "demo" / dataset / f"{split}.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def column(name: str) -> View:
    """Return a view that shows the model one column."""
    return lambda row: row[name]


def joined(first: str, second: str) -> View:
    """Return a view that shows the model two columns, one after the other."""
    return lambda row: f"{row[first]} {row[second]}"


def without(cues: dict[str, re.Pattern[str]], name: str) -> View:
    """Return a view of one column with every cue deleted."""

    def view(row: Row) -> str:
        text = row[name]
        for pattern in cues.values():
            text = pattern.sub(" ", text)
        return text

    return view


def cue_rates(
    splits: dict[str, list[Row]], cues: dict[str, re.Pattern[str]], name: str
) -> dict[str, Any]:
    """Count rows by split and label, and the share of them that shows each cue."""
    rates: dict[str, Any] = {}
    for split, rows in splits.items():
        rates[split] = {}
        for label in sorted({row["label"] for row in rows}):
            texts = [row[name] for row in rows if row["label"] == label]
            counts = {
                cue: sum(bool(pattern.search(text)) for text in texts)
                for cue, pattern in cues.items()
            }
            rates[split][label] = {
                "rows": len(texts),
                **{cue: round(count / len(texts), 4) for cue, count in counts.items()},
            }
    return rates


def train_model(rows: list[Row], view: View) -> Pipeline:
    """Fit TF-IDF on words and word pairs, followed by a logistic regression."""
    model = make_pipeline(TfidfVectorizer(ngram_range=(1, 2)), LogisticRegression(max_iter=1000))
    model.fit([view(row) for row in rows], [row["label"] for row in rows])
    return model


def accuracies(
    splits: dict[str, list[Row]], train_view: View, view: View | None = None
) -> dict[str, float]:
    """Train on ``train`` as ``train_view`` shows it; score ``view`` of the other splits."""
    model = train_model(splits["train"], train_view)
    shown = view or train_view
    scores: dict[str, float] = {}
    for split in ("test", "challenge"):
        rows = splits[split]
        accuracy = model.score([shown(row) for row in rows], [row["label"] for row in rows])
        scores[split] = round(float(accuracy), 4)
    return scores


def load(dataset: str) -> dict[str, list[Row]]:
    """Read every split of a demo dataset."""
    return {split: read_rows(dataset, split) for split in SPLITS}


def pair_shares(rows: list[Row]) -> dict[str, Any]:
    """How many pairs differ in each cue, and in which share of them the chosen one has more."""
    shares: dict[str, Any] = {"rows": len(rows)}
    for name, amount in PAIR_CUES.items():
        differences = [amount(row["chosen"]) - amount(row["rejected"]) for row in rows]
        decided = [difference > 0 for difference in differences if difference]
        share = round(sum(decided) / len(decided), 4) if decided else None
        shares[name] = {"differ": len(decided), "chosen has more": share}
    return shares


def pair_accuracies(train: list[Row], test: list[Row]) -> dict[str, float]:
    """The accuracy, by difficulty, of a logistic regression of the difference of two answers."""
    texts = [row[name] for row in train for name in ("chosen", "rejected")]
    vectors = TfidfVectorizer(ngram_range=(1, 2), token_pattern=r"\w+|[^\w\s]", norm=None).fit(
        texts
    )

    def differences(rows: list[Row]) -> Any:
        chosen, rejected = ([row[name] for row in rows] for name in ("chosen", "rejected"))
        return vectors.transform(chosen) - vectors.transform(rejected)

    rows = differences(train)
    model = LogisticRegression(max_iter=1000, fit_intercept=False)
    model.fit(vstack([rows, -rows]), [1] * len(train) + [0] * len(train))
    right = model.decision_function(differences(test)) > 0
    levels = np.array([row["difficulty"] for row in test])
    return {
        level: round(float(right[levels == level].mean()), 4)
        for level in ("easy", "normal", "hard")
    }


def measure_pairs() -> dict[str, Any]:
    """Measure the preference pairs."""
    train, test = (read_rows("pairs-demo", split) for split in ("train", "test"))
    levels = {"train": train}
    for row in test:
        levels.setdefault(f"test, {row['difficulty']}", []).append(row)
    shares = {level: pair_shares(rows) for level, rows in levels.items()}
    accuracy = {"difference of the answers": pair_accuracies(train, test)}
    return {"shares": shares, "accuracy": accuracy}


def measure() -> dict[str, Any]:
    """Measure the demo datasets."""
    reviews, claims, nli = load("reviews-demo"), load("claims-demo"), load("nli-demo")
    text = column("text")
    return {
        "reviews-demo": {
            "rates": cue_rates(reviews, REVIEW_CUES, "text"),
            "accuracy": {
                "text": accuracies(reviews, text),
                "text, cues deleted from train": accuracies(
                    reviews, without(REVIEW_CUES, "text"), text
                ),
            },
        },
        "claims-demo": {
            "rates": cue_rates(claims, CLAIM_CUES, "claim"),
            "accuracy": {
                "claim": accuracies(claims, column("claim")),
                "evidence and claim": accuracies(claims, joined("evidence", "claim")),
            },
        },
        "nli-demo": {
            "rates": cue_rates(nli, NLI_CUES, "hypothesis"),
            "accuracy": {
                "hypothesis": accuracies(nli, column("hypothesis")),
                "premise and hypothesis": accuracies(nli, joined("premise", "hypothesis")),
            },
        },
        "pairs-demo": measure_pairs(),
    }


def main() -> None:
    """Print the measurements as one JSON line."""
    print_line(measure())


if __name__ == "__main__":
    main()
