"""All other wordings of the second text of a pair, by how it relates to the first."""

from __future__ import annotations

from collections.abc import Container
from itertools import chain

from augkit.core.analysis import Analysis
from augkit.english.negation import negation_pattern
from augkit.english.rewriting.candidates import Promise, Wording
from augkit.english.rewriting.pairs.antonyms import antonym_wordings
from augkit.english.rewriting.pairs.denials import denial_wordings
from augkit.english.rewriting.pairs.negations import negation_wordings
from augkit.lexicons.label_meanings import relation_of

_NEGATION = negation_pattern("determiner", "particle", "adverb", "modal", "only", "exclusive")


def pair_wordings(
    analysis: Analysis, label: str | None, allowed: Container[Promise]
) -> list[Wording]:
    """Other wordings of negation; a true text gets no new one."""
    relation = relation_of(label)
    sources = (
        antonym_wordings(analysis),
        negation_wordings(analysis),
        denial_wordings(analysis),
    )
    before = len(_NEGATION.findall(analysis.text))
    found = [
        one
        for one in chain.from_iterable(sources)
        if relation != "entailment" or len(_NEGATION.findall(one.text)) <= before
    ]
    kept = (one for one in found if one.promise in allowed and one.text != analysis.text)
    return list(dict.fromkeys(kept))
