"""What a text says of who is who: titles, names and nicknames, appositions, "the sort of man"."""

from __future__ import annotations

import re

from augkit.augmenters.panda.document import Document
from augkit.language.coreference.resolve import Person
from augkit.lexicons.demographics.first_names import may_be_one

_KNOWN_AS = re.compile(
    r"(?:known as|called|nicknamed|a\.?k\.?a\.?|goes by|went by|alias|short for|calls? (?:him|her))"
    r"\s+[\"'\u201c\u2018]?$"
)
_NAMING = re.compile(
    r"\b(?:call|name|nickname|christen|dub|rename|baptise|baptize)(?:s|d|ed|ing)?$", re.IGNORECASE
)
_HIS_NAME = re.compile(
    r" (?:\w+ ){0,2}(?:nick)?name (?:is|was|had been|has been) [\"'\u201c\u2018]?$"
)
_IDENTIFIED = re.compile(
    r",? (?:was |has been |later |now |who (?:was|is) )*(?:identified|named|known|recogni[sz]ed)"
    r"(?: (?:by|on|to) [\w ]{1,30})? as "
)
_NAMED = re.compile(
    r"(?:(?:,? (?:who (?:is|was) |also |formerly )?(?:named|called|nicknamed|known as)"
    r"|,? by the name of|['\u2019]s (?:\w+ )?(?:nick)?name (?:is|was)) [\"'\u201c\u2018]?)"
)
_KINDS = frozenset({"sort", "kind", "type", "breed"})
_TWO = re.compile(r"\b(?:and|or|nor|&)\b")


def is_alias(doc: Document, one: Person, other: Person) -> bool:
    """Whether the text says that two persons are one: by title, name, nickname or apposition."""
    return (
        _is_apposed(doc, one, other)
        or _is_title(doc, one, other)
        or _is_one_name(doc, one, other)
        or _is_nickname(doc, one, other)
        or _is_named_so(doc, one, other)
        or _is_kind_of(doc, one, other)
        or _is_identified(doc, one, other)
    )


def _is_apposed(doc: Document, one: Person, other: Person) -> bool:
    """Whether one name follows another after a comma: "Elizabeth, Liz to her friends,"."""
    analysis = doc.parsed
    for first, second in ((one, other), (other, one)):
        heads = {m.head for m in first.mentions if m.kind == "name"}
        for mention in second.mentions[:1]:
            token = analysis.tokens[mention.head]
            between = doc.text[first.mentions[0].end : mention.start].strip()
            after = doc.text[mention.end : mention.end + 40].lower()
            called = between in {", or", "or"} and after.startswith((" to ", " for short", " as "))
            if mention.kind == "name" and (called or between == "("):
                return True
            plain = mention.kind == "name" and not analysis.children(token, "cc")
            linked = token.is_relation("conj", "appos") and token.head in heads
            listed = " and " in after or " or " in after
            if plain and linked and between == "," and not listed:
                return True
    return False


def _is_title(doc: Document, one: Person, other: Person) -> bool:
    """Whether a mention of one is the title before the name of the other: "Sir Edmund"."""
    ends = {m.end: m for m in (*one.mentions, *other.mentions) if m.kind in {"title", "noun"}}
    for mention in (*one.mentions, *other.mentions):
        if mention.kind != "name" or doc.text[mention.start - 1 : mention.start] != " ":
            continue
        title = ends.get(mention.start - 1)
        if title is not None and doc.text[title.start].isupper():
            return (title in one.mentions) != (mention in one.mentions)
    return False


def _is_one_name(doc: Document, one: Person, other: Person) -> bool:
    """As in "champ Molly" and "Page" of "champ Molly Page", where the parse cut the name in two."""
    names = [[m for m in p.mentions if m.kind == "name"] for p in (one, other)]
    meet = {
        place
        for first, second in (names, names[::-1])
        for place in {m.end for m in first} & {m.start - 1 for m in second}
    }
    return any(doc.text[place] == " " and not _TWO.match(doc.text, place + 1) for place in meet)


def _is_nickname(doc: Document, one: Person, other: Person) -> bool:
    """As in "Robert, known as Bob" and "Robert ... Bob": by what stands between, or the names."""
    names = [[m for m in p.mentions if m.kind == "name"] for p in (one, other)]
    if not all(names):
        return False
    first, second = sorted((some[0] for some in names), key=lambda mention: mention.start)
    if _KNOWN_AS.search(doc.text, first.end, second.start):
        return True
    words = [doc.text[m.start : m.end].split()[0] for m in (first, second)]
    between = doc.text[first.end : second.start]
    return may_be_one(*words) and not (len(between) < 8 and _TWO.search(between))


def _is_named_so(doc: Document, one: Person, other: Person) -> bool:
    """As in "we call *her* *Suzie*", "*her* real name is *Susan*", "a *girl* named *Susan*"."""
    for pronouns, names in ((one, other), (other, one)):
        for said in (m for m in pronouns.mentions if m.kind in {"pronoun", "noun"}):
            for name in (m for m in names.mentions if m.kind == "name" and m.start > said.end):
                between = doc.text[said.end : name.start]
                if said.kind == "noun":
                    if _NAMED.fullmatch(between) and not said.plural:
                        return True
                    continue
                called = between.strip(" \"'\u201c\u2018") == "" and _NAMING.search(
                    doc.text[max(0, said.start - 20) : said.start].rstrip()
                )
                if called or _HIS_NAME.match(between):
                    return True
    return False


def _is_identified(doc: Document, one: Person, other: Person) -> bool:
    """As in "The man, identified by police as Josef Fritzl"."""
    for who, named in ((one, other), (other, one)):
        name = next((m for m in named.mentions if m.kind == "name"), None)
        for said in who.mentions if name is not None else ():
            between = doc.text[said.end : name.start] if name is not None else ""
            if said.kind == "noun" and _IDENTIFIED.fullmatch(between):
                return True
    return False


def _is_kind_of(doc: Document, one: Person, other: Person) -> bool:
    """As in "*He* is the sort of *man* who ..." and "how good an *actress she* is"."""
    analysis = doc.parsed
    for who, what in ((one, other), (other, one)):
        for mention in (m for m in what.mentions if m.kind == "noun"):
            token = analysis.tokens[mention.head]
            for clause in analysis.children(token, "acl:relcl"):
                said = {t.index for t in analysis.children(clause, "nsubj")}
                if clause.upos == "AUX" and any(m.head in said for m in who.mentions):
                    return True
            kind = analysis.head(token)
            if token.is_relation("nmod") and kind.lemma.lower() in _KINDS:
                said = {t.index for t in analysis.children(kind, "nsubj")}
                if any(m.head in said for m in who.mentions):
                    return True
    return False
