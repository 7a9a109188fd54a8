"""Do 95 % intervals hold the truth as often as they say? One JSON line a kind of interval.

    python -m lab.interval_coverage [--simulations 1000] [--rows 300]

Each simulation draws rows from a distribution whose true score is known (computed from the
distribution, not from a sample) and asks for the score with its interval. Exact intervals should
hold the truth in at least 93 % of simulations, bootstrap ones in 93 to 97 %.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy.stats import norm

from augkit.core.results import PredictedPair, Score
from augkit.evaluation.metrics.base import PerturbedPredictions
from augkit.evaluation.metrics.counter_examples import CounterExamples
from augkit.evaluation.metrics.fairscore import Fairscore
from augkit.evaluation.metrics.label_counts import MacroF1, Matthews, Pearson
from augkit.evaluation.metrics.ood_auroc import Confidences, OodAuroc, auroc
from augkit.evaluation.metrics.pair_consistency import PairConsistency
from augkit.evaluation.metrics.quality.lexical_bias import negation_gap
from augkit.evaluation.metrics.quality.text_measures import problem_rate
from augkit.evaluation.metrics.worst_group import WorstGroup
from augkit.evaluation.statistics.intervals import bootstrap_mean, exact_share
from augkit.evaluation.statistics.significance import paired_difference
from lab.command_line import argument, arguments, print_line

Draw = Callable[[np.random.Generator, int], Score]

TABLE = np.array([[0.42, 0.05, 0.03], [0.06, 0.22, 0.02], [0.05, 0.03, 0.12]])
"""Chance of each true (row) and predicted (column) label."""
BETTER = np.array([[0.46, 0.03, 0.01], [0.03, 0.26, 0.01], [0.03, 0.02, 0.15]])
"""The same of a second classifier; what it says hangs on the true label alone."""
LABELS = ("a", "b", "c")
GROUPS = (0.9, 0.8, 0.78)
"""Accuracy of three groups of equal size."""
TWO_GROUPS = ((0.9, 0.6), (0.85, 0.72))
"""Accuracies of two groups, of a first and of a second classifier."""
SUPPORTING, COUNTER, MISLED = 0.95, 0.6, 0.15
"""Accuracy with and against the shortcut, and how often it misleads."""
APART = 1.2
"""Distance of the means of two normal scores."""


@dataclass(frozen=True)
class Case:
    """A kind of interval, the true score, and one simulation."""

    name: str
    kind: str
    truth: float
    draw: Draw


def cases() -> Iterator[Case]:
    """Every interval that augkit gives to a metric."""
    yield Case("share 0.3", "exact", 0.3, lambda rng, n: _share(rng, n, 0.3))
    yield Case("share 0.02", "exact", 0.02, lambda rng, n: _share(rng, n, 0.02))
    yield Case("mean", "bootstrap", 0.4, _mean)
    yield Case("paired difference", "bootstrap", 0.2, _paired)
    yield Case("fairscore, bootstrap", "bootstrap", 0.25, _fairscore)
    yield Case("macro-f1", "bootstrap", _true(MacroF1.measure), _macro_f1)
    yield Case("matthews", "bootstrap", _true(Matthews.measure), _matthews)
    yield Case("auroc", "bootstrap", float(norm.cdf(APART / 2**0.5)), _auroc)
    yield Case("pearson", "bootstrap", *_numbers(TABLE))
    both = _true(MacroF1.measure, BETTER) - _true(MacroF1.measure)
    yield Case("difference of macro-f1", "bootstrap", both, _macro_difference)
    worst = min(TWO_GROUPS[1]) - min(TWO_GROUPS[0])
    yield Case("difference of worst groups", "bootstrap", worst, _worst_difference)
    yield Case("difference of aurocs", "bootstrap", _true_areas(), _auroc_difference)
    yield Case("negation gap", "bootstrap", 0.3, _negation)
    yield Case("problems per 100 words", "bootstrap", 5.0, _problems)
    yield Case("pair consistency", "exact", 0.6, _consistency)
    yield Case("worst group", "exact", min(GROUPS), _worst)
    yield Case("gap of counter-examples", "closed form", SUPPORTING - COUNTER, _gap)


def _true(statistic: Callable[..., np.ndarray], table: np.ndarray = TABLE) -> float:
    right, true, said = np.diag(table), table.sum(axis=1), table.sum(axis=0)
    many = 1e9  # chances become counts: the statistics take a label with less than 1 as absent
    return float(statistic(*(part[None] * many for part in (right, true, said)))[0])


def _numbers(table: np.ndarray) -> tuple[float, Draw]:
    """The true correlation of labels read as 0, 1, 2, and a draw of it."""
    values = np.arange(3.0)
    gold, said = table.sum(axis=1), table.sum(axis=0)
    covariance = values @ table @ values - (gold @ values) * (said @ values)
    spread = [part @ values**2 - (part @ values) ** 2 for part in (gold, said)]

    def draw(rng: np.random.Generator, rows: int) -> Score:
        cells = rng.choice(9, size=rows, p=table.ravel())
        rows_of = [PredictedPair(str(cell % 3), gold=str(cell // 3)) for cell in cells]
        return Pearson().score(rows_of)[0]

    return float(covariance / np.sqrt(spread[0] * spread[1])), draw


def _macro_difference(rng: np.random.Generator, rows: int) -> Score:
    """Both classifiers answer the same rows; what each says hangs on the true label."""
    gold = rng.choice(3, size=rows, p=TABLE.sum(axis=1))
    sides = []
    for table in (TABLE, BETTER):
        chances = table / table.sum(axis=1, keepdims=True)
        said = [rng.choice(3, p=chances[one]) for one in gold]
        pairs = zip(said, gold, strict=True)
        sides.append([PredictedPair(LABELS[label], gold=LABELS[one]) for label, one in pairs])
    return MacroF1().compare(*sides)[0].score


def _worst_difference(rng: np.random.Generator, rows: int) -> Score:
    group = np.arange(rows) % 2
    sides = [
        [
            PredictedPair("y" if rng.random() < shares[one] else "n", gold="y",
                          about={"group": str(one)})
            for one in group
        ]
        for shares in TWO_GROUPS
    ]  # fmt: skip
    return WorstGroup().compare(*sides)[0].score


def _true_areas() -> float:
    return float(norm.cdf(1.5 / 2**0.5) - norm.cdf(APART / 2**0.5))


def _auroc_difference(rng: np.random.Generator, rows: int) -> Score:
    """Confidences are normal scores pressed between ½ and 1, which keeps their order."""
    sides = []
    for apart in (APART, 1.5):
        both = (rng.normal(apart, 1, rows // 2), rng.normal(0, 1, rows // 2))
        sure = [0.5 + 0.5 * norm.cdf(one) for one in both]
        sides.append(Confidences(*sure))
    return OodAuroc().compare(*sides)[0].score


def _negation(rng: np.random.Generator, rows: int) -> Score:
    chances = {"neg": 0.4, "pos": 0.1}
    texts = [
        ("not so" if rng.random() < chances[label] else "so", label)
        for label in ("neg", "pos")
        for _ in range(rows // 2)
    ]
    return negation_gap(texts)


def _problems(rng: np.random.Generator, rows: int) -> Score:
    texts = ["word " * int(size) for size in rng.integers(5, 30, rows)]
    return problem_rate(texts, lambda text: int(rng.binomial(text.count(" "), 0.05)))


def _share(rng: np.random.Generator, rows: int, truth: float) -> Score:
    return exact_share("share", int(rng.binomial(rows, truth)), rows)


def _mean(rng: np.random.Generator, rows: int) -> Score:
    values = rng.choice([0.0, 0.5, 1.0], size=rows, p=[0.45, 0.3, 0.25])
    return bootstrap_mean(f"mean {rng.integers(2**31)}", values.tolist())


def _paired(rng: np.random.Generator, rows: int) -> Score:
    both = rng.choice(4, size=rows, p=[0.2, 0.1, 0.3, 0.4])
    first, second = np.isin(both, [1, 3]), np.isin(both, [2, 3])
    name = f"gain {rng.integers(2**31)}"
    return paired_difference(name, first.astype(float), second.astype(float))


def _fairscore(rng: np.random.Generator, rows: int) -> Score:
    changed = rng.random(rows) < 0.25
    pairs = [PredictedPair("a", "b" if one else "a") for one in changed]
    return Fairscore(interval="bootstrap").score(PerturbedPredictions(pairs))[0]


def _table(rng: np.random.Generator, rows: int) -> list[PredictedPair]:
    cells = rng.choice(9, size=rows, p=TABLE.ravel())
    return [PredictedPair(LABELS[cell % 3], gold=LABELS[cell // 3]) for cell in cells]


def _macro_f1(rng: np.random.Generator, rows: int) -> Score:
    return MacroF1().score(_table(rng, rows))[0]


def _matthews(rng: np.random.Generator, rows: int) -> Score:
    return Matthews().score(_table(rng, rows))[0]


def _auroc(rng: np.random.Generator, rows: int) -> Score:
    positive, negative = rng.normal(APART, 1, rows // 2), rng.normal(0, 1, rows // 2)
    return auroc("auroc", positive.tolist(), negative.tolist())


def _consistency(rng: np.random.Generator, rows: int) -> Score:
    kinds = rng.choice(3, size=rows, p=[0.6, 0.25, 0.15])
    answers = [("p", "n"), ("p", "p"), ("n", "n")]
    pairs = [PredictedPair(*answers[kind], gold="p", variant_gold="n") for kind in kinds]
    return PairConsistency().score(pairs)[0]


def _worst(rng: np.random.Generator, rows: int) -> Score:
    pairs = [
        PredictedPair("y" if rng.random() < share else "n", gold="y", about={"group": str(group)})
        for group, share in enumerate(GROUPS)
        for _ in range(rows // len(GROUPS))
    ]
    return WorstGroup().score(pairs)[0]


def _gap(rng: np.random.Generator, rows: int) -> Score:
    pairs = []
    for misled in rng.random(rows) < MISLED:
        right = rng.random() < (COUNTER if misled else SUPPORTING)
        shortcut = {"shortcut": "n" if misled else "y"}
        pairs.append(PredictedPair("y" if right else "n", gold="y", about=shortcut))
    return CounterExamples().score(pairs)[2]


def covered(case: Case, simulations: int, rows: int) -> float:
    """Share of simulations whose interval holds the truth."""
    rng = np.random.default_rng(1)
    found = (case.draw(rng, rows) for _ in range(simulations))
    return sum(score.low <= case.truth <= score.high for score in found) / simulations


def main() -> None:
    """Print one line per interval."""
    asked = arguments(
        __doc__,
        argument("--simulations", type=int, default=1000),
        argument("--rows", type=int, default=300),
    )
    for case in cases():
        started = time.process_time()
        share = covered(case, asked.simulations, asked.rows)
        record = {
            "interval": case.name, "kind": case.kind, "truth": round(case.truth, 4),
            "rows": asked.rows, "simulations": asked.simulations, "covered": share,
            "holds": share >= 0.93 and (case.kind != "bootstrap" or share <= 0.97),
            "cpu_seconds": round(time.process_time() - started, 1),
        }  # fmt: skip
        print_line(record)


if __name__ == "__main__":
    main()
