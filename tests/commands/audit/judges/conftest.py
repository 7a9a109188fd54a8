"""Verdicts that are made up, with biases that are known."""

from __future__ import annotations

import math
import random

import pytest

from augkit.commands.audit.judges.verdicts import JudgeVerdict, Verdicts

WORDS = "tea water leaf cup warm green black pot boil wait sugar milk".split()


@pytest.fixture(scope="session")
def made_up():
    """Verdicts about so many items, in both orders; the judge's preferences are log-odds.

    ``place`` is for the answer shown first, ``length`` for one that is twice as long, ``right`` for
    the right one, ``taste`` the standard deviation of what else an item has.
    """

    def make(
        items, seed, *, place=0.0, length=0.0, right=0.0, taste=0.0, gold=True, orders=2, judge="j"
    ):
        rng = random.Random(f"{items} {seed}")
        rows = []
        for number in range(items):
            texts = [" ".join(rng.choices(WORDS, k=rng.randint(4, 60))) for _ in range(2)]
            liking, best = rng.gauss(0, taste), rng.choice((1, -1))
            for order in (1, -1) if orders == 2 else (rng.choice((1, -1)),):
                first, second = texts[::order]
                doublings = math.log2((1 + len(first)) / (1 + len(second)))
                score = place + length * doublings + order * (right * best + liking)
                wins = float(rng.random() < 1 / (1 + math.exp(-score)))
                known = order * best if gold else 0
                rows.append(JudgeVerdict(str(number), judge, first, second, wins, gold=known))
        return Verdicts(rows)

    return make
