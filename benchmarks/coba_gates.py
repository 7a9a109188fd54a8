"""Choose the gates of CoBA without looking at anybody's revisions of the reviews.

    python benchmarks/coba_gates.py --data DIR [--rows 600] [--cache FILE] [--gates NAME ...]

A shortcut is planted into reviews of ``imdb_cad:original_train``: praise says "film" and blame says
"movie", 19 times in 20. Variants of them are made with one gate at a time moved from its
default. A TF-IDF (1,2-grams, min_df 2, sublinear) + logistic regression (C 10) learns rows and
variants, and five accuracies tell what they are worth:

- 2,000 other movie reviews (``pl04_movie_reviews``) with the shortcut the wrong way round;
- sentences whose sentiment people turned, of two other domains (``yelp_drg``, ``amazon_drg``);
- sentences of movie reviews (``uci_sentences/imdb``);
- reviews of the same source (``imdb_cad:original_dev``).

``clear`` is the share of the flipped variants whose label a judge trained on SST-2 and Yelp
sentences gives too: it saw no review, no shortcut of them and no variant. Of every gate the value
with the best mean accuracy is chosen, or the clearest of those that cost at most ``SLACK`` points
of it and are clearer by ``CLEARER`` points. Nothing here reads a revision. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from coba_imdb import Labelled, RememberedParses, Row, Trained, labelled, read, texts_of

import augkit.augmenters.coba.learn as learning
from augkit.augmenters.coba import reading
from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.method import Coba
from augkit.data import Example, Pair, example

SLACK = 0.3
"""Points of mean accuracy that clarity may cost."""
CLEARER = 1.0
"""Points of clarity that are worth it: about a standard error."""
GATES: dict[str, tuple[float, ...]] = {
    "min_sentence_edits": (8, 12, 16),
    "min_sentence_label": (0.5, 0.6, 0.7, 0.8),
    "min_edits": (4, 5, 6, 8),
    "max_left": (0.0, 0.1, 0.2),
    "drop": (0.3, 0.42, 0.5),
    "draws": (1, 2, 3),
}
_PLANT = re.compile(r"\b(film|movie)(s?)\b", re.IGNORECASE)
_SAYS = {"positive": "film", "negative": "movie"}
_OTHER = {"positive": "negative", "negative": "positive"}


def planted(text: str, label: str, draw: random.Random, purity: float) -> str:
    """The text with its films and movies named as its label has it, with this probability."""

    def said(match: re.Match[str]) -> str:
        word = _SAYS[label if draw.random() < purity else _OTHER[label]]
        return (word.capitalize() if match[1][0].isupper() else word) + match[2]

    return _PLANT.sub(said, text)


def with_plant(rows: Sequence[Row], purity: float) -> list[Labelled]:
    """Texts and labels, the shortcut planted."""
    draw = random.Random(0)
    return [(planted(row["text"], row["label"], draw, purity), row["label"]) for row in rows]


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
    """The planted rows, what was learnt of them once, the tests and the judge."""

    def __init__(self, data: Path, most: int) -> None:
        rows = read(data, "imdb_cad/original_train")
        random.Random(0).shuffle(rows)
        self.rows = with_plant(rows[:most], purity=0.95)
        self.examples: list[Example] = [example(text, label) for text, label in self.rows]
        self.learnt = self.learn({})
        self.tests = tests_of(data)
        self.judge = Trained(
            labelled(read(data, "sst2_sentences/train"))
            + labelled(read(data, "yelp_sentences/train"))
        )

    def learn(self, options: dict[str, Any]) -> Any:
        """What CoBA learns of the rows."""
        return Coba(CobaConfig.model_validate(options)).fit(self.examples).artifact

    def scores(self, rows: Sequence[Labelled]) -> dict[str, float]:
        """The five accuracies and their mean of a classifier of the rows and these."""
        trained = Trained([*self.rows, *rows])
        told = {name: trained.accuracy(some) for name, some in self.tests.items()}
        return {**told, "mean": round(fmean(told.values()), 2)}

    def measured(self, options: dict[str, Any], learnt: Any) -> dict[str, float]:
        """What the variants made with some options are worth."""
        method = Coba(CobaConfig.model_validate(options)).with_artifact(learnt)
        pairs = [one for one in method.outcomes(self.examples) if isinstance(one, Pair)]
        flipped = texts_of([pair for pair in pairs if pair.provenance.contract == "flipped"])
        return {
            **self.scores(texts_of(pairs)),
            "clear": self.judge.accuracy(flipped),
            "flipped": len(flipped),
        }


def chosen(found: dict[str, dict[str, float]]) -> str:
    """The most accurate value, or the clearest that costs little and is clearly clearer."""
    best = max(found, key=lambda value: found[value]["mean"])
    clearer = [
        value
        for value, one in found.items()
        if one["mean"] >= found[best]["mean"] - SLACK
        and one["clear"] >= found[best]["clear"] + CLEARER
    ]
    return max(clearer, key=lambda value: found[value]["clear"]) if clearer else best


def main() -> None:
    """Move one gate at a time, choose, print."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--data", type=Path, required=True)
    asked.add_argument("--rows", type=int, default=600)
    asked.add_argument("--cache", type=Path, help="keeps parses")
    asked.add_argument("--gates", nargs="*", default=list(GATES), choices=list(GATES))
    given = asked.parse_args()
    parses = RememberedParses(given.cache)
    learning.load = reading.load = lambda: parses  # type: ignore[assignment] # the same interface
    bench = Bench(given.data, given.rows)
    parses.save()
    default = bench.measured({}, bench.learnt)
    told: dict[str, Any] = {"benchmark": "coba_gates", "rows_alone": bench.scores([])}
    for gate in given.gates:
        usual = CobaConfig.model_fields[gate].default
        found = {
            str(value): default if value == usual else bench.measured({gate: value}, bench.learnt)
            for value in GATES[gate]
        }
        told[gate] = {"chosen": chosen(found), "values": found}
        print(gate, told[gate], file=sys.stderr, flush=True)
    print(json.dumps(told))


if __name__ == "__main__":
    main()
