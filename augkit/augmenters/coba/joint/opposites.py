"""What the rules would change in a text: a hint for a language model, which may do otherwise."""

from __future__ import annotations

from dataclasses import dataclass

from augkit.augmenters.coba.artifact import TextsArtifact
from augkit.augmenters.coba.edit import Job
from augkit.augmenters.coba.polarity.flip_polarity import flip_polarity
from augkit.core.protocols import Parser


@dataclass(frozen=True)
class Opposites:
    """Evaluative words of a single text with words of the other polarity."""

    parser: Parser
    fitted: TextsArtifact

    def of(self, job: Job) -> str:
        """A list such as "stale → fresh, drags → soars"; "" where the rules change nothing."""
        polarity = self.fitted.polarity
        side, target = (polarity.get(str(label)) for label in (job.parent.label, job.target))
        if side is None or target in {None, side}:
            return ""
        (analysis,) = self.parser.parse([next(iter(job.parent.fields.values()))])
        flip = flip_polarity(analysis, side, self.fitted.lexicon, self.fitted.counts, job.rng)
        changes = [c for c in flip.changes if c.after.strip()]
        return ", ".join(f"{analysis.text[c.start : c.end]} → {c.after}" for c in changes)
