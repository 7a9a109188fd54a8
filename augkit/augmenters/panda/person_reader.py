"""The persons of a text, and what it states of each on an axis."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from augkit.augmenters.panda.perturbers.protocol import PerturbTask
from augkit.augmenters.panda.references import is_thing_word
from augkit.augmenters.panda.rules.age import is_bare_age
from augkit.augmenters.panda.rules.coreference import link_mentions
from augkit.augmenters.panda.rules.document import Document
from augkit.augmenters.panda.rules.left_alone import is_in_compound, why_left_alone
from augkit.augmenters.panda.rules.mentions import Mention, find_mentions, may_be_name
from augkit.augmenters.panda.rules.readings import is_person
from augkit.core.analysis import Analysis, Token
from augkit.core.edits import Span, overlap
from augkit.core.protocols import Parser
from augkit.core.types import Example
from augkit.english.morphology import parts_of_speech
from augkit.lexicons.demographics.ages import Age, find_ages
from augkit.lexicons.demographics.axes import read_axis
from augkit.lexicons.demographics.cues import PEOPLE
from augkit.lexicons.demographics.names import look_up, name_lists, surnames
from augkit.lexicons.demographics.person_words import is_person_word, titles
from augkit.text.quantities import NUMBER_WORDS

_BESIDE = re.compile(r",? \(?")
"""Between a person and an age: "a man, 40", "a man aged 40"."""
_NOMINAL = ("nsubj", "obj", "iobj", "obl", "nmod")
_NOUNS = frozenset({"NOUN", "PROPN"})
_IN_BRACKETS = re.compile(r" \((\d\d)\)")
_NUMBER = re.compile(rf"\b(?:\d{{1,3}}|{NUMBER_WORDS})\b(?![.,]\d)", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")


class Stated(NamedTuple):
    """A word that states an attribute: ``text[start:end]``, and the words of the person it is in.

    For an adjective or an age the second are its own place.
    """

    start: int
    end: int
    phrase: Span

    @property
    def span(self) -> Span:
        """Where the words stand."""
        return Span(self.start, self.end)


class PersonOfText(NamedTuple):
    """A person: where a text mentions them, and what it states of them on an axis."""

    mentions: list[Span]
    stated: list[Stated]


class PersonReader:
    """Reads who a text is about; parses of texts are kept."""

    def __init__(self, parser: Parser) -> None:
        """Take the parser."""
        self._parser = parser
        self._parses: dict[str, Analysis] = {}

    def persons(self, text: str, axis: str) -> list[PersonOfText]:
        """The persons of a text, and what it states of each on an axis."""
        rng = Random(0)  # noqa: S311  nothing is drawn
        task = PerturbTask(Example({"text": text}), "text", 0, 0, axis, "", rng)
        self._parse(text)
        return _persons_of(Document(task, self._parses))

    def head(self, text: str, span: Span) -> Span:
        """The main word of a phrase of a text: "the young *man*"."""
        parse = self._parse(text)
        tokens = [t for t in parse.tokens if overlap(t, span)]
        heads = [t for t in tokens if t.is_root or parse.head(t) not in tokens]
        nouns = [t for t in heads if is_person_word(t.text.lower())]
        nouns = nouns or [t for t in heads if t.upos in {"NOUN", "PROPN", "PRON"}]
        main = next(iter(nouns or heads), span)
        return Span(main.start, main.end)

    def _parse(self, text: str) -> Analysis:
        if text not in self._parses:
            (self._parses[text],) = self._parser.parse([text])
        return self._parses[text]


def _persons_of(doc: Document) -> list[PersonOfText]:
    """The persons of a text, in the order in which they are mentioned.

    Nouns for people that say no gender are mentions too, and so are references that describe no
    other mention: "an *80-year-old*".
    """
    mentions = sorted([*find_mentions(doc), *_other_nouns(doc)], key=lambda m: m.start)
    words = [(span, _bearer(doc, span, mentions)) for span in _references(doc)]
    words += _bare_ages(doc, mentions) if read_axis(doc.axis).bands else []
    alone = [Mention(*span, "noun", "unknown", "singular") for span, m in words if m is None]
    mentions = sorted([*mentions, *alone], key=lambda m: m.start)
    numbers = link_mentions(doc, mentions)
    persons = [PersonOfText([], []) for _ in set(numbers)]
    for mention, number in zip(mentions, numbers, strict=True):
        whole = Span(mention.start, mention.end)
        persons[number].mentions.append(whole)
        for span, bearer in words:
            if bearer is mention or (bearer is None and span == whole):
                inside = whole.start <= span.start < whole.end
                persons[number].stated.append(Stated(*span, whole if inside else span))
    return persons


def _references(doc: Document) -> Iterator[Span]:
    """The words that state an attribute of somebody, by the lists and the rules."""
    for hit in doc.hits:
        if hit.is_weak or "surname" in hit.needs:
            continue
        age = _age_at(doc, hit.start)
        whole = hit._replace(start=age.whole[0], end=age.whole[1], needs=()) if age else hit
        if not (hit.blocked or is_in_compound(whole) or why_left_alone(doc, whole)):
            yield Span(hit.start, hit.end)
    if read_axis(doc.axis).axis == "race":
        yield from _surnames(doc)


def _surnames(doc: Document) -> Iterator[Span]:
    """The surnames that most bearers of one group have; not those that say little."""
    listed = {hit.start for hit in doc.hits if "surname" not in hit.needs}
    for match in _WORD.finditer(doc.text):
        group = surnames().get(match[0].lower(), "")
        if group in {"", *name_lists().weak} or match.start() in listed:
            continue
        before = doc.word_before(match.start())
        named = before.rstrip(".") in titles() or look_up(before) is not None
        is_name = named or not parts_of_speech(match[0].lower())
        if match[0][0].isupper() and is_name and may_be_name(doc, match.span()):
            yield Span(*match.span())


def _other_nouns(doc: Document) -> Iterator[Mention]:
    """The nouns for one or several persons that say no gender: "the *nurse*", "her *patients*"."""
    gendered = find_mentions(doc)
    for token in doc.parsed.tokens:
        is_noun = token.upos == "NOUN" and is_person(doc, token)
        if not is_noun or _mention_at(token, gendered) is not None:
            continue
        if token.is_relation("compound") and is_thing_word(doc.word_after(token.end)):
            continue  # "the *patient* record"
        several = token.morph.get("Number") == "Plur" or token.lemma.lower() in PEOPLE.groups
        yield Mention(
            token.start, token.end, "noun", "unknown", "plural" if several else "singular"
        )


def _mention_at(token: Token, mentions: Sequence[Mention]) -> Mention | None:
    return next((m for m in mentions if overlap(m, token)), None)


def _bare_ages(doc: Document, mentions: Sequence[Mention]) -> Iterator[tuple[Span, Mention]]:
    """The bare numbers that are said of a mention: "his mother is *61*", "the clerk (*42*)"."""
    for span, subject in _numbers_of(doc):
        if (mention := _subject(doc, subject, mentions)) is not None:
            yield span, mention
    for mention in mentions:
        if (match := _IN_BRACKETS.match(doc.text, mention.end)) is not None:
            yield Span(*match.span(1)), mention


def _numbers_of(doc: Document) -> Iterator[tuple[Span, Token]]:
    """The bare numbers that say an age, each with whom it is said of."""
    ages = [Span(*age.whole) for age in find_ages(doc.text)]
    for match in _NUMBER.finditer(doc.text):
        span = Span(*match.span())
        token = doc.token(match.start())
        in_age = any(overlap(span, age) for age in ages)
        if token is None or in_age or not is_bare_age(doc, span):
            continue
        predicate = token if doc.parsed.children(token, "nsubj") else doc.parsed.head(token)
        for subject in doc.parsed.children(predicate, "nsubj"):
            is_age = subject.text.lower() == "age"
            owners = doc.parsed.children(subject, "nmod:poss") if is_age else (subject,)
            yield from ((span, owner) for owner in owners)


def _subject(doc: Document, token: Token, mentions: Sequence[Mention]) -> Mention | None:
    """The mention that a subject is; of "who", the one before it."""
    if token.text.lower() in {"who", "that"}:
        before = [m for m in mentions if _BESIDE.fullmatch(doc.text, m.end, token.start)]
        clause = doc.parsed.head(token)
        return before[-1] if before else _mention_at(doc.parsed.head(clause), mentions)
    return _mention_at(token, mentions)


def _bearer(doc: Document, span: Span, mentions: Sequence[Mention]) -> Mention | None:
    """The mention that a reference lies in or is said of: "his *old* mother", "who is *61*".

    An age in numbers may be said of a subject or an owner ("in his *thirties*"), but not one that
    is a person: "she hired a *30-year-old*". Else it is said of the last one before: "Age: *33*".
    """
    age = _age_at(doc, span[0])
    start, end = age.whole if age else span
    is_free = age is not None and not doc.lower[start:end].endswith(("old", "olds"))
    beside = (m for m in mentions if _BESIDE.fullmatch(doc.text, m.end, start))
    if is_free and (mention := next(beside, None)) is not None:
        return mention
    token = doc.token(end - 1)
    while token is not None:
        owners = doc.parsed.children(token, *(("nsubj", "nmod:poss") if is_free else ("nsubj",)))
        for near in (token, *doc.parsed.children(token, "flat"), *owners):
            if (mention := _mention_at(near, mentions)) is not None:
                return mention
        is_noun = token.is_relation(*_NOMINAL) or (token.deprel == "conj" and token.upos in _NOUNS)
        if token.is_root or (is_noun and not is_free):
            break
        token = doc.parsed.head(token)
    last = [m for m in mentions if m.end <= start][-1:] if is_free else []
    return last[0] if last else None


def _age_at(doc: Document, start: int) -> Age | None:
    ages = find_ages(doc.text) if read_axis(doc.axis).bands else ()
    return next((age for age in ages if age.start == start), None)
