"""Clauses of a parse: explicit and understood subjects, and what is quoted."""

from __future__ import annotations

from augkit.core.analysis import Analysis, Token
from augkit.lexicons.demographics.cues import VERBS
from augkit.lexicons.load import word_group

_RELATIVES = word_group("grammar", "relative_pronouns")
_SUBJECT_CONTROL = word_group("grammar", "subject_control")
_MAX_STEPS = 25
"""The most steps up a parse: real clauses are not so deep, broken parses are."""


def subject(analysis: Analysis, verb: Token) -> Token | None:
    """The subject of a clause, explicit or understood: "she" for "go" in "she wanted to go".

    Of a relative clause it is the noun the clause is about.
    """
    for _ in range(_MAX_STEPS):
        explicit = analysis.children(verb, "nsubj")
        if explicit:
            return _antecedent_of_relative(analysis, verb, explicit[0])
        above = analysis.head(verb)
        if verb.is_relation("acl"):
            return above
        if _is_object_controlled(verb, above):
            objects = analysis.children(above, "obj", "iobj")
            if objects:
                return objects[0]
        if verb.is_root or not verb.is_relation("conj", "xcomp", "advcl", "ccomp", "obl"):
            return None
        verb = above
    return None


def _is_object_controlled(verb: Token, above: Token) -> bool:
    """Whether the object of the verb above is the understood subject: "told *her* to leave"."""
    if verb.is_relation("advcl"):
        return above.lemma.lower() in VERBS.object_control
    return verb.is_relation("xcomp") and above.lemma.lower() not in _SUBJECT_CONTROL


def _antecedent_of_relative(analysis: Analysis, verb: Token, found: Token) -> Token:
    relative = found.text.lower() in _RELATIVES and found.upos == "PRON"
    return analysis.head(verb) if relative and verb.deprel == "acl:relcl" else found


def quoted(analysis: Analysis) -> list[bool]:
    """For every token, whether it stands between double quotation marks of its paragraph."""
    found: list[bool] = []
    inside = False
    end = 0
    for token in analysis.tokens:
        if "\n\n" in analysis.text[end : token.start]:
            inside = False
        if token.text in {'"', "\u201c", "\u201d", "``", "''"}:
            inside = token.text in {"\u201c", "``"} or (token.text == '"' and not inside)
        found.append(inside)
        end = token.end
    return found
