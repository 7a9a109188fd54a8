"""Reviews with a planted shortcut, and what variants of them are worth.

``coba_gates.py`` and ``coba_ablations.py`` build on this. Praise says "film" and blame "movie", 19
times in 20; a classifier of rows and variants is measured where the shortcut is the wrong way
round, on sentences that people turned in other domains, and on other reviews. Nothing here reads a
revision of the reviews.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.method import Coba
from augkit.core.protocols import Tools
from augkit.core.types import Example, Pair, example
from benchmarks.release.coba_imdb import (
    Labelled,
    Row,
    StoredParses,
    Trained,
    labelled,
    read,
    texts_of,
)

_PLANT = re.compile(r"\b(film|movie)(s?)\b", re.IGNORECASE)
_SAYS = {"positive": "film", "negative": "movie"}
_OTHER = {"positive": "negative", "negative": "positive"}


def planted(text: str, label: str, rng: random.Random, purity: float) -> str:
    """The text with its films and movies named as its label has it, with this probability."""

    def said(match: re.Match[str]) -> str:
        word = _SAYS[label if rng.random() < purity else _OTHER[label]]
        return (word.capitalize() if match[1][0].isupper() else word) + match[2]

    return _PLANT.sub(said, text)


def with_plant(rows: Sequence[Row], purity: float) -> list[Labelled]:
    """Texts and labels, the shortcut planted."""
    rng = random.Random(0)
    return [(planted(row["text"], row["label"], rng, purity), row["label"]) for row in rows]


def tests_of(data: Path) -> dict[str, list[Labelled]]:
    """What the classifier is measured on."""
    flips = {
        f"{name}_turned": labelled(
            row for row in read(data, f"{name}_drg/test_human_pairs") if row["kind"] == "human_flip"
        )
        for name in ("yelp", "amazon")
    }
    return {
        "shortcut_reversed": with_plant(read(data, "pl04_movie_reviews/all"), purity=0.0),
        **flips,
        "movie_sentences": labelled(read(data, "uci_sentences/imdb")),
        "original_dev": labelled(read(data, "imdb_cad/original_dev")),
    }


class Bench:
    """The planted rows, coba fitted on them once, the tests and the judge."""

    def __init__(self, data: Path, most: int, parses: StoredParses) -> None:
        self.tools = Tools(parser=parses)
        rows = read(data, "imdb_cad/original_train")
        random.Random(0).shuffle(rows)
        self.rows = with_plant(rows[:most], purity=0.95)
        self.examples: list[Example] = [example(text, label) for text, label in self.rows]
        self.fitted = self.fit({})
        self.tests = tests_of(data)
        self.judge = Trained(
            labelled(read(data, "sst2_sentences/train"))
            + labelled(read(data, "yelp_sentences/train"))
        )

    def fit(self, options: dict[str, Any]) -> Any:
        """What CoBA is fitted to on the rows."""
        return Coba(CobaConfig.model_validate(options), self.tools).fit(self.examples).artifact

    def scores(self, rows: Sequence[Labelled]) -> dict[str, float]:
        """The five accuracies and their mean of a classifier of the rows and these."""
        trained = Trained([*self.rows, *rows])
        scores = {name: trained.accuracy(some) for name, some in self.tests.items()}
        return {**scores, "mean": round(fmean(scores.values()), 2)}

    def measured(self, options: dict[str, Any], fitted: Any) -> dict[str, float]:
        """What the variants made with some options are worth."""
        method = Coba(CobaConfig.model_validate(options), self.tools).with_artifact(fitted)
        pairs = [one for one in method.outcomes(self.examples) if isinstance(one, Pair)]
        flipped = texts_of([pair for pair in pairs if pair.provenance.contract == "flipped"])
        return {
            **self.scores(texts_of(pairs)),
            "clear": self.judge.accuracy(flipped),
            "flipped": len(flipped),
        }


def prepared(asked: argparse.ArgumentParser) -> tuple[argparse.Namespace, Bench]:
    """What was asked for, and the bench for it, its parses kept where a cache was named."""
    asked.add_argument("--data", type=Path, required=True)
    asked.add_argument("--rows", type=int, default=600)
    asked.add_argument("--cache", type=Path, help="keeps parses")
    given = asked.parse_args()
    parses = StoredParses(given.cache)
    bench = Bench(given.data, given.rows, parses)
    parses.save()
    return given, bench
