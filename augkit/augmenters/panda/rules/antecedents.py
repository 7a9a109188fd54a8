"""Which of several persons a pronoun stands for: one score per person, fitted on annotated text.

A score is the sum of the weights of what holds of the pronoun and the last mention of a person.
The weights (``lexicons/data/antecedents.tsv``) maximise the likelihood of the right persons in the
training parts of GUM, LitBank and GAP: ``scripts/fit_antecedents.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from augkit.augmenters.panda.rules.document import Document, Place
from augkit.augmenters.panda.rules.mentions import Mention
from augkit.core.analysis import Token
from augkit.lexicons.load import data_text

_NOMINAL = ("nsubj", "obj", "iobj", "obl", "nmod", "appos", "flat", "compound", "vocative", "det")
_NOUNS = frozenset({"NOUN", "PROPN", "PRON"})
_ROLES = {"nsubj": "subject", "obj": "object", "iobj": "object", "nmod:poss": "owner"}
_SHARED = ("conj", "xcomp", "advcl")
_BINDING = frozenset({"same", "ccomp", "inside"})
_RECENT = 3
"""Mentions of a person that are looked at, the last ones."""
_QUOTED = 600
"""Characters before a mention in which a quotation may have begun."""


def place_of(doc: Document, mention: Mention) -> Place | None:
    """The place of a mention in the parse."""
    if mention.start not in doc.places:
        doc.places[mention.start] = _place(doc, mention)
    return doc.places[mention.start]


def _place(doc: Document, mention: Mention) -> Place | None:
    token = doc.token(mention.start if mention.kind == "name" else mention.end - 1)
    if token is None:
        return None
    while not token.is_root and mention.start <= doc.parsed.head(token).start < mention.end:
        token = doc.parsed.head(token)
    while token.is_relation("compound", "flat"):  # "*Grandma* Hu"
        token = doc.parsed.head(token)
    top = token
    while _is_listed(doc, top):
        top = doc.parsed.head(top)
    role = _ROLES.get(top.deprel) or _ROLES.get(top.deprel.partition(":")[0], "other")
    before = doc.text[
        max(doc.field_span(mention.start)[0], mention.start - _QUOTED) : mention.start
    ]
    quoted = before.count("\u201c") > before.count("\u201d") or before.count('"') % 2 == 1
    return Place(token, role, _clause(doc, top), quoted)


def _clause(doc: Document, token: Token) -> Token:
    """The predicate of the clause of a noun or pronoun."""
    while not token.is_root and (token.is_relation(*_NOMINAL) or _is_listed(doc, token)):
        token = doc.parsed.head(token)
    return token


def _is_listed(doc: Document, token: Token) -> bool:
    """Whether a noun is coordinated with one before it: "Ann and *Tom*"."""
    return token.deprel == "conj" and {token.upos, doc.parsed.head(token).upos} <= _NOUNS


def relation(doc: Document, pronoun: Place, mention: Place) -> tuple[str, str]:
    """How the clause of a pronoun lies to that of a mention before it, and the mention's role."""
    if pronoun.head.sentence != mention.head.sentence:
        return f"sentence-{min(3, pronoun.head.sentence - mention.head.sentence)}", mention.role
    below, token = pronoun.head, doc.parsed.head(pronoun.head)
    while not below.is_root:
        if token is mention.head and below.is_relation("acl"):
            return _described(doc, below)  # "the cyclist, who broke *his* leg"
        if token is mention.head:
            return "inside", mention.role  # "the boy with *his* dog"
        if mention.role == "owner" and token is doc.parsed.head(mention.head):
            return "owned", mention.role  # "Lund's monologue, which *he* delivers"
        below, token = token, doc.parsed.head(token)
    link, clause = "same", pronoun.clause
    while clause is not mention.clause:
        if clause.is_root:
            is_above = _is_above(doc, pronoun.clause, mention.clause)
            return "after" if is_above else "beside", mention.role
        above = doc.parsed.head(clause)
        shared = clause.is_relation(*_SHARED) and not doc.parsed.children(clause, "nsubj")
        asked = doc.parsed.children(above, "obj", "iobj") if clause.deprel == "xcomp" else ()
        if shared and link == "same" and mention.head in asked:
            return "same", "subject"  # "Ann asked Tom to bring *his* bike"
        if not shared or asked:
            link = clause.deprel if link == "same" else "far"
        clause = _clause(doc, above)
    return link, mention.role


def _described(doc: Document, clause: Token) -> tuple[str, str]:
    """The role of a noun in the clause that describes it: "the man *who saw* him"."""
    subjects = doc.parsed.children(clause, "nsubj")
    acts = not subjects or subjects[0].text.lower() in {"who", "that", "which"}
    return ("same", "subject") if acts else ("relative", "other")


def _is_above(doc: Document, clause: Token, below: Token) -> bool:
    while not below.is_root and below is not clause:
        below = doc.parsed.head(below)
    return below is clause


def features(
    doc: Document, pronoun: Mention, history: Sequence[Mention], rank: int, *, same_gender: bool
) -> set[str]:
    """What holds of a pronoun and a person, whose mentions before it are the ``history``."""
    here, last = place_of(doc, pronoun), history[-1]
    theirs = [place for m in history[-_RECENT:] if (place := place_of(doc, m)) is not None]
    if here is None or not theirs:
        return set()
    role = case_in_clause(doc, pronoun)
    gaps = [here.head.sentence - place.head.sentence for place in theirs]
    kind, known = _kind(doc, last), "same" if same_gender else "open"
    links = _links(doc, here, theirs)
    bound = _bound(links)
    found = {
        f"kind {kind} {known}",
        f"kind {kind} {role} {bound} {min(2, gaps[-1])}",
        f"bound {bound} {role} {known}",
        f"rank {min(rank, 3)} {role}",
        f"count {min(len(history), 4)}",
        f"words {min(here.head.index - theirs[-1].head.index, 127).bit_length()}",
    }
    for link, acts in links:
        found |= {f"{link} {acts} {role}", f"{link} {acts}", f"{link} {role}"}
    if pronoun.start - last.end <= 1:
        found.add(f"next {role}")
    subjects = [gap for place, gap in zip(theirs, gaps, strict=True) if place.role == "subject"]
    found.add(f"subject {min(3, *subjects, 9)} {role}")
    if here.quoted or theirs[-1].quoted:
        found.add(f"quote {here.quoted:d}{theirs[-1].quoted:d} {theirs[-1].role}")
    return found


def is_bound(doc: Document, pronoun: Mention, history: Sequence[Mention]) -> bool:
    """Whether a person is the subject that binds a pronoun: "The cyclist hurt *his* arm"."""
    here = place_of(doc, pronoun)
    theirs = [place for m in history[-_RECENT:] if (place := place_of(doc, m)) is not None]
    return here is not None and bool(theirs) and _bound(_links(doc, here, theirs)) != "free"


def case_in_clause(doc: Document, pronoun: Mention) -> str:
    """Whether a pronoun is reflexive, or the subject, object or owner of something."""
    place = place_of(doc, pronoun)
    if place is None:
        return "other"
    return "reflexive" if pronoun.case == "reflexive" else place.role


def _links(doc: Document, here: Place, theirs: Sequence[Place]) -> list[tuple[str, str]]:
    """The relations to the last place of a person, and to others in the same sentence."""
    sentence = here.head.sentence
    near = [place for place in theirs[:-1] if place.head.sentence == sentence]
    return [relation(doc, here, place) for place in (*near, theirs[-1])]


def _bound(links: Sequence[tuple[str, str]]) -> str:
    return next((link for link, role in links if link in _BINDING and role == "subject"), "free")


def _kind(doc: Document, mention: Mention) -> str:
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
