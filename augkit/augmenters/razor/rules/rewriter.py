"""All offline candidates for a text: those that a pair makes safe, then other wordings."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from augkit.augmenters.razor.config import Denials
from augkit.augmenters.razor.rules.bounds import bounded
from augkit.augmenters.razor.rules.contrasts import Candidate, Pairing, contrasted
from augkit.augmenters.razor.rules.frames import framed_denial, framed_truth
from augkit.augmenters.razor.rules.hindrances import hindered
from augkit.augmenters.razor.rules.litotes import understated
from augkit.augmenters.razor.rules.opposites import opposed
from augkit.augmenters.razor.rules.rewording import reworded
from augkit.augmenters.razor.rules.scenes import same_scene
from augkit.augmenters.relations import relation_of
from augkit.core.analysis import Analysis
from augkit.language.negation import negation_pattern
from augkit.language.parser import SpacyParser

_MOST = 80
"""Candidates kept for one text."""
_DENIAL = negation_pattern("determiner", "particle", "adverb", "modal", "only", "exclusive")
"""What denies, or denies everything else."""


@dataclass(frozen=True)
class Job:
    """A text to be rewritten: what stands beside it, its label, words to avoid, and a generator.

    ``denials`` says where denials may go, as in the settings.
    """

    text: str
    context: str
    label: str | None
    avoid: Sequence[str]
    draw: random.Random
    denials: Denials = "out"


def rewrite(jobs: Sequence[Job]) -> list[list[Candidate]]:
    """Candidates for every job, none equal to its text and none twice."""
    analyser = SpacyParser()
    analyses = analyser.parse([job.text for job in jobs])
    return [_candidates(job, analysis) for job, analysis in zip(jobs, analyses, strict=True)]


def _candidates(job: Job, analysis: Analysis) -> list[Candidate]:
    found: dict[str, Candidate] = {}
    relation = relation_of(job.label) if job.context else None
    pair = Pairing(analysis, job.context, relation)
    across, framed = job.denials != "out", job.denials == "framed"
    sources = (
        bounded(analysis) if relation == "entailment" else (),
        contrasted(pair, SpacyParser(), job.draw),
        opposed(pair),
        hindered(pair, job.draw) if relation == "contradiction" else (),
        reworded(analysis, job.avoid, job.draw),
        same_scene(analysis),
        understated(pair, job.draw) if across and relation == "entailment" else (),
        framed_denial(pair, job.draw) if across and job.context else (),
        framed_truth(pair, job.draw) if relation == "entailment" and framed else (),
    )
    for candidate in chain.from_iterable(sources):
        if across or relation != "entailment" or not _denies_more(candidate.text, job.text):
            found.setdefault(candidate.text, candidate)
    found.pop(job.text, None)
    return list(found.values())[:_MOST]


def _denies_more(text: str, before: str) -> bool:
    return len(_DENIAL.findall(text)) > len(_DENIAL.findall(before))
