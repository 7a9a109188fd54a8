"""Multiple choice: a classifier of pairs scores every option of a question, and the best one wins.

A row has the field ``options`` and others, such as a passage and a question. The classifier is
trained on pairs of these other texts and one option, labelled right or wrong. The probability of
an option is its own of being right, as a share of all options of the row:

    p(j | row) = p(right | question, option j) / Σ_k p(right | question, option k)

A linear classifier adds up words of the question and of the option, so that it ranks the options
without the question; one on an encoder, and a fine-tuned transformer, compare the two.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from augkit.core.arrays import Floats
from augkit.core.errors import DataError
from augkit.core.options import BETWEEN, options_field
from augkit.core.protocols import SavedClassifier
from augkit.core.types import Example, example

FILE = "choices.json"
"""Beside the files of the classifier of pairs."""
RIGHT = "right"
WRONG = "wrong"


@dataclass(frozen=True)
class MultipleChoiceClassifier:
    """A ``protocols.Classifier`` whose labels are places: A, B, C, or numbers from 0 or 1."""

    labels: tuple[str, ...]
    fields: tuple[str, ...]
    pairs: Any
    """The classifier of pairs."""

    @property
    def config(self) -> Any:
        """The settings of the classifier of pairs."""
        return self.pairs.config

    def predict(self, examples: Sequence[Example]) -> Floats:
        """The probability of every option; places that a row does not have get 0."""
        import numpy as np

        options = [len(options_of(row)) for row in examples]
        if options and max(options) > len(self.labels):
            raise DataError(
                f"a row has {max(options)} options, and there are names for {len(self.labels)}: "
                "leave such rows out"
            )
        probabilities = np.zeros((len(examples), len(self.labels)))
        present = np.arange(len(self.labels)) < np.array(options).reshape(-1, 1)
        pairs = [pair for row in examples for pair in option_pairs(row)]
        if pairs:
            right = self.pairs.predict(pairs)[:, self.pairs.labels.index(RIGHT)]
            probabilities[present] = np.maximum(right, 1e-12)
        return np.asarray(probabilities / probabilities.sum(axis=1, keepdims=True))

    def save(self, folder: Path) -> None:
        """Write the classifier of pairs, and ``choices.json``."""
        self.pairs.save(folder)
        record = {"labels": self.labels, "fields": self.fields}
        (folder / FILE).write_text(json.dumps(record) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path, pairs: SavedClassifier) -> MultipleChoiceClassifier:
        """Read a saved one, whose classifier of pairs has been read."""
        record = json.loads((folder / FILE).read_text(encoding="utf-8"))
        return cls(tuple(record["labels"]), tuple(record["fields"]), pairs)


def train_multiple_choice(
    examples: Sequence[Example],
    validation: Sequence[Example] | None,
    train_pairs: Callable[[Sequence[Example], Sequence[Example] | None], Any],
) -> MultipleChoiceClassifier:
    """Train on rows whose label is the place of the right option.

    Args:
        examples: Rows with the field ``options`` and at least another.
        validation: Rows that choose the best epoch, if any.
        train_pairs: Trains a classifier on pairs, and chooses its epoch on others.
    """
    if len(examples[0].fields) < 2:
        raise DataError(
            "options alone are no question: name its column too (--text-column question "
            "--text-column options)"
        )
    labels = place_labels(examples)
    parts = [
        None if rows is None else [pair for row in rows for pair in option_pairs(row, labels)]
        for rows in (examples, validation)
    ]
    pairs = train_pairs(parts[0] or [], parts[1])
    return MultipleChoiceClassifier(labels, tuple(examples[0].fields), pairs)


def are_multiple_choice(examples: Sequence[Example]) -> bool:
    """Whether every row has the field ``options`` with two options or more."""
    return bool(examples) and all(
        options_field(row.fields) and len(options_of(row)) > 1 for row in examples
    )


def options_of(row: Example) -> list[str]:
    """The options of a row, in order."""
    return row.fields[options_field(row.fields) or ""].split(BETWEEN)


def option_pairs(row: Example, labels: Sequence[str] = ()) -> list[Example]:
    """Each option of a row with the other texts as one; labelled where ``labels`` name places."""
    name = options_field(row.fields)
    question = BETWEEN.join(text for field, text in row.fields.items() if field != name)
    options = options_of(row)
    if labels and row.label not in labels[: len(options)]:
        shown = question[-60:]
        raise DataError(
            f"the answer '{row.label}' is none of the {len(options)} options of '...{shown}'. "
            f"Answers are places: {', '.join(labels[: len(options)])}"
        )
    return [
        example(
            {"question": question, "option": option},
            (RIGHT if label == row.label else WRONG) if label else None,
            columns={"pair_id": row.id},  # the options of a question stay in one fold
        )
        for option, label in zip(options, labels or [""] * len(options), strict=False)
    ]


def place_labels(examples: Sequence[Example]) -> tuple[str, ...]:
    r"""The names of the places, those that no row has included.

    Letters, or numbers: from 0 where a row has the answer 0, else from 1.

    >>> row = example({"question": "Who?", "options": "Jane\n\nJoe"}, "B")
    >>> place_labels([row])[:3]
    ('A', 'B', 'C')
    """
    answers = {str(row.label) for row in examples}
    if answers <= {*ascii_uppercase}:
        return tuple(ascii_uppercase)
    if all(answer.isdecimal() for answer in answers):
        first = int("0" not in answers)
        return tuple(str(number) for number in range(first, first + len(ascii_uppercase)))
    wrong = next(a for a in sorted(answers) if not (a.isdecimal() or a in ascii_uppercase))
    raise DataError(
        f"the answer '{wrong}' is no place among the options. Give a letter (A, B, C) or a number "
        "in the column of the label"
    )
