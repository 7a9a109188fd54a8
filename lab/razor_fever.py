"""RAZOR on FEVER, offline: is the bias of the claims gone, and what does a classifier make of it?

    AUGKIT_DATA=DIR python -m lab.razor_fever --encoder MODEL --cache FOLDER [--seeds 10]
        [--arms "as it is" eda]
    AUGKIT_DATA=DIR python -m lab.razor_fever --claims

Trains on ``fever:dev`` without the rows that share a claim with the symmetric set (the official
train set is not at hand). One JSON line an arm: as it is, razor alone with either score, symmetric
alone, razor and symmetric, eda.

- ``negations``: claims with no/not/never/n't under REFUTES and SUPPORTS, and their difference;
- ``negations or their substitutes``: the same with the words that may be put in their place
  ("falsely called", "failed to", "merely"): otherwise another name for a negation would be a gain;
- ``new significant words``: how many words go with a label after the rewriting at p < 0.05 over all
  words (Bonferroni) and did not before;
- ``judge``: agreement with the labels of an independent judge (a head on sentence vectors, trained
  on ``fever:test``) over all rows, those that the arm rewrote among them;
- ``claim only``: accuracy of a linear classifier that reads the claim alone, on ``fever:test``,
  with the difference from the first arm: of the classifiers trained on all rows, with the interval
  over test rows; and of those that leave out a tenth of the rows, over them and test rows both;
- ``pairs``: accuracy of a head on both texts, the mean over seeds that leave out a tenth of the
  rows; difference from the first arm with the interval over seeds and test rows.

``--claims`` measures negations and claim only, without an encoder, in both directions: one of
``fever:dev`` and ``fever:test`` is rewritten, the claims of the other are read.

MODEL is any sentence encoder that transformers can read.
"""

from __future__ import annotations

import os
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import numpy as np

from augkit.augmenters.create import create
from augkit.augmenters.razor.token_score import FeatureCounts
from augkit.core.types import Example, Pair, digest
from augkit.datasets.load import load_dataset
from augkit.models.classifiers.linear import train_linear
from augkit.text.features.kinds import TOKEN
from augkit.text.features.numbering import label_numbers
from lab.command_line import argument, arguments, print_line
from lab.vectors import (
    Encoder,
    Head,
    best_strength,
    bootstrap,
    pair_features,
)

NEGATION = re.compile(r"(?<!\w)(?:no|not|never|cannot)(?!\w)|n['\u2019]t(?!\w)", re.IGNORECASE)
SUBSTITUTE = re.compile(
    NEGATION.pattern
    + r"|(?<!\w)(?:\w*(?:wrong|false|mistake|correct|erroneous|inaccura|untrue|error"
    r"|misident|mislabel|misclass|misrepresent)\w*|fail(?:s|ed)? to|lack(?:s|ed)?|without|absent"
    r"|other than|yet to|merely|just|purely|simply|solely|strictly|exclusively|only|nothing|nobody"
    r"|nowhere|alone)(?!\w)",
    re.IGNORECASE,
)
"""A negation, or a word by which one may be said otherwise."""
Made = dict[str, list[Example]]
TESTS = {"symmetric": "fever_symmetric:dev", "fever:test": "fever:test"}
BOTH = ("compose", {"how": "union", "steps": ["razor", "symmetric"]})
"""As ``--method razor,symmetric``."""
ADDED = frozenset({"eda", "symmetric"})
"""Arms whose variants are added to the rows, not put in their places."""
ARMS = {
    "as it is": None,
    "razor, token": ("razor", {"score": "token"}),
    "razor, paper": ("razor", {"score": "paper"}),
    "razor, paper, as many rows": ("razor", {"score": "paper", "rounds": 1, "top": 1000}),
    "symmetric": ("symmetric", {}),
    "razor and symmetric": BOTH,
    "eda": ("eda", {"fields": ["claim"]}),
}


def main() -> None:
    """Every arm, one line each."""
    asked = arguments(
        __doc__,
        argument("--encoder"),
        argument("--cache", type=Path),
        argument("--claims", action="store_true", help="negations and claim only"),
        argument("--seeds", type=int, default=10),
        argument("--arms", nargs="*", choices=ARMS, default=list(ARMS)),
    )
    if asked.claims:
        claims(asked.arms, asked.seeds)
        return
    if not asked.encoder or not asked.cache:
        sys.exit("--encoder and --cache are needed, but for --claims")
    encoder = Encoder(asked.encoder, asked.cache)
    rows = [row for row in read("fever:dev") if not row.columns["in_symmetric_dev"]]
    tests = {name: read(spec) for name, spec in TESTS.items()}
    strength = best_strength(pair_features(rows, encoder), labels_of(rows))
    judge = Head(
        pair_features(tests["fever:test"], encoder), labels_of(tests["fever:test"]), strength
    )
    first: dict[str, np.ndarray] = {}
    for name in asked.arms:
        new = made(rows, ARMS[name])
        arm = after(rows, new, append=name in ADDED)
        record: dict[str, object] = {
            "arm": name,
            "rows": len(arm),
            "rewritten": len(changed(rows, new)),
            "C": strength,
        }
        record |= counts(rows, arm)
        record["claim only"] = claim_only(
            (rows, new, name in ADDED), tests["fever:test"], asked.seeds, first
        )
        replaced = changed(rows, new)
        now = [replaced.get(row.id, row) for row in rows]
        record["judge"] = percent(judge.right(pair_features(now, encoder), labels_of(now)))
        record["pairs"] = trained_on_pairs(
            rows, new, name in ADDED, tests, encoder, asked.seeds, strength, first
        )
        print_line(record)


def claims(arms: Sequence[str], seeds: int) -> None:
    """Both directions: one of two datasets rewritten, the claims of the other read."""
    dev = [row for row in read("fever:dev") if not row.columns["in_symmetric_dev"]]
    test = read("fever:test")
    for name, rows, other in (("dev", dev, test), ("test", test, read("fever:dev"))):
        first: dict[str, np.ndarray] = {}
        for arm in arms:
            new = made(rows, ARMS[arm])
            record: dict[str, object] = {"arm": arm, "of": name}
            record["rewritten"] = len(changed(rows, new))
            whole = after(rows, new, append=arm in ADDED)
            record |= {"rows": len(whole), **counts(rows, whole)}
            record["claim only"] = claim_only((rows, new, arm in ADDED), other, seeds, first)
            print_line(record)


def read(spec: str) -> list[Example]:
    """The labelled rows of a dataset."""
    rows = load_dataset(spec, data_folder=os.environ.get("AUGKIT_DATA"))
    return [row for row in rows if row.label is not None]


def made(rows: Sequence[Example], method: tuple[str, dict[str, object]] | None) -> Made:
    """What a method makes of rows, by their ids; a row that stays is among it."""
    if method is None:
        return {}
    new: Made = defaultdict(list)
    for outcome in create(method[0], **method[1]).fit(rows).outcomes(rows):
        if isinstance(outcome, Pair):
            new[outcome.original.id].append(outcome.variant)
        elif outcome.stays:
            new[outcome.parent.id].insert(0, outcome.parent)
    return new


def after(rows: Sequence[Example], new: Made, *, append: bool) -> list[Example]:
    """The rows with the variants in the places of their originals, or beside them."""
    if append:
        return [*rows, *chain.from_iterable(new.values())]
    return [one for row in rows for one in new.get(row.id, [row])]


def changed(rows: Sequence[Example], new: Made) -> dict[str, Example]:
    """The rows that another text has replaced."""
    return {row.id: new[row.id][0] for row in rows if row.id in new and new[row.id][0] != row}


def counts(rows: Sequence[Example], arm: Sequence[Example]) -> dict[str, object]:
    """What an arm has of negations, of words put in their place, and of new significant words."""
    return {
        "negations": claims_with(NEGATION, arm),
        "negations or their substitutes": claims_with(SUBSTITUTE, arm),
        "new significant words": len(significant(arm) - significant(rows)),
    }


def significant(rows: Sequence[Example]) -> set[str]:
    """The words of claims that go with a label beyond chance, over all words together."""
    names, numbers = label_numbers(labels_of(rows))
    features = FeatureCounts([row.fields["claim"] for row in rows], numbers, len(names))
    critical = features.critical_z(0.05)
    return {
        strength.feature
        for strength in features.strongest(1000)
        if strength.kind == TOKEN and strength.z > critical
    }


def claims_with(pattern: re.Pattern[str], rows: Sequence[Example]) -> list[int]:
    """Claims with it under each label, and their difference."""
    held = Counter(row.label for row in rows if pattern.search(row.fields["claim"]))
    return [held["REFUTES"], held["SUPPORTS"], held["REFUTES"] - held["SUPPORTS"]]


def labels_of(rows: Sequence[Example]) -> list[str]:
    """Their labels."""
    return [str(row.label) for row in rows]


def claim_only(
    made_of: tuple[Sequence[Example], Made, bool],
    test: Sequence[Example],
    seeds: int,
    first: dict[str, np.ndarray],
) -> dict[str, object]:
    """Accuracy of a linear classifier that reads the claim alone, beside the first arm's."""
    rows, new, append = made_of
    whole = reads_claims(after(rows, new, append=append), test)[None]
    right = np.stack([reads_claims(part(made_of, seed), test) for seed in range(seeds)])
    record: dict[str, object] = {"accuracy": percent(whole), "parts": percent(right)}
    if "claims" in first:
        record["over rows"] = bootstrap(first["claims"], whole)
        record["parts over both"] = bootstrap(first["claims of parts"], right, seeds=True)
    first.setdefault("claims", whole)
    first.setdefault("claims of parts", right)
    return record


def part(made_of: tuple[Sequence[Example], Made, bool], seed: int) -> list[Example]:
    """The rows of an arm without a tenth of the originals, which the seed draws."""
    rows, new, append = made_of
    kept = [row for row in rows if int(digest(str(seed), "leave-out", row.id), 16) % 10]
    return after(kept, {row.id: new[row.id] for row in kept if row.id in new}, append=append)


def reads_claims(arm: Sequence[Example], test: Sequence[Example]) -> np.ndarray:
    """For each test row whether a classifier trained on the claims of an arm is right."""
    model = train_linear([claim(row) for row in arm])
    answers = model.predict([claim(row) for row in test]).argmax(axis=1)
    return np.array([model.labels[n] == row.label for n, row in zip(answers, test, strict=True)])


def claim(row: Example) -> Example:
    """A row without its evidence."""
    return Example({"claim": row.fields["claim"]}, row.label, row.id)


def trained_on_pairs(  # noqa: PLR0913, PLR0917 - one experiment, all that it needs
    rows: Sequence[Example],
    new: Made,
    append: bool,
    tests: dict[str, list[Example]],
    encoder: Encoder,
    seeds: int,
    strength: float,
    first: dict[str, np.ndarray],
) -> dict[str, object]:
    """Accuracy on each test set over seeds, beside the first arm's; ``first`` is filled by it."""
    record: dict[str, object] = {}
    heads = []
    for seed in range(seeds):
        arm = part((rows, new, append), seed)
        heads.append(Head(pair_features(arm, encoder), labels_of(arm), strength))
    for name, test in tests.items():
        features, labels = pair_features(test, encoder), labels_of(test)
        right = np.stack([head.right(features, labels) for head in heads])
        base = first.setdefault(name, right)
        record[name] = {"accuracy": percent(right)}
        if base is not right:
            record[name]["over both"] = bootstrap(base, right, seeds=True)
    return record


def percent(right: np.ndarray) -> float:
    """A share in per cent."""
    return round(100 * float(np.mean(right)), 2)


if __name__ == "__main__":
    main()
