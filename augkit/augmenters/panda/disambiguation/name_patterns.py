"""Frames in which a first name names no person: "Bill 1792", "Wilson's theorem", "Roman law"."""

from __future__ import annotations

from augkit.augmenters.panda.disambiguation.thing_names import is_thing_word, is_with_band
from augkit.augmenters.panda.disambiguation.titles import is_headline
from augkit.augmenters.panda.document import Document
from augkit.augmenters.panda.grammar.word_classes import (
    NEXT_CAPITAL,
    OF_ONE,
    is_of_thing,
    is_person_word,
)
from augkit.language.morphology import can_be, is_singular_noun, known_lemmas, parts_of_speech
from augkit.lexicons.demographics.cues import (
    NAMES,
    NAMES_RE,
    NOUNS,
    PEOPLE,
    NameFrame,
    has_any,
    name_frames,
)
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.first_names import look_up
from augkit.lexicons.demographics.person_words import called_she, titles


def name_pattern(doc: Document, hit: Hit, word: str) -> str | None:
    """What a first name is where its place says that it is no person."""
    if not word[:1].isupper():
        return None
    if word.isupper():
        return "an abbreviation" if _is_abbreviation(doc, hit) else None
    if (listed := _listed(doc, hit)) is not None:
        return listed
    found = next((what for is_so, what in _FRAMES if is_so(doc, hit)), None)
    if found is not None:
        return found
    if doc.text[hit.end : hit.end + 2] in {"'s", "\u2019s"}:
        return _owning(doc, hit)
    return _as_place(doc, hit)


def _as_place(doc: Document, hit: Hit) -> str | None:
    """What a name is that is a place or another thing too."""
    name = look_up(doc.text_of(hit))
    if _is_before_state(doc, hit):
        return "a place"
    if name is None or not (name.is_place or name.is_thing):
        return None
    inside = doc.word_before(hit.start) in NAMES.inside
    if name.is_thing and (inside or not _shows_person(doc, hit)):
        return "a place or another thing"
    return "a place" if _stands_before_noun(doc, hit) else None


def _is_before_state(doc: Document, hit: Hit) -> bool:
    """As in "*Jackson*, Mississippi": a town; a state that is a first name must end the phrase."""
    state = NAMES_RE.before_state.match(doc.text, hit.end)
    if state is None or state[1].lower() not in PEOPLE.states:
        return False
    return state[2] is not None or look_up(state[1]) is None


def _listed(doc: Document, hit: Hit) -> str | None:
    """What a name is by one of the frames of the word lists; nobody with a pronoun or a title."""
    if doc.word_before(hit.start).rstrip(".") in titles():
        return None
    alone = not doc.has_pronoun(hit.attribute)
    return next(
        (f.about for f in name_frames() if (alone or f.names or f.sure) and _is_in(doc, hit, f)),
        None,
    )


def _is_in(doc: Document, hit: Hit, frame: NameFrame) -> bool:
    field = doc.field_at(hit.start)
    shift = doc.starts[field]
    return frame.holds(doc.fields[field], hit.start - shift, hit.end - shift)


def is_tool(doc: Document, hit: Hit) -> bool:
    """As in "wrote it in *Ada*": a name that programmers have for something else."""
    return any(_is_in(doc, hit, frame) for frame in name_frames() if frame.names)


def _is_headed(doc: Document, hit: Hit) -> bool:
    return is_headline(doc.field_text(hit.start))


def _is_abbreviation(doc: Document, hit: Hit) -> bool:
    """As in "the *ELISA* assay": capitals among words that have none, and nobody who speaks."""
    text = doc.text[max(0, hit.start - 20) : hit.start] + doc.text[hit.end : hit.end + 20]
    beside = doc.text[hit.end : hit.end + 2]
    named = beside[:1] == ":" or (beside[:1] == " " and beside[1:].isupper())
    return (
        not (named or doc.has_pronoun(hit.attribute))
        and sum(map(str.islower, text)) > len(text) / 2
    )


def _is_storm(doc: Document, hit: Hit) -> bool:
    """As in "since *Katrina*, ..." and "*Rita* caused damage": what happened, or what storms do."""
    word = doc.text_of(hit).lower()
    if word not in PEOPLE.storms or doc.has_pronoun(hit.attribute):
        return False
    after = doc.word_after(hit.end)
    if doc.word_before(hit.start) in NAMES.before_events:
        return not after.isalpha() or after in PEOPLE.of_storms
    return after in PEOPLE.of_storms


def _is_mentioned(doc: Document, hit: Hit) -> bool:
    """As in "The name *Ariadne* means pure", "*Laurie* is a unisex given name"."""
    if NAMES_RE.the_name.search(doc.text, max(0, hit.start - 40), hit.start):
        return True
    return NAMES_RE.is_a_name.match(doc.text, hit.end) is not None


def _is_of_thing(doc: Document, hit: Hit) -> bool:
    """As in "the *Marshall* amp", "a *James* Bond film": what only a noun for a thing follows.

    Nobody's name is followed by one but where something is given: "gave *Anna* flowers".
    """
    run = NAMES_RE.name.match(doc.text, hit.end)
    after = doc.next_words(run.end() if run is not None else hit.end, 1)
    end = run.end() if run is not None else hit.end
    lower = doc.text[end : end + 1] == " " and doc.text[end + 1 : end + 2].islower()
    bare = run is None or run.end() == hit.end
    if not (lower and after and (is_of_thing(after[0]) or (bare and _is_noun(doc, hit, after)))):
        return False
    if doc.word_before(hit.start).rstrip(".") in titles() or doc.has_pronoun(
        hit.attribute, hit.end
    ):
        return False
    before = doc.words_before(hit.start)[-4:]
    return after[0] not in NAMES.no_things and not has_any(before, NOUNS.giving)


def _is_noun(doc: Document, hit: Hit, after: list[str]) -> bool:
    """As in "a *Fender* bass", "*Oscar* buzz": after one person a base form is no verb.

    Where somebody sees or lets it be done, or another does it too, it may be: "let Anna *drive*".
    """
    word = after[0]
    if parts_of_speech(word) != {"NOUN", "VERB"} or is_person_word(word):
        return False
    if word in NAMES.like_past:
        return False
    if not (is_singular_noun(word) and known_lemmas(word)["VERB"] == (word,)):
        return False
    text = doc.field_text(hit.start)
    before = doc.words_before(hit.start)[-5:]
    others = {"and", "or", "nor", "that", "why", "not", "n't"} & set(before)
    seen = has_any(before, NOUNS.seeing)
    return not (others or seen or text.islower() or doc.has_pronoun(hit.attribute))


def _is_with_firm(doc: Document, hit: Hit) -> bool:
    """As in "Pratt & *Whitney*": beside "&" and what is no first name, and no surname after it."""
    before = NAMES_RE.and_firm.search(doc.text, max(0, hit.start - 30), hit.start)
    after = NAMES_RE.firm_and.match(doc.text, hit.end)
    if before is not None and not NEXT_CAPITAL.match(doc.text, hit.end):
        return look_up(before[1]) is None
    return after is not None and look_up(after[1]) is None


def _owning(doc: Document, hit: Hit) -> str | None:
    """What has a name's "'s": "*Wilson*'s theorem", "*Jane*'s Addiction", "*Georgia*'s coast"."""
    named = NAMES_RE.owns_name.match(doc.text, hit.end)
    if named is not None:
        thing = is_thing_word(named[1].lower().rpartition(" ")[2])
        somebody = _is_headed(doc, hit) or doc.has_pronoun(hit.attribute)
        return "part of a title or a brand" if thing and not somebody else None
    owned = NAMES_RE.owns.match(doc.text, hit.end)
    if owned is None:
        return None
    if owned[1] in PEOPLE.eponyms and owned[2] not in NAMES.of_law:
        return "the namesake of a law or an illness"
    name = look_up(doc.text_of(hit))
    if name is not None and name.is_thing and not _shows_person(doc, hit):
        return "a place"
    is_place = name is not None and name.is_place and not doc.has_pronoun(hit.attribute)
    of_land = not PEOPLE.of_lands.isdisjoint(owned.groups())
    return "a place" if is_place and of_land else None


def _describes(doc: Document, hit: Hit) -> bool:
    """As in "a *Roman* senator", "*Norman* law": an adjective, and nobody's name."""
    if doc.text_of(hit).lower() not in PEOPLE.peoples:
        return False
    after = doc.word_after(hit.end)
    if doc.word_before(hit.start) in OF_ONE:
        return True
    if after in PEOPLE.no_names or after in {"emperor", "empress", "king", "queen"}:
        return True  # "Roman Britain", "the Holy Roman Emperor"
    lower = doc.text[hit.end : hit.end + 2].strip()[:1].islower()
    verb = can_be(after, "VERB") and not is_person_word(after)
    return lower and can_be(after, "NOUN") and not verb


def _shows_person(doc: Document, hit: Hit) -> bool:
    """Whether a title, a surname, a deed or a pronoun shows that somebody has the name."""
    if doc.word_before(hit.start).rstrip(".") in titles() or doc.has_pronoun(hit.attribute):
        return True
    after = doc.word_after(hit.end)
    return after in PEOPLE.deeds or NEXT_CAPITAL.match(doc.text, hit.end) is not None


def _stands_before_noun(doc: Document, hit: Hit) -> bool:
    """As in "a *Virginia* courthouse", or "Hawthorn, *Victoria*, has": a place."""
    if NAMES_RE.before_place.search(doc.text, max(0, hit.start - 20), hit.start):
        return not NEXT_CAPITAL.match(doc.text, hit.end)
    land = NAMES_RE.before_land.match(doc.text, hit.end)
    if land is not None and land[1].lower() in called_she() | PEOPLE.no_names:
        return True  # "Austin, Texas"
    town = NAMES_RE.after_town.search(doc.text, max(0, hit.start - 30), hit.start)
    if (
        town is not None
        and look_up(town[1]) is None
        and NAMES_RE.before_rest.match(doc.text, hit.end)
    ):
        return True
    after = doc.word_after(hit.end)
    if doc.text[hit.end : hit.end + 1] != " " or not after.isalpha():
        return False
    lower = doc.text[hit.end + 1 : hit.end + 2].islower()
    return lower and parts_of_speech(after) == {"NOUN"} and not doc.has_pronoun(hit.attribute)


def _is_numbered(doc: Document, hit: Hit) -> bool:
    """As in "*Bill* 1792", "*Mark* IV"."""
    return NAMES_RE.number.match(doc.text, hit.end) is not None


_FRAMES = (
    (_is_numbered, "numbered"),
    (_is_mentioned, "spoken of as a name"),
    (_is_storm, "a storm"),
    (_is_of_thing, "said of a thing"),
    (is_with_band, "part of a title or a band"),
    (_is_with_firm, "the name of a firm"),
    (_describes, "a people or a party"),
)
