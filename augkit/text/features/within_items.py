"""Features of the candidates of one item against the winner among them.

All is compared within the item: its candidates share the prompt, so that it cannot confound. A
feature ranks the candidates of an item; those at the top are the ones that a rule "take the one
with the most of it" would choose from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from augkit.core.arrays import Flags, Floats, Ints


@dataclass(frozen=True)
class Items:
    """The candidates of all items, one item after another."""

    numbers: Ints
    """int[candidates], the item of each, from 0, ascending."""
    won: Flags
    """bool[candidates]"""
    units: Ints
    """int[items]: items with the same number are one unit of a test."""

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
        return float((self.winners / self.sizes).mean())

    def rank(self, values: Floats) -> RankedItems:
        """The candidates with the highest value of each item: values is float[candidates]."""
        import numpy as np

        starts = np.cumsum(self.sizes) - self.sizes
        top = values == np.maximum.reduceat(values, starts)[self.numbers]
        leading = np.bincount(self.numbers, weights=top).astype(np.int64)
        hits = np.bincount(self.numbers, weights=top & self.won).astype(np.int64)
        return RankedItems(self, leading, hits)

    def part(self, chosen: Flags) -> Items:
        """Some of the items: bool[items]."""
        import numpy as np

        candidates = chosen[self.numbers]
        renumbered = (np.cumsum(chosen) - 1)[self.numbers[candidates]]
        return Items(renumbered, self.won[candidates], self.units[chosen])


@dataclass(frozen=True)
class RankedItems:
    """The items with their candidates at the top."""

    items: Items
    leading: Ints
    """int[items], the candidates at the top."""
    hits: Ints
    """int[items], the winners among them."""

    @cached_property
    def varies(self) -> Flags:
        """bool[items]: not all candidates are at the top."""
        return self.leading < self.items.sizes

    @property
    def accuracy(self) -> float:
        """How often a rule that takes a candidate at the top, blindly among several, is right."""
        return float((self.hits / self.leading).mean())

    @property
    def association(self) -> float:
        """Accuracy from chance (0) to always right (1): (accuracy - chance) / (1 - chance)."""
        return (self.accuracy - self.items.chance) / (1 - self.items.chance)

    @property
    def highest_association(self) -> float:
        """The association if the winners were where they fit best; no test where that is low."""
        import numpy as np

        winners = self.items.winners
        best = np.where(self.varies, np.minimum(winners, self.leading), self.hits) / self.leading
        return (float(best.mean()) - self.items.chance) / (1 - self.items.chance)

    @cached_property
    def share(self) -> float:
        """The share of the items that vary whose winner is at the top."""
        differing = max(int(self.varies.sum()), 1)
        return float((self.hits > 0)[self.varies].sum()) / differing

    @property
    def p(self) -> float:
        """The exact chance of so many winners at the top, or more, if each item dealt them blindly.

        Pairs: the sign test, in which the signs of one unit turn together. With more candidates
        the winners of an item are drawn among them (hypergeometric), and of a unit one item
        counts.
        """
        import numpy as np

        sizes, winners = self.items.sizes[self.varies], self.items.winners[self.varies]
        units, hits = self.items.units[self.varies], self.hits[self.varies]
        if not len(sizes):
            return 1.0
        if (sizes == 2).all() and (winners == 1).all():
            signs = np.bincount(units, weights=2 * hits - 1).astype(np.int64)
            return signed_sums_p(signs.tolist())
        _, first = np.unique(units, return_index=True)
        drawn = np.stack([sizes, winners, self.leading[self.varies]])[:, first]
        return drawn_p([(int(k), int(r), int(m)) for k, r, m in drawn.T], int(hits[first].sum()))


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
        chances = np.convolve(chances, stretched)
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
        chances = np.convolve(chances, repeated)
    return min(1.0, float(chances[hits:].sum()))
