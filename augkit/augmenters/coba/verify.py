"""Step 7, verify: what a variant must pass, as lists of checks; a check is named by its reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from augkit.augmenters.checks import failed_check
from augkit.augmenters.coba.artifact import TextsArtifact
from augkit.augmenters.coba.config import FormSettings
from augkit.augmenters.coba.gender import with_gender
from augkit.augmenters.coba.identify import Words
from augkit.augmenters.coba.job import Job, at_work
from augkit.augmenters.llm_checks.form import MISPLACED, is_well_formed
from augkit.core.protocols import Check, Parser, V
from augkit.core.types import Variant
from augkit.english.polarity.judgements import judgements
from augkit.text.tokens import folded_words

LEFT = "principal words left unedited"
SHORT = "too short"
LONG = "too long"
LOST = "spurious words lost"
REWRITTEN = "too little of the text kept"
_MAX_LEFT = 0.25
"""Share of the evaluative words of the old polarity that a text written anew may hold."""
_MIN_KEPT = 0.5
"""Share of the words of the source that it must keep: only what decides the label changes."""


FailedCheck = Callable[[Sequence[Check[Any]], Any], "str | None"]
"""Checks, a variant → the reason of the first that it fails; language models have their own."""


@dataclass(frozen=True)
class Rewriting:
    """A text as it was and as it is now, with the words that it should keep."""

    before: str
    after: str
    words: Words
    limits: FormSettings

    @cached_property
    def words_before(self) -> tuple[str, ...]:
        """The words of the source, case-folded."""
        return folded_words(self.before)

    @cached_property
    def words_after(self) -> tuple[str, ...]:
        """The words of the new text, case-folded."""
        return folded_words(self.after)

    @property
    def survival(self) -> float:
        """Share of the spurious words of the source that the new text has; 1 where it has none."""
        present = self.words.spurious.intersection(self.words_before)
        return len(present.intersection(self.words_after)) / len(present) if present else 1.0

    @property
    def lacks_required(self) -> bool:
        """Whether a word of the source that must stay is gone."""
        required = self.words.required.intersection(self.words_before)
        return not required.issubset(self.words_after)


FORM_CHECKS: tuple[Check[Rewriting], ...] = (
    Check(SHORT, lambda t: len(t.words_after) < t.limits.shortest * len(t.words_before)),
    Check(LONG, lambda t: len(t.words_after) > t.limits.longest * len(t.words_before)),
    Check(LOST, lambda t: t.survival < t.limits.min_spurious or t.lacks_required),
)
"""What every variant must pass, and every piece of one."""


@dataclass(frozen=True)
class WholeRow(Rewriting):
    """All texts of a row, joined."""

    job: Job
    by_rules: Mapping[str, str] | None
    """The fields as rules wrote them; None where they were written anew."""


RULE_CHECKS: tuple[Check[WholeRow], ...] = (
    Check(
        MISPLACED,
        lambda row: (
            row.by_rules is not None
            and not all(
                is_well_formed(row.by_rules[name], text)
                for name, text in row.job.parent.fields.items()
            )
        ),
    ),
    *FORM_CHECKS,
)
"""What a whole row must pass that rules wrote."""


def polarity_checks(parser: Parser, fitted: TextsArtifact) -> tuple[Check[WholeRow], ...]:
    """What a single text must pass that a model wrote anew, where its labels have a polarity.

    It keeps half of the words of its source: else more was changed than the polarity. And it has
    few evaluative words of the old polarity.
    """
    polarity = fitted.polarity

    def flips(row: WholeRow) -> bool:
        source, target = (
            polarity.get(str(label)) for label in (row.job.parent.label, row.job.target)
        )
        return source is not None and target not in {None, source}

    def keeps_polarity(row: WholeRow) -> bool:
        side = polarity[str(row.job.parent.label)]
        before, after = (
            sum(judged.polarity == side for judged in judgements(analysis, fitted.lexicon))
            for analysis in parser.parse([row.before, row.after])
        )
        return after > _MAX_LEFT * before

    return (
        Check(REWRITTEN, lambda row: flips(row) and kept_share(row.before, row.after) < _MIN_KEPT),
        Check(LEFT, lambda row: flips(row) and keeps_polarity(row)),
    )


def of_variant(check: Check[Any], *, texts_alone: bool = False) -> Check[Variant]:
    """A check of a whole row, as one of the variant that a language model wrote of it.

    With ``texts_alone`` pairs pass.
    """

    def finds(variant: Variant) -> str:
        if texts_alone and len(variant.fields) > 1:
            return ""
        return " | ".join(variant.fields.values()) if check.finds(variant.work.row) else ""

    return Check(check.reason, finds)


def with_row(variant: Variant, settings: FormSettings, parser: Parser) -> Variant:
    """A written variant with the genders of the settings, and what its checks look at."""
    variant, row = whole_row(variant, variant.work, settings, parser)
    return at_work(variant, row=row)


def kept_share(before: str, after: str) -> float:
    """Share of the words of a text that another has too, each as often.

    >>> kept_share("The plot is the best.", "The plot is bad.")
    0.6
    """
    old, new = (Counter(folded_words(text)) for text in (before, after))
    return (old & new).total() / max(1, old.total())


def checked(
    draft: Variant, row: V, checks: Sequence[Check[V]], failed: FailedCheck = failed_check
) -> Variant:
    """The draft of a whole row, or why it is rejected."""
    reason = failed(checks, row)
    if reason is None:
        return draft
    return draft.refuse(reason, " | ".join(draft.fields.values()))


def whole_row(
    draft: Variant, job: Job, settings: FormSettings, parser: Parser
) -> tuple[Variant, WholeRow]:
    """The draft with the genders of the settings, and what its checks look at."""
    by_rules = None if draft.edits is None else draft.fields
    draft, words = with_gender(draft, job, settings, parser)
    before, after = (" ".join(row.fields.values()) for row in (job.parent, draft))
    return draft, WholeRow(before, after, words, settings, job, by_rules)


def lost_words(before: str, after: str, words: frozenset[str]) -> frozenset[str]:
    """The words that a text has and its variant has not.

    >>> lost_words("Riverside branch. Bad food.", "Good food.", frozenset({"riverside", "hill"}))
    frozenset({'riverside'})
    """
    there = words.intersection(folded_words(before)) if words else words
    return there.difference(folded_words(after)) if there else there
