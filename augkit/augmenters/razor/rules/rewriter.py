"""All offline candidates for a text: those that the pair makes safe, then paraphrases."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from augkit.augmenters.razor.rewrites import Rewrite
from augkit.augmenters.razor.rules.antonyms import antonym_rewrites
from augkit.augmenters.razor.rules.captions import caption_paraphrases
from augkit.augmenters.razor.rules.contrasts import contrasts
from augkit.augmenters.razor.rules.implicatives import implicit_negations
from augkit.augmenters.razor.rules.paraphrases import paraphrases
from augkit.augmenters.relations import relation_of
from augkit.core.analysis import Analysis
from augkit.core.protocols import Parser
from augkit.language.negation import negation_pattern

_MAX_CANDIDATES = 80
_NEGATION = negation_pattern("determiner", "particle", "adverb", "modal", "only", "exclusive")


@dataclass(frozen=True)
class RewriteTask:
    """A text to rewrite, its context and label, words to avoid, and a generator."""

    text: str
    context: str
    label: str | None
    avoid: Sequence[str]
    rng: random.Random


def rewrite(tasks: Sequence[RewriteTask], parser: Parser) -> list[list[Rewrite]]:
    """Candidates for every task, without the text itself and without repeats."""
    analyses = parser.parse([task.text for task in tasks])
    return [_candidates(task, found, parser) for task, found in zip(tasks, analyses, strict=True)]


def _candidates(task: RewriteTask, analysis: Analysis, parser: Parser) -> list[Rewrite]:
    found: dict[str, Rewrite] = {}
    rng = task.rng
    relation = relation_of(task.label) if task.context else None
    false = relation == "contradiction"
    sources = (
        contrasts(analysis, task.context, parser, rng) if false else (),
        antonym_rewrites(analysis),
        implicit_negations(analysis, rng) if false else (),
        paraphrases(analysis, task.avoid, rng),
        caption_paraphrases(analysis),
    )
    before = len(_NEGATION.findall(task.text))
    for candidate in chain.from_iterable(sources):
        if relation != "entailment" or len(_NEGATION.findall(candidate.text)) <= before:
            found.setdefault(candidate.text, candidate)
    found.pop(task.text, None)
    return list(found.values())[:_MAX_CANDIDATES]
