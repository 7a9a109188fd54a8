"""Choosing among the texts that one call gave: free checks, then the ensemble."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from augkit.augmenters.coba.config import Limits
from augkit.augmenters.coba.edit import Job
from augkit.augmenters.coba.verify import LeftoverCheck, form_rejection
from augkit.core.types import Example
from augkit.labels.judge import Judge


@dataclass(frozen=True)
class CandidateChooser:
    """Prefers texts that pass the checks of form and polarity, and of these the clearest one."""

    judge: Judge
    leftover: LeftoverCheck
    limits: Limits

    def choose(self, jobs: Sequence[Job], texts: Sequence[Sequence[str]]) -> list[str]:
        """The best text of each job; the first of equals."""
        candidates = [(job, text) for job, some in zip(jobs, texts, strict=True) for text in some]
        variants = [self._variant(job, text) for job, text in candidates]
        verdicts = self.judge.judge([job.parent for job, _ in candidates], variants)
        scores = iter(
            (self._passes(job, variant), verdict.probability)
            for (job, _), variant, verdict in zip(candidates, variants, verdicts, strict=True)
        )
        return [max(some, key=lambda _: next(scores)) for some in texts]

    def _variant(self, job: Job, text: str) -> Example:
        (field,) = job.parent.fields
        return Example({field: text}, job.target)

    def _passes(self, job: Job, variant: Example) -> bool:
        before, after = job.parent.fields, variant.fields
        unchanged = [*before.values()] == [*after.values()]
        return not (
            unchanged
            or form_rejection(before, after, job.words, self.limits)
            or self.leftover.rejection(job, after)
        )
