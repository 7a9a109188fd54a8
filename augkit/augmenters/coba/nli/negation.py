"""Negating a hypothesis, or removing its negation: entailment ↔ contradiction."""

from __future__ import annotations

from augkit.augmenters.coba.nli.clauses import main_clause
from augkit.augmenters.coba.nli.edits import RelationEdit
from augkit.augmenters.coba.nli.parsed_pair import NEGATIONS, ParsedPair, word_of
from augkit.core.analysis import Analysis, Token
from augkit.core.types import Edit
from augkit.language.morphology import inflect
from augkit.language.negation import negation_words

_DO = {"VBZ": "does", "VBP": "do", "VBD": "did"}


def negate_hypothesis(pair: ParsedPair) -> list[RelationEdit]:
    """Insert a negation: "is" → "is not", "rides" → "does not ride"."""
    clause = main_clause(pair.hypothesis)
    if clause is None or clause.form != "finite":
        return []
    helpers = pair.hypothesis.children(clause.verb, "aux", "cop")
    if helpers:
        first = helpers[0]
        edit = Edit(pair.second, first.end, first.end, "", " not")
    elif clause.verb.xpos in _DO:
        verb = clause.verb
        after = f"{_DO[verb.xpos]} not {verb.lemma}"
        edit = Edit(pair.second, verb.start, verb.end, verb.text, after)
    else:
        return []
    return [RelationEdit((edit,), "negate")]


def affirm_hypothesis(pair: ParsedPair) -> list[RelationEdit]:
    """Remove the negation: "does not ride" → "rides", where only the hypothesis has one."""
    if any(token.text.lower() in NEGATIONS for token in pair.premise.tokens):
        return []
    found = [token for token in pair.hypothesis.tokens if token.text.lower() in NEGATIONS]
    if len(found) != 1 or found[0].text.lower() not in negation_words("particle", "contraction"):
        return []
    edit = _remove_negation(pair.second, pair.hypothesis, found[0])
    return [RelationEdit((edit,), "affirm")] if edit is not None else []


def _remove_negation(field: str, analysis: Analysis, negation: Token) -> Edit | None:
    before = analysis.tokens[negation.index - 1] if negation.index else None
    if before is None or before.upos != "AUX":
        return None
    if word_of(before) != "do":
        return Edit(field, before.end, negation.end, analysis.text[before.end : negation.end], "")
    verb = analysis.tokens[negation.index + 1 : negation.index + 2]
    if not verb or verb[0].upos != "VERB":
        return None
    tag = next((tag for tag, form in _DO.items() if form == before.text.lower()), None)
    if tag is None:
        return None
    form = inflect(verb[0].lemma, tag)
    text = analysis.text[before.start : verb[0].end]
    return Edit(field, before.start, verb[0].end, text, form) if form else None
