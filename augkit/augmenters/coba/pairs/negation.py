"""A hypothesis denied, or its negation taken away: what followed is excluded, and the reverse."""

from __future__ import annotations

from augkit.augmenters.coba.pairs.clauses import main_clause
from augkit.augmenters.coba.pairs.scene import NEGATIONS, Scene, word_of
from augkit.augmenters.coba.pairs.writing import Change
from augkit.core.analysis import Analysis, Token
from augkit.core.types import Edit
from augkit.language.morphology import inflect
from augkit.language.negation import negation_words

_DO = {"VBZ": "does", "VBP": "do", "VBD": "did"}


def denied(scene: Scene) -> list[Change]:
    """The statement denied: "is" → "is not", "rides" → "does not ride"."""
    clause = main_clause(scene.hypothesis)
    if clause is None or clause.form != "finite":
        return []
    helpers = scene.hypothesis.children(clause.verb, "aux", "cop")
    if helpers:
        first = helpers[0]
        edit = Edit(scene.second, first.end, first.end, "", " not")
    elif clause.verb.xpos in _DO:
        verb = clause.verb
        after = f"{_DO[verb.xpos]} not {verb.lemma}"
        edit = Edit(scene.second, verb.start, verb.end, verb.text, after)
    else:
        return []
    return [Change((edit,), "denied")]


def asserted(scene: Scene) -> list[Change]:
    """The negation taken away: "does not ride" → "rides", where the hypothesis alone denies."""
    if any(token.text.lower() in NEGATIONS for token in scene.premise.tokens):
        return []
    found = [token for token in scene.hypothesis.tokens if token.text.lower() in NEGATIONS]
    if len(found) != 1 or found[0].text.lower() not in negation_words("particle", "contraction"):
        return []
    edit = _without(scene.second, scene.hypothesis, found[0])
    return [Change((edit,), "asserted")] if edit is not None else []


def _without(field: str, analysis: Analysis, negation: Token) -> Edit | None:
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
