"""Towards neutral: the hypothesis says more than the premise, or the premise says less."""

from __future__ import annotations

from random import Random

from augkit.augmenters.coba.pairs.clauses import main_clause
from augkit.augmenters.coba.pairs.scene import Link, Scene, Support, is_content, part_of, word_of
from augkit.augmenters.coba.pairs.writing import (
    Change,
    followed,
    is_plural,
    preceded,
    removed,
    swapped,
)
from augkit.core.analysis import Token
from augkit.core.types import Edit
from augkit.lexicons.taxonomy import scenes

_TELLING = frozenset({"he", "she", "his", "her", "him", "himself", "herself"})
"""Words that tell what a vaguer word for a person would leave open."""


def hypothesis_loosened(scene: Scene, draw: Random) -> list[Change]:
    """Changes of an entailed hypothesis: it adds what the premise does not say."""
    changes = []
    for token in scene.hypothesis.tokens:
        if token.upos == "NOUN" and is_content(token):
            changes += _narrowed(scene, token, draw) + _described(scene, token, draw)
    clause = main_clause(scene.hypothesis)
    if clause is not None and clause.verb.upos == "VERB":
        alone = is_content(clause.verb) and "with" not in scene.hypothesis_words
        kind = draw.choice(("purpose", "purpose", "moment", "company" if alone else "moment"))
        phrases = [p for p in scenes().unsaid[kind] if not _overlaps(scene, p)]
        if phrases:
            edits = followed(scene.second, scene.hypothesis, draw.choice(phrases))
            changes.append(Change(edits, f"added {kind}"))
    return changes


def premise_loosened(scene: Scene, support: Support) -> list[Change]:
    """Changes of the premise: it no longer says what speaks for or against the hypothesis."""
    changes: list[Change] = []
    against = scene.by_support("excluded")
    unsaid = scene.by_support("unsaid")
    more = len(unsaid) > 1 or any(link.word.upos == "VERB" for link in unsaid)
    if support == "excluded" and (len(against) != 1 or more):
        return _predicate_dropped(scene)
    for link in scene.links:
        if link.support != support or link.other is None:
            continue
        others = scene.supporters(link.word) if support == "said" else [link.other]
        if len(others) == 1:
            changes += _vaguer(scene, link, others[0]) + _dropped(scene, others[0])
    return changes + _predicate_dropped(scene)


def _narrowed(scene: Scene, token: Token, draw: Random) -> list[Change]:
    listed = scenes().narrower
    key = token.text.lower() if is_plural(token) else word_of(token)
    words = [w for w in listed.get(key, ()) if w not in scene.premise_words]
    if not words or scene.hypothesis.children(token, "amod", "compound", "nmod"):
        return []
    new = draw.choice(words)
    if is_plural(token):
        edits: tuple[Edit, ...] | None = (
            Edit(scene.second, token.start, token.end, token.text, _cased(new, token.text)),
        )
    else:
        edits = swapped(scene.second, scene.hypothesis, token, new)
    return [Change(edits, "narrowed thing")] if edits else []


def _described(scene: Scene, token: Token, draw: Random) -> list[Change]:
    kind = _sort(token)
    words = [w for w in scenes().unsaid[kind] if w not in scene.premise_words]
    if not words or scene.hypothesis.children(token, "amod", "compound"):
        return []
    if token.index and scene.hypothesis.tokens[token.index - 1].upos not in {"DET", "NUM"}:
        return []
    return [
        Change(preceded(scene.second, scene.hypothesis, token, draw.choice(words)), "added quality")
    ]


def _sort(token: Token) -> str:
    word, lexicon = word_of(token), scenes()
    if word == "person" or lexicon.holds_of("person", word, "noun"):
        return "person"
    if lexicon.holds_of("animal", word, "noun"):
        return "animal"
    return "place" if word in lexicon.outdoors | lexicon.indoors else "thing"


def _vaguer(scene: Scene, link: Link, other: Token) -> list[Change]:
    part = part_of(other)
    counted = is_plural(other) or scene.premise.children(other, "det", "nummod", "nmod:poss")
    if part != "noun" or not counted or other.is_relation("compound", "flat"):
        return []
    here = word_of(link.word)
    broader = scenes().broader.get(("noun", word_of(other)), ())
    if "person" in broader and not scene.premise_words.isdisjoint(_TELLING):
        return []
    for broad in sorted(broader, key=lambda word: word != "person"):
        said = scenes().holds_of(here, broad, "noun") or scenes().excludes(here, broad, "noun")
        if said or " " in broad:
            continue
        edits = swapped(scene.first, scene.premise, other, broad)
        if edits:
            return [Change(edits, "vaguer thing")]
    return []


def _dropped(scene: Scene, other: Token) -> list[Change]:
    premise = scene.premise
    if other.is_relation("amod", "advmod") and not premise.children(other):
        edits = removed(scene.first, premise, [other])
        return [Change(edits, "dropped quality")] if edits else []
    if other.is_relation("obl", "nmod") and premise.children(other, "case"):
        edits = removed(scene.first, premise, premise.subtree(other))
        return [Change(edits, "dropped phrase")] if edits else []
    if other.is_relation("conj"):
        edits = removed(scene.first, premise, premise.subtree(other))
        return [Change(edits, "dropped phrase")] if edits else []
    return []


def _predicate_dropped(scene: Scene) -> list[Change]:
    """The premise without what it says of its subject, where that is about what the other says."""
    clause, said = main_clause(scene.premise), main_clause(scene.hypothesis)
    if clause is None or said is None or clause.verb.upos != "VERB" or said.verb.upos != "VERB":
        return []
    dropped = {token.index for token in clause.predicate}
    outside = [link for link in scene.by_support("excluded") if not _within(link, dropped)]
    inside = [link for link in scene.links if link.other is not None and _within(link, dropped)]
    if outside or not inside or clause.predicate[0].index < 2:
        return []
    edits = removed(scene.first, scene.premise, clause.predicate)
    return [Change(edits, "dropped predicate")] if edits else []


def _within(link: Link, indices: set[int]) -> bool:
    return link.other is not None and link.other.index in indices


def _overlaps(scene: Scene, phrase: str) -> bool:
    return not scene.premise_words.isdisjoint(phrase.split()[1:])


def _cased(new: str, like: str) -> str:
    return new[:1].upper() + new[1:] if like[:1].isupper() else new
