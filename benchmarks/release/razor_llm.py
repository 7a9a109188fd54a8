"""RAZOR with a language model on FEVER: what classifiers make of the rows before and after.

    python -m benchmarks.release.real_llm --data DIR --out FOLDER --tasks razor/fever
        --llm openai:local --base-url http://127.0.0.1:8080/v1
    python -m benchmarks.release.razor_llm --data DIR --run FOLDER/runs/razor-fever
        [--encoder MODEL --cache FOLDER]

The first command rewrites 300 rows of ``fever:dev``, all of them in one round; it can be stopped
and run again. The second trains on these rows as they are and rewritten, and on the whole of
``fever:dev`` without and with the rewrites in the places of their rows. Rows that share a claim
with the symmetric set are left out of all four. One JSON line each:

- ``negations``: claims with no/not/never/n't under REFUTES and SUPPORTS, and their difference;
- ``claim only`` and ``linear``: accuracy in per cent of a linear classifier that reads the claim
  alone, or both texts; with ``--encoder`` also of a ``head`` on sentence vectors of both, its
  strength chosen on held-out rows. On ``fever:test``, ``fever_symmetric:dev`` and the rows of
  ``fever_adversarial:annotated`` with one of the two labels; differences from the rows as they are
  with their 95 % interval (paired bootstrap over the test rows).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from augkit.core.types import Example
from augkit.datasets.load import load_dataset
from augkit.models.classifiers.linear import train_linear
from augkit.runs.manifest import read_manifest
from augkit.runs.settings import RunSettings
from benchmarks.command_line import argument, arguments, print_line
from benchmarks.release.razor_fever import bias, claim, percent
from benchmarks.release.razor_pairs import Encoder, Head, best_strength, bootstrap, pair_features
from benchmarks.release.real_llm import read_lines, sources_of

TESTS = ("fever:test", "fever_symmetric:dev", "fever_adversarial:annotated")
Rows = Sequence[Example]
Reader = Callable[[Rows], Callable[[Rows], np.ndarray]]
"""Training rows → test rows → whether each is labelled correctly."""


def main() -> None:
    """One line for each training set."""
    asked = arguments(
        __doc__,
        argument("--data", type=Path, default=os.environ.get("AUGKIT_DATA")),
        argument("--run", type=Path, required=True, help="of real_llm.py --tasks razor/fever"),
        argument("--dataset", type=Path, help="its rows, where they are elsewhere now"),
        argument("--encoder"),
        argument("--cache", type=Path),
    )
    whole = [row for row in read("fever:dev", asked.data) if not row.columns["in_symmetric_dev"]]
    labels = {row.label for row in whole}
    tests = {name: [row for row in read(name, asked.data) if row.label in labels] for name in TESTS}
    readers: dict[str, Reader] = {"claim only": reads_claims, "linear": reads_pairs}
    if asked.encoder and asked.cache:
        readers["head"] = head_reader(Encoder(asked.encoder, asked.cache))
    rewritten = rewrites(asked.run, asked.dataset)
    allowed = {texts(row) for row in whole}
    sources = [row for row in rows_of(asked.run, asked.dataset) if texts(row) in allowed]
    for name, rows in (("rows of the run", sources), ("fever:dev", whole)):
        first: dict[tuple[str, str], np.ndarray] = {}
        after = [rewritten.get(texts(row), row) for row in rows]
        for state, arm in (("as it is", rows), ("rewritten", after)):
            count = sum(texts(row) in rewritten for row in rows) if arm is after else 0
            record: dict[str, object] = {"trained on": name, "arm": state, "rows": len(arm)}
            record |= {"rewritten": count, **bias(rows, arm)}
            for kind, reader in readers.items():
                record[kind] = accuracies(kind, reader(arm), tests, first)
            print_line(record)


def accuracies(
    kind: str,
    right_of: Callable[[Rows], np.ndarray],
    tests: dict[str, list[Example]],
    first: dict[tuple[str, str], np.ndarray],
) -> dict[str, object]:
    """Accuracy on each test set, beside that of the rows as they are; these fill ``first``."""
    record: dict[str, object] = {}
    for name, test in tests.items():
        right = right_of(test)[None]
        base = first.setdefault((kind, name), right)
        record[name] = {"accuracy": percent(right)}
        if base is not right:
            record[name] |= {"difference": bootstrap(base, right)}
    return record


def read(spec: str, data: Path) -> list[Example]:
    """The rows of a dataset."""
    return [row for row in load_dataset(spec, data_folder=str(data)) if row.label is not None]


def texts(row: Example) -> tuple[str, str]:
    """Evidence and claim: rows of a run have other ids than those of the dataset."""
    return row.fields["evidence"], row.fields["claim"]


def rows_of(run: Path, dataset: Path | None) -> list[Example]:
    """The rows that a run was given."""
    file = str(dataset or read_manifest(run).settings["dataset"])
    return list(sources_of(RunSettings(method="eda", dataset=file)).values())


def rewrites(run: Path, dataset: Path | None) -> dict[tuple[str, str], Example]:
    """The accepted rewrites of a run by the texts of their rows."""
    sources = {row.id: row for row in rows_of(run, dataset)}
    return {
        texts(sources[variant["parents"][0]]): Example(
            variant["fields"], variant["label"], variant["id"]
        )
        for variant in read_lines(run / "variants.jsonl")
    }


def reads_pairs(arm: Rows) -> Callable[[Rows], np.ndarray]:
    """A linear classifier of both texts."""
    model = train_linear([Example(row.fields, row.label, row.id) for row in arm])

    def right(test: Rows) -> np.ndarray:
        answers = model.predict([Example(row.fields, row.label, row.id) for row in test])
        named = [model.labels[number] for number in answers.argmax(axis=1)]
        return np.array([label == row.label for label, row in zip(named, test, strict=True)])

    return right


def reads_claims(arm: Rows) -> Callable[[Rows], np.ndarray]:
    """The same of the claim alone."""
    right = reads_pairs(list(map(claim, arm)))
    return lambda test: right(list(map(claim, test)))


def head_reader(encoder: Encoder) -> Reader:
    """A head on the sentence vectors of both texts."""

    def reader(arm: Rows) -> Callable[[Rows], np.ndarray]:
        features, labels = pair_features(arm, encoder), [str(row.label) for row in arm]
        head = Head(features, labels, best_strength(features, labels))
        return lambda test: head.right(
            pair_features(test, encoder), [str(row.label) for row in test]
        )

    return reader


if __name__ == "__main__":
    main()
