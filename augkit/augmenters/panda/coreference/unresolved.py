"""Pronouns that coreference gave to nobody, in a text where they can only be one person's."""

from __future__ import annotations

from augkit.augmenters.panda.document import Document
from augkit.core.analysis import Token
from augkit.lexicons.demographics.find_references import Hit


def unresolved_pronouns(doc: Document, hits: list[Hit], found: list[Hit]) -> list[Hit]:
    """Pronouns that are nobody's, in a text where no other person of the gender is named."""
    named = [h for h in found if h.readings[0].pos != "pronoun"]
    if not named or any(h not in hits for h in named):
        return []
    first = min(named, key=lambda h: h.start)
    left = [h for h in found if h not in hits and _is_nobodys(doc, h, hits)]
    if first.readings[0].pos == "name":
        return [h for h in left if h.start >= first.start or not _has_subject_before(doc, h)]
    return [h for h in left if h.start >= first.start]


def _has_subject_before(doc: Document, pronoun: Hit) -> bool:
    """As in "Rose made *his* first start, replacing Thomas": somebody else is there already."""
    token = doc.token(pronoun.start)
    if token is None:
        return False
    earlier = (t for t in doc.parsed.sentences[token.sentence] if t.index < token.index)
    return any(
        t.is_relation("nsubj") and (t.text.istitle() and t.upos in {"PROPN", "NOUN"})
        for t in earlier
    )


def _is_nobodys(doc: Document, pronoun: Hit, hits: list[Hit]) -> bool:
    """Whether a pronoun is linked to no noun, and is not beside another in a clause."""
    token = doc.token(pronoun.start)
    person = doc.people.at(pronoun.start)
    free = token is not None and token.is_relation("nsubj", "nmod")
    if token is not None and token.text.lower() == "hers":
        free = True  # "my wife gets hers"
    elif token is not None and token.is_relation("obj", "iobj"):
        free = _is_another_doing(doc, token, hits)
    if token is not None and token.deprel == "nmod:poss":
        owned = {t.start for t in doc.parsed.subtree(doc.parsed.head(token))}
        free = not any(h.start in owned for h in hits)
    return free and (person is None or all(m.kind == "pronoun" for m in person.mentions))


def _is_another_doing(doc: Document, token: Token, hits: list[Hit]) -> bool:
    """As in "with a girl behind him, tickling *him*": a participle, and somebody else before it."""
    verb = doc.parsed.head(token)
    if not verb.text.lower().endswith("ing") or doc.parsed.children(verb, "nsubj", "aux"):
        return False
    before = doc.parsed.tokens[verb.index - 1] if verb.index else verb
    if before.upos == "NOUN" and before.start not in {h.start for h in hits}:
        return True  # "a deal protecting her"
    last = max((h.start for h in hits if h.start < verb.start), default=-1)
    mine = {h.start for h in hits}
    nouns = [m for p in doc.people.persons for m in p.mentions if m.kind in {"noun", "name"}]
    first = min((h.start for h in hits), default=0)
    between = [m for m in nouns if first < m.start < verb.start and m.start not in mine]
    return last >= 0 and bool(between)
