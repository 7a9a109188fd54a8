"""Numbers that say an age: "8-year-old", "Lena, aged 7", "She turned 80", "a boy of nine"."""

from __future__ import annotations

from augkit.augmenters.panda.disambiguation.age_words import is_person
from augkit.augmenters.panda.document import Document
from augkit.augmenters.panda.grammar.word_classes import OWNERS, is_person_word
from augkit.core.analysis import Token
from augkit.language.morphology import parts_of_speech
from augkit.lexicons.demographics.ages import Age, find_ages
from augkit.lexicons.demographics.cues import AGES, AGES_RE
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.first_names import look_up
from augkit.lexicons.demographics.person_words import titles
from augkit.text.numbers import to_number

_SHORT_BE = ("'s", "\u2019s", "'m", "\u2019m")
_YEAR_OLD = ("-year-old", " year old", "-year old", " year-old")


def number_around(doc: Document, span: tuple[int, int]) -> Hit | None:
    """The number of "82 *years* old", whichever word of that was pointed at."""
    if not AGES_RE.of_numbers.fullmatch(doc.text, *span):
        return None
    for age in find_ages(doc.text):
        if age.whole[0] <= span[0] and span[1] <= age.whole[1]:
            return doc.hit_at(age.start, age.end)
    return None


def age_at(doc: Document, hit: Hit) -> Age | None:
    """The age whose number a reference is."""
    return next((age for age in find_ages(doc.text) if age.start == hit.start), None)


def noun_after(doc: Document, hit: Hit) -> Hit | None:
    """The noun that "8-year-old" stands before."""
    rest = doc.text[hit.end : hit.end + 40].lower()
    if not rest.startswith(_YEAR_OLD):
        return None
    noun = doc.hit_by_start.get(hit.end + len(_YEAR_OLD[0]) + 1)
    if noun is None or noun.pos != "noun":
        return None
    # in "90-year-old senior leader" it is a rank
    return None if is_person_word(doc.word_after(noun.end)) else noun


def number_with(doc: Document, hit: Hit) -> Hit | None:
    """The number of "8-year-old" before a noun."""
    for other in doc.hits:
        near = hit.start - 30 < other.start < hit.start
        if near and other.pos == "age" and noun_after(doc, other) is hit:
            return other
    return None


def number_after(doc: Document, hit: Hit) -> tuple[int, int] | None:
    """Where the number of "a boy *of nine*" stands, if that says the age."""
    match = AGES_RE.of_age.match(doc.text, hit.end)
    if match is None or (not match[1].isdigit() and to_number(match[1].lower()) is None):
        return None
    return match.span(1)


def is_said_age(doc: Document, hit: Hit) -> bool:
    """Whether a number that a caller points at is called an age: "at the age of *81*"."""
    before = doc.words_before(hit.start, 24)
    return doc.pointed and bool(before) and before[-2:][0].strip("(,") in {"age", "aged", "ages"}


def is_of_person(doc: Document, hit: Hit, age: Age) -> bool:
    """Whether an age is a person's: by the noun, name or pronoun it is said of."""
    before, after = doc.word_before(hit.start), doc.next_words(hit.end, 4)
    if age.is_decade:
        words = doc.words_before(hit.start, 30)
        return not {"its", "the"} & set(words[-2:]) or not words
    if doc.text[hit.end : hit.end + 12].lower().startswith(_YEAR_OLD):
        return _noun_is_person(doc, hit)
    if not age.is_certain or before == "aged":
        return _follows_person(doc, hit)
    subject = _subject(doc, hit)
    if subject is None:
        return not after or "old" not in after
    return is_person(doc, subject)


def _noun_is_person(doc: Document, hit: Hit) -> bool:
    """Whether "8-year-old" is said of a person, or is the person: "a *seven-year-old* won"."""
    following = doc.next_words(hit.end + len(_YEAR_OLD[0]), 2)
    if not following or not following[0].isalpha() or is_person_word(following[0]):
        return True
    kinds = parts_of_speech(following[0])
    owned = doc.word_before(hit.start) in OWNERS and following[0].endswith("s")
    if kinds <= {"VERB", "AUX", "ADV"} or (owned and "VERB" in kinds):
        return True  # "a seven-year-old won", "my six-year-old loves trains": it is a noun itself
    token = doc.token(hit.end + 1)
    for _ in range(4):
        if token is None:
            return True
        if token.start > hit.end + len(_YEAR_OLD[0]) and token.upos in {"NOUN", "PROPN"}:
            return is_person(doc, token)
        if token.upos in {"VERB", "AUX"}:
            return True
        head = doc.parsed.head(token)
        if head.index == token.index:
            break
        token = head
    return following[0] in {"was", "is", "has", "had", "who", "and", "said"}


def _follows_person(doc: Document, hit: Hit) -> bool:
    """As in "The witness, 34," and "Lena, aged 7": a person stands before the comma."""
    rest = doc.text[: hit.start].rstrip()
    rest = rest.removesuffix("aged").rstrip().rstrip(",")
    token = doc.token(len(rest) - 1)
    return token is not None and (is_person(doc, token) or token.text.istitle())


def _subject(doc: Document, hit: Hit) -> Token | None:
    token = doc.token(hit.start)
    analysis = doc.parsed
    for _ in range(6):
        if token is None:
            return None
        subjects = analysis.children(token, "nsubj")
        if subjects:
            return subjects[0]
        if token.is_root:
            return None
        head = analysis.head(token)
        hangs = token.is_relation("nmod", "amod", "acl", "obl", "appos") and head.upos == "NOUN"
        if hangs and head.lemma.lower() not in {"year", "age"}:
            return head
        token = head
    return None


def is_bare_age(doc: Document, span: tuple[int, int]) -> bool:
    """Whether a number alone says an age: "She turned *80*", "Tom (*19*)", "a man of *72*"."""
    before, after = doc.word_before(span[0]), doc.word_after(span[1])
    closes = not after[:1].isalnum() or after in AGES.after_numbers
    if after in {"%", "$", "/", ":"}:
        return False
    if before == "of" or (before == "(" and after == ")"):
        return _stands_after_person(doc, span[0])
    if not closes:
        return False
    if (two := _two_ages(doc.text, span)) is not None:
        return _stands_after_person(doc, two)
    if before == ",":
        return not after[:1].isalnum() and _stands_after_person(doc, span[0])
    if before.startswith("turn") or before in {"at", "age"}:
        return True
    if before in AGES.reaching or before.endswith(_SHORT_BE):
        before = "is"
    subject = _subject(doc, Hit(*span, doc.axis, (), ()))
    return before in AGES.be and subject is not None and is_person(doc, subject)


def _two_ages(text: str, span: tuple[int, int]) -> int | None:
    """Where the ages of "the suspects, *15 and 17*," begin, if the number is one of them."""
    for match in AGES_RE.both_ages.finditer(text, max(0, span[0] - 12)):
        if span in (match.span(1), match.span(2)):
            return match.start(1)
    return None


def _stands_after_person(doc: Document, start: int) -> bool:
    """As in "a man *of* 72", "Tom *(*19)" and "Tom Hay*,* 19": what stands before that sign."""
    words = doc.text[:start].rstrip(" (,").removesuffix(" of").split()
    last = words[-1] if words else ""
    return is_person_word(last.lower()) or look_up(last) is not None or _is_surname(words)


def _is_surname(words: list[str]) -> bool:
    """Whether the last of some words has a capital and follows a first name or a title."""
    if len(words) < 2 or not words[-1][:1].isupper():
        return False
    return look_up(words[-2]) is not None or words[-2].lower().rstrip(".") in titles()
