"""Rules of the gender axis, and of any axis of the user's with pronouns or plain words."""

from __future__ import annotations

from random import Random

from augkit.augmenters.panda.agreement import verb_changes
from augkit.augmenters.panda.coreference.chains import of_person, person_at, same_person
from augkit.augmenters.panda.disambiguation.body_words import reject_body_words
from augkit.augmenters.panda.disambiguation.nonperson_pronouns import figure_of, reject_nonperson
from augkit.augmenters.panda.disambiguation.person_sense import is_in_name, reject_reference
from augkit.augmenters.panda.disambiguation.titles import is_in_title
from augkit.augmenters.panda.document import Document
from augkit.augmenters.panda.edits import cased
from augkit.augmenters.panda.grammar.parenting_verbs import parenting_changes
from augkit.augmenters.panda.grammar.pronoun_case import in_case
from augkit.augmenters.panda.grammar.word_classes import names_person
from augkit.augmenters.panda.names import Renaming
from augkit.core.analysis import Token
from augkit.core.types import Rejection
from augkit.language.coreference.mentions import INDEFINITE
from augkit.language.coreference.resolve import Person
from augkit.lexicons.demographics.axes import read_axis
from augkit.lexicons.demographics.cues import PERSONS
from augkit.lexicons.demographics.find_references import Hit, finder_for
from augkit.lexicons.demographics.first_names import look_up, name_lists
from augkit.lexicons.demographics.term_senses import MIXED, Reading
from augkit.text.articles import Replacement

_GENDERED = ("man", "woman")


def change_gender(
    doc: Document, span: tuple[int, int], target: str, rng: Random
) -> tuple[str, list[Replacement]] | Rejection:
    """The attribute that the chosen person had, and the changes that make it ``target``."""
    word = doc.text[slice(*span)]
    hit = doc.hit_at(*span)
    if word.lower() in PERSONS.first_and_second:
        return doc.reject("no reference", f"'{word}': the first and second person carry no gender")
    if hit is None and word.islower() and look_up(word) is not None and not doc.text.islower():
        return doc.reject("no reference", f"'{word}' is no name without a capital")
    if hit is None or hit.is_weak:
        return _by_chain(doc, span, hit, (target, rng))
    if (reason := reject_reference(doc, hit)) is not None:
        return reason
    if hit.attribute == target:
        return doc.reject("already the target", f"'{word}' is {target} already")
    if hit.attribute == MIXED and hit.pos == "collective" and target in _GENDERED:
        return _of_two(doc, span, (target, rng))
    if hit.attribute == MIXED:
        hits = [h for h in doc.hits if h.attribute == MIXED and not h.blocked]
        hits = [h for h in hits if h.pos == hit.pos]
        return _changed(doc, hits, (hit.attribute, target), rng)
    if (reason := reject_nonperson(doc, hit)) is not None:
        return reason
    hits = _with_they(doc, hit, same_person(doc, hit, hit.attribute))
    if (reason := reject_body_words(doc, hits, target)) is not None:
        return reason
    return _changed(doc, hits, (hit.attribute, target), rng)


def _of_two(
    doc: Document, span: tuple[int, int], target_and_rng: tuple[str, Random]
) -> tuple[str, list[Replacement]] | Rejection:
    """One of a couple: "my mom and *dad*", with the pronouns that can be nobody else's."""
    word = doc.text[slice(*span)]
    target, rng = target_and_rng
    single = [h for h in finder_for(doc.axis).find(word) if h.end == len(word)]
    if not single or single[0].number == "plural":
        return doc.reject("no word for the target", f"there is no word for '{word}' as {target}")
    source = single[0].attribute
    if source == target:
        return doc.reject("already the target", f"'{word}' is {target} already")
    same = [h for h in doc.hits if h.attribute == source]
    alone = all(h.pos == "pronoun" for h in same)
    one = single[0]._replace(start=span[0], end=span[1])
    return _changed(doc, [one, *(same if alone else [])], (source, target), rng)


def _by_chain(
    doc: Document, span: tuple[int, int], hit: Hit | None, target_and_rng: tuple[str, Random]
) -> tuple[str, list[Replacement]] | Rejection:
    """A noun that says no gender: its pronouns may, or it is itself what is to be made precise."""
    word = doc.text[slice(*span)]
    target, rng = target_and_rng
    person = person_at(doc, span[0])
    result = _by_other_mentions(doc, span, person, target_and_rng) if person is not None else None
    if result is not None:
        return result
    if hit is None:
        return doc.reject("no reference", f"'{word}' says nothing about {doc.axis}")
    if hit.attribute == target:
        return doc.reject("already the target", f"'{word}' is {target} already")
    if (reason := reject_reference(doc, hit)) is not None:
        return reason
    if hit.pos == "pronoun" and _is_plural(doc, hit, person):
        return doc.reject("no reference", f"'{word}' stands for several people or for things")
    hits = _with_they(doc, hit, _open_hits(doc, hit, person))
    return _changed(doc, hits, (hit.attribute, target), rng)


def _by_other_mentions(
    doc: Document, span: tuple[int, int], person: Person, target_and_rng: tuple[str, Random]
) -> tuple[str, list[Replacement]] | Rejection | None:
    """The changes where other words of the person, pronouns mostly, say the gender."""
    word, token = doc.text[slice(*span)], doc.token(span[0])
    target, rng = target_and_rng
    if (figure := figure_of(doc, span[0])) is not None:
        return doc.reject("not a person", f"'{word}' refers to {figure}, a fictional figure")
    if (fixed := _fixed_mention(doc, person)) is not None:
        return doc.reject("fixed phrase", f"'{word}' belongs to '{fixed}', which is left alone")
    if token is None or token.upos in {"ADJ", "VERB", "ADV"}:
        return None
    for source in _GENDERED:
        hits = of_person(doc, person, source, span[0])
        if hits and source == target:
            return doc.reject("already the target", f"'{word}' is {target} already")
        if hits and all(h.pos == "name" for h in hits):
            doubts = [reject_reference(doc, h) for h in hits]
            if doubts[0] is not None and None not in doubts:
                return doubts[0]  # "hummed 'Eleanor *Rigby*'"
        reasons = [_left_alone(doc, h, target) for h in hits]
        if (reason := next(filter(None, reasons), None)) is not None:
            return reason
        if hits:
            return _changed(doc, hits, (source, target), rng)
    return None


def _fixed_mention(doc: Document, person: Person) -> str | None:
    """The name of a person that is part of a fixed phrase: "an *Arnold* Palmer"."""
    names = [m for m in person.mentions if m.kind == "name"]
    stops = [h for h in doc.hits if h.blocked and h.pos == "name"]
    for stop in stops:
        if any(m.start <= stop.end + 1 and stop.start <= m.end for m in names):
            return doc.text_of(stop)
    return None


def _left_alone(doc: Document, hit: Hit, target: str) -> Rejection | None:
    """The reason for leaving alone a reference that was found by its person."""
    if hit.pos == "noun" and (is_in_name(doc, hit) or is_in_title(doc, hit)):
        return doc.reject("not a person", "it is part of the name of a place or thing")
    return reject_body_words(doc, [hit], target)


def _open_hits(doc: Document, hit: Hit, person: Person | None) -> list[Hit]:
    """The weak references of a person: "Someone left *their* scarf; *they* were in a hurry"."""
    same = [h for h in doc.hits if h.attribute == hit.attribute and not h.blocked]
    if hit.number == "plural":
        return [h for h in same if h.form == hit.form]
    if person is None:
        return [h for h in same if h.pos == hit.pos == "pronoun"] or [hit]
    starts = {m.start for m in person.mentions}
    return [h for h in same if h.start in starts] or [hit]


def _with_they(doc: Document, hit: Hit, hits: list[Hit]) -> list[Hit]:
    """And the "they" of a name or title that fits anybody: "*Alex* says *they* are fine"."""
    neutral = doc.text_of(hit) in name_lists().neutral
    if not (neutral or hit.attribute not in _GENDERED) or hit.pos not in {"name", "title"}:
        return hits
    weak = [h for h in doc.hits if h.is_weak and not h.blocked and h not in hits]
    weak = [h for h in weak if h.pos == "pronoun"]
    person = person_at(doc, hit.start) or person_at(doc, hit.end + 1) if weak else None
    if person is None or any(m.plural and m.kind != "pronoun" for m in person.mentions):
        return hits
    rivals = [m for p in doc.people.persons if p is not person for m in p.mentions]
    several = any(m.kind == "name" or (m.plural and m.kind != "pronoun") for m in rivals)
    starts = {m.start for m in person.mentions}
    return hits + [h for h in weak if h.start in starts or (h.start > hit.end and not several)]


def _is_plural(doc: Document, hit: Hit, person: Person | None) -> bool:
    """Whether "they" is several: by its nouns, or by what stands before it."""
    nouns = [m for m in person.mentions if m.kind != "pronoun"] if person is not None else []
    if nouns:
        return any(m.plural for m in nouns)
    before = [t for t in doc.parsed.tokens if t.start < hit.start]
    if any(_is_several(doc, t) for t in before):
        return True
    single = any(t.upos == "PROPN" or names_person(t) or _is_anyone(t) for t in before)
    return not single or any(_joins_nouns(doc, t) for t in before)


def _is_several(doc: Document, token: Token) -> bool:
    """Whether a word is a noun in the plural; in "if anyone *calls*" it is a verb."""
    plural = token.morph.get("Number") == "Plur" and token.upos in {"NOUN", "PROPN"}
    return plural and not (token.index and _is_anyone(doc.parsed.tokens[token.index - 1]))


def _joins_nouns(doc: Document, token: Token) -> bool:
    """Whether a word is the "and" between two nouns or names."""
    return token.lemma == "and" and doc.parsed.head(token).upos in {"NOUN", "PROPN", "PRON"}


def _is_anyone(token: Token) -> bool:
    return token.text.lower() in INDEFINITE


def _changed(
    doc: Document, hits: list[Hit], attributes: tuple[str, str], rng: Random
) -> tuple[str, list[Replacement]] | Rejection:
    source, target = attributes
    renaming = Renaming(doc.text, rng)
    changes: list[Replacement] = []
    for hit in hits:
        if hit.pos == "name":
            changes += _renamed(doc, hit, target, renaming)
            continue
        reading = _reading(doc, hit)
        after = reading.written.get(target)
        if after is None:
            after = _instead(reading, target)
        if after is None:
            word = doc.text_of(hit)
            return doc.reject(
                "no word for the target", f"there is no word for '{word}' as {target}"
            )
        before = doc.text_of(hit)
        changes.append(Replacement(hit.start, hit.end, cased(after, before, doc.text)))
        if reading.case == "subject" and target in reading.verb_changes:
            changes += _verbs(doc, hit, to_plural=_takes_plural(doc, target))
    return source, [*changes, *parenting_changes(doc, hits, target)]


def _takes_plural(doc: Document, target: str) -> bool:
    return read_axis(doc.axis).pronouns[target].plural_verb


def _verbs(doc: Document, hit: Hit, *, to_plural: bool) -> list[Replacement]:
    token = doc.token(hit.start)
    if token is None:
        return []
    return verb_changes(doc.parsed, token, hit.end, to_plural=to_plural)


def _instead(reading: Reading, target: str) -> str | None:
    """Titles without a form of their own for all genders become *Mx*."""
    return "Mx" if reading.pos == "title" and target == "non-binary" else None


def _renamed(doc: Document, hit: Hit, target: str, renaming: Renaming) -> list[Replacement]:
    if "surname" in hit.needs and not renaming.is_called(doc, hit):
        return []
    before = doc.text_of(hit)
    return [Replacement(hit.start, hit.end, renaming.of_gender(before, target))]


def _reading(doc: Document, hit: Hit) -> Reading:
    """The reading that fits the place: a pronoun's case, a title before a name, adjective, noun."""
    kinds = {reading.pos for reading in hit.readings}
    if kinds == {"pronoun"}:
        return in_case(doc, hit)
    if len(hit.readings) == 1:
        return hit.readings[0]
    kind = _kind(doc, hit, kinds)
    return next((r for r in hit.readings if r.pos == kind), hit.readings[0])


def _is_before_small_name(doc: Document, hit: Hit) -> bool:
    """As in "sir anthony", in a text without capitals."""
    return doc.text.islower() and look_up(doc.word_after(hit.end)) is not None


def _kind(doc: Document, hit: Hit, kinds: set[str]) -> str:
    after = doc.text[hit.end : hit.end + 3]
    named = after.lstrip(". ")[:1].isupper() and after[:1] in {" ", "."}
    if "title" in kinds and (named or _is_before_small_name(doc, hit)):
        return "title"
    if "address" in kinds:
        return "address"
    if "adj" in kinds and "noun" in kinds:
        token = doc.token(hit.end - 1)
        modifier = token is not None and token.is_relation("amod", "compound")
        return "adj" if modifier or (token is not None and token.upos == "ADJ") else "noun"
    return "noun"
