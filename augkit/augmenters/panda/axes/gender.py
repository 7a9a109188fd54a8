"""Rules of the gender axis, and of any axis of the user's with pronouns or plain words."""

from __future__ import annotations

from random import Random

from augkit.augmenters.panda.axes.bodies import bodily
from augkit.augmenters.panda.axes.figures import figure_of
from augkit.augmenters.panda.axes.nonpersons import is_no_person
from augkit.augmenters.panda.axes.parenting import parenting_changes
from augkit.augmenters.panda.axes.renaming import Renaming
from augkit.augmenters.panda.grammar.agreement import verb_changes
from augkit.augmenters.panda.grammar.pronouns import in_case
from augkit.augmenters.panda.jobs import Refused
from augkit.augmenters.panda.scene import Scene
from augkit.augmenters.panda.senses.doubts import doubt, is_in_name
from augkit.augmenters.panda.senses.works import is_in_title
from augkit.augmenters.panda.who.chains import of_person, person_at, same_person
from augkit.augmenters.panda.words.person_words import names_person
from augkit.augmenters.panda.writing import Change, cased
from augkit.core.analysis import Token
from augkit.language.coreference.mentions import INDEFINITE
from augkit.language.coreference.resolve import Person
from augkit.lexicons.demographics.axes import read_axis
from augkit.lexicons.demographics.find_references import Hit, finder_for
from augkit.lexicons.demographics.first_names import look_up, name_lists
from augkit.lexicons.demographics.term_senses import MIXED, Reading

_FIRST_AND_SECOND = frozenset(
    "i me my mine myself we us our ours ourselves you your yours yourself yourselves".split()
)
_GENDERED = ("man", "woman")


def change_gender(
    scene: Scene, span: tuple[int, int], target: str, generator: Random
) -> tuple[str, list[Change]] | Refused:
    """The attribute that the chosen person had, and the changes that make it ``target``."""
    word = scene.text[slice(*span)]
    hit = scene.hit_at(*span)
    if word.lower() in _FIRST_AND_SECOND:
        return Refused("no reference", f"'{word}': the first and second person carry no gender")
    if hit is None and word.islower() and look_up(word) is not None and not scene.text.islower():
        return Refused("no reference", f"'{word}' is no name without a capital")
    if hit is None or hit.is_weak:
        return _by_chain(scene, span, hit, (target, generator))
    if (reason := doubt(scene, hit)) is not None:
        return reason
    if hit.attribute == target:
        return Refused("already the target", f"'{word}' is {target} already")
    if hit.attribute == MIXED and hit.readings[0].pos == "collective" and target in _GENDERED:
        return _of_two(scene, span, (target, generator))
    if hit.attribute == MIXED:
        hits = [h for h in scene.hits if h.attribute == MIXED and not h.blocked]
        hits = [h for h in hits if h.readings[0].pos == hit.readings[0].pos]
        return _changed(scene, hits, (hit.attribute, target), generator)
    if (reason := is_no_person(scene, hit)) is not None:
        return reason
    hits = _with_they(scene, hit, same_person(scene, hit, hit.attribute))
    if (reason := bodily(scene, hits, target)) is not None:
        return reason
    return _changed(scene, hits, (hit.attribute, target), generator)


def _of_two(
    scene: Scene, span: tuple[int, int], wanted: tuple[str, Random]
) -> tuple[str, list[Change]] | Refused:
    """One of a couple: "my mom and *dad*", with the pronouns that can be nobody else's."""
    word = scene.text[slice(*span)]
    target, generator = wanted
    single = [h for h in finder_for(scene.axis).find(word) if h.end == len(word)]
    if not single or single[0].readings[0].number == "plural":
        return Refused("no word for the target", f"there is no word for '{word}' as {target}")
    source = single[0].attribute
    if source == target:
        return Refused("already the target", f"'{word}' is {target} already")
    same = [h for h in scene.hits if h.attribute == source]
    alone = all(h.readings[0].pos == "pronoun" for h in same)
    one = single[0]._replace(start=span[0], end=span[1])
    return _changed(scene, [one, *(same if alone else [])], (source, target), generator)


def _by_chain(
    scene: Scene, span: tuple[int, int], hit: Hit | None, wanted: tuple[str, Random]
) -> tuple[str, list[Change]] | Refused:
    """A noun that says no gender: its pronouns may, or it is itself what is to be made precise."""
    word = scene.text[slice(*span)]
    target, generator = wanted
    person = person_at(scene, span[0])
    told = _told_by_others(scene, span, person, wanted) if person is not None else None
    if told is not None:
        return told
    if hit is None:
        return Refused("no reference", f"'{word}' says nothing about {scene.axis}")
    if hit.attribute == target:
        return Refused("already the target", f"'{word}' is {target} already")
    if (reason := doubt(scene, hit)) is not None:
        return reason
    if hit.readings[0].pos == "pronoun" and _is_plural(scene, hit, person):
        return Refused("no reference", f"'{word}' stands for several people or for things")
    hits = _with_they(scene, hit, _open_hits(scene, hit, person))
    return _changed(scene, hits, (hit.attribute, target), generator)


def _told_by_others(
    scene: Scene, span: tuple[int, int], person: Person, wanted: tuple[str, Random]
) -> tuple[str, list[Change]] | Refused | None:
    """The changes where other words of the person, pronouns mostly, say the gender."""
    word, token = scene.text[slice(*span)], scene.token(span[0])
    target, generator = wanted
    if (figure := figure_of(scene, span[0])) is not None:
        return Refused("not a person", f"'{word}' is said of {figure}, who stays as told")
    if (fixed := _fixed_mention(scene, person)) is not None:
        return Refused("fixed phrase", f"'{word}' belongs to '{fixed}', which is left alone")
    if token is None or token.upos in {"ADJ", "VERB", "ADV"}:
        return None
    for source in _GENDERED:
        hits = of_person(scene, person, source, span[0])
        if hits and source == target:
            return Refused("already the target", f"'{word}' is {target} already")
        if hits and all(h.readings[0].pos == "name" for h in hits):
            doubts = [doubt(scene, h) for h in hits]
            if doubts[0] is not None and None not in doubts:
                return doubts[0]  # "hummed 'Eleanor *Rigby*'"
        reasons = [_left_alone(scene, h, target) for h in hits]
        if (reason := next(filter(None, reasons), None)) is not None:
            return reason
        if hits:
            return _changed(scene, hits, (source, target), generator)
    return None


def _fixed_mention(scene: Scene, person: Person) -> str | None:
    """The name of a person that is part of a fixed phrase: "an *Arnold* Palmer"."""
    names = [m for m in person.mentions if m.kind == "name"]
    stops = [h for h in scene.hits if h.blocked and h.readings[0].pos == "name"]
    for stop in stops:
        if any(m.start <= stop.end + 1 and stop.start <= m.end for m in names):
            return scene.text[stop.start : stop.end]
    return None


def _left_alone(scene: Scene, hit: Hit, target: str) -> Refused | None:
    """The reason for leaving alone a reference that was found by its person."""
    if hit.readings[0].pos == "noun" and (is_in_name(scene, hit) or is_in_title(scene, hit)):
        return Refused("not a person", "it is part of the name of a place or thing")
    return bodily(scene, [hit], target)


def _open_hits(scene: Scene, hit: Hit, person: Person | None) -> list[Hit]:
    """The weak references of a person: "Someone left *their* scarf; *they* were in a hurry"."""
    same = [h for h in scene.hits if h.attribute == hit.attribute and not h.blocked]
    if hit.readings[0].number == "plural":
        return [h for h in same if h.readings[0].form == hit.readings[0].form]
    if person is None:
        return [h for h in same if h.readings[0].pos == hit.readings[0].pos == "pronoun"] or [hit]
    starts = {m.start for m in person.mentions}
    return [h for h in same if h.start in starts] or [hit]


def _with_they(scene: Scene, hit: Hit, hits: list[Hit]) -> list[Hit]:
    """And the "they" of a name or title that fits anybody: "*Alex* says *they* are fine"."""
    neutral = scene.text[hit.start : hit.end] in name_lists().neutral
    if not (neutral or hit.attribute not in _GENDERED) or hit.readings[0].pos not in {
        "name",
        "title",
    }:
        return hits
    weak = [h for h in scene.hits if h.is_weak and not h.blocked and h not in hits]
    weak = [h for h in weak if h.readings[0].pos == "pronoun"]
    person = person_at(scene, hit.start) or person_at(scene, hit.end + 1) if weak else None
    if person is None or any(m.plural and m.kind != "pronoun" for m in person.mentions):
        return hits
    rivals = [m for p in scene.people.persons if p is not person for m in p.mentions]
    several = any(m.kind == "name" or (m.plural and m.kind != "pronoun") for m in rivals)
    starts = {m.start for m in person.mentions}
    return hits + [h for h in weak if h.start in starts or (h.start > hit.end and not several)]


def _is_plural(scene: Scene, hit: Hit, person: Person | None) -> bool:
    """Whether "they" is several: by its nouns, or by what stands before it."""
    nouns = [m for m in person.mentions if m.kind != "pronoun"] if person is not None else []
    if nouns:
        return any(m.plural for m in nouns)
    before = [t for t in scene.parsed.tokens if t.start < hit.start]
    if any(_is_several(scene, t) for t in before):
        return True
    single = any(t.upos == "PROPN" or names_person(t) or _is_anyone(t) for t in before)
    return not single or any(_joins_nouns(scene, t) for t in before)


def _is_several(scene: Scene, token: Token) -> bool:
    """Whether a word is a noun in the plural; in "if anyone *calls*" it is a verb."""
    plural = token.morph.get("Number") == "Plur" and token.upos in {"NOUN", "PROPN"}
    return plural and not (token.index and _is_anyone(scene.parsed.tokens[token.index - 1]))


def _joins_nouns(scene: Scene, token: Token) -> bool:
    """Whether a word is the "and" between two nouns or names."""
    return token.lemma == "and" and scene.parsed.head(token).upos in {"NOUN", "PROPN", "PRON"}


def _is_anyone(token: Token) -> bool:
    return token.text.lower() in INDEFINITE


def _changed(
    scene: Scene, hits: list[Hit], way: tuple[str, str], generator: Random
) -> tuple[str, list[Change]] | Refused:
    source, target = way
    renaming = Renaming(scene.text, generator)
    changes: list[Change] = []
    for hit in hits:
        if hit.readings[0].pos == "name":
            changes += _renamed(scene, hit, target, renaming)
            continue
        reading = _reading(scene, hit)
        after = reading.written.get(target)
        if after is None:
            after = _instead(reading, target)
        if after is None:
            word = scene.text[hit.start : hit.end]
            return Refused("no word for the target", f"there is no word for '{word}' as {target}")
        before = scene.text[hit.start : hit.end]
        changes.append(Change(hit.start, hit.end, cased(after, before, scene.text)))
        if reading.case == "subject" and target in reading.verb_changes:
            changes += _verbs(scene, hit, to_plural=_takes_plural(scene, target))
    return source, [*changes, *parenting_changes(scene, hits, target)]


def _takes_plural(scene: Scene, target: str) -> bool:
    return read_axis(scene.axis).pronouns[target].plural_verb


def _verbs(scene: Scene, hit: Hit, *, to_plural: bool) -> list[Change]:
    token = scene.token(hit.start)
    if token is None:
        return []
    return verb_changes(scene.parsed, token, hit.end, to_plural=to_plural)


def _instead(reading: Reading, target: str) -> str | None:
    """Titles without a form of their own for all genders become *Mx*."""
    return "Mx" if reading.pos == "title" and target == "non-binary" else None


def _renamed(scene: Scene, hit: Hit, target: str, renaming: Renaming) -> list[Change]:
    if "surname" in hit.needs and not renaming.is_called(scene, hit):
        return []
    before = scene.text[hit.start : hit.end]
    return [Change(hit.start, hit.end, renaming.of_gender(before, target))]


def _reading(scene: Scene, hit: Hit) -> Reading:
    """The reading that fits the place: a pronoun's case, a title before a name, adjective, noun."""
    kinds = {reading.pos for reading in hit.readings}
    if kinds == {"pronoun"}:
        return in_case(scene, hit)
    if len(hit.readings) == 1:
        return hit.readings[0]
    kind = _kind(scene, hit, kinds)
    return next((r for r in hit.readings if r.pos == kind), hit.readings[0])


def _is_before_small_name(scene: Scene, hit: Hit) -> bool:
    """As in "sir anthony", in a text without capitals."""
    return scene.text.islower() and look_up(scene.word_after(hit.end)) is not None


def _kind(scene: Scene, hit: Hit, kinds: set[str]) -> str:
    after = scene.text[hit.end : hit.end + 3]
    named = after.lstrip(". ")[:1].isupper() and after[:1] in {" ", "."}
    if "title" in kinds and (named or _is_before_small_name(scene, hit)):
        return "title"
    if "address" in kinds:
        return "address"
    if "adj" in kinds and "noun" in kinds:
        token = scene.token(hit.end - 1)
        modifier = token is not None and token.is_relation("amod", "compound")
        return "adj" if modifier or (token is not None and token.upos == "ADJ") else "noun"
    return "noun"
