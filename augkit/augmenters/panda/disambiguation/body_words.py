"""Bodies that one gender has: pregnancies, births, prostates.

"She is pregnant" said of a man would state something else than before, so it is refused; said of a
person of no stated gender it would not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from augkit.augmenters.panda.coreference.chains import person_at
from augkit.augmenters.panda.document import Document
from augkit.core.analysis import Token
from augkit.core.types import Rejection
from augkit.language.clauses import is_predicate, predicate, subject
from augkit.lexicons.demographics.cues import BODIES_RE, PEOPLE
from augkit.lexicons.demographics.find_references import Hit

_OPPOSITE = {"woman": "man", "man": "woman"}


def reject_body_words(doc: Document, hits: Sequence[Hit], target: str) -> Rejection | None:
    """The rejection where the text says what only a person of this gender's body does."""
    reasons = (_reject_body_word(doc, hit, target) for hit in hits)
    return next((reason for reason in reasons if reason is not None), None)


def _reject_body_word(doc: Document, hit: Hit, target: str) -> Rejection | None:
    if _OPPOSITE.get(hit.attribute) != target:
        return None
    name = doc.field_at(hit.start)
    for start, end in _body_words(doc.fields[name], hit.attribute):
        offset = doc.starts[name] + start
        if _is_of(doc, hit, offset):
            word = doc.fields[name][start:end]
            return doc.reject(
                "no word for the target", f"'{word}' is said of a {hit.attribute}'s body"
            )
    return None


def _body_words(text: str, gender: str) -> Iterator[tuple[int, int]]:
    """The places of words that tell of a body of the gender."""
    listed = PEOPLE.women_only if gender == "woman" else PEOPLE.men_only
    lower = text.lower()
    if not listed.isdisjoint(BODIES_RE.words.findall(lower)):
        yield from (m.span() for m in BODIES_RE.words.finditer(lower) if m.group() in listed)
    if gender == "woman":
        yield from (match.span() for match in BODIES_RE.phrases.finditer(text))


def _is_of(doc: Document, hit: Hit, offset: int) -> bool:
    """Whether it is said of the chosen person: by the parse, else by the sentence."""
    token, chosen = doc.token(offset), doc.token(hit.start)
    if token is None or chosen is None:
        return False
    owner = _owner(doc, token)
    if owner is None:
        return token.sentence == chosen.sentence
    person = person_at(doc, owner.start)
    if person is None or owner.index == chosen.index:
        return token.sentence == chosen.sentence
    return person is person_at(doc, hit.start)


def _owner(doc: Document, token: Token) -> Token | None:
    """Whose body it is: who owns it, who is described by it, who is the subject of its clause."""
    analysis = doc.parsed
    for _ in range(4):
        owners = analysis.children(token, "nmod:poss")
        if owners:
            return owners[0]
        head = analysis.head(token)
        described = token.is_relation("amod", "acl", "nmod") and not token.is_relation("nmod:poss")
        if described and doc.people.at(head.start) is not None:
            return head
        if token.is_root or is_predicate(analysis, token):
            break
        token = head
    clause = token if is_predicate(analysis, token) else predicate(analysis, token)
    return subject(analysis, clause)
