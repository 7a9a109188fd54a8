"""WEAT and SEAT: are two sets of targets associated differently with two sets of attributes?

    s(w, A, B) = mean_{a∈A} cos(w, a) - mean_{b∈B} cos(w, b)
    d = ( mean_{x∈X} s(x, A, B) - mean_{y∈Y} s(y, A, B) ) / std_{w∈X+Y} s(w, A, B)

The p-value is the share of partitions of all targets into sets of these sizes whose first set has
a sum of s(x, A, B) at least as large as that of X. All partitions are computed where there are
few; otherwise a fixed number is sampled, and the observed one counts among them.

Reference: caliskan2017semantics, may2019measuring.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

from augkit.core.arrays import Floats
from augkit.core.errors import DataError
from augkit.core.results import Score
from augkit.core.types import value
from augkit.evaluation.bias.benchmark import Benchmark, ScoringRule
from augkit.evaluation.bias.files import read_json
from augkit.evaluation.statistics.intervals import ALPHA, keyed_generator, percentiles
from augkit.text.features.statistics import corrected

DRAWS = 10_000
_EXACT = 200_000
"""Up to this many partitions all are computed: below a second."""
_BLOCK = 256
"""Subsets that are sampled at a time."""
_PARTS = ("targ1", "targ2", "attr1", "attr2")
Embed = Callable[[Sequence[str]], Floats]
"""From texts to their vectors."""


@value
class AssociationTest:
    """The texts of two targets and two attributes."""

    name: str
    targets: tuple[tuple[str, ...], tuple[str, ...]]
    attributes: tuple[tuple[str, ...], tuple[str, ...]]


@value
class Association:
    """The result of one test: effect size with its interval, and the p-value."""

    effect: Score
    p: float


def read(folder: Path, prefix: str) -> list[AssociationTest]:
    """The tests in a folder, one per file, whose names begin with a prefix."""
    paths = sorted(folder.glob(f"{prefix}*.jsonl"))
    if not paths:
        raise DataError(f"{folder}: no test '{prefix}*.jsonl' there")
    tests = []
    for path in paths:
        test = read_json(path)
        missing = [part for part in _PARTS if not test.get(part, {}).get("examples")]
        if missing:
            raise DataError(f"{path}: no examples for {', '.join(missing)}")
        x, y, a, b = (tuple(test[part]["examples"]) for part in _PARTS)
        tests.append(AssociationTest(path.name.removesuffix(".jsonl"), (x, y), (a, b)))
    return tests


def associate(
    name: str, targets: tuple[Floats, Floats], attributes: tuple[Floats, Floats]
) -> Association:
    """One test on vectors: float[texts, width] for each of the four sets.

    The interval is a percentile bootstrap over the texts of each target.
    """
    first, second = (_associations(target, attributes) for target in targets)
    generator = keyed_generator("effect", name)
    drawn = [
        side[generator.integers(len(side), size=(1_000, len(side)))] for side in (first, second)
    ]
    low, high = percentiles(_effect(*drawn))
    effect = Score(name, float(_effect(first, second)), low, high, len(first) + len(second))
    return Association(effect, p_value(first, second, name))


def _effect(first: Floats, second: Floats) -> Floats:
    """The effect size d of s(w, A, B); 0 where all texts have the same association."""
    import numpy as np

    spread = np.std(np.concatenate([first, second], axis=-1), axis=-1, ddof=1)
    difference = first.mean(axis=-1) - second.mean(axis=-1)
    return np.where(spread > 1e-12, difference / np.maximum(spread, 1e-12), 0.0)


def p_value(first: Floats, second: Floats, key: str = "") -> float:
    """The one-sided p-value of Σ first among all partitions, or among those that are drawn."""
    import numpy as np

    values = np.concatenate([first, second])
    # Equal sums must compare equal, whatever the order and precision they were added in.
    observed = first.sum() - 1e-6 * max(1.0, float(np.abs(values).sum()))
    if comb(len(values), len(first)) <= _EXACT:
        return float((_all_sums(values, len(first)) >= observed).mean())
    sums = _drawn_sums(values, len(first), DRAWS - 1, key)
    return (1 + int((sums >= observed).sum())) / DRAWS


def _drawn_sums(values: Floats, size: int, draws: int, key: str) -> Floats:
    """Sums of random subsets: float[draws].

    The members are those with the smallest random keys. Where a subset is half of all, the other
    half is as random, so each sample gives two.
    """
    import numpy as np

    halves = 2 * size == len(values)
    rows = (draws + 1) // 2 if halves else draws
    source = keyed_generator("association", key).bit_generator
    single = values.astype(np.float32)
    # In blocks that stay in a core's cache; an even number of rows wastes no random bits.
    blocks = [min(_BLOCK, rows - start) for start in range(0, rows, _BLOCK)]
    sums = np.concatenate([_block_sums(source, single, size, block) for block in blocks])
    exact: Floats = sums.astype(np.float64)
    return np.concatenate([exact, values.sum() - exact])[:draws] if halves else exact


def _block_sums(source: Any, values: Any, size: int, rows: int) -> Any:
    """Sums of as many random subsets: float32[rows]."""
    import numpy as np

    raw = source.random_raw((rows * len(values) + 1) // 2)
    keys = raw.view(np.uint32)[: rows * len(values)].reshape(rows, len(values))
    # Two keys of 32 bits are equal once in a million rows; such a row is one member too large.
    members = keys <= np.sort(keys, axis=1)[:, size - 1 : size]
    return members.astype(np.float32) @ values


def association_scores(embed: Embed, tests: Sequence[AssociationTest]) -> list[Score]:
    """Effect size and p of each test; their mean size and the percentages that are significant."""
    import numpy as np

    parts = [part for test in tests for part in (*test.targets, *test.attributes)]
    place: dict[str, int] = {}
    places = [[place.setdefault(text, len(place)) for text in part] for part in parts]
    vectors = embed(list(place))  # each text once, in one call
    sets = [vectors[of_part] for of_part in places]
    associations = [
        associate(test.name, (x, y), (a, b))
        for test, x, y, a, b in zip(
            tests, sets[::4], sets[1::4], sets[2::4], sets[3::4], strict=True
        )
    ]
    p_values = [association.p for association in associations]
    q_values = corrected(np.array(p_values), "benjamini-hochberg")
    summary = {
        "mean |d|": [abs(association.effect.value) for association in associations],
        "significant %": [100.0 * (p < ALPHA) for p in p_values],
        "significant % (corrected)": [100.0 * (q < ALPHA) for q in q_values],
    }
    scores = [_plain(name, float(np.mean(values)), len(values)) for name, values in summary.items()]
    for association in associations:
        scores += [association.effect, _plain(f"p/{association.effect.name}", association.p, 1)]
    return scores


def _plain(name: str, value: float, n: int) -> Score:
    """A figure that has no interval: fixed tests are not a sample."""
    return Score(name, value, value, value, n)


def _associations(words: Floats, attributes: tuple[Floats, Floats]) -> Floats:
    """s(w, A, B) of each word: float[words]."""
    import numpy as np

    units = []
    for vectors in (words, *attributes):
        norms = np.linalg.norm(vectors, axis=1)
        units.append(vectors / np.where(norms == 0, 1.0, norms)[:, None])
    first, second = (np.asarray(units[0] @ unit.T).mean(axis=1) for unit in units[1:])
    return np.asarray(first - second)


def _all_sums(values: Floats, size: int) -> Floats:
    import numpy as np

    chosen = np.fromiter(
        (index for indices in combinations(range(len(values)), size) for index in indices),
        dtype=np.intp,
        count=comb(len(values), size) * size,
    )
    return np.asarray(values[chosen.reshape(-1, size)].sum(axis=1))


WEAT = Benchmark(
    name="weat",
    about="effect sizes of word association tests on input embeddings",
    direction="lower",
    unbiased=0.0,
    path="weat_seat",
    read=lambda folder: read(folder, "weat"),
    rules={
        "words": ScoringRule(
            "vectors",
            "published measure, on the model's word vectors",
            lambda model, tests: association_scores(model.words, tests),
        )
    },
    caveats=(
        "effect sizes depend on the templates and on the token that represents a sentence, and do "
        "not predict what a model does on a task (Goldfarb-Tarrant et al. 2021)"
    ),
    reference="caliskan2017semantics",
)
SEAT = replace(
    WEAT,
    name="seat",
    about="effect sizes of sentence association tests",
    read=lambda folder: read(folder, "sent-"),
    rules={
        "sentences": ScoringRule(
            "vectors",
            "published measure, on sentence vectors",
            lambda model, tests: association_scores(model.sentences, tests),
        )
    },
    reference="may2019measuring",
)
