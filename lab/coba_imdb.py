"""Does CoBA break the shortcuts of movie reviews? Held against what people rewrote.

    python -m lab.coba_imdb --data DIR [--seeds 3]

Variants are made of ``imdb_cad:original_train``, a TF-IDF + logistic regression (1,2-grams, min_df
2, sublinear, C 10) is trained on rows and variants, and its accuracy is measured on the revised dev
part, the originals' dev and test parts, and three other datasets. Beside it: originals alone, the
human revisions, and, for the first seed, the no-flip control (the same sentence rows, nothing
flipped), sentences alone, whole texts alone and half of the texts (the trade-off). The human judge
(trained on revisions, out of fold) measures agreement and never makes or chooses a variant. Prints
one JSON line.
"""

from __future__ import annotations

import gzip
import json
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.method import Coba
from augkit.core.analysis import Analysis
from augkit.core.protocols import Tools
from augkit.core.types import Example, Pair, digest, example
from augkit.english.parser import SpacyParser
from augkit.text.tokens import words
from lab.command_line import argument, arguments, print_line

Row = dict[str, Any]
Labelled = tuple[str, str]
Rights = dict[str, tuple[np.ndarray, np.ndarray]]
"""For each test set whether its rows are answered rightly, before and after."""
ELSEWHERE = ("sst2/dev", "yelp_sentences/test", "cr/all")


class RememberedParses:
    """The bundled parser, which parses a text once for all seeds."""

    def __init__(self) -> None:
        self.known: dict[str, Analysis] = {}
        self.parser = SpacyParser()

    def parse(self, texts: Sequence[str]) -> list[Analysis]:
        """One analysis per text."""
        new = list(dict.fromkeys(text for text in texts if text not in self.known))
        if new:
            self.known.update(zip(new, self.parser.parse(new), strict=True))
        return [self.known[text] for text in texts]


def read(folder: Path, name: str) -> list[Row]:
    """The rows of a file, packed or not."""
    plain = folder / f"{name}.jsonl"
    if plain.exists():
        text = plain.read_text(encoding="utf-8")
    else:
        packed = folder / f"{name}.jsonl.gz"
        text = gzip.decompress(packed.read_bytes()).decode("utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


def labelled(rows: Iterable[Row]) -> list[Labelled]:
    """Texts and labels."""
    return [(row["text"], row["label"]) for row in rows]


def fold_of(row: Row, folds: int) -> int:
    """The fold of a row and of its revision."""
    return int(digest("fold", row["pair_id"]), 16) % folds


class Trained:
    """The classifier of all figures here."""

    def __init__(self, rows: Sequence[Labelled]) -> None:
        texts, labels = zip(*rows, strict=True)
        self.vectors = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True)
        features = self.vectors.fit_transform(texts)
        self.model = LogisticRegression(C=10, max_iter=1000).fit(features, labels)

    def right(self, rows: Sequence[Labelled]) -> np.ndarray:
        """Whether each row is answered rightly."""
        texts, labels = zip(*rows, strict=True)
        answers = self.model.predict(self.vectors.transform(texts))
        return np.asarray(answers == np.array(labels))

    def accuracy(self, rows: Sequence[Labelled]) -> float:
        """Per cent."""
        return round(100 * float(self.right(rows).mean()), 1)


def made(
    rows: Sequence[Row], seed: int, parses: RememberedParses
) -> tuple[list[Example], list[Pair], Counter[str]]:
    """The examples, the accepted variants, and the rejections by reason."""
    examples = [example(row["text"], row["label"], columns=row) for row in rows]
    augmenter = Coba(CobaConfig(seed=seed), Tools(parser=parses)).fit(examples)
    outcomes = list(augmenter.outcomes(examples))
    pairs = [one for one in outcomes if isinstance(one, Pair)]
    return examples, pairs, Counter(one.reason for one in outcomes if not isinstance(one, Pair))


def of_unit(pairs: Sequence[Pair], *units: str) -> list[Pair]:
    """The variants of some units."""
    return [pair for pair in pairs if pair.provenance.about["unit"] in units]


def texts_of(pairs: Sequence[Pair]) -> list[Labelled]:
    """Their texts and labels."""
    return [(pair.variant.fields["text"], str(pair.variant.label)) for pair in pairs]


def gain(before: np.ndarray, after: np.ndarray) -> dict[str, float]:
    """Difference in points with the 95 % interval of a paired bootstrap."""
    draws = np.random.default_rng(0).integers(0, len(before), (2000, len(before)))
    differences = (after[draws].mean(axis=1) - before[draws].mean(axis=1)) * 100
    low, high = np.percentile(differences, [2.5, 97.5])
    mean = 100 * (after.mean() - before.mean())
    return {"points": round(float(mean), 1), "low": round(low, 1), "high": round(high, 1)}


def agreement(pairs: Sequence[Pair], judges: Sequence[Trained]) -> float | None:
    """Per cent of the variants whose label the human judge of another fold gives too."""
    right: list[bool] = []
    for fold, judge in enumerate(judges):
        own = [p for p in pairs if fold_of(dict(p.original.columns), len(judges)) == fold]
        right += list(judge.right(texts_of(own))) if own else []
    return round(100 * float(np.mean(right)), 1) if right else None


def one_seed(
    train: Sequence[Row], tests: dict[str, list[Labelled]], seed: int, parses: RememberedParses
) -> tuple[dict[str, Any], Rights, list[Pair]]:
    """Accuracies of rows with variants, what was refused, and the variants."""
    started = time.process_time()
    _, pairs, reasons = made(train, seed, parses)
    record: dict[str, Any] = {"seed": seed, "cpu_seconds": round(time.process_time() - started)}
    record["rows"] = dict(Counter(pair.provenance.about["unit"] for pair in pairs))
    flipped = {pair.original.id for pair in pairs if pair.provenance.contract == "flipped"}
    record["yield"] = round(100 * len(flipped) / len(train), 1)
    record["spurious_survive"] = spurious_survival(of_unit(pairs, "text"))
    record["rejected"] = dict(reasons.most_common())
    originals = labelled(train)
    base, trained = Trained(originals), Trained(originals + texts_of(pairs))
    right = {test: (base.right(some), trained.right(some)) for test, some in tests.items()}
    record["coba"] = {test: trained.accuracy(some) for test, some in tests.items()}
    record["gain"] = {test: gain(*some) for test, some in right.items()}
    return record, right, pairs


def spurious_survival(pairs: Sequence[Pair]) -> float:
    """Per cent of the spurious words of whole texts that their variants still have."""
    kept = total = 0
    for pair in pairs:
        spurious = set(pair.provenance.about["spurious"].split(", ")) - {""}
        kept += len(spurious & {word.casefold() for word in words(pair.variant.fields["text"])})
        total += len(spurious)
    return round(100 * kept / max(1, total), 1)


def trade_off(
    train: Sequence[Row], pairs: Sequence[Pair], tests: dict[str, list[Labelled]]
) -> dict[str, Any]:
    """The same with parts of the variants, the no-flip control among them."""
    originals = labelled(train)
    sentences = texts_of(of_unit(pairs, "sentence", "clause", "twin"))
    whole = texts_of(of_unit(pairs, "text"))
    arms = {
        "no_flip": texts_of(of_unit(pairs, "twin")),
        "sentences_only": sentences,
        "half_of_the_texts": sentences + whole[::2],
        "texts_only": whole,
    }
    found = {}
    for name, rows in arms.items():
        trained = Trained(originals + rows)
        found[name] = {test: trained.accuracy(some) for test, some in tests.items()}
    return found


def over_seeds(rights: Sequence[Rights]) -> dict[str, Any]:
    """Gains of the mean over seeds: rows are drawn, each with its answers of all seeds."""
    return {
        test: gain(
            np.mean([right[test][0] for right in rights], axis=0),
            np.mean([right[test][1] for right in rights], axis=0),
        )
        for test in rights[0]
    }


def main() -> None:
    """Measure and print."""
    given = arguments(
        __doc__,
        argument("--data", type=Path, required=True),
        argument("--seeds", type=int, default=3),
    )
    parses = RememberedParses()
    folder = given.data / "imdb_cad"
    train = read(folder, "original_train")
    revised = {row["pair_id"]: row for row in read(folder, "revised_train")}
    tests = {n: labelled(read(folder, n)) for n in ("revised_dev", "original_test", "original_dev")}
    tests |= {name: labelled(read(given.data, name)) for name in ELSEWHERE}
    base, human = Trained(labelled(train)), Trained(labelled(train) + labelled(revised.values()))
    record: dict[str, Any] = {
        "benchmark": "coba_imdb",
        "originals": {test: base.accuracy(some) for test, some in tests.items()},
        "human": {test: human.accuracy(some) for test, some in tests.items()},
    }
    seeds = [one_seed(train, tests, seed, parses) for seed in range(given.seeds)]
    record["seeds"] = [one for one, _, _ in seeds]
    record["gain_over_seeds"] = over_seeds([right for _, right, _ in seeds])
    record["trade_off"] = trade_off(train, seeds[0][2], tests)
    record["label"] = label_agreement(train, revised, seeds[0][2])
    print_line(record)


def label_agreement(
    train: Sequence[Row], revised: dict[str, Row], pairs: Sequence[Pair], folds: int = 5
) -> dict[str, Any]:
    """How often the human judge agrees with revisions and with variants, out of fold."""
    judges = []
    for fold in range(folds):
        inside = [row for row in train if fold_of(row, folds) != fold]
        judges.append(Trained(labelled(inside) + labelled(revised[r["pair_id"]] for r in inside)))
    human = [judges[fold_of(r, folds)].right(labelled([r]))[0] for r in revised.values()]
    return {
        "human": round(100 * float(np.mean(human)), 1),
        **{
            unit: agreement(of_unit(pairs, unit), judges)
            for unit in ("text", "sentence", "clause", "twin")
        },
    }


if __name__ == "__main__":
    main()
