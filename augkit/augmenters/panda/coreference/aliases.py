"""What a text says of who is who: titles, names and nicknames, appositions, "the sort of man"."""

from __future__ import annotations

from augkit.augmenters.panda.document import Document
from augkit.language.coreference.resolve import Person
from augkit.lexicons.demographics.cues import PERSONS, PERSONS_RE
from augkit.lexicons.demographics.first_names import may_be_one


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
        end
        for first, second in (names, names[::-1])
        for end in {m.end for m in first} & {m.start - 1 for m in second}
    }
    return any(doc.text[end] == " " and not PERSONS_RE.two.match(doc.text, end + 1) for end in meet)


def _is_nickname(doc: Document, one: Person, other: Person) -> bool:
    """As in "Robert, known as Bob" and "Robert ... Bob": by what stands between, or the names."""
    names = [[m for m in p.mentions if m.kind == "name"] for p in (one, other)]
    if not all(names):
        return False
    first, second = sorted((some[0] for some in names), key=lambda mention: mention.start)
    if PERSONS_RE.known_as.search(doc.text, first.end, second.start):
        return True
    words = [doc.text_of(m).split()[0] for m in (first, second)]
    between = doc.text[first.end : second.start]
    return may_be_one(*words) and not (len(between) < 8 and PERSONS_RE.two.search(between))


def _is_named_so(doc: Document, one: Person, other: Person) -> bool:
    """As in "we call *her* *Suzie*", "*her* real name is *Susan*", "a *girl* named *Susan*"."""
    for pronouns, names in ((one, other), (other, one)):
        for mention in (m for m in pronouns.mentions if m.kind in {"pronoun", "noun"}):
            for name in (m for m in names.mentions if m.kind == "name" and m.start > mention.end):
                between = doc.text[mention.end : name.start]
                if mention.kind == "noun":
                    if PERSONS_RE.named.fullmatch(between) and not mention.plural:
                        return True
                    continue
                called = between.strip(" \"'\u201c\u2018") == "" and PERSONS_RE.naming.search(
                    doc.text[max(0, mention.start - 20) : mention.start].rstrip()
                )
                if called or PERSONS_RE.his_name.match(between):
                    return True
    return False


def _is_identified(doc: Document, one: Person, other: Person) -> bool:
    """As in "The man, identified by police as Josef Fritzl"."""
    for person, named in ((one, other), (other, one)):
        name = next((m for m in named.mentions if m.kind == "name"), None)
        for mention in person.mentions if name is not None else ():
            between = doc.text[mention.end : name.start] if name is not None else ""
            if mention.kind == "noun" and PERSONS_RE.identified.fullmatch(between):
                return True
    return False


def _is_kind_of(doc: Document, one: Person, other: Person) -> bool:
    """As in "*He* is the sort of *man* who ..." and "how good an *actress she* is"."""
    analysis = doc.parsed
    for person, what in ((one, other), (other, one)):
        for mention in (m for m in what.mentions if m.kind == "noun"):
            token = analysis.tokens[mention.head]
            for clause in analysis.children(token, "acl:relcl"):
                subjects = {t.index for t in analysis.children(clause, "nsubj")}
                if clause.upos == "AUX" and any(m.head in subjects for m in person.mentions):
                    return True
            kind = analysis.head(token)
            if token.is_relation("nmod") and kind.lemma.lower() in PERSONS.kinds:
                subjects = {t.index for t in analysis.children(kind, "nsubj")}
                if any(m.head in subjects for m in person.mentions):
                    return True
    return False
