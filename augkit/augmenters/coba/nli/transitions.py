"""Which edits can lead a pair from one relation to another."""

from __future__ import annotations

from random import Random

from augkit.augmenters.coba.nli.contradict import (
    affirm_hypothesis,
    contradict_hypothesis,
    contradict_premise,
    excluding_words,
    is_stated,
    negate_hypothesis,
)
from augkit.augmenters.coba.nli.edits import RelationEdit, replace_token
from augkit.augmenters.coba.nli.entail import entail_hypothesis, entail_premise
from augkit.augmenters.coba.nli.neutral import neutralise_hypothesis, neutralise_premise
from augkit.augmenters.coba.nli.parsed_pair import ParsedPair, word_of
from augkit.augmenters.relations import Relation


def transitions(
    pair: ParsedPair, source: Relation, target: Relation, rng: Random, *, binary: bool = False
) -> list[RelationEdit]:
    """Single edits of either text that lead from ``source`` to ``target``.

    From contradiction to neutral two steps are needed (``first_steps``). In a ``binary`` dataset,
    without a neutral label, a negated false claim is true: so "not" occurs in both kinds of claims.
    """
    if target == source:
        return change_both(pair, rng)
    if pair.negated:
        flips = {source, target} == {"entailment", "contradiction"}
        return affirm_hypothesis(pair) if flips else []
    if target == "contradiction":
        found = contradict_hypothesis(pair, rng) + contradict_premise(pair, rng)
        return found or (negate_hypothesis(pair) if source == "entailment" else [])
    if target == "entailment":
        negated = negate_hypothesis(pair) if binary and source == "contradiction" else []
        return negated + entail_hypothesis(pair, rng) + entail_premise(pair)
    if source == "entailment":
        return neutralise_hypothesis(pair, rng) + neutralise_premise(pair, "stated")
    return neutralise_premise(pair, "excluded")


def first_steps(
    pair: ParsedPair, source: Relation, target: Relation, rng: Random
) -> list[RelationEdit]:
    """First of the two steps from contradiction to neutral: an entailed hypothesis."""
    if (source, target) != ("contradiction", "neutral") or pair.negated:
        return []
    return entail_hypothesis(pair, rng)


def second_steps(pair: ParsedPair, rng: Random) -> list[RelationEdit]:
    """Second of the two steps: an entailed hypothesis states more than the premise."""
    return neutralise_hypothesis(pair, rng)


def change_both(pair: ParsedPair, rng: Random) -> list[RelationEdit]:
    """Replace a word that both texts have, in both, by one that neither has: the label stays."""
    changes = []
    for link in pair.by_support("stated"):
        if link.word.upos == "VERB":  # what fits one verb seldom fits another
            continue
        others = pair.supporters(link.word)
        if len(others) != 1 or word_of(others[0]) != word_of(link.word):
            continue
        words = excluding_words(pair.hypothesis, link.word)
        for word in rng.sample(words, len(words)):
            if is_stated(pair, word, link.word):
                continue
            here = replace_token(pair.second, pair.hypothesis, link.word, word)
            there = replace_token(pair.first, pair.premise, others[0], word)
            if here and there:
                changes.append(RelationEdit((*there, *here), "change both"))
                break
    return changes
