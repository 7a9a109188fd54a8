"""The rows of ``real_llm.py``: datasets shuffled by seed, sentences of reviews, chosen pairs."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from augkit.augmenters.coba.paper_steps import sentences_of
from augkit.core.types import example
from augkit.lexicons.demographics.find_references import finder_for
from augkit.text.tokens import words
from lab.coba_imdb import Trained, labelled, read

Row = dict[str, Any]
MOST_ROWS = 4000
SHORTEST, LONGEST = 6, 30
"""Words of a sentence of a review."""
CLEAR = 0.8
"""The probability that a classifier must give a sentence for the label of its review."""


def draw_rows(name: str, data: Path, seed: int) -> list[Row]:
    """The rows of a kind in an order drawn by seed; those that are augmented come first."""
    rows = KINDS[name](data)
    random.Random(seed).shuffle(rows)
    return sorted(rows, key=lambda row: not row.pop("wanted", True))[:MOST_ROWS]


def sst2(data: Path) -> list[Row]:
    """Whole sentences; ``sst2`` itself is mostly phrases."""
    return [
        {"text": row["text"], "label": row["label"]} for row in read(data, "sst2_sentences/train")
    ]


def imdb(data: Path) -> list[Row]:
    """Sentences of reviews whose own sentiment is clearly that of the review.

    A classifier of SST-2 sentences says so: it has seen neither the reviews nor our word lists.
    """
    judge = Trained(labelled(read(data, "sst2_sentences/train")))
    found = []
    for row in read(data, "imdb_cad/original_train"):
        text = re.sub(r"<br\s*/?>", " ", row["text"])
        sentences = [one.text for one in sentences_of(example(text))]
        fit = [one for one in sentences if SHORTEST <= len(words(one)) <= LONGEST]
        found += [
            {"text": one, "label": row["label"], "pair_id": row["pair_id"]}
            for one in clear(fit, row["label"], judge)
        ]
    return found


def clear(sentences: list[str], label: str, judge: Trained) -> Iterator[str]:
    """The sentences that a classifier gives a label with certainty."""
    if sentences:
        column = list(judge.model.classes_).index(label)
        chances = judge.model.predict_proba(judge.vectors.transform(sentences))[:, column]
        yield from (one for one, chance in zip(sentences, chances, strict=True) if chance >= CLEAR)


def nli(data: Path) -> list[Row]:
    """SNLI pairs."""
    return _pairs(read(data, "snli/dev"), "premise", "hypothesis")


def fever(data: Path) -> list[Row]:
    """Claims with their evidence, which is short enough to be read."""
    rows = _pairs(read(data, "fever/dev"), "evidence", "claim")
    return [row for row in rows if len(words(row["evidence"])) <= 3 * LONGEST]


def fever_supported(data: Path) -> list[Row]:
    """The same, with supported claims first."""
    return [row | {"wanted": row["label"] == "SUPPORTS"} for row in fever(data)]


def persons(data: Path) -> list[Row]:
    """SNLI pairs, those that name a man or a woman in the first text first."""
    finder = finder_for("gender")
    return [row | {"wanted": bool(list(finder.find(row["premise"])))} for row in nli(data)]


def _pairs(rows: list[Row], first: str, second: str) -> list[Row]:
    return [{first: r["text_a"], second: r["text_b"], "label": r["label"]} for r in rows]


KINDS: dict[str, Callable[[Path], list[Row]]] = {
    "sst2": sst2,
    "imdb": imdb,
    "nli": nli,
    "fever": fever,
    "fever-supported": fever_supported,
    "persons": persons,
}
