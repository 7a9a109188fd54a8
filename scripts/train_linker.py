"""Fit the weights of the person linker on the training parts of GUM, LitBank and GAP.

    python scripts/train_linker.py --data DIR

Every mention gives one decision: one of the persons found so far, or a new one. The weights
maximise the likelihood of the right decisions, less ``STRENGTH`` · Σ w². There are two passes: in
the first the decisions before each are taken as right, in the second they are those of the linker
after the first. Each annotated text is read twice: with all mentions of persons, and without the
nouns that show no gender. A question of GAP gives one
decision: for the right name against all others, or, where neither is right, against both.
The weights go to ``augkit/language/person_links/model.json``.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from coreference_data import Choice, Passage, gap, gendered_only, gum, litbank
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from augkit.language.person_links.linker import (
    Feature,
    Linker,
    PersonCluster,
    Rows,
    Weights,
    decode,
)
from augkit.language.person_links.readings import MentionReading, TextReader

TARGET = Path(__file__).parents[1] / "augkit/language/person_links/model.json"
STRENGTH = 4.0
FEWEST = 15
"""A feature seen less often gets no weight."""
SMALLEST = 0.05
"""Nor does one whose weight is smaller."""
ABOUT = {
    "source": "fitted by scripts/train_linker.py on the training parts of GUM 11.1 (Georgetown "
    "University, annotation CC BY 4.0), LitBank (David Bamman, CC BY 4.0) and GAP (Google, "
    "Apache-2.0); no text of them is in this file",
    "licence": "Apache-2.0, as augkit",
}


@dataclass(frozen=True)
class Decision:
    """The features of each candidate that counts, and which of them are right."""

    rows: Rows
    right: frozenset[int]


class Teacher:
    """Writes the decisions over one passage down, and decides: rightly, or as a linker does."""

    def __init__(self, passage: Passage, linker: Linker | None) -> None:
        """Read the passage."""
        self.passage = passage
        self.linker = linker
        self.decisions: list[Decision] = []
        self.reader = TextReader(passage.text)
        self.readings = self.reader.read(passage.mentions)
        self.place = {id(reading): number for number, reading in enumerate(self.readings)}

    def run(self) -> list[Decision]:
        """The decisions over the passage."""
        decode(self.reader, self.readings, self.choose)
        return self.decisions

    def choose(self, reading: MentionReading, found: Sequence[PersonCluster], rows: Rows) -> int:
        """Decide for one mention."""
        choice = self.passage.choice
        if choice is None:
            right = self._right(reading, found)
            self.decisions += [Decision(rows, frozenset(right or {len(found)}))] if found else []
            if self.linker is None:
                return min(right, default=len(found))
        elif self.place[id(reading)] == choice.pronoun:
            self.decisions += self._between_names(choice, found, rows)
        assert self.linker is not None, "questions come in the second pass"
        shares = self.linker.probabilities(rows)
        return shares.index(max(shares))

    def _right(self, reading: MentionReading, found: Sequence[PersonCluster]) -> set[int]:
        """The candidates whose last mention, or most of whose mentions, are of the gold chain."""
        chain = self.passage.chains[self.place[id(reading)]]
        right = set()
        for number, person in enumerate(found):
            chains = [self.passage.chains[self.place[id(r)]] for r in person.readings]
            if chain in (chains[-1], Counter(chains).most_common(1)[0][0]):
                right.add(number)
        return right

    def _between_names(
        self, choice: Choice, found: Sequence[PersonCluster], rows: Rows
    ) -> Iterator[Decision]:
        holders = [
            {n for n, p in enumerate(found) if any(self.place[id(r)] == name for r in p.readings)}
            for name in choice.names
        ]
        named = {n for n, p in enumerate(found) if p.names} | {len(found)}
        right = {n for some, true in zip(holders, choice.right, strict=True) if true for n in some}
        if right:  # a person without a name may be the right one too
            kept = sorted(named | right)
            yield Decision([rows[n] for n in kept], frozenset(map(kept.index, right)))
        elif not any(choice.right) and (wrong := holders[0] | holders[1]):
            yield Decision(rows, frozenset(range(len(rows))) - wrong)


def decisions(passages: Sequence[Passage], linker: Linker | None) -> list[Decision]:
    """The decisions over some passages."""
    return [
        decision
        for passage in passages
        if linker is not None or passage.choice is None
        for decision in Teacher(passage, linker).run()
    ]


def fit(some: Sequence[Decision]) -> Weights:
    """The weights that make the right decisions likely."""
    counts = Counter(f for one in some for row in one.rows for f in set(row))
    features = sorted(feature for feature, count in counts.items() if count >= FEWEST)
    found = minimize(loss_of(some, features), np.zeros(len(features)), jac=True, method="L-BFGS-B")
    pairs = zip(features, found.x, strict=True)
    return {feature: round(float(w), 2) for feature, w in pairs if abs(w) >= SMALLEST}


def loss_of(some: Sequence[Decision], features: Sequence[Feature]) -> Callable[[Any], Any]:
    """The function to minimise: the loss of some weights, and its gradient."""
    column = {feature: number for number, feature in enumerate(features)}
    rows = [[column[f] for f in row if f in column] for one in some for row in one.rows]
    ends = np.cumsum([0, *map(len, rows)])
    places = np.array([number for row in rows for number in row])
    table = csr_matrix((np.ones(len(places)), places, ends), (len(rows), len(features)))
    turned = table.T.tocsr()
    right = np.array([n in one.right for one in some for n in range(len(one.rows))])
    owner = np.repeat(np.arange(len(some)), [len(one.rows) for one in some])
    starts = np.flatnonzero(np.diff(owner, prepend=-1))

    def loss(weights: Any) -> tuple[float, Any]:
        scores = table @ weights
        shares = np.exp(scores - np.maximum.reduceat(scores, starts)[owner])
        every, good = np.bincount(owner, shares), np.bincount(owner, shares * right) + 1e-12
        value = np.sum(np.log(every) - np.log(good)) + STRENGTH * weights @ weights
        pull = shares / every[owner] - shares * right / good[owner]
        return value, turned @ pull + 2 * STRENGTH * weights

    return loss


def train(passages: Sequence[Passage]) -> Weights:
    """The weights after both passes."""
    passages = [*passages, *(gendered_only(one) for one in passages if one.choice is None)]
    first = decisions(passages, None)
    print(f"first pass: {len(first)} decisions", flush=True)
    second = decisions(passages, Linker(fit(first)))
    print(f"second pass: {len(second)} decisions", flush=True)
    return fit(first + second)


def write(weights: Weights, target: Path) -> None:
    """Write the weights as JSON, one feature a line; the classes of words stay as they are."""
    classes = json.loads(TARGET.read_text(encoding="utf-8"))["classes"]
    rows = {"|".join(feature): weight for feature, weight in sorted(weights.items())}
    target.write_text(
        json.dumps(
            {"about": ABOUT, "classes": classes, "weights": rows}, indent=0, ensure_ascii=False
        )
        + "\n",
        encoding="utf-8",
    )
    print(f"{len(rows)} weights, {target.stat().st_size:,} bytes: {target}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=os.environ.get("AUGKIT_DATA"))
    parser.add_argument("--target", type=Path, default=TARGET)
    args = parser.parse_args()
    if args.data is None:
        parser.error("give --data or set AUGKIT_DATA")
    data = Path(args.data)
    write(
        train([*gum(data, "train"), *litbank(data, "train"), *gap(data, "development")]),
        args.target,
    )
