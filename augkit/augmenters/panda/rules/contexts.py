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
        fits = all(
            not accepted or value in accepted
            for accepted, value in zip(listed, asked, strict=False)
        )
        fits = fits and (not self.needs or bool({*self.needs} & {*asked.needs}))
        return fits and self.pointed <= asked.pointed and self.capital <= asked.capital

    def holds(self, doc: Document, hit: Hit, window: tuple[int, int]) -> bool:
        """Whether a reference that it is about stands in this context; the quickest test first."""
        start, end = window
        if self.has and self.needed.isdisjoint(doc.words):
            return False
        if self.after:
            regex, is_cased = _compiled(self.after)
            if regex.match(doc.text if is_cased else doc.lower, hit.end, end) is None:
                return False
        if self.around:
            regex, is_cased = _compiled(self.around)
            matches = regex.finditer(doc.text if is_cased else doc.lower, start, end)
            if not any(m.start() <= hit.start and hit.end <= m.end() for m in matches):
                return False
        if self.before:
            regex, is_cased = _compiled(self.before, "(?:%s)$")
            if regex.search(doc.text if is_cased else doc.lower, start, hit.start) is None:
                return False
        if self.anywhere:
            regex, is_cased = _compiled(self.anywhere)
            text = doc.text if is_cased else doc.lower
            if not (regex.search(text) and regex.search(text, *doc.sentence_span(hit.start))):
                return False
        return all(_CHECKS[name](doc, hit) for name in self.checks)

    @cached_property
    def needed(self) -> frozenset[str]:
        """The words and signs of ``has``; of a phrase, the longest word."""
        lists = (_listed(part[1:-1]) if part[0] == "{" else [part] for part in self.has.split())
        return frozenset(_longest(phrase) for phrases in lists for phrase in phrases)


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
    circumstances = (hit.needs, doc.pointed, word[:1].isupper())
    asked = _Asked(listed, doc.axis, hit.pos, doc.target, *circumstances)
    first, last = doc.field_span(hit.start)
    window = max(first, hit.start - _REACH), min(last, hit.end + _REACH)
    rows = _rows(asked)
    may_hold = not rows.needed.isdisjoint(doc.words) or rows.after.match(doc.lower, hit.end, last)
    for row in rows.every if may_hold else rows.always_tried:
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


class _Rows(NamedTuple):
    """Rows about a word; without a ``needed`` word or match of ``after`` few are tried."""

    every: list[ContextRow]
    always_tried: list[ContextRow]
    needed: frozenset[str]
    after: re.Pattern[str]


@cache
def _rows(asked: _Asked) -> _Rows:
    """The rows about a word: those that name it, then those of its part of speech, then others."""
    rows = [row for row in context_table().rows if row.is_about(asked)]
    rows.sort(key=lambda row: (not row.words, not row.kinds))
    needed = frozenset[str]().union(*(row.needed for row in rows))
    plain = [row for row in rows if not row.has]
    after = {row.after for row in plain if row.after and "(?-i:" not in row.after}
    always_tried = [row for row in plain if row.after not in after]
    return _Rows(rows, always_tried, needed, _compiled("|".join(sorted(after)) or "(?!)")[0])


@cache
def _compiled(pattern: str, frame: str = "%s") -> tuple[re.Pattern[str], bool]:
    """A pattern with the words of its lists, and whether capitals count in it."""
    is_cased = "(?-i:" in pattern
    filled = re.sub(r"\{([a-z_:]+)\}", lambda match: "|".join(_listed(match[1])), pattern)
    small = re.sub(r"(?<!\\)[A-Z]", lambda match: match[0].lower(), filled)
    return re.compile(frame % (filled if is_cased else small), re.IGNORECASE * is_cased), is_cased


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
    other_hits = (h for h in doc.hits if h is not hit and first <= h.start < last)
    named = any(h.pos in {"name", "title"} for h in other_hits)
    return named or any(map(is_person_word, _WORD.findall(doc.lower, first, last)))


_CHECKS: Mapping[str, Callable[[Document, Hit], bool]] = {
    "of_thing": lambda doc, hit: not is_said_of_person(doc, hit),
    "thing_after": lambda doc, hit: is_thing_word(doc.word_after(hit.end)),
    "nobody": lambda doc, hit: not _has_person(doc, hit),
    "after_person": lambda doc, hit: is_person_word(doc.word_before(hit.start)),
    "no_name": lambda doc, hit: getattr(doc.token(hit.end - 1), "upos", "") != "PROPN",
}
