"""Features of the candidates of one item against the winner among them.

All is compared within the item: its candidates share the prompt, so that it cannot confound. A
feature ranks the candidates of an item; those at the top are the ones that a rule "take the one
with the most of it" would choose from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from augkit.core.arrays import Flags, Floats, Ints

_MOST_PRODUCTS = 10**8
_BITS = 16
"""Of a count: the candidates are in the lower bits of a number, the winners in the upper ones."""


@dataclass(frozen=True)
class Items:
    """The candidates of all items, one item after another."""

    numbers: Ints
    """int[candidates], the item of each, from 0, ascending."""
    won: Flags
    """bool[candidates]"""
    units: Ints
    """int[items]: items with the same number are one unit of a test."""
    weights: Floats | None = None
    """float[items], what each counts; None: each counts once."""

    @cached_property
    def sizes(self) -> Ints:
        """int[items], the candidates of each."""
        import numpy as np

        return np.bincount(self.numbers)

    @cached_property
    def winners(self) -> Ints:
        """int[items], those that won."""
        import numpy as np

        return np.bincount(self.numbers, weights=self.won).astype(np.int64)

    @property
    def are_pairs(self) -> bool:
        """Whether every item has two candidates and one winner."""
        return bool((self.sizes == 2).all() and (self.winners == 1).all())

    @cached_property
    def chance(self) -> float:
        """How often a candidate that is drawn blindly wins."""
        return self.sum(self.winners / self.sizes) / self.total

    @cached_property
    def total(self) -> float:
        """What all items count."""
        return float(len(self.sizes) if self.weights is None else self.weights.sum())

    def sum(self, values: Floats, numbers: Ints | None = None) -> float:
        """The sum over items, or over those with these numbers, each as often as it counts."""
        if self.weights is None:
            return float(values.sum())
        return float(values @ (self.weights if numbers is None else self.weights[numbers]))

    @cached_property
    def starts(self) -> Ints:
        """int[items], the first candidate of each."""
        import numpy as np

        return np.cumsum(self.sizes) - self.sizes

    def rank(self, values: Floats) -> RankedItems:
        """The candidates with the highest value of each item: values is float[candidates]."""
        import numpy as np

        top = values == np.maximum.reduceat(values, self.starts)[self.numbers]
        leading = np.bincount(self.numbers, weights=top).astype(np.int64)
        hits = np.bincount(self.numbers, weights=top & self.won).astype(np.int64)
        varying = np.flatnonzero(leading < self.sizes)
        return RankedItems(self, varying, leading[varying], hits[varying])

    def rank_held(self, held: Any) -> Iterator[tuple[RankedItems, RankedItems]]:
        """For each feature, those that hold it at the top, and those that lack it.

        ``held`` is a sparse matrix, 0 or 1 for candidates by features, in rows (``csr_array``).
        """
        import numpy as np
        from scipy.sparse import csr_array

        # The rows of an item's candidates follow each other: joined, they are the item's row.
        ends = held.indptr[np.append(self.starts, len(self.numbers))]
        won = np.repeat(self.won, np.diff(held.indptr)).astype(np.int32)
        shape = (len(self.sizes), held.shape[1])
        counted = csr_array((1 + (won << _BITS), held.indices.copy(), ends), shape=shape)
        counted.sum_duplicates()
        counted = counted.tocsc()
        for column in range(held.shape[1]):
            cells = slice(counted.indptr[column], counted.indptr[column + 1])
            both = counted.data[cells]
            numbers = counted.indices[cells]
            varies = (both & ((1 << _BITS) - 1)) < self.sizes[numbers]
            varying = numbers[varies].astype(np.int64)
            both = both[varies].astype(np.int64)
            leading = both & ((1 << _BITS) - 1)
            hits = both >> _BITS
            lacking = self.sizes[varying] - leading, self.winners[varying] - hits
            yield RankedItems(self, varying, leading, hits), RankedItems(self, varying, *lacking)

    def part(self, chosen: Flags) -> Items:
        """Some of the items: bool[items]."""
        import numpy as np

        candidates = chosen[self.numbers]
        renumbered = (np.cumsum(chosen) - 1)[self.numbers[candidates]]
        weights = None if self.weights is None else self.weights[chosen]
        return Items(renumbered, self.won[candidates], self.units[chosen], weights)


@dataclass(frozen=True)
class RankedItems:
    """The items with their candidates at the top; those in which all are there are left out."""

    items: Items
    varying: Ints
    """int[varying], the items in which some candidates are at the top and others not."""
    top: Ints
    """int[varying], the candidates at the top."""
    won: Ints
    """int[varying], the winners among them."""

    @cached_property
    def varies(self) -> Flags:
        """bool[items]: not all candidates are at the top."""
        return self.leading < self.items.sizes

    @cached_property
    def leading(self) -> Ints:
        """int[items], the candidates at the top; where nothing varies, all."""
        leading: Ints = self.items.sizes.copy()
        leading[self.varying] = self.top
        return leading

    @cached_property
    def hits(self) -> Ints:
        """int[items], the winners among them."""
        hits: Ints = self.items.winners.copy()
        hits[self.varying] = self.won
        return hits

    @cached_property
    def _expected(self) -> Floats:
        """float[varying], how often a candidate that is drawn blindly wins."""
        return self.items.winners[self.varying] / self.items.sizes[self.varying]

    @cached_property
    def association(self) -> float:
        """Accuracy from chance (0) to always right (1): (accuracy - chance) / (1 - chance)."""
        gains = self._sum(self.won / self.top - self._expected)
        return gains / (self.items.total * (1 - self.items.chance))

    def _sum(self, values: Floats) -> float:
        """The sum over the items that vary: float[varying]."""
        return self.items.sum(values, self.varying)

    @property
    def accuracy(self) -> float:
        """How often a rule that takes a candidate at the top, blindly among several, is right."""
        return self.items.chance + self.association * (1 - self.items.chance)

    @cached_property
    def contrast(self) -> float:
        """The association in the items that vary alone; for pairs 2·share - 1."""
        room = self._sum(1 - self._expected)
        return self._sum(self.won / self.top - self._expected) / room if room else 0.0

    def error(self, *, where_it_varies: bool) -> float:
        """Half of the 95 % interval of an association, or of a contrast, as of a sample of units.

            1.96 · √( Σ_u (Σ_{i∈u} r_i)² ) / Σ_i w_i,   r_i = g_i - value · w_i

        g is how far the rule is above chance in an item, and w how far it can be. Items in which
        nothing varies have g = 0, and count for the association alone.
        """
        import numpy as np

        gains = self.won / self.top - self._expected
        room = 1 - self._expected
        units = self.items.units[self.varying]
        if not where_it_varies:
            whole = np.zeros(len(self.items.sizes))
            whole[self.varying] = gains
            room = 1 - self.items.winners / self.items.sizes
            gains = whole
            units = self.items.units
        value = self.contrast if where_it_varies else self.association
        sums = np.bincount(units, weights=gains - value * room)
        return 1.96 * float(np.sqrt((sums**2).sum()) / max(float(room.sum()), 1e-300))

    @property
    def highest_association(self) -> float:
        """The association if the winners were where they fit best; no test where that is low."""
        import numpy as np

        best = np.minimum(self.items.winners[self.varying], self.top) / self.top
        gains = self._sum(best - self._expected)
        return gains / (self.items.total * (1 - self.items.chance))

    @property
    def coverage(self) -> float:
        """The share of the items that vary."""
        return len(self.varying) / len(self.items.sizes)

    @cached_property
    def share(self) -> float:
        """The share of the items that vary whose winner is at the top."""
        varying = self._sum((self.top > 0).astype(float))
        return self._sum((self.won > 0).astype(float)) / varying if varying else 0.0

    @property
    def p(self) -> float:
        """The exact chance of so many winners at the top, or more, if each item dealt them blindly.

        Pairs: the sign test, in which the signs of one unit turn together. With more candidates
        the winners of an item are drawn among them (hypergeometric), and of a unit one item
        counts. Of items with weights the p is that of the normal curve (``weighted_p``).
        """
        import numpy as np

        if self.items.weights is not None:
            gains = (self.won / self.top - self._expected) * self.items.weights[self.varying]
            return weighted_p(gains, self.items.units[self.varying])
        sizes = self.items.sizes[self.varying]
        winners = self.items.winners[self.varying]
        units = self.items.units[self.varying]
        if not len(sizes):
            return 1.0
        if (sizes == 2).all() and (winners == 1).all():
            signs = np.bincount(units, weights=2 * self.won - 1).astype(np.int64)
            return signed_sums_p(signs.tolist())
        _, first = np.unique(units, return_index=True)
        drawn = np.stack([sizes, winners, self.top])[:, first].T.tolist()
        return drawn_p([(k, r, m) for k, r, m in drawn], int(self.won[first].sum()))

    @property
    def least_p(self) -> float:
        """A bound below every p that winners of these items could have."""
        import numpy as np

        units = len(np.unique(self.items.units[self.varying]))
        return float(np.exp2(-units * np.log2(float(self.items.sizes.max()))))


def weighted_p(gains: Floats, units: Ints) -> float:
    """The chance of at least this sum of gains, if the gains of each unit had a coin's sign.

        z = Σ_u t_u / √(Σ_u t_u²),   t_u = Σ_{i∈u} w_i g_i

    By the normal curve, as weights are no whole numbers that could be counted.

    >>> import numpy as np
    >>> round(weighted_p(np.ones(4), np.arange(4)), 4)
    0.0228
    """
    import numpy as np
    from scipy.stats import norm

    sums = np.bincount(units, weights=gains) if len(units) else np.zeros(1)
    spread = float(np.sqrt((sums**2).sum()))
    return float(norm.sf(sums.sum() / spread)) if spread else 1.0


def signed_sums_p(sums: Sequence[int]) -> float:
    """The chance of at least this total, if the sign of each sum were a coin's.

    Exact: the sums of one size are a binomial, and the sizes are convolved. All of size 1 are the
    sign test.

    >>> signed_sums_p([1, 1, 1, 1, -1])
    0.1875
    """
    import numpy as np
    from scipy.stats import binom

    sizes = Counter(abs(total) for total in sums if total)
    chances = np.ones(1)
    for size, count in sizes.items():
        stretched = np.zeros(size * count + 1)
        stretched[::size] = binom.pmf(np.arange(count + 1), count, 0.5)
        chances = _convolved(chances, stretched)
    positive = sum(total for total in sums if total > 0)
    return min(1.0, float(chances[positive:].sum()))


def drawn_p(items: Sequence[tuple[int, int, int]], hits: int) -> float:
    """The chance of at least so many hits, if the winners of each item were drawn.

    An item has k candidates, of which r win and m are at the top: its hits are hypergeometric.

    >>> round(drawn_p([(4, 1, 1), (4, 1, 1)], 2), 4)
    0.0625
    """
    import numpy as np
    from scipy.stats import binom, hypergeom

    chances = np.ones(1)
    for (size, winners, leading), count in Counter(items).items():
        if winners == 1:
            repeated = binom.pmf(np.arange(count + 1), count, leading / size)
        else:
            most = min(winners, leading)
            single = hypergeom.pmf(np.arange(most + 1), size, winners, leading)
            repeated = np.ones(1)
            for _ in range(count):
                repeated = np.convolve(repeated, single)
        chances = _convolved(chances, repeated)
    return min(1.0, float(chances[hits:].sum()))


def _convolved(chances: Floats, more: Floats) -> Floats:
    """The chances of a sum; by Fourier transform where products would take too long.

    That one is exact to about 1e-15 of the largest chance, far below any threshold.
    """
    import numpy as np
    from scipy.signal import fftconvolve

    if len(chances) * len(more) < _MOST_PRODUCTS:
        return np.convolve(chances, more)
    return np.asarray(np.maximum(fftconvolve(chances, more), 0.0))
