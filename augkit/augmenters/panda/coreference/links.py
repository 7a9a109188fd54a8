"""What ties one reference to another or keeps them apart: a name again, its title, an owner."""

from __future__ import annotations

from augkit.augmenters.panda.document import Document
from augkit.augmenters.panda.grammar.word_classes import NEXT_CAPITAL, is_person_word
from augkit.language.coreference.resolve import Person
from augkit.lexicons.demographics.cues import NOUNS, PERSONS, PERSONS_RE
from augkit.lexicons.demographics.find_references import Hit


def is_again(doc: Document, hit: Hit, other: Hit) -> bool:
    """Whether a name stands there a second time."""
    if other is hit or hit.pos != "name" or "surname" in other.needs:
        return False
    if doc.text_of(other) != doc.text_of(hit):
        return False
    surnames = [NEXT_CAPITAL.match(doc.text, h.end) for h in (hit, other)]
    return not all(surnames) or len({s.group() for s in surnames if s is not None}) == 1


def is_title_of(doc: Document, title: Hit, hits: list[Hit]) -> bool:
    """As in "*Mr.* John" and "*uncle* John": a noun right before a name."""
    if title.pos not in {"title", "noun"}:
        return False
    return any(hit.pos == "name" and doc.text[title.end : hit.start] in {" ", ". "} for hit in hits)


def is_style_of(doc: Document, pronoun: Hit, hits: list[Hit]) -> bool:
    """As in "*Her* Royal Highness the Princess" and "*His* Majesty King Charles"."""
    if pronoun.pos != "pronoun":
        return False
    return any(PERSONS_RE.style.fullmatch(doc.text[pronoun.end : hit.start]) for hit in hits)


def owns(doc: Document, pronoun: Hit, hits: list[Hit]) -> bool:
    """As in "*her* actor lover Susan": she is another than Susan."""
    if pronoun.pos != "pronoun":
        return False
    between = [doc.text[pronoun.end : h.start] for h in hits if h.pos == "name"]
    if doc.text_of(pronoun).lower() not in PERSONS.owning:
        between = [text for text in between if "," not in text]  # "When he was a child, David"
    owned = [
        match[1] for text in between if (match := PERSONS_RE.owned.fullmatch(text)) is not None
    ]
    return any(is_person_word(word) for word in owned)


def is_owned(noun: Hit, hits: list[Hit]) -> bool:
    """As in "she, like *her mother*,": nobody is their own mother."""
    if not is_relational(noun.form):
        return False
    ends = {h.end for h in hits if h.pos == "pronoun"}
    return noun.start - 1 in ends


def is_relational(noun: str) -> bool:
    """Whether a noun says what somebody is to somebody: "brother", "landlady"."""
    return noun.lower() in NOUNS.relational


def is_parallel(doc: Document, hit: Hit, person: Person) -> bool:
    """As in "His brother acts and his sister flies": the second is not the brother's."""
    token = doc.token(hit.start)
    if token is None or token.deprel != "nmod:poss" or hit.pos != "pronoun":
        return False
    analysis = doc.parsed
    owned = analysis.head(token)
    if not is_relational(owned.text) or not owned.is_relation("nsubj"):
        return False
    return any(
        child.text.lower() == token.text.lower() and child.index < token.index
        for m in person.mentions
        if m.kind == "noun"
        for child in analysis.children(analysis.tokens[m.head], "nmod:poss")
    )
