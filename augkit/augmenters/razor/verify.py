"""Verification (Eq. 13): a rewrite is kept only if a judge still finds the row's label in it.

    x̃ is accepted  ⇔  judge(x̃) = y

Offline the judge is a linear classifier trained out of fold. It does not see the words that are
most associated with a label: otherwise it would reject exactly the rewrites that break the
shortcut. Of a single text it sees those that judge, which rewriting never removes. A 2-gram that
is most of the use of a hidden word is hidden too ("the Riverside"). With a language model the
judge is a second call that shows neither the label nor the original.

Reference: yang2024razor.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from augkit.augmenters.fields import chosen_field, with_text
from augkit.augmenters.razor.corpus_use import overused_judgements
from augkit.augmenters.razor.rewrites import Rewrite
from augkit.augmenters.razor.surface_features import tokenize
from augkit.augmenters.razor.token_score import FeatureCounts
from augkit.core.errors import DataError
from augkit.core.protocols import LLM
from augkit.core.types import FREE, Cost, Example
from augkit.english.rewriting.targets import is_evidence
from augkit.labels.judge import LLMJudge, Opinion
from augkit.text.association import label_numbers

if TYPE_CHECKING:
    from augkit.models.ensembles.crossfit import CrossFitted

_HIDDEN_Z = 4.0
"""z above which the judge does not see a word of the rewritten text."""
_MAX_HIDDEN = 100
_DISAGREES = "judge disagrees"


@dataclass(frozen=True)
class HiddenWords:
    """Words of one field that the judge does not see."""

    field: str
    words: tuple[str, ...]

    def remove_from(self, row: Example) -> Example:
        """The row without those words."""
        if not self.words:
            return row
        text = self._pattern.sub(" ", row.fields[self.field])
        return replace(row, fields={**row.fields, self.field: text})

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        listed = "|".join(map(re.escape, sorted(self.words, key=len, reverse=True)))
        return re.compile(rf"(?<!\w)(?:{listed})(?!\w)", re.IGNORECASE)


class JudgeScore(NamedTuple):
    """The probability of a row's own label, and whether that label is the likeliest."""

    probability: float
    agrees: bool


@dataclass(frozen=True)
class OutOfFoldJudge:
    """A cross-fitted ensemble that judges each row by models not trained on it."""

    ensemble: CrossFitted
    hidden: HiddenWords

    @property
    def accuracy(self) -> float:
        """Share of held-out rows whose label it predicts."""
        return self.ensemble.held_out[0].accuracy

    def scores(
        self, rows: Sequence[Example], originals: Sequence[Example] | None = None
    ) -> list[JudgeScore]:
        """How models that did not see the originals score each row's own label."""
        column = {label: index for index, label in enumerate(self.ensemble.labels)}
        hide = self.hidden.remove_from
        seen = None if originals is None else [hide(row) for row in originals]
        predicted = self.ensemble.predict([hide(row) for row in rows], seen)
        own = [column.get(str(row.label), -1) for row in rows]
        return [
            JudgeScore(float(p[index]) if index >= 0 else 0.0, int(p.argmax()) == index)
            for index, p in zip(own, predicted, strict=True)
        ]

    def verify(
        self,
        rows: Sequence[Example],
        candidates: Sequence[Sequence[Rewrite]],
        field: str | None,
        tolerance: float,
    ) -> list[list[Rewrite]]:
        """Reject the candidates whose label the judge does not confirm.

        Where the judge is wrong about the original already, a candidate may lose ``tolerance`` of
        the label's probability.
        """
        fields = set(self.ensemble.models[0][0].fields)
        both = zip(rows, candidates, strict=True)
        judged = [(row, some) for row, some in both if set(row.fields) == fields]
        scores = self.scores([row for row, _ in judged])
        before = {row.id: score for (row, _), score in zip(judged, scores, strict=True)}
        variants = [
            replace(row, fields=with_text(row.fields, field, one.text))
            for row, some in judged
            for one in some
        ]
        after = iter(self.scores(variants, [row for row, some in judged for _ in some]))

        def verified(row: Example, one: Rewrite) -> Rewrite:
            if row.id not in before:
                return one
            first, now = before[row.id], next(after)
            close = not first.agrees and now.probability >= first.probability - tolerance
            return one if now.agrees or close else one._replace(rejected=_DISAGREES)

        return [
            [verified(row, one) for one in some] for row, some in zip(rows, candidates, strict=True)
        ]


def train_judge(rows: Sequence[Example], field: str | None) -> OutOfFoldJudge:
    """Train the offline judge on the rows that have the commonest fields."""
    from augkit.models.classifiers.linear import LinearConfig
    from augkit.models.ensembles.config import EnsembleConfig
    from augkit.models.ensembles.crossfit import train_crossfitted

    if not rows:
        raise DataError("no row has a label and a text")
    (fields, _), *_ = Counter(tuple(row.fields) for row in rows).most_common(1)
    alike = [row for row in rows if set(row.fields) == set(fields)]
    name = chosen_field(dict.fromkeys(fields, ""), field)
    hidden = HiddenWords(name, _giveaway_words(alike, name))
    config = EnsembleConfig(members=(LinearConfig(),))
    ensemble = train_crossfitted([hidden.remove_from(row) for row in alike], config)
    return OutOfFoldJudge(ensemble, hidden)


def _giveaway_words(rows: Sequence[Example], field: str) -> tuple[str, ...]:
    names, numbers = label_numbers([str(row.label) for row in rows])
    counts = FeatureCounts(tokenize([row.fields[field] for row in rows]), numbers, len(names))
    single = len(rows[0].fields) == 1
    overused = overused_judgements(counts)
    strong = [one for one in counts.strongest(1000) if one.z > _HIDDEN_Z]
    strong = [one for one in strong if not (single and is_evidence(one.feature, overused))]
    words = {one.feature: one.documents for one in strong if one.kind == "token"}
    pairs = [one for one in strong if single and one.kind == "2-gram"]
    least = [min(words.get(word, math.inf) for word in one.feature.split()) for one in pairs]
    usual = (one.feature for one, n in zip(pairs, least, strict=True) if 2 * one.documents >= n)
    return (*words, *usual)[:_MAX_HIDDEN]


def verify_by_llm(
    judge: LLM,
    rows: Sequence[Example],
    candidates: Sequence[Sequence[Rewrite]],
    field: str | None,
    labels: Sequence[str],
) -> tuple[list[list[Rewrite]], list[Cost]]:
    """Reject the candidates that the judge gives another label; and what that cost per row."""
    verified = [list(some) for some in candidates]
    costs = [FREE for _ in rows]
    pending = [
        (index, n)
        for index, some in enumerate(verified)
        for n, one in enumerate(some)
        if not one.rejected
    ]
    opinions = LLMJudge(judge, labels).opinions(
        [with_text(rows[index].fields, field, verified[index][n].text) for index, n in pending]
    )
    for (index, n), opinion in zip(pending, opinions, strict=True):
        rejected = rejection_reason(rows[index].label, opinion)
        verified[index][n] = verified[index][n]._replace(rejected=rejected)
        costs[index] = costs[index] + opinion.cost
    return verified, costs


def rejection_reason(label: str | None, opinion: Opinion) -> str:
    """Empty where the judge names exactly the label; otherwise the reason for rejecting.

    >>> rejection_reason("positive", Opinion({}, fault="timeout"))
    'judge: timeout'
    """
    if not opinion.label:
        return f"judge: {opinion.fault or 'no verdict'}"
    return "" if opinion.label == label else _DISAGREES
