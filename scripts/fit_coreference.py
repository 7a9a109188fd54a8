"""Fit the weights of the clues for pronouns on the training part of GUM.

    python scripts/fit_coreference.py --data DIR [--folds 5]

Every pronoun gives one decision: among the candidates that grammar allows, or none of them. The
weights maximise the likelihood of the right decisions, less ``STRENGTH`` · Σ w², over the gold
parses and those of the bundled pipeline; decisions before each are taken as right in a first pass
and as the rules make them in a second. The weights go to
``augkit/lexicons/data/clue_weights.yaml``. With
``--folds`` nothing is written: scores on documents left out are printed for several thresholds.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "benchmarks"))

import coreference as benchmark  # noqa: E402 (it stands in another folder)
from treebanks import Document, documents  # noqa: E402

from augkit.core.analysis import Analysis  # noqa: E402
from augkit.language.coreference.antecedents import (  # noqa: E402
    NO_ANTECEDENT,
    AntecedentChoice,
    Cluster,
    choose_antecedent,
    clue_weights,
    weights_name,
)
from augkit.language.coreference.mentions import DetectedMention, Mention  # noqa: E402
from augkit.language.coreference.resolve import resolve_clusters  # noqa: E402
from augkit.language.parser import SpacyParser  # noqa: E402

TARGET = HERE.parent / "augkit" / "lexicons" / "data" / "clue_weights.yaml"
STRENGTH = 1.0
OTHERS = 0.2
"""Weight of a decision about a pronoun that stands for no person ("they" for things)."""
FEWEST = 5
"""A clue detected less often gets no weight."""
SMALLEST = 0.05
"""Nor does one whose weight is smaller."""
SORTS = ("he or she", "they")
THRESHOLDS = ((0.2, 1.0), (0.3, 1.2), (0.3, 1.5), (0.4, 1.2), (0.4, 1.5), (0.4, 2.0))

Weights = dict[str, dict[str, float]]
Parsed = tuple[Document, Analysis]


@dataclass(frozen=True)
class Decision:
    """The clues of each cluster, and which candidates are right; none: nobody is."""

    sort: str
    rows: tuple[tuple[str, ...], ...]
    right: frozenset[int]
    weight: float


class Watcher:
    """A chooser that writes decisions down; it decides rightly, or as the rules do."""

    def __init__(self, document: Document, *, as_rules: bool) -> None:
        """Watch the decisions over one document."""
        self.document = document
        self.as_rules = as_rules
        self.gold = {one.start: one.chain for one in benchmark.pronouns(document)}
        self.decisions: list[Decision] = []

    def __call__(
        self, detected: DetectedMention, possible: Sequence[Cluster], rows: Sequence[Sequence[str]]
    ) -> AntecedentChoice:
        """Decide for one pronoun."""
        chain = self.gold.get(detected.mention.start)
        right = frozenset(
            index
            for index, each in enumerate(possible)
            if chain is not None and benchmark.chain_of(self.document, nearest(each)) == chain
        )
        weight = OTHERS if chain is None else 1.0
        self.decisions.append(
            Decision(weights_name(detected), tuple(map(tuple, rows)), right, weight)
        )
        if self.as_rules:
            return choose_antecedent(detected, possible, rows)
        best = possible[min(right)] if right else None
        return AntecedentChoice(tuple(possible), best, sure=True)


def nearest(cluster: Cluster) -> Mention:
    """The latest mention of a cluster that GUM could have marked."""
    mentions = [detected.mention for detected in cluster.mentions]
    marked = [mention for mention in mentions if mention.kind not in {"title", "relative"}]
    return (marked or mentions)[-1]


def decisions(parsed: Sequence[Parsed], *, as_rules: bool) -> Iterator[Decision]:
    """The decisions over some documents."""
    for document, analysis in parsed:
        watcher = Watcher(document, as_rules=as_rules)
        resolve_clusters(analysis, watcher)
        yield from watcher.decisions


def tabulate(some: Sequence[Decision], clues: Sequence[str]) -> tuple[Any, Any, Any]:
    """One row of zeros and ones per cluster; which rows are right; the decision of each row."""
    column = {clue: number for number, clue in enumerate(clues)}
    rows = [row for one in some for row in (*one.rows, (NO_ANTECEDENT,))]
    table = np.zeros((len(rows), len(clues)))
    for number, row in enumerate(rows):
        table[number, [column[clue] for clue in row if clue in column]] = 1
    right = [
        number in (one.right or {len(one.rows)})
        for one in some
        for number in range(len(one.rows) + 1)
    ]
    return table, np.array(right), np.repeat(np.arange(len(some)), [len(d.rows) + 1 for d in some])


def fit(some: Sequence[Decision]) -> dict[str, float]:
    """Weights for decisions of one sort."""
    counts = Counter(clue for one in some for row in one.rows for clue in row)
    clues = [NO_ANTECEDENT, *sorted(clue for clue, count in counts.items() if count >= FEWEST)]
    table, right, owner = tabulate(some, clues)
    weight = np.array([one.weight for one in some])

    def loss(w: Any) -> tuple[float, Any]:
        scores = table @ w
        scores -= np.maximum.reduceat(scores, np.flatnonzero(np.diff(owner, prepend=-1)))[owner]
        shares = np.exp(scores)
        every = np.bincount(owner, shares)
        good = np.bincount(owner, shares * right)
        value = weight @ (np.log(every) - np.log(good)) + STRENGTH * w @ w
        pull = weight[owner] * (shares / every[owner] - shares * right / good[owner])
        return value, table.T @ pull + 2 * STRENGTH * w

    found = minimize(loss, np.zeros(len(clues)), jac=True, method="L-BFGS-B")
    pairs = zip(clues, found.x, strict=True)
    return {clue: round(float(value), 2) for clue, value in pairs if abs(value) >= SMALLEST}


def fitted(parsed: Sequence[Parsed]) -> Weights:
    """Weights from two passes; the rules use them from then on."""
    first = list(decisions(parsed, as_rules=False))
    use({sort: fit([one for one in first if one.sort == sort]) for sort in SORTS})
    both = first + list(decisions(parsed, as_rules=True))
    weights = {sort: fit([one for one in both if one.sort == sort]) for sort in SORTS}
    use(weights)
    return weights


def use(weights: Mapping[str, Mapping[str, float]]) -> None:
    """Make the rules decide with other weights."""
    clue_weights().weights = {sort: dict(weights[sort]) for sort in SORTS}


def cross_validate(both: Sequence[tuple[Document, Analysis]], folds: int) -> Iterator[str]:
    """Scores per threshold on documents that were left out of the fitting."""
    order = list(both)
    random.Random(1).shuffle(order)
    found: dict[tuple[float, float], list[Any]] = {pair: [] for pair in THRESHOLDS}
    for fold in range(folds):
        kept = [pair for index, pair in enumerate(order) if index % folds != fold]
        fitted([(document, a) for document, raw in kept for a in (document.analysis, raw)])
        for pair in THRESHOLDS:
            clue_weights().min_probability, clue_weights().min_ratio = pair
            left = order[fold::folds]
            found[pair] += [
                [benchmark.tally(d, ls) for ls in benchmark.by_rules(a)] for d, a in left
            ]
    for pair, tallies in found.items():
        nearest_ones, nominal = zip(*tallies, strict=True)
        yield f"{pair}: {benchmark.scores(nearest_ones)}, nominal {benchmark.scores(nominal)}"


def write(weights: Weights) -> None:
    """Put the weights into ``clue_weights.yaml``, below the thresholds."""
    head, _, _ = TARGET.read_text(encoding="utf-8").partition("weights:\n")
    lines = ["weights:"]
    for sort in SORTS:
        lines.append(f"  {sort}:")
        lines += [f'    "{clue}": {value}' for clue, value in weights[sort].items()]
    TARGET.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--folds", type=int, default=0)
    args = parser.parse_args()
    some = documents(args.data / "ud" / "gum_train.conllu.gz")
    raw = SpacyParser().parse([one.analysis.text for one in some])
    if args.folds:
        print(*cross_validate(list(zip(some, raw, strict=True)), args.folds), sep="\n")
    else:
        pairs = zip(some, raw, strict=True)
        write(fitted([(document, a) for document, r in pairs for a in (document.analysis, r)]))
