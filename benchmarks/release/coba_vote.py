"""Who votes in CoBA, and how: the evaluative lexicon beside LIME, gradients and Shapley values.

    python -m benchmarks.release.coba_vote --data DIR --encoder PATH [--rows 300]
        [--arms lexicon exact lime integrated-gradients shapley] [--out FOLDER]

Each arm fits coba on rows drawn from ``imdb_cad:original_train``, augments them, and trains the
classifier of ``coba_imdb.py`` on rows and variants. ``lexicon`` is the default without a language
model. ``exact`` votes with five linear classifiers. In the other arms two of the linear classifiers
and a linear head on the vectors of the encoder vote, explained by the method of that name.

Printed: seconds for the vote and for the whole arm, principal and spurious words a row, the share
of principal words that each two arms have in common (words of either by words of both, mean over
rows), variants, and accuracy on the revised and original dev parts. ``--out`` keeps the words of
each row, so that arms can be measured in turns. One JSON line.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

from augkit.augmenters.coba.config import CobaConfig, VoteSettings
from augkit.augmenters.coba.identify import EnsembleIdentifier, Words
from augkit.augmenters.coba.method import Coba
from augkit.core.protocols import Tools
from augkit.core.types import Example, Pair, example
from augkit.english.parser import SpacyParser
from augkit.models.ensembles.crossfit import LINEAR_FIVE
from benchmarks.command_line import argument, arguments, print_line
from benchmarks.release.coba_imdb import Labelled, Trained, labelled, read, texts_of

ARMS = ("lexicon", "exact", "lime", "integrated-gradients", "shapley")


def arm_config(arm: str, encoder: Path, folder: Path) -> CobaConfig:
    """The settings of coba in an arm."""
    if arm in {"lexicon", "exact"}:
        return CobaConfig(principal="lexicon" if arm == "lexicon" else "vote")
    members = [LINEAR_FIVE[0].model_dump(), LINEAR_FIVE[2].model_dump()]
    members.append({"kind": "encoder", "model": str(encoder)})
    ensemble = folder / "two-linear-and-a-head.yaml"
    ensemble.write_text(json.dumps({"members": members}), encoding="utf-8")
    options = {"principal": "vote", "ensemble": str(ensemble), "attribution": arm}
    return CobaConfig.model_validate(options)


def measure(
    arm: str, config: CobaConfig, rows: Sequence[Example], tests: dict[str, list[Labelled]]
) -> dict[str, Any]:
    """An arm: its words, its variants, its seconds, and what a classifier learns from it."""
    parser = SpacyParser()
    started = time.perf_counter()
    augmenter = Coba(config, Tools(parser=parser)).fit(rows)
    fitted = time.perf_counter()
    identifier = EnsembleIdentifier(parser, augmenter.artifact.texts, VoteSettings.of(config))
    votes = [words for words in identifier.identify(rows) if isinstance(words, Words)]
    voted = time.perf_counter()
    pairs = [outcome for outcome in augmenter.outcomes(rows) if isinstance(outcome, Pair)]
    originals = [(row.fields["text"], str(row.label)) for row in rows]
    trained = Trained(originals + texts_of(pairs))
    return {
        "arm": arm,
        "seconds to fit": round(fitted - started, 1),
        "seconds to vote": round(voted - fitted, 1),
        "seconds to augment": round(time.perf_counter() - voted, 1),
        "principal words a row": round(fmean(len(words.principal) for words in votes), 2),
        "spurious words a row": round(fmean(len(words.spurious) for words in votes), 2),
        "units": dict(Counter(pair.provenance.about["unit"] for pair in pairs)),
        "rows with a variant": len({pair.original.id for pair in pairs}),
        "accuracy": {test: trained.accuracy(texts) for test, texts in tests.items()},
        "principal": [sorted(words.principal) for words in votes],
    }


def in_common(first: Sequence[Sequence[str]], second: Sequence[Sequence[str]]) -> float:
    """Words of both by words of either, the mean over rows that have any.

    >>> in_common([["a", "b"], []], [["b"], []])
    0.5
    """
    rows = [(set(a), set(b)) for a, b in zip(first, second, strict=True) if a or b]
    return round(fmean(len(a & b) / len(a | b) for a, b in rows), 3) if rows else 0.0


def main() -> None:
    """Measure the arms that are not in the file yet, and print all."""
    asked = arguments(
        __doc__,
        argument("--data", type=Path, required=True),
        argument("--encoder", type=Path, required=True),
        argument("--rows", type=int, default=300),
        argument("--arms", nargs="+", default=list(ARMS), choices=ARMS),
        argument("--out", type=Path, help="a folder that keeps each arm"),
    )
    folder = asked.data / "imdb_cad"
    train = Random(0).sample(read(folder, "original_train"), asked.rows)
    rows = [example(row["text"], row["label"], columns=row) for row in train]
    tests = {name: labelled(read(folder, name)) for name in ("revised_dev", "original_dev")}
    base = Trained(labelled(train))
    measured: dict[str, dict[str, Any]] = {}
    with TemporaryDirectory() as scratch:
        kept = asked.out or Path(scratch)
        kept.mkdir(parents=True, exist_ok=True)
        for arm in asked.arms:
            file = kept / f"{arm}.json"
            if not file.exists():
                config = arm_config(arm, asked.encoder, Path(scratch))
                file.write_text(json.dumps(measure(arm, config, rows, tests)), encoding="utf-8")
            measured[arm] = json.loads(file.read_text(encoding="utf-8"))
    principal = {arm: record.pop("principal") for arm, record in measured.items()}
    print_line(
        {
            "benchmark": "coba_vote",
            "rows": len(rows),
            "originals": {test: base.accuracy(texts) for test, texts in tests.items()},
            "arms": list(measured.values()),
            "principal words in common": {
                f"{first} and {second}": in_common(principal[first], principal[second])
                for first, second in combinations(principal, 2)
            },
        }
    )


if __name__ == "__main__":
    main()
