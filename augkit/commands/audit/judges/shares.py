"""What a judge does, as shares: right verdicts, flips with the order, the first shown, the longer.

A share is over verdicts; its interval is over items, because a judge who is asked twice about one
item says the same thing twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from augkit.commands.audit.judges.verdicts import JudgeVerdict, Verdicts
from augkit.core.arrays import Flags, Floats, Ints
from augkit.core.results import Score
from augkit.core.types import value
from augkit.evaluation.statistics.intervals import bootstrap_counts, exact_share


@value
class JudgeShares:
    """The shares of a judge; None where no verdict can tell.

    Attributes:
        judge: Who decided; "" for a file without judges.
        verdicts, ties, items: How many there are.
        right: Of the verdicts with a known right answer, those for it.
        flips: Of what was shown in both orders without a tie, what was decided by the order.
        first: Verdicts for the answer shown first.
        longer: Verdicts for the longer answer.
        gold_longer: How often the right answer is the longer one, in the same verdicts.
        subject: Whose verdicts are told by place: the right answer, the model on trial, or the
            longer answer, the first of these that the rows know.
        shown_first, shown_second: Verdicts for it where it was shown first, second.
    """

    judge: str
    verdicts: int
    ties: int
    items: int
    right: Score | None
    flips: Score | None
    first: Score | None
    longer: Score | None
    gold_longer: Score | None
    subject: str
    shown_first: Score | None
    shown_second: Score | None


def judge_shares(judge: str, verdicts: Verdicts) -> JudgeShares:
    """All shares of these verdicts; ties count for nothing in them."""
    import numpy as np

    wins = verdicts.first_wins
    items = verdicts.items
    decided = verdicts.decided
    known = decided & (verdicts.gold != 0)
    right = np.where(verdicts.gold > 0, wins, 1 - wins)
    differ = decided & (verdicts.characters != 0)
    longer = np.where(verdicts.characters > 0, wins, 1 - wins)
    gold_longer = (verdicts.gold * verdicts.characters > 0).astype(np.float64)
    shown = decided & verdicts.compared
    subject, sides = _subject(verdicts)
    wins_of_subject = np.where(sides > 0, wins, 1 - wins)
    return JudgeShares(
        judge,
        len(verdicts),
        int((~decided).sum()),
        len(np.unique(items)),
        share_of_items("right", (right > 0.5).astype(np.float64), items, known),
        _flips(verdicts.rows),
        share_of_items("first shown wins", wins, items, shown),
        share_of_items("longer wins", longer, items, differ),
        share_of_items("gold is longer", gold_longer, items, differ & known),
        subject,
        share_of_items("shown first", wins_of_subject, items, shown & (sides > 0)),
        share_of_items("shown second", wins_of_subject, items, shown & (sides < 0)),
    )


def _subject(verdicts: Verdicts) -> tuple[str, Floats]:
    """Whose verdicts are told by place, and where it was: 1 first, -1 second, 0 nowhere."""
    import numpy as np

    if verdicts.gold.any():
        return "the right answer", verdicts.gold
    trials = [(row.on_trial == row.models[0], row.on_trial == row.models[1])
              for row in verdicts.rows if row.on_trial]  # fmt: skip
    if len(trials) == len(verdicts):
        sides = np.array(trials, dtype=np.float64).reshape(-1, 2)
        return "the model on trial", sides[:, 0] - sides[:, 1]
    return "the longer answer", np.sign(verdicts.characters)


def share_of_items(name: str, values: Floats, items: Ints, counted: Flags) -> Score | None:
    """The mean of the counted values, with an interval over items; None where there is none.

        Σᵢ hitsᵢ / Σᵢ nᵢ

    Exact where every item has one value, 0 or 1; else by the bootstrap of items.
    """
    import numpy as np

    if not counted.any():
        return None
    codes, numbers = np.unique(items[counted], return_inverse=True)
    hits = np.bincount(numbers, weights=values[counted])
    sizes = np.bincount(numbers)
    if (sizes == 1).all() and np.isin(hits, (0.0, 1.0)).all():
        return exact_share(name, int(hits.sum()), len(codes))
    kinds = Counter(zip(hits.round(6).tolist(), sizes.tolist(), strict=True))
    kind_hits, kind_sizes = np.array(list(kinds), dtype=np.float64).T
    score = bootstrap_counts(
        name, list(kinds.values()), lambda drawn: drawn @ kind_hits / (drawn @ kind_sizes)
    )
    mean = float(values[counted].mean())
    return Score(name, mean, min(score.low, mean), max(score.high, mean), int(counted.sum()))


def _flips(rows: Sequence[JudgeVerdict]) -> Score | None:
    """The share of what was shown in both orders that is decided by the order."""
    import numpy as np

    shown: dict[tuple[str, str, tuple[str, ...]], tuple[list[float], list[float]]] = {}
    for row in rows:
        if row.compared and row.first != row.second:
            texts = tuple(sorted((row.first, row.second)))
            lists = shown.setdefault((row.judge, row.item, texts), ([], []))
            is_sorted = row.first == texts[0]
            lists[not is_sorted].append(row.first_wins if is_sorted else 1 - row.first_wins)
    flips = []
    items = []
    numbers: dict[str, int] = {}
    for (_, item, _), orders in shown.items():
        if all(orders):
            means = [sum(wins) / len(wins) for wins in orders]
            if 0.5 not in means:  # a tie is no flip
                flips.append(float((means[0] > 0.5) != (means[1] > 0.5)))
                items.append(numbers.setdefault(item, len(numbers)))
    counted = np.ones(len(flips), dtype=bool)
    return share_of_items("flips", np.array(flips), np.array(items, dtype=np.int64), counted)
