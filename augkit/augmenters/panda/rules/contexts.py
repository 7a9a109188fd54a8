"""Contexts in which a word refers to nobody, or to somebody who cannot change: rows of a table.

The rows stand in ``lexicons/data/contexts.yaml``; this module is the matcher. A row has

- ``axes``, ``kinds`` (parts of speech), ``words``, ``needs``, ``targets``: what it is about;
  ``capital``: it has one; ``pointed``: somebody chose the word, and means people by it;
- ``has``: words, signs and ``{lists}`` of which the text holds one: looked up before the patterns;
- ``before``, ``after``: patterns that end and begin at the word; ``around``: one that holds it;
  ``anywhere``: one that is found in the sentence;
- ``checks``: ``of_thing`` (no person is described by it), ``thing_after`` (a noun for a thing
  follows), ``nobody`` (the field has no other word for a person), ``after_person`` (it follows a
  noun for one), ``no_name`` (it is none in the parse);
- ``unless``: the same keys; the row does not hold where all of them do;
- ``reject``: the reason, and ``about``: the detail of the rejection;
- ``examples``: texts in which it holds of the marked word: ``"Somebody has to *man* the desk."``.

``{name}`` in a pattern stands for the alternatives of a list of the same file, ``{table:name}`` for
those of another, ``{taxonomy:name}`` for the nouns below one. Capitals count only within
``(?-i:...)``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from typing import NamedTuple

from augkit.augmenters.panda.perturbers.protocol import Reason
from augkit.augmenters.panda.references import is_thing_word
from augkit.augmenters.panda.rules.document import Document
from augkit.augmenters.panda.rules.readings import is_said_of_person
from augkit.core.config import StrictModel, validate
from augkit.core.types import Rejection
from augkit.lexicons.demographics.cues import WordLists
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.peoples import is_people
from augkit.lexicons.demographics.person_words import is_person_word
from augkit.lexicons.load import data_yaml
from augkit.lexicons.taxonomy import taxonomy

_WORD = re.compile(r"[a-z]+")
_REACH = 80
"""Characters to each side that ``before`` and ``after`` see."""


class _Asked(NamedTuple):
    """What a row can be chosen by before any text is looked at."""

    word: str
    axis: str
    kind: str
    target: str
    needs: tuple[str, ...]
    pointed: bool
    capital: bool


class Context(StrictModel):
    """What has to hold of a word and its neighbours."""

    words: tuple[str, ...] = ()
    axes: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    pointed: bool = False
    capital: bool = False
    has: str = ""
    before: str = ""
    after: str = ""
    around: str = ""
    anywhere: str = ""
    checks: tuple[str, ...] = ()

    def is_about(self, asked: _Asked) -> bool:
        """Whether this is a context of such a word at all."""
        listed = (self.words, self.axes, self.kinds, self.targets)
        fits = all(not own or one in own for own, one in zip(listed, asked, strict=False))
        fits = fits and (not self.needs or bool({*self.needs} & {*asked.needs}))
        return fits and self.pointed <= asked.pointed and self.capital <= asked.capital

    def holds(self, doc: Document, hit: Hit, window: tuple[int, int]) -> bool:
        """Whether a reference that it is about stands in this context."""
        start, end = window
        if self.has and self.needed.isdisjoint(doc.words):
            return False
        for place, regex, is_cased in self.patterns:
            text = doc.text if is_cased else doc.lower
            if place == "after":
                found = regex.match(text, hit.end, end) is not None
            elif place == "around":
                spans = (m.span() for m in regex.finditer(text, start, end))
                found = any(first <= hit.start and hit.end <= last for first, last in spans)
            elif place == "before":
                found = regex.search(text, start, hit.start) is not None
            else:
                sentence = regex.search(text) and doc.sentence_span(hit.start)
                found = bool(sentence and regex.search(text, *sentence))
            if not found:
                return False
        return all(_CHECKS[name](doc, hit) for name in self.checks)

    @cached_property
    def needed(self) -> frozenset[str]:
        """The words and signs of ``has``; of a phrase, the longest word."""
        lists = (_listed(part[1:-1]) if part[0] == "{" else [part] for part in self.has.split())
        return frozenset(_longest(phrase) for phrases in lists for phrase in phrases)

    @cached_property
    def patterns(self) -> list[tuple[str, re.Pattern[str], bool]]:
        """The patterns, compiled, the quickest first, and whether capitals count in them."""
        before = f"(?:{self.before})$" if self.before else ""
        places = {"after": self.after, "around": self.around, "before": before}
        found = []
        for place, row in (places | {"anywhere": self.anywhere}).items():
            if row:
                cased = "(?-i:" in row
                found.append((place, re.compile(_filled(row), re.IGNORECASE * cased), cased))
        return found


class ContextRow(Context):
    """A context and what follows from it."""

    id: str
    unless: Context | None = None
    reject: Reason = "not a person"
    about: str
    examples: tuple[str, ...]


class ContextTable(StrictModel):
    """What ``contexts.yaml`` holds."""

    lists: dict[str, str]
    rows: tuple[ContextRow, ...]


def reject_hit(doc: Document, hit: Hit) -> Rejection | None:
    """The reason for leaving the chosen reference alone."""
    word = doc.text_of(hit)
    if hit.blocked:
        return doc.reject("fixed phrase", hit.blocked)
    if "joined" in hit.needs and hit.pos != "adj":
        return doc.reject("not a person", f"'{word}' is part of a compound")
    nation = doc.pointed and hit.axis == "race" and is_people(word)  # it says no race for certain
    if hit.attribute == doc.target and not (hit.is_weak or nation):
        return doc.reject("already the target", f"'{word}' is {doc.target} already")
    return reject_context(doc, hit)


def reject_context(doc: Document, hit: Hit) -> Rejection | None:
    """The rejection by the first row that holds of a reference."""
    word = doc.text_of(hit)
    listed = word.lower() if word.lower() in _listed_words() else ""
    said = (hit.needs, doc.pointed, word[:1].isupper())
    asked = _Asked(listed, doc.axis, hit.pos, doc.target, *said)
    first, last = doc.field_span(hit.start)
    window = max(first, hit.start - _REACH), min(last, hit.end + _REACH)
    for row in _rows(asked):
        if row.holds(doc, hit, window):
            exception = row.unless if row.unless and row.unless.is_about(asked) else None
            if exception is None or not exception.holds(doc, hit, window):
                return doc.reject(row.reject, f"'{word}': {row.about}")
    return None


@cache
def context_table() -> ContextTable:
    """The table of contexts."""
    return validate(ContextTable, data_yaml("contexts.yaml"), "contexts.yaml")


@cache
def _listed_words() -> frozenset[str]:
    return frozenset(word for row in context_table().rows for word in row.words)


@cache
def _rows(asked: _Asked) -> list[ContextRow]:
    """The rows about a word: those that name it, then those of its part of speech, then others."""
    rows = [row for row in context_table().rows if row.is_about(asked)]
    return sorted(rows, key=lambda row: (not row.words, not row.kinds))


def _filled(pattern: str) -> str:
    """A pattern with the words of its lists; in small letters where capitals do not count."""
    filled = re.sub(r"\{([a-z_:]+)\}", lambda match: "|".join(_listed(match[1])), pattern)
    small = re.sub(r"(?<!\\)[A-Z]", lambda match: match[0].lower(), filled)
    return filled if "(?-i:" in pattern else small


def _longest(phrase: str) -> str:
    """The longest word of a phrase or pattern in lower case; a sign is its own."""
    words = _WORD.findall(re.sub(r"\\\w|\[[^]]*\]", " ", phrase.lower()))
    return max(words, key=len, default=phrase)


def _listed(name: str) -> list[str]:
    table, _, listed = name.rpartition(":")
    if not table:
        return context_table().lists[listed].split()
    if table == "taxonomy":
        general = listed.replace("_", " ")
        return sorted(name for (_, name), above in taxonomy().broader.items() if general in above)
    file = table if table in {"people", "called_she"} else f"cues/{table}"
    return sorted(getattr(WordLists(file), listed))


def _has_person(doc: Document, hit: Hit) -> bool:
    """Whether a word of the field, beside pronouns, is one for a person, or a name."""
    first, last = doc.field_span(hit.start)
    others = (h for h in doc.hits if h is not hit and first <= h.start < last)
    named = any(h.pos in {"name", "title"} for h in others)
    return named or any(map(is_person_word, _WORD.findall(doc.lower, first, last)))


_CHECKS: Mapping[str, Callable[[Document, Hit], bool]] = {
    "of_thing": lambda doc, hit: not is_said_of_person(doc, hit),
    "thing_after": lambda doc, hit: is_thing_word(doc.word_after(hit.end)),
    "nobody": lambda doc, hit: not _has_person(doc, hit),
    "after_person": lambda doc, hit: is_person_word(doc.word_before(hit.start)),
    "no_name": lambda doc, hit: getattr(doc.token(hit.end - 1), "upos", "") != "PROPN",
}
