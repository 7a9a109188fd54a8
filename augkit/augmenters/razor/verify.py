"""Verification (Eq. 13): a rewrite is kept only if a judge still finds the row's label in it.

    x̃ is accepted  ⇔  judge(x̃) = y

Offline the judge (``labels/judge.py``) is a linear classifier trained out of fold. It does not see
the words that are most associated with a label: otherwise it would reject exactly the rewrites that
break the shortcut. Of a single text it sees those that judge, which rewriting never removes. A
2-gram that is most of the use of a hidden word is hidden too ("the Riverside"). With a language
model the judge is a second call that shows neither the label nor the original.

Reference: yang2024razor.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from augkit.augmenters.fields import chosen_field
from augkit.augmenters.razor.corpus_use import overused_judgements
from augkit.augmenters.razor.token_score import PAIR, FeatureCounts
from augkit.core.errors import DataError
from augkit.core.types import Example, Variant
from augkit.english.rewriting.targets import is_evidence
from augkit.labels.fit import same_fields, train_judge
from augkit.labels.judge import DISAGREES, EnsembleJudge, HiddenWords, Judge, Verdict
from augkit.text.features.kinds import TOKEN
from augkit.text.features.numbering import label_numbers

_HIDDEN_Z = 4.0
"""z above which the judge does not see a word of the rewritten text."""
_MAX_HIDDEN = 100
_MIN_SAID = 0.1
"""Probability beyond that of no text from which a row says something for its label."""
_MIN_KEPT = 0.25
"""Share of it that a rewrite must keep."""


def verify(
    judge: Judge, variants: Sequence[Variant], can_judge: Callable[[Variant], bool]
) -> list[Variant]:
    """Refuse the variants whose label the judge does not confirm.

    Those that it cannot judge stay as they are.
    """
    verified = list(variants)
    places = [
        place for place, variant in enumerate(variants) if not variant.reason and can_judge(variant)
    ]
    parents = [variants[place].parent for place in places]
    texts = [Example(variants[place].fields, variants[place].label) for place in places]
    verdicts = judge.judge(parents, texts)
    lost = lost_evidence(judge, parents, verdicts)
    for number, (place, verdict) in enumerate(zip(places, verdicts, strict=True)):
        verified[place] = variants[place].paid(verdict.cost)
        if not verdict.agrees or number in lost:
            reason = DISAGREES if verdict.label else f"judge: {verdict.fault or 'no verdict'}"
            verified[place] = verified[place].refuse(reason)
    return verified


def lost_evidence(
    judge: Judge, parents: Sequence[Example], verdicts: Sequence[Verdict]
) -> frozenset[int]:
    """The variants of single texts, by index, that say hardly more for the label than no text.

    Without words a classifier still names the commonest label, and agrees with it.
    """
    if not isinstance(judge, EnsembleJudge):
        return frozenset()  # a model that is asked about a text has no commonest label
    single = [number for number, row in enumerate(parents) if len(row.fields) == 1]
    rows = [parents[number] for number in single]
    blanks = [replace(row, fields=dict.fromkeys(row.fields, "")) for row in rows]
    chances = judge.judge(rows, blanks)
    before = judge.judge(rows, rows)
    return frozenset(
        number
        for number, chance, original in zip(single, chances, before, strict=True)
        if (said := original.probability - chance.probability) > _MIN_SAID
        and verdicts[number].probability - chance.probability < _MIN_KEPT * said
    )


def fit_judge(
    rows: Sequence[Example], field: str | None, cues: Sequence[str] = ()
) -> EnsembleJudge:
    """Train the offline judge on the rows that have the commonest fields; it sees no cue."""
    if not rows:
        raise DataError("no row has a label and a text")
    alike = same_fields(rows)
    name = chosen_field(alike[0].fields, field)
    hidden = (*cues, *_giveaway_words(alike, name))
    return train_judge(alike, HiddenWords(tuple(dict.fromkeys(hidden)), name))


def _giveaway_words(rows: Sequence[Example], field: str) -> tuple[str, ...]:
    names, numbers = label_numbers([str(row.label) for row in rows])
    counts = FeatureCounts([row.fields[field] for row in rows], numbers, len(names))
    single = len(rows[0].fields) == 1
    overused = overused_judgements(counts)
    strong = [
        feature
        for feature in counts.strongest(1000)
        if feature.z > _HIDDEN_Z and not (single and is_evidence(feature.feature, overused))
    ]
    words = {token.feature: token.documents for token in strong if token.kind == TOKEN}
    usual = []
    for bigram in strong:
        if single and bigram.kind == PAIR:
            rarer = min(words.get(word, math.inf) for word in bigram.feature.split())
            if 2 * bigram.documents >= rarer:
                usual.append(bigram.feature)
    return (*words, *usual)[:_MAX_HIDDEN]
