"""Which of several persons a pronoun stands for: one score per person, fitted on annotated text.

A score is the sum of the weights of what holds of the pronoun and the last mentions of a person.
The weights (``lexicons/data/antecedents.tsv``) maximise the likelihood of the right persons in the
training parts of GUM, LitBank and GAP: ``scripts/data/fit_antecedents.py``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from math import fsum

from augkit.augmenters.panda.rules.document import Document, Place
from augkit.augmenters.panda.rules.mentions import Mention, Person
from augkit.augmenters.panda.rules.readings import is_person
from augkit.core.analysis import Token
from augkit.lexicons.demographics.cues import cue_table
from augkit.lexicons.load import data_text

_NOMINAL = ("nsubj", "obj", "iobj", "obl", "nmod", "appos", "flat", "compound", "vocative", "det")
_NOUNS = frozenset({"NOUN", "PROPN", "PRON"})
_ROLES = {"nsubj": "subject", "obj": "object", "iobj": "object", "nmod:poss": "owner"}
_SHARED = ("conj", "xcomp", "advcl", "parataxis", "acl")
_RELATIVE = frozenset({"who", "that", "which"})
_BINDING = frozenset({"same", "ccomp", "inside"})
_RECENT = 3
"""Mentions of a person that are looked at, the last ones."""


def place_of(doc: Document, mention: Mention) -> Place | None:
    """The place of a mention in the parse."""
    if mention.start not in doc.places:
        doc.places[mention.start] = _place(doc, mention)
    return doc.places[mention.start]


def _place(doc: Document, mention: Mention) -> Place | None:
    token = doc.token(mention.start if mention.kind == "name" else mention.end - 1)
    if token is None:
        return None
    while token.is_relation("compound", "flat") or (
        not token.is_root and mention.start <= doc.parsed.head(token).start < mention.end
    ):
        token = doc.parsed.head(token)  # "*Grandma* Hu"
    top = token
    while top.is_relation("appos"):
        top = doc.parsed.head(top)
    role = _ROLES.get(top.deprel) or _ROLES.get(top.deprel.partition(":")[0], "other")
    return Place(token, role, _clause(doc, top))


def _clause(doc: Document, token: Token) -> Token:
    """The predicate of the clause of a noun or pronoun."""
    while not token.is_root and token.is_relation(*_NOMINAL):
        token = doc.parsed.head(token)
    return token


def relation(doc: Document, pronoun: Place, mention: Place) -> tuple[str, str]:
    """How the clause of a pronoun lies to that of a mention before it, and the mention's role."""
    if pronoun.head.sentence != mention.head.sentence:
        return f"sentence-{min(3, pronoun.head.sentence - mention.head.sentence)}", mention.role
    inside = "within" if pronoun.role != "owner" else "inside"
    below = pronoun.head
    token = doc.parsed.head(pronoun.head)
    while not below.is_root and mention.head not in _described(doc, below):
        if token is mention.head:
            return inside, mention.role  # "the boy with *his* dog", "the boy beside *him*"
        if mention.role == "owner" and token is doc.parsed.head(mention.head):
            return "owned", mention.role  # "Lund's monologue, which *he* delivers"
        if not below.is_relation(*_NOMINAL):
            inside = "inside"
        below = token
        token = doc.parsed.head(token)
    return _between_clauses(doc, pronoun, mention)


def _between_clauses(doc: Document, pronoun: Place, mention: Place) -> tuple[str, str]:
    link = "same"
    clause = pronoun.clause
    while clause is not mention.clause:
        if mention.head in _described(doc, clause):
            direct = link in {"same", "ccomp", "advcl"}
            return "same" if direct else link, "subject"  # "the cyclist, who broke *his* leg"
        if clause.is_root:
            below = doc.parsed.subtree(pronoun.clause)
            return "after" if mention.clause in below else "beside", mention.role
        shared = clause.is_relation(*_SHARED) and not doc.parsed.children(clause, "nsubj")
        above = doc.parsed.head(clause)
        asked = doc.parsed.children(above, "obj", "iobj") if clause.deprel == "xcomp" else ()
        if shared and link == "same" and mention.head in asked:
            return "same", "subject"  # "Ann asked Tom to bring *his* bike"
        if not shared or asked:
            link = clause.deprel if link == "same" else "far"
        clause = _clause(doc, above)
    return link, mention.role


def _described(doc: Document, clause: Token) -> list[Token]:
    """The nouns that may be the subject of a relative clause: the one before *who*, or its head."""
    subjects = doc.parsed.children(clause, "nsubj")
    relative = bool(subjects) and subjects[0].text.lower() in _RELATIVE
    attached = clause.is_relation("acl") or clause.deprel == "advcl:relcl"
    if not relative:
        return [doc.parsed.head(clause)] if attached and not subjects else []
    first = subjects[0].index
    before = [t for t in doc.parsed.tokens[max(0, first - 2) : first] if t.upos in _NOUNS]
    flat = [doc.parsed.head(t) for t in before if t.is_relation("flat", "compound")]
    if before and (is_person(doc, before[-1]) or not attached):
        return [before[-1], *flat]
    return [doc.parsed.head(clause), *before[-1:], *flat] if attached else []


def antecedent_scores(doc: Document, pronoun: Mention, persons: list[Person]) -> list[float]:
    """How well each of several persons fits a pronoun."""
    rows = candidate_features(doc, pronoun, persons)
    return [fsum(weights().get(name, 0.0) for name in row) for row in rows]  # in any order


def candidate_features(doc: Document, pronoun: Mention, persons: list[Person]) -> list[set[str]]:
    """What holds of a pronoun and each of several persons, with their mentions before it."""
    last = _ranks([p.mentions[-1].start for p in persons])
    subjects = [
        [place.head.start for place in _places(doc, p) if place.role == "subject"] for p in persons
    ]
    acts = _ranks([starts[-1] if starts else -1 for starts in subjects])
    ranks = zip(persons, zip(last, acts, strict=True), strict=True)
    return [_features(doc, pronoun, p, rank) for p, rank in ranks]


def _ranks(offsets: Sequence[int]) -> list[int]:
    return [sum(later > offset for later in offsets) for offset in offsets]


def _features(doc: Document, pronoun: Mention, person: Person, ranks: tuple[int, int]) -> set[str]:
    here = place_of(doc, pronoun)
    theirs = _places(doc, person)
    if here is None or not theirs:
        return set()
    last = person.mentions[-1]
    role = case_in_clause(doc, pronoun)
    gaps = [here.head.sentence - place.head.sentence for place in theirs]
    kind = mention_kind(doc, last)
    gender = "same" if person.gender == pronoun.gender else "open"
    links = _links(doc, here, theirs)
    binding = (link for link, acts in links if link in _BINDING and acts == "subject")
    bound = next(binding, "free")
    features = {
        f"kind {kind} {gender}",
        f"kind {kind} {role} {bound} {min(2, gaps[-1])}",
        f"bound {bound} {role} {gender}",
        f"rank {min(ranks[0], 3)} {role}",
        f"actor {min(ranks[1], 3)} {role} {min(2, gaps[-1])}",
        f"actor {min(ranks[1], 3)} {role} {kind}",
        f"count {min(len(person.mentions), 4)}",
        f"words {min(here.head.index - theirs[-1].head.index, 127).bit_length()}",
    }
    for link, acts in links:
        features |= {f"{link} {acts} {role}", f"{link} {acts} -", f"{link} - {role}"}
    subjects = [gap for place, gap in zip(theirs, gaps, strict=True) if place.role == "subject"]
    features.add(f"subject {min(3, *subjects, 9)} {role}")
    return features


def subject_links(doc: Document, pronoun: Mention, person: Person) -> set[str]:
    """The relations of a pronoun to a person who is a subject: "The cyclist hurt *his* arm"."""
    here = place_of(doc, pronoun)
    theirs = _places(doc, person)
    links = _links(doc, here, theirs) if here is not None and theirs else []
    return {link for link, role in links if role == "subject"}


def object_meant(doc: Document, pronoun: Mention, persons: list[Person]) -> list[Person]:
    """The persons who are the object of a verb that speaks of its object.

    As in "She asked the clerk whether *she* sold maps", "He fired Tom because *he* was late", "They
    thanked the queen for *her* visit".
    """
    place = place_of(doc, pronoun)
    if place is None or place.role not in {"subject", "owner"} or place.head.is_root:
        return []
    verb = place.clause
    words = doc.parsed.children(doc.parsed.head(place.head), "case")[:1]
    if place.role == "subject":
        marks = [t for t in doc.parsed.children(verb, "mark", "advmod") if t.start < pronoun.start]
        words = (*marks[:1], *doc.parsed.children(verb, "aux")[:1])
        verb = _clause(doc, doc.parsed.head(verb))
    frame = " ".join([verb.lemma, *(t.text.lower() for t in words)])
    if not any(re.fullmatch(row, frame) for row in cue_table("cues/persons")["object_verbs"]):
        return []
    spoken_of = ("object", verb)
    return [p for p in persons if spoken_of in ((t.role, t.clause) for t in _places(doc, p))]


def case_in_clause(doc: Document, pronoun: Mention) -> str:
    """Whether a pronoun is reflexive, or the subject, object or owner of something."""
    place = place_of(doc, pronoun)
    if place is None:
        return "other"
    return "reflexive" if pronoun.case == "reflexive" else place.role


def _places(doc: Document, person: Person) -> list[Place]:
    """The places of the last mentions of a person."""
    return [p for m in person.mentions[-_RECENT:] if (p := place_of(doc, m)) is not None]


def _links(doc: Document, here: Place, theirs: Sequence[Place]) -> list[tuple[str, str]]:
    """The relations to the last place of a person, and to others in the same sentence."""
    near = [place for place in theirs[:-1] if place.head.sentence == here.head.sentence]
    return [relation(doc, here, place) for place in (*near, theirs[-1])]


def mention_kind(doc: Document, mention: Mention) -> str:
    """Whether a mention is a pronoun, a name, or a noun with or without an article."""
    if mention.kind != "noun":
        return mention.kind
    before = doc.lower[max(0, mention.start - 40) : mention.start].split()[-3:]
    if "the" in before:
        return "the"
    return "a" if {"a", "an"} & set(before) else "noun"


@cache
def weights() -> dict[str, float]:
    """The weight of each feature."""
    rows = (row.split("\t") for row in data_text("antecedents.tsv").splitlines() if row[:1] != "#")
    return {name: float(weight) for name, weight in rows}
