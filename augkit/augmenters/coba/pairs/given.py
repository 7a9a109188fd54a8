"""Towards entailment by the premise: it is given what the hypothesis says."""

from __future__ import annotations

from augkit.augmenters.coba.pairs.clauses import Clause, main_clause, several, text_of
from augkit.augmenters.coba.pairs.entail import kept_subject
from augkit.augmenters.coba.pairs.scene import Link, Scene, word_of
from augkit.augmenters.coba.pairs.writing import (
    Change,
    followed,
    overlap,
    preceded,
    swapped,
)
from augkit.core.analysis import Analysis
from augkit.core.types import Edit
from augkit.language.morphology import inflect


def premise_entails(scene: Scene) -> list[Change]:
    """Changes of the premise: it says what the hypothesis says."""
    return _given(scene) + _predicate_given(scene)


def _given(scene: Scene) -> list[Change]:
    """Each word that the premise does not say is put into it, where there is a place for it."""
    edits: list[Edit] = []
    for link in scene.links:
        if link.support == "said":
            continue
        found = _given_word(scene, link)
        if found is None:
            return _appended(scene)
        edits += found
    if not edits or overlap(edits):
        return []
    return [Change(tuple(edits), "given word")]


def _given_word(scene: Scene, link: Link) -> tuple[Edit, ...] | None:
    word = link.word
    if link.other is not None:
        if link.other.upos != word.upos:
            return None
        return swapped(scene.first, scene.premise, link.other, word_of(word))
    if word.is_relation("amod"):
        noun = scene.hypothesis.head(word)
        named = [t for t in scene.supporters(noun) if t.upos == "NOUN"]
        if len(named) == 1:
            return preceded(scene.first, scene.premise, named[0], word.text.lower())
    return None


def _appended(scene: Scene) -> list[Change]:
    """A phrase at the end of the hypothesis that the premise does not say, put at its end too."""
    clause = main_clause(scene.hypothesis)
    open_words = {link.word.index for link in scene.links if link.support != "said"}
    if clause is None or not open_words or scene.by_support("excluded"):
        return []
    for child in scene.hypothesis.children(clause.verb, "obl", "advcl", "xcomp"):
        run = scene.hypothesis.subtree(child)
        if open_words <= {token.index for token in run} and run[0].index > clause.verb.index:
            phrase = text_of(scene.hypothesis, run)
            return [Change(followed(scene.first, scene.premise, phrase), "given phrase")]
    return []


def _predicate_given(scene: Scene) -> list[Change]:
    """The premise's predicate replaced by the hypothesis', where both are about the same."""
    there, here = main_clause(scene.premise), main_clause(scene.hypothesis)
    if there is None or here is None:
        return []
    if kept_subject(scene, here, there) is None and here.form == "finite":
        return []
    if several(scene.premise, there.subject) != several(scene.hypothesis, here.subject):
        return []
    text = _as_form(scene.hypothesis, here, there.form)
    if text is None:
        return []
    old = scene.premise.text[there.start : there.end]
    edit = Edit(scene.first, there.start, there.end, old, text)
    return [Change((edit,), "given predicate")]


def _as_form(analysis: Analysis, clause: Clause, form: str) -> str | None:
    """A predicate as a participle or finite."""
    text = text_of(analysis, clause.predicate)
    if form == clause.form:
        return text
    if form == "finite":
        return f"{'are' if several(analysis, clause.subject) else 'is'} {text}"
    if clause.verb.upos != "VERB":
        return None
    rest = tuple(t for t in clause.predicate if t.index > clause.verb.index)
    gerund = inflect(clause.verb.lemma, "VBG")
    if gerund is None or any(t.upos == "PART" for t in clause.predicate):
        return None
    tail = analysis.text[clause.verb.end : rest[-1].end] if rest else ""
    return f"{gerund}{tail}"
