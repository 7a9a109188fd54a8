"""Prune: the largest part of a dataset of choices in which winners cannot be told without reading.

The items are divided into two parts by their prompts or groups, and each part is pruned without a
look at the other (``balance.py``). A blind ranker is trained on what is left of one part and tested
on what is left of the other, which had no say in what was left out. Crossed folds, as ``augkit
check`` has them, must agree. Of several sizes the largest is taken that passes this audit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from math import log, sqrt
from typing import Any, Literal

from pydantic import Field, model_validator
from typing_extensions import Self

from augkit.augmenters.base import Augmenter
from augkit.augmenters.choices.aflite import AfliteSettings, aflite
from augkit.augmenters.choices.balance import effective_share, entropy_weights, largest_part
from augkit.augmenters.choices.item_gains import (
    ALWAYS,
    WORDS,
    feature_gains,
    joined,
    named_gains,
    score_gains,
    word_gains,
)
from augkit.core.arrays import Floats
from augkit.core.choices import Choice, choice_of
from augkit.core.config import MethodConfig
from augkit.core.types import EMPTY, Example, Variant, digest, refused
from augkit.models.blind_ranker import BlindFeatures, blind_features
from augkit.text.features.item_features import PLACE, ItemTexts

_FOLDS = 5
_LEAST_ITEMS = 80
"""With fewer items no ranker is trained, and the items are one part."""
_SHOWN = 3
_CERTAIN = 1.645
_STEPS = 12
_HALVINGS = 2
"""Sizes that are tried, and how often the last step is halved."""
_FEATURE_WEIGHT = 0.6
"""What a feature with a name counts beside the words of an item."""
_STRONGEST = log(1e-4)
_WEAKEST = log(10.0)
"""The range of the ridge for words, as a logarithm."""
_EXACT = 1e-7
"""The ridge for features with a name: hardly any imbalance stays."""


class PruneConfig(MethodConfig):
    """What must be at chance, and how many items may go."""

    algorithm: Literal["balance", "aflite"] = Field(
        "balance", description="balance: the largest balanced part; aflite: Le Bras et al. (2020)"
    )
    features: tuple[str, ...] = Field(
        (),
        description="features to balance, named as augkit check names them (characters, list "
        "items); empty: all of them, and blind accuracy",
    )
    tolerance: float = Field(
        0.02,
        ge=0,
        le=0.5,
        description="how far above chance a feature, or for certain a blind ranker, may stay",
    )
    least_kept: float = Field(
        0.25, gt=0, le=1, description="least share of the items that is kept, whatever is left"
    )
    weights: bool = Field(
        default=False, description="leave no item out, but write what each counts in a column"
    )
    weight_column: str = Field("weight", min_length=1, description="the column of the weights")
    group_column: str | None = Field(
        None, description="rows with one value in it belong together; none: those of one prompt"
    )
    aflite: AfliteSettings = Field(
        AfliteSettings(), description="the settings of Le Bras et al.; see aflite"
    )

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.algorithm == "aflite" and (self.weights or self.features):
            raise ValueError(
                "aflite knows no weights and no features: they are settings of balance"
            )
        return self


class Prune(Augmenter[PruneConfig]):
    """Leave out, or weigh, items until winners look like losers; no text changes.

    The rows that stay are as they were. Rows without a winner stay.
    """

    name = "prune"
    Config = PruneConfig
    scope = "corpus"
    reads = "choices"

    _info: Mapping[str, Any] = EMPTY

    def propose(self, batch: Sequence[Example]) -> Iterator[Variant]:
        """Answer every row with what it counts: 0 leaves it out."""
        choices = {row.id: choice_of(row, self.config.group_column) for row in batch}
        decided = [row for row in batch if choices[row.id].decided]
        weight_of: dict[str, float] = {}
        detail_of: dict[str, str] = {}
        if decided:
            result = prune([choices[row.id] for row in decided], self.config)
            self._info = result.info
            weight_of = {row.id: float(w) for row, w in zip(decided, result.weights, strict=True)}
            detail_of = dict(zip((row.id for row in decided), result.details, strict=True))
        for row in batch:
            weight = weight_of.get(row.id, 1.0)
            reason = "left out" if weight == 0 else "weighed" if self.config.weights else "stays"
            yield refused(row, reason, detail_of.get(row.id, "no winner"), weight=weight)

    @property
    def run_info(self) -> Mapping[str, Any]:
        """Sizes, and what was left to learn before and after."""
        return self._info


@dataclass(frozen=True)
class BlindAudit:
    """What is left to learn of some items."""

    feature: str
    """What most often tells the winner."""
    gain: float
    """Its gain over chance."""
    blind: float | None
    """The gain of a ranker that never sees the prompt; None: not measured."""
    blind_folds: float | None
    """The same by crossed folds, which saw together what was left out."""
    error: float
    """The standard error of both at chance."""

    def passes(self, tolerance: float) -> bool:
        """Whether no feature is further above chance, and no ranker for certain (95 %)."""
        surely = [gain - _CERTAIN * self.error for gain in (self.blind, self.blind_folds) if gain]
        return self.gain <= tolerance and all(gain <= tolerance for gain in surely)


@dataclass(frozen=True)
class Pruned:
    """What each item counts, and why."""

    weights: Floats
    details: Sequence[str]
    info: Mapping[str, Any]


def prune(choices: Sequence[Choice], config: PruneConfig) -> Pruned:
    """Choose among decided choices, or weigh them.

    Args:
        choices: All of them have a winner and a loser.
        config: What must be at chance.
    """
    import numpy as np

    rows = ItemTexts(choices, places_matter=_places_matter(choices))
    problem = _Problem(rows, config)
    equal = np.ones(len(choices))
    before = problem.audit(equal)
    if before.passes(config.tolerance):
        weights = equal
        after = before
    elif config.algorithm == "aflite":
        least = round(config.least_kept * len(choices))
        texts = rows.labelled.texts
        weights = aflite(texts, rows.items, config.aflite, config.seed, least).astype(np.float64)
        after = problem.audit(weights)
    else:
        weights, after = problem.solve()
    caveats = []
    if not after.passes(config.tolerance):
        caveats.append(_caveat(after, config, len(choices), int((weights > 0).sum())))
    info = {
        "caveats": caveats,
        "prune": {
            "items": len(choices),
            "kept": int((weights > 0).sum()),
            "effective_share": round(effective_share(weights), 4),
            "before": asdict(before),
            "after": asdict(after),
        },
    }
    return Pruned(weights, problem.details(), info)


def _caveat(after: BlindAudit, config: PruneConfig, items: int, kept: int) -> str:
    blind = "" if after.blind is None else f", a blind ranker {after.blind:+.3f}"
    return (
        f"prune: with {kept:,} of {items:,} items a rule that takes what {after.feature} is "
        f"{after.gain:+.3f} from chance{blind} (tolerance {config.tolerance:g}); "
        "lower least_kept to leave out more"
    )


def _places_matter(choices: Sequence[Choice]) -> bool:
    """Whether winners are at several places: where the shape names them, they are all at one."""
    return len({choice.winners for choice in choices}) > 1


class _Problem:
    """The items with their gains, in parts that are pruned each without the others."""

    def __init__(self, rows: ItemTexts, config: PruneConfig) -> None:
        import numpy as np

        self.rows = rows
        self.config = config
        self.by_blind = not config.features and len(rows.choices) >= _LEAST_ITEMS
        keys = [int(digest(str(config.seed), unit), 16) for unit in rows.units]
        self.parts = np.array([key % 2 for key in keys]) if self.by_blind else np.zeros(len(keys))
        self.folds = np.array([key // 2 % _FOLDS for key in keys])
        if config.features:
            self.looked_at = named_gains(rows, config.features)
            self.always = np.ones(len(self.looked_at.names), dtype=bool)
            return
        holders = rows.least_holders(2 * config.tolerance)
        named = feature_gains(rows, (*ALWAYS, PLACE), holders)
        words = feature_gains(rows, WORDS, holders)
        self.looked_at = joined([named, words])
        equal = np.ones(len(rows.choices))
        self.always = self.looked_at.significant(equal)
        self.always[: len(named.names)] = True

    @cached_property
    def texts(self) -> BlindFeatures:
        """What a ranker sees of the candidates."""
        return blind_features(self.rows.labelled.texts)

    @cached_property
    def gains(self) -> Any:
        """What is balanced: features with a name, a blind ranker's choices, and words."""
        from scipy.sparse import csr_array, hstack

        named = _FEATURE_WEIGHT * self.looked_at.only(self.always).gains
        if not self.by_blind:
            return csr_array(named)
        ranker = score_gains(self.rows, self._scores_within_parts())
        return hstack([named, ranker, word_gains(self.rows)], format="csr")

    def _scores_within_parts(self) -> Floats:
        """Each item's scores by a ranker that saw other folds of the item's own part."""
        import numpy as np

        scores = np.zeros(len(self.rows.items.numbers))
        for part in np.unique(self.parts):
            inside = self.parts == part
            scores += self.texts.crossed_scores(self.rows.items, self.folds, inside)
        return scores

    def solve(self) -> tuple[Floats, BlindAudit]:
        """The largest part, or the most even weights, that passes the audit.

        From lax to strict in steps, until one passes; the step before it is then halved. An audit
        errs by chance, so that halving the whole range could miss a large part.
        """
        attempt = self._weighed if self.config.weights else self._part
        best = attempt(1.0)
        audit = None
        passed = 1.0
        for number in range(1, _STEPS + 1):
            tried = attempt(number / _STEPS)
            audit = self.audit(tried)
            if audit.passes(self.config.tolerance):
                best = tried
                passed = number / _STEPS
                break
        for number in range(1, _HALVINGS + 1):
            laxer = passed - 0.5**number / _STEPS
            tried = attempt(laxer)
            tried_audit = self.audit(tried)
            if tried_audit.passes(self.config.tolerance):
                best = tried
                audit = tried_audit
                passed = laxer
        return best, audit or self.audit(best)

    def _part(self, strictness: float) -> Floats:
        share = 1 - strictness * (1 - self.config.least_kept)
        # An even number of pairs can be balanced, an odd one cannot.
        return self._by_part(
            lambda gains: largest_part(gains, max(2, 2 * round(share * gains.shape[0] / 2)))
        )

    def _weighed(self, strictness: float) -> Floats:
        """Entropy weights; the ridge of words is lowered as long as enough items count."""
        import numpy as np

        named = int(self.always.sum()) + (2 if self.by_blind else 0)
        ridge = np.full(self.gains.shape[1], _EXACT)
        level = _WEAKEST + strictness * (_STRONGEST - _WEAKEST)
        while True:
            ridge[named:] = np.exp(level)
            weights = self._by_part(lambda gains: entropy_weights(gains, ridge))
            if effective_share(weights) >= self.config.least_kept or level >= _WEAKEST:
                return weights
            level += 1.0

    def _by_part(self, choose: Callable[[Any], Any]) -> Floats:
        import numpy as np

        weights = np.zeros(len(self.rows.choices))
        for part in np.unique(self.parts):
            inside = self.parts == part
            weights[inside] = choose(self.gains[np.flatnonzero(inside)])
        return weights

    def audit(self, weights: Floats) -> BlindAudit:
        """The strongest feature, and a ranker trained on other parts and on other folds."""
        import numpy as np

        counted = self.always | self.looked_at.significant(weights)
        means = np.where(counted, self.looked_at.mean(weights), 0.0)
        blind = None
        by_folds = None
        if self.by_blind:
            blind, by_folds = (self._blind(b, weights) for b in (self.parts, self.folds))
        error = 0.5 / sqrt(effective_share(weights) * len(weights))
        if not len(means):
            return BlindAudit("", 0.0, blind, by_folds, error)
        strongest = int(np.argmax(means))
        phrase = self.looked_at.phrases[strongest]
        gain = float(means[strongest])
        return BlindAudit(phrase, gain, blind, by_folds, error)

    def _blind(self, blocks: Any, weights: Floats) -> float:
        """The weighted accuracy over chance of rankers that see the other blocks alone."""
        items = self.rows.items
        ranked = items.rank(self.texts.crossed_scores(items, blocks, weights > 0, weights))
        gains = ranked.hits / ranked.leading - items.winners / items.sizes
        return float(gains @ weights / weights.sum())

    def details(self) -> list[str]:
        """For every item the strongest features by which its winner is found."""
        import numpy as np

        equal = np.ones(len(self.rows.choices))
        strengths = np.where(self.always, self.looked_at.mean(equal), 0.0)
        order = [number for number in np.argsort(-strengths) if strengths[number] > 0]
        helps = self.looked_at.gains.tocsc()[:, order].toarray() > 0
        phrases = [self.looked_at.phrases[number] for number in order]
        return [
            "the winner " + ", ".join(phrases[number] for number in np.flatnonzero(row)[:_SHOWN])
            if row.any()
            else "for balance"
            for row in helps
        ]
