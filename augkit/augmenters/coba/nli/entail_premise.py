"""Towards entailment by editing the premise: it states what the hypothesis states."""

from __future__ import annotations

from augkit.augmenters.coba.nli.clauses import MainClause, is_plural_subject, main_clause, text_of
from augkit.augmenters.coba.nli.edits import (
    RelationEdit,
    append_phrase,
    insert_before,
    overlaps,
    replace_token,
)
from augkit.augmenters.coba.nli.entail import kept_subject
from augkit.augmenters.coba.nli.parsed_pair import ParsedPair, WordLink, word_of
from augkit.core.analysis import Analysis
from augkit.core.types import Edit
from augkit.language.morphology import inflect


def entail_premise(pair: ParsedPair) -> list[RelationEdit]:
    """Edits of the premise: it states what the hypothesis states."""
    return _state_words(pair) + _state_predicate(pair)


def _state_words(pair: ParsedPair) -> list[RelationEdit]:
    """Insert each word that the premise does not state, where it fits."""
    edits: list[Edit] = []
    for link in pair.links:
        if link.support == "stated":
            continue
        found = _state_word(pair, link)
        if found is None:
            return _appended(pair)
        edits += found
    if not edits or overlaps(edits):
        return []
    return [RelationEdit(tuple(edits), "state word")]


def _state_word(pair: ParsedPair, link: WordLink) -> tuple[Edit, ...] | None:
    word = link.word
    if link.other is not None:
        if link.other.upos != word.upos:
            return None
        return replace_token(pair.first, pair.premise, link.other, word_of(word))
    if word.is_relation("amod"):
        noun = pair.hypothesis.head(word)
        named = [t for t in pair.supporters(noun) if t.upos == "NOUN"]
        if len(named) == 1:
            return insert_before(pair.first, pair.premise, named[0], word.text.lower())
    return None


def _appended(pair: ParsedPair) -> list[RelationEdit]:
    """Append a final phrase of the hypothesis that the premise does not state."""
    clause = main_clause(pair.hypothesis)
    open_words = {link.word.index for link in pair.links if link.support != "stated"}
    if clause is None or not open_words or pair.by_support("excluded"):
        return []
    for child in pair.hypothesis.children(clause.verb, "obl", "advcl", "xcomp"):
        run = pair.hypothesis.subtree(child)
        if open_words <= {token.index for token in run} and run[0].index > clause.verb.index:
            phrase = text_of(pair.hypothesis, run)
            return [RelationEdit(append_phrase(pair.first, pair.premise, phrase), "state phrase")]
    return []


def _state_predicate(pair: ParsedPair) -> list[RelationEdit]:
    """The hypothesis' predicate in the premise, where both have the same subject."""
    there, here = main_clause(pair.premise), main_clause(pair.hypothesis)
    if there is None or here is None:
        return []
    if kept_subject(pair, here, there) is None and here.form == "finite":
        return []
    if is_plural_subject(pair.premise, there.subject) != is_plural_subject(
        pair.hypothesis, here.subject
    ):
        return []
    text = _as_form(pair.hypothesis, here, there.form)
    if text is None:
        return []
    old = pair.premise.text[there.start : there.end]
    edit = Edit(pair.first, there.start, there.end, old, text)
    return [RelationEdit((edit,), "state predicate")]


def _as_form(analysis: Analysis, clause: MainClause, form: str) -> str | None:
    """A predicate as a participle or finite."""
    text = text_of(analysis, clause.predicate)
    if form == clause.form:
        return text
    if form == "finite":
        return f"{'are' if is_plural_subject(analysis, clause.subject) else 'is'} {text}"
    if clause.verb.upos != "VERB":
        return None
    rest = tuple(t for t in clause.predicate if t.index > clause.verb.index)
    gerund = inflect(clause.verb.lemma, "VBG")
    if gerund is None or any(t.upos == "PART" for t in clause.predicate):
        return None
    tail = analysis.text[clause.verb.end : rest[-1].end] if rest else ""
    return f"{gerund}{tail}"
