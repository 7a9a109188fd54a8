"""Frames in which a first name names no person: "Bill 1792", "Wilson's theorem", "Roman law"."""

from __future__ import annotations

import re
from functools import cache

from augkit.augmenters.panda.disambiguation.name_homographs import has_pronoun
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
from augkit.lexicons.demographics.contexts import NameFrame, name_frames
from augkit.lexicons.demographics.cues import cues, either, has_cue
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.first_names import look_up
from augkit.lexicons.demographics.person_words import called_she, people_words, titles

_NUMBER = re.compile(r" (?:No\.? )?(?:[A-Z]-?)?\d")
_OWNS_NAME = re.compile(r"['\u2019]s((?: [A-Z][a-z]+)+)")
_OWNS = re.compile(r"['\u2019]s ([a-z]+)(?: ([a-z]+))?")
_AND_FIRM = re.compile(r"([A-Z][a-z]+) & $")
_FIRM_AND = re.compile(r" & ([A-Z][a-z]+)")
_AFTER_TOWN = re.compile(r"([A-Z][a-z]+), $")
_BEFORE_LAND = re.compile(r" ?, ([A-Z][a-z]+)")
_BEFORE_STATE = re.compile(
    r", ((?:(?:North|South|West|New|British|Rhode|Western|Nova) )?[A-Z][a-z]+)"
    r"(?=(,(?! and\b| or\b| who\b)|[.;!?)]|$)?)"
)
_BEFORE_REST = re.compile(r"[.;)]|$|, (?!and\b|or\b|who\b)")
_THE_NAME = re.compile(r"(?:^|[.!?\n] )The (?:first |given |girl's |boy's )?name $|\bvariant of $")
_IS_A_NAME = re.compile(
    r" (?:is|was|can be|means|comes) (?:\w+ ){0,4}(?:given name|first name|forename|boy's name"
    r"|girl's name|unisex name|male name|female name|from the (?:Greek|Latin|Hebrew|Old|Irish))"
)
_NAME = re.compile(r"(?: [A-Z]\.?(?= )| de(?= [A-Z])| da(?= [A-Z])| [A-Z][a-z]+){0,4}(?= [a-z])")
_INSIDE = frozenset({"in", "near", "through", "across", "throughout", "outside", "around"})
_BEFORE_EVENTS = frozenset({"after", "before", "during", "since", "by", "when", "as"})


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
    name = look_up(doc.text[hit.start : hit.end])
    if _is_before_state(doc, hit):
        return "a place"
    if name is None or not (name.is_place or name.is_thing):
        return None
    inside = doc.word_before(hit.start) in _INSIDE
    if name.is_thing and (inside or not _shows_person(doc, hit)):
        return "a place or another thing"
    return "a place" if _stands_before_noun(doc, hit) else None


def _is_before_state(doc: Document, hit: Hit) -> bool:
    """As in "*Jackson*, Mississippi": a town; a state that is a first name must end the phrase."""
    state = _BEFORE_STATE.match(doc.text, hit.end)
    if state is None or state[1].lower() not in people_words("states"):
        return False
    return state[2] is not None or look_up(state[1]) is None


def _listed(doc: Document, hit: Hit) -> str | None:
    """What a name is by one of the frames of the word lists; nobody with a pronoun or a title."""
    if doc.word_before(hit.start).rstrip(".") in titles():
        return None
    alone = not has_pronoun(doc, hit)
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
    return not (named or has_pronoun(doc, hit)) and sum(map(str.islower, text)) > len(text) / 2


def _is_storm(doc: Document, hit: Hit) -> bool:
    """As in "since *Katrina*, ..." and "*Rita* caused damage": what happened, or what storms do."""
    word = doc.text[hit.start : hit.end].lower()
    if word not in people_words("storms") or has_pronoun(doc, hit):
        return False
    after = doc.word_after(hit.end)
    if doc.word_before(hit.start) in _BEFORE_EVENTS:
        return not after.isalpha() or after in people_words("of_storms")
    return after in people_words("of_storms")


def _is_mentioned(doc: Document, hit: Hit) -> bool:
    """As in "The name *Ariadne* means pure", "*Laurie* is a unisex given name"."""
    if _THE_NAME.search(doc.text, max(0, hit.start - 40), hit.start):
        return True
    return _IS_A_NAME.match(doc.text, hit.end) is not None


def _is_of_thing(doc: Document, hit: Hit) -> bool:
    """As in "the *Marshall* amp", "a *James* Bond film": what only a noun for a thing follows.

    Nobody's name is followed by one but where something is given: "gave *Anna* flowers".
    """
    run = _NAME.match(doc.text, hit.end)
    after = doc.next_words(run.end() if run is not None else hit.end, 1)
    end = run.end() if run is not None else hit.end
    lower = doc.text[end : end + 1] == " " and doc.text[end + 1 : end + 2].islower()
    bare = run is None or run.end() == hit.end
    if not (lower and after and (is_of_thing(after[0]) or (bare and _is_noun(doc, hit, after)))):
        return False
    if doc.word_before(hit.start).rstrip(".") in titles() or _is_told_of(doc, hit):
        return False
    before = doc.words_before(hit.start)[-4:]
    return after[0] not in cues("names", "no_things") and not has_cue("nouns", "giving", before)


def _is_noun(doc: Document, hit: Hit, after: list[str]) -> bool:
    """As in "a *Fender* bass", "*Oscar* buzz": after one person a base form is no verb.

    Where somebody sees or lets it be done, or another does it too, it may be: "let Anna *drive*".
    """
    word = after[0]
    if parts_of_speech(word) != {"NOUN", "VERB"} or is_person_word(word):
        return False
    if word in cues("names", "like_past"):
        return False
    if not (is_singular_noun(word) and known_lemmas(word)["VERB"] == (word,)):
        return False
    text = doc.field_text(hit.start)
    before = doc.words_before(hit.start)[-5:]
    others = {"and", "or", "nor", "that", "why", "not", "n't"} & set(before)
    seen = has_cue("nouns", "seeing", before)
    return not (others or seen or text.islower() or has_pronoun(doc, hit))


def _is_told_of(doc: Document, hit: Hit) -> bool:
    """As in "a *Katy* Perry song from *her* fourth album": a pronoun after the name."""
    same = (h for h in doc.hits if h.attribute == hit.attribute and h.start > hit.end)
    return any(h.readings[0].pos == "pronoun" for h in same)


def _is_with_firm(doc: Document, hit: Hit) -> bool:
    """As in "Pratt & *Whitney*": beside "&" and what is no first name, and no surname after it."""
    before = _AND_FIRM.search(doc.text, max(0, hit.start - 30), hit.start)
    after = _FIRM_AND.match(doc.text, hit.end)
    if before is not None and not NEXT_CAPITAL.match(doc.text, hit.end):
        return look_up(before[1]) is None
    return after is not None and look_up(after[1]) is None


def _owning(doc: Document, hit: Hit) -> str | None:
    """What has a name's "'s": "*Wilson*'s theorem", "*Jane*'s Addiction", "*Georgia*'s coast"."""
    named = _OWNS_NAME.match(doc.text, hit.end)
    if named is not None:
        thing = is_thing_word(named[1].lower().rpartition(" ")[2])
        somebody = _is_headed(doc, hit) or has_pronoun(doc, hit)
        return "part of a title or a brand" if thing and not somebody else None
    owned = _OWNS.match(doc.text, hit.end)
    if owned is None:
        return None
    if owned[1] in people_words("eponyms") and owned[2] not in cues("names", "of_law"):
        return "the namesake of a law or an illness"
    name = look_up(doc.text[hit.start : hit.end])
    if name is not None and name.is_thing and not _shows_person(doc, hit):
        return "a place"
    place = name is not None and name.is_place and not has_pronoun(doc, hit)
    told = not people_words("of_lands").isdisjoint(owned.groups())
    return "a place" if place and told else None


def _describes(doc: Document, hit: Hit) -> bool:
    """As in "a *Roman* senator", "*Norman* law": an adjective, and nobody's name."""
    if doc.text[hit.start : hit.end].lower() not in people_words("peoples"):
        return False
    after = doc.word_after(hit.end)
    if doc.word_before(hit.start) in OF_ONE:
        return True
    if after in people_words("no_names") or after in {"emperor", "empress", "king", "queen"}:
        return True  # "Roman Britain", "the Holy Roman Emperor"
    lower = doc.text[hit.end : hit.end + 2].strip()[:1].islower()
    verb = can_be(after, "VERB") and not is_person_word(after)
    return lower and can_be(after, "NOUN") and not verb


def _shows_person(doc: Document, hit: Hit) -> bool:
    """Whether a title, a surname, a deed or a pronoun shows that somebody has the name."""
    if doc.word_before(hit.start).rstrip(".") in titles() or has_pronoun(doc, hit):
        return True
    after = doc.word_after(hit.end)
    return after in people_words("deeds") or NEXT_CAPITAL.match(doc.text, hit.end) is not None


@cache
def _before_place() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{either('names', 'before_of')}) of $", re.IGNORECASE)


def _stands_before_noun(doc: Document, hit: Hit) -> bool:
    """As in "a *Virginia* courthouse", or "Hawthorn, *Victoria*, has": a place."""
    if _before_place().search(doc.text, max(0, hit.start - 20), hit.start):
        return not NEXT_CAPITAL.match(doc.text, hit.end)
    land = _BEFORE_LAND.match(doc.text, hit.end)
    if land is not None and land[1].lower() in called_she() | people_words("no_names"):
        return True  # "Austin, Texas"
    town = _AFTER_TOWN.search(doc.text, max(0, hit.start - 30), hit.start)
    if town is not None and look_up(town[1]) is None and _BEFORE_REST.match(doc.text, hit.end):
        return True
    after = doc.word_after(hit.end)
    if doc.text[hit.end : hit.end + 1] != " " or not after.isalpha():
        return False
    lower = doc.text[hit.end + 1 : hit.end + 2].islower()
    return lower and parts_of_speech(after) == {"NOUN"} and not has_pronoun(doc, hit)


def _is_numbered(doc: Document, hit: Hit) -> bool:
    """As in "*Bill* 1792", "*Mark* IV"."""
    return _NUMBER.match(doc.text, hit.end) is not None


_FRAMES = (
    (_is_numbered, "numbered"),
    (_is_mentioned, "spoken of as a name"),
    (_is_storm, "a storm"),
    (_is_of_thing, "said of a thing"),
    (is_with_band, "part of a title or a band"),
    (_is_with_firm, "the name of a firm"),
    (_describes, "a people or a party"),
)
