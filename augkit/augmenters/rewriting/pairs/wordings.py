"""All other wordings of the second text of a pair, by how it relates to the first."""

from __future__ import annotations

from itertools import chain
from random import Random

from augkit.augmenters.relations import relation_of
from augkit.augmenters.rewriting.candidates import Wording
from augkit.augmenters.rewriting.pairs.antonyms import antonym_wordings
from augkit.augmenters.rewriting.pairs.counterexamples import counterexample_wordings
from augkit.augmenters.rewriting.pairs.implicatives import implicit_negations
from augkit.augmenters.rewriting.pairs.negations import negation_wordings
from augkit.core.analysis import Analysis
from augkit.language.negation import negation_pattern

_NEGATION = negation_pattern("determiner", "particle", "adverb", "modal", "only", "exclusive")


def pair_wordings(
    analysis: Analysis, label: str | None, rng: Random, context: str = ""
) -> list[Wording]:
    """Other wordings of negation; a true text gets a new one only as a counterexample.

    ``context`` is the first text of the pair.
    """
    relation = relation_of(label)
    sources = (
        antonym_wordings(analysis),
        implicit_negations(analysis, rng) if relation == "contradiction" else (),
        negation_wordings(analysis),
    )
    before = len(_NEGATION.findall(analysis.text))
    found = [
        one
        for one in chain.from_iterable(sources)
        if relation != "entailment" or len(_NEGATION.findall(one.text)) <= before
    ]
    if relation == "entailment":
        found += counterexample_wordings(analysis, context)
    return [one for one in dict.fromkeys(found) if one.text != analysis.text]
