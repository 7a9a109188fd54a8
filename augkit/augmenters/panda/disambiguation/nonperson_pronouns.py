"""Animals, ships and other things called *she* or *he*: they are left alone."""

from __future__ import annotations

import re
from functools import cache

from augkit.augmenters.panda.coreference.chains import person_at
from augkit.augmenters.panda.disambiguation.first_name_senses import is_divine
from augkit.augmenters.panda.disambiguation.titles import is_headline
from augkit.augmenters.panda.document import Document
from augkit.augmenters.panda.grammar.pronoun_case import in_case
from augkit.augmenters.panda.grammar.verb_position import may_be_third_person, verb_beside
from augkit.augmenters.panda.grammar.word_classes import OWNERS, names_person
from augkit.augmenters.panda.race.person_names import person_names
from augkit.core.analysis import Token
from augkit.core.types import Rejection
from augkit.language.clauses import clauses_above, predicate
from augkit.lexicons.demographics.cues import PEOPLE, THINGS, THINGS_RE, has_any
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.first_names import look_up
from augkit.lexicons.demographics.person_words import (
    called_she,
    named_things,
    perhaps_she,
    titles,
)
from augkit.lexicons.load import word_set


def reject_nonperson(doc: Document, hit: Hit) -> Rejection | None:
    """The reason for leaving a pronoun alone that stands for an animal or a thing."""
    word = doc.text_of(hit)
    if hit.pos == "name":
        beside = doc.next_words(hit.end, 6)
        token = None if called_she().isdisjoint(beside) else doc.token(hit.start)
        thing = _described_thing(doc, token) if token is not None else None
        return doc.reject("not a person", f"'{word}' is a {thing}") if thing is not None else None
    if hit.pos != "pronoun":
        return None
    if doc.word_before(hit.start) in {"a", "the", "an"} and hit.case == "subject":
        return doc.reject("not a person", f"'{word}' is a noun here, as said of animals")
    if THINGS_RE.crowns.match(doc.text, hit.start):
        return doc.reject("fixed phrase", f"'{word}' belongs to the name of what is the Crown's")
    if (fixed := _fixed(doc, hit)) is not None:
        return doc.reject("fixed phrase", f"'{word}' stands for '{fixed}', which is left alone")
    if (figure := _divine(doc, hit) or _figure(doc, hit)) is not None:
        return doc.reject("not a person", f"'{word}' stands for {figure}, no person")
    if not may_be_thing(doc, hit) or _speaks(doc, hit):
        return None
    thing = _antecedent(doc, hit)
    if thing is not None and not (_is_persons_name(doc, thing)):
        return doc.reject("not a person", f"'{word}' stands for '{thing}'")
    return None


def _speaks(doc: Document, hit: Hit) -> bool:
    """As in "The city has received reports, *he* said": what speaks is no city."""
    after = doc.next_words(hit.end, 3) if hit.case == "subject" else []
    if after[:1] and after[0] in {"said", "added", "explained", "told", "noted", "recalled"}:
        return True
    return after[:1] == ["says"] and after[1:2] in ([","], ["."], ["that"])


def _is_alone(doc: Document, hit: Hit) -> bool:
    """Whether nobody is named before a pronoun, so that "*Death* came with his scythe"."""
    named = (h for h in doc.hits if h.pos != "pronoun")
    return hit.start > 0 and not any(h.attribute == hit.attribute for h in named)


def _figure(doc: Document, hit: Hit) -> str | None:
    """What is spoken of as a person, where nobody else is: "*Death* came", "*Batman* left"."""
    if not _is_alone(doc, hit):
        return None
    match = THINGS_RE.nonperson_pronouns_personified.match(doc.text)
    return match[1] if match is not None else figure_of(doc, hit.start)


def _fixed(doc: Document, hit: Hit) -> str | None:
    """What is left alone and a pronoun stands for: "*Mother* Nature has her own plans"."""
    stops = [h for h in doc.hits if h.blocked and h.attribute == hit.attribute]
    stops = [h for h in stops if h.pos != "pronoun" and h.start < hit.start]
    person = person_at(doc, hit.start) if stops else None
    for stop in stops:
        for mention in person.mentions if person is not None else ():
            if mention.kind != "group" and mention.start < stop.end and stop.start < mention.end:
                return doc.text_of(stop)
    names = [h for h in stops if THINGS_RE.capitals.match(doc.text, h.start)]
    nameless = person is None or all(m.kind == "pronoun" for m in person.mentions)
    return doc.text[names[-1].start : names[-1].end] if names and nameless else None


def _divine(doc: Document, hit: Hit) -> str | None:
    """The god that a pronoun stands for: "*His* mercy" by its capital, else by who is named."""
    text = doc.text
    named = [m for m in THINGS_RE.names.finditer(text) if is_divine(text, *m.span())]
    if not named:
        return None
    word, before = text[hit.start : hit.end], text[: hit.start].rstrip()
    if word.istitle() and before[-1:].isalpha() and not is_headline(text):
        return named[0].group()
    prior = [m for m in named if m.end() < hit.start]
    if not prior:
        return None
    person = person_at(doc, hit.start)
    nominal = [m for m in person.mentions if m.kind != "pronoun"] if person is not None else []
    if nominal:
        heads = {doc.parsed.tokens[m.head].text.lower() for m in nominal}
        return prior[-1].group() if heads & {m.group().lower() for m in prior} else None
    nearer = [
        mention
        for other in doc.people.persons
        for mention in other.mentions
        if other is not person
        and mention.kind != "group"
        and mention.start < hit.start
        and not mention.plural
        and mention.kind != "pronoun"
    ]
    first = min((m.start for m in person.mentions), default=hit.start) if person else hit.start
    return None if nearer or first < prior[0].start() else prior[-1].group()


def may_be_thing(doc: Document, hit: Hit) -> bool:
    """Whether such a noun, or "the" before a name, stands in the text before the pronoun."""
    words = doc.text[: hit.end + 200].split()
    lower = [word.strip(".,;:!?\"'()\u201c\u201d\u2019").lower() for word in words]
    known = perhaps_she()
    if any(word in known or word.removesuffix("s") in known for word in lower):
        return True
    return any(
        one == "the" and other[:1].isupper() and not other.isupper()
        for one, other in zip(lower, words[1:], strict=False)
    )


def _antecedent(doc: Document, hit: Hit) -> str | None:
    pronoun = doc.token(hit.start)
    if pronoun is not None and pronoun.is_relation("nsubj") and in_case(doc, hit).case == "subject":
        head = doc.parsed.head(pronoun)
        is_verb = verb_beside(doc.parsed, hit.end) is head
        if _is_thing(doc, head) and not is_verb and not doc.parsed.children(head, "case"):
            return head.text
    person = person_at(doc, hit.start)
    mentions = [m for m in person.mentions if m.kind != "group"] if person else []
    nominal = [m for m in mentions if m.kind != "pronoun"]
    owned = doc.next_words(hit.end, 2)
    for mention in nominal:
        token = doc.parsed.tokens[mention.head]
        land = hit.attribute == "man" and _is_land(token)
        land = land or (_is_land(token) and _somebody_between(doc, token, hit))
        if _is_thing(doc, token) and not land and not _is_faceless(token.lemma, owned):
            return token.text
    if nominal:
        return None
    if in_case(doc, hit).case == "determiner" and not PEOPLE.owned.isdisjoint(owned):
        apart = doc.word_before(hit.start) not in THINGS.at_bodies
        shaped = has_any(doc.text[: hit.start].lower().split(), THINGS.shaped)
        if not (apart and shaped and has_any(owned, THINGS.limbs)):
            return None  # "the cat sat on her lap"; but "the doll lost one of her arms"
    starts = {m.start for m in mentions if m.kind == "pronoun"} or {hit.start}
    thing = _likely_thing(doc, min(starts))
    return None if thing is not None and _is_faceless(thing, owned) else thing


def _is_persons_name(doc: Document, word: str) -> bool:
    """As in "*Buck* Barrow ... he": a full name in the text has the word, which is no buck."""
    names = person_names(doc.text)
    return any(n.is_full and n.is_sure and word.lower() in n.words for n in names)


def _is_land(token: Token) -> bool:
    return token.text.lower() in called_she() - named_things()


def _somebody_between(doc: Document, land: Token, hit: Hit) -> bool:
    """As in "Egypt criticised *Minister Lieberman* for her remarks": a person stands nearer."""
    pronoun = doc.token(hit.start)
    return (
        pronoun is not None
        and pronoun.sentence == land.sentence
        and any(
            land.end < mention.start < hit.start and mention.kind in {"name", "noun", "title"}
            for person in doc.people.persons
            for mention in person.mentions
            if not mention.plural and not _is_thing(doc, doc.parsed.tokens[mention.head])
        )
    )


def _is_faceless(thing: str, owned: list[str]) -> bool:
    """As in "the *sun* was in her *eyes*": it has none."""
    return thing.lower() in THINGS.faceless and has_any(owned[:1], THINGS.features)


def _is_thing(doc: Document, token: Token) -> bool:
    """A listed noun, or a name with an article or a kind: "the Aurora", "Storm Eunice".

    Or a name that is said to be one: "Rex is a good *dog*", "Bella, our *cat*".
    """
    known = token.lemma.lower() in called_she() or token.text.lower() in called_she()
    known = known or (token.text.islower() and token.lemma.lower() in word_set("animals"))
    if token.text.istitle() and look_up(token.text) is not None:
        known = known and doc.word_before(token.start) in {"the", "a", "an", "our", "my"}
    if known and token.upos in THINGS.nouns:
        return True
    before = doc.parsed.tokens[token.index - 1] if token.index else token
    if token.upos == "PROPN" and before.text.istitle() and before.text.lower() in called_she():
        return True
    if _is_pet(doc, token, before):
        return True
    if token.text.istitle() and _described_thing(doc, token) is not None:
        return True
    named = token.upos == "PROPN" and token.text.istitle()
    articles = [t.text.lower() for t in doc.parsed.children(token, "det")]
    named = named and not names_person(token) and token.text.lower() not in titles()
    return named and "the" in articles and not doc.parsed.children(token, "flat", "nmod:desc")


def _is_pet(doc: Document, name: Token, before: Token) -> bool:
    """As in "our dog *Max*": the animal that has the name stands before it."""
    if not name.text.istitle() or not before.text.islower() or before is name:
        return False
    if before.lemma.lower() not in word_set("animals"):
        return False
    joined = name.head == before.index or before.head == name.index
    return joined or doc.word_before(before.start) in OWNERS


def _described_thing(doc: Document, name: Token) -> str | None:
    """The animal or thing that a name is said to be."""
    analysis = doc.parsed
    predicates = [*analysis.children(name, "appos")]
    head = analysis.head(name)
    if name.is_relation("nsubj") and analysis.children(head, "cop"):
        predicates += [] if analysis.children(head, "case") else [head]  # "is from England"
    things = (t for t in predicates if t.upos in THINGS.nouns and t.lemma.lower() in called_she())
    # "Katherine was always Kitty", "John, also Van": names, with a capital as any.
    return next((t.text for t in things if not t.text.istitle() or _is_land(t)), None)


def _is_beside(doc: Document, start: int) -> bool:
    """Whether a preposition of place stands before a pronoun."""
    return doc.word_before(start) in {"to", "beside", "behind", "near"}


def _likely_thing(doc: Document, first: int) -> str | None:
    """A thing that is nearer before a pronoun than any person."""
    analysis = doc.parsed
    for token in reversed([t for t in analysis.tokens if t.start < first]):
        if first - token.end < 12 and _is_beside(doc, first):
            continue  # "the dog next to her"
        if token.upos not in {"NOUN", "PROPN"} or _is_apart(doc, token, first):
            continue
        if doc.people.at(token.start) is not None and not _is_thing(doc, token):
            return None
        if _is_land(token) and (hit := doc.hit_by_start.get(first)) and hit.attribute == "man":
            continue
        if _is_thing(doc, token) and token.morph.get("Number") != "Plur":
            head = token.is_relation("nsubj", "root", "conj", "obj", "appos")
            after = analysis.head(token).text.lower()  # "the vixen *drives* off her cubs": a verb
            owns = (pronoun := doc.token(first)) is not None and pronoun.deprel == "nmod:poss"
            head = head or (owns and token.deprel == "compound" and may_be_third_person(after))
            return token.text if head else None
    return None


def _is_apart(doc: Document, thing: Token, start: int) -> bool:
    """As in "the dog followed *her*" and "the car *she* drives": grammar says it is another."""
    pronoun = doc.token(start)
    hit = doc.hit_by_start.get(start)
    if pronoun is None or hit is None:
        return False
    case = in_case(doc, hit).case
    if case in {"object", "possessive"} and thing.is_relation("nsubj"):
        return thing.head in {pronoun.index, predicate(doc.parsed, pronoun).index}
    for clause in clauses_above(doc.parsed, pronoun):
        if clause.deprel == "acl:relcl" and clause.head == thing.index:
            return not pronoun.is_relation("nmod:poss")
    return False


@cache
def _figures() -> re.Pattern[str]:
    names = "|".join(map(re.escape, sorted(PEOPLE.figures, key=len, reverse=True)))
    return re.compile(rf"\b(?:{names})\b", re.IGNORECASE)


def figure_of(doc: Document, start: int) -> str | None:
    """The figure of a tale that is spoken of at a place: "*Batman* lost his cape"."""
    figures = list(_figures().finditer(doc.text))
    if not figures:
        return None
    person = person_at(doc, start)
    spans = [(m.start, m.end) for m in person.mentions] if person is not None else []
    spans = [*spans, (start, start)]
    for match in figures:
        if any(one < match.end() and match.start() <= end for one, end in spans):
            return match[0]
    return None
