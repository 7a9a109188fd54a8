"""Clauses of a parse: grammatical roles, predicates, understood subjects, and binding."""

from __future__ import annotations

from typing import Literal

from augkit.core.analysis import Analysis, Token
from augkit.lexicons.demographics.cues import VERBS
from augkit.lexicons.load import word_group

Role = Literal["subject", "object", "oblique", "possessor", "modifier", "other"]

_ROLES: dict[str, Role] = {
    **dict.fromkeys(("nsubj", "csubj"), "subject"),
    **dict.fromkeys(("obj", "iobj"), "object"),
    "obl": "oblique",
    "nmod": "modifier",
}
_CLAUSES = ("root", "ccomp", "xcomp", "advcl", "acl", "parataxis", "csubj")
_BARRIERS = ("acl", "conj", "appos", "parataxis", "advcl", "ccomp", "list", "dep")
_COMPLETING = word_group("grammar", "complement_prepositions")
_RELATIVES = word_group("grammar", "relative_pronouns")
_SUBJECT_CONTROL = word_group("grammar", "subject_control")
_MAX_STEPS = 25
"""The most steps up a parse: real clauses are not so deep, broken parses are."""


def first_conjunct(analysis: Analysis, token: Token) -> Token:
    """The word whose role a coordinated word shares: "Anna" for "Bob" in "Anna and Bob left"."""
    for _ in range(_MAX_STEPS):
        if token.deprel not in {"conj", "appos"}:
            break
        token = analysis.head(token)
    return token


def role(analysis: Analysis, token: Token) -> Role:
    """The role of a noun or pronoun in its clause; conjuncts have the role of the first."""
    top = first_conjunct(analysis, token)
    if top.deprel == "nmod:poss":
        return "possessor"
    return _ROLES.get(top.deprel.partition(":")[0], "other")


def is_predicate(analysis: Analysis, token: Token) -> bool:
    """Whether a word heads a clause: a verb, or the complement of a copula."""
    if token.upos == "VERB" or token.is_relation(*_CLAUSES):
        return True
    return bool(analysis.children(token, "cop", "nsubj"))


def predicate(analysis: Analysis, token: Token) -> Token:
    """The nearest word above that heads a clause."""
    for _ in range(_MAX_STEPS):
        if token.is_root:
            break
        token = analysis.head(token)
        if is_predicate(analysis, token):
            break
    return token


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


def arguments(analysis: Analysis, verb: Token) -> tuple[Token, ...]:
    """The subject, explicit or understood, and the objects of a clause."""
    found = analysis.children(verb, "obj", "iobj")
    understood = subject(analysis, verb)
    return (*found, understood) if understood is not None else found


def phrases_around(analysis: Analysis, token: Token) -> frozenset[int]:
    """The heads, by index, of the phrases that hold a pronoun and to which it cannot refer.

    "her" in "her friend" is; in "the woman who lost her keys" and "a man and his dog" it is not.
    """
    around = [token.index]
    for _ in range(_MAX_STEPS):
        if token.is_root or token.is_relation(*_BARRIERS) or _is_adjunct(analysis, token):
            break
        token = analysis.head(token)
        around.append(token.index)
    return frozenset(around)


def _is_adjunct(analysis: Analysis, token: Token) -> bool:
    """Whether a phrase is an adjunct of a noun: "a man with his dog", not "the end of his life"."""
    words = {child.text.lower() for child in analysis.children(token, "case")}
    return token.deprel == "nmod" and words.isdisjoint(_COMPLETING)


def clauses_above(analysis: Analysis, token: Token) -> list[Token]:
    """The heads of the clauses around a word, the innermost first."""
    found: list[Token] = []
    for _ in range(_MAX_STEPS):
        token = predicate(analysis, token)
        if found and found[-1].index == token.index:
            break
        found.append(token)
        if token.is_root:
            break
    return found


def is_fronted(analysis: Analysis, token: Token, verb: Token) -> bool:
    """Whether a word stands in a clause or phrase before the main clause of ``verb``.

    "she" does in "When she arrived, Anna sat down", and "her" in "In her letter Anna said so".
    """
    step, clause = token, False
    for _ in range(_MAX_STEPS):
        above = analysis.head(step)
        clause = clause or step.is_relation("advcl")  # "as soon as she arrived"
        if above.index == verb.index:
            fronted = step.is_relation("advcl", "obl") or (clause and step.is_relation("advmod"))
            return fronted and step.index < verb.index
        if step.is_root:
            return False
        step = above
    return False


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
