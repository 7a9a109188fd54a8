"""A job on its way through the steps of the pipeline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from augkit.augmenters.coba.edit import Job
from augkit.augmenters.coba.sentences.candidates import Candidate, EditedText
from augkit.augmenters.coba.verify import lost_words
from augkit.core.types import FREE, Cost, Draft, Rejection


@dataclass
class Work:
    """A job on its way through the steps, with what it has cost so far."""

    job: Job
    cost: Cost
    text: EditedText | None = None
    candidates: list[Candidate] = field(default_factory=list)
    outcomes: list[Draft | Rejection] = field(default_factory=list)

    @property
    def is_accepted(self) -> bool:
        """Whether a variant has passed all checks."""
        return any(isinstance(outcome, Draft) for outcome in self.outcomes)

    def by_lost_shortcuts(self) -> list[Candidate]:
        """The candidates, those first that keep the shortcuts of the dataset."""
        source, words = " ".join(self.job.parent.fields.values()), self.job.words.preferred
        return sorted(
            self.candidates,
            key=lambda one: len(lost_words(source, " ".join(one.draft.fields.values()), words)),
        )

    def restart(self) -> None:
        """Forget everything but the job, its cost and why it was rejected."""
        failed = next((one for one in self.outcomes if isinstance(one, Rejection)), None)
        self.job = replace(self.job, rejected=failed)
        self.text = None
        self.candidates.clear()
        self.outcomes.clear()

    def reject(self, rejection: Rejection) -> None:
        """Add a rejection; what its step cost counts for the job."""
        self.cost += rejection.cost
        self.outcomes.append(replace(rejection, copy=self.job.number, cost=FREE))

    def finished(self) -> Iterator[Draft | Rejection]:
        """All outcomes; the first carries the cost."""
        for number, outcome in enumerate(self.outcomes):
            yield outcome if number else replace(outcome, cost=self.cost)
