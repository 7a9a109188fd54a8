"""Contexts in which a word refers to nobody, or to somebody who cannot change: rows of a table.

The rows stand in ``lexicons/data/contexts.yaml``; this module is the matcher. A row has

- ``axes``, ``kinds`` (parts of speech), ``words``, ``needs``, ``targets``: what it is about;
- ``before``, ``after``: patterns that end and begin at the word; ``around``: one that holds it;
  ``anywhere``: one that is found in the sentence;
- ``of_thing``: no person is described by it; ``thing_after``: a noun for a thing follows;
  ``nobody``: the field has no other word for a person; ``not_tag``: parts of speech that the parse
  does not give it; ``pointed``: somebody chose the word, and means people by it;
- ``unless``: the same keys; the row does not hold where all of them do;
- ``reject``: the reason, and ``about``: the detail of the rejection;
- ``examples``: texts in which it holds of the marked word: ``"Somebody has to *man* the desk."``.

``{name}`` in a pattern stands for the alternatives of a list of the same file, ``{table:name}`` for
those of another, ``{taxonomy:name}`` for the nouns below one. Capitals count only within
``(?-i:...)``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from typing import NamedTuple

from augkit.augmenters.panda.perturbers.protocol import Reason
from augkit.augmenters.panda.rules.document import Document
from augkit.augmenters.panda.rules.modifiers import is_said_of_person, is_thing_word
from augkit.core.config import StrictModel, validate
from augkit.core.types import Rejection
from augkit.lexicons.demographics.cues import HER, WordLists
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.first_names import look_up
from augkit.lexicons.demographics.person_words import is_person_word
from augkit.lexicons.demographics.surnames import surnames
from augkit.lexicons.load import data_yaml, word_set
from augkit.lexicons.taxonomy import taxonomy

_WORD = re.compile(r"[a-z]+")
_NAME = re.compile(r"(?<=[a-z,;] )([A-Z][a-z]+)(?! [A-Z])")
"""A word with a capital within a sentence, at the end of a name."""
_REACH = 80
"""Characters to each side that ``before`` and ``after`` see."""


class _Pattern(NamedTuple):
    """A compiled pattern; where capitals do not count, it is matched on the text without any."""

    regex: re.Pattern[str]
    is_cased: bool

    def text(self, doc: Document) -> str:
        return doc.text if self.is_cased else doc.lower


class Context(StrictModel):
    """What has to hold of a word and its neighbours."""

    axes: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    before: str = ""
    after: str = ""
    around: str = ""
    anywhere: str = ""
    not_tag: tuple[str, ...] = ()
    of_thing: bool = False
    thing_after: bool = False
    nobody: bool = False
    pointed: bool = False

    def holds(self, doc: Document, hit: Hit, target: str) -> bool:
        """Whether a reference stands in this context."""
        return (
            (not self.axes or doc.axis in self.axes)
            and (not self.targets or target in self.targets)
            and (not self.pointed or doc.pointed)
            and (not self.kinds or hit.pos in self.kinds)
            and (not self.needs or not set(self.needs).isdisjoint(hit.needs))
            and (not self.words or doc.text_of(hit).lower() in self.words)
            and self._stands(doc, hit)
            and (not self.nobody or not _has_person(doc, hit))
            and (not self.of_thing or not is_said_of_person(doc, hit))
            and (not self.thing_after or is_thing_word(doc.word_after(hit.end)))
            and (not self.not_tag or not self._has_tag(doc, hit))
        )

    def _stands(self, doc: Document, hit: Hit) -> bool:
        first, last = doc.field_span(hit.start)
        start, end = max(first, hit.start - _REACH), min(last, hit.end + _REACH)
        before, after, around, anywhere = self.patterns
        return bool(
            (after is None or after.regex.match(after.text(doc), hit.end, end) is not None)
            and (
                around is None
                or any(_covers(m, hit) for m in around.regex.finditer(around.text(doc), start, end))
            )
            and (before is None or before.regex.search(before.text(doc), start, hit.start))
            and (
                anywhere is None
                or anywhere.regex.search(anywhere.text(doc), *doc.sentence_span(hit.start))
            )
        )

    def _has_tag(self, doc: Document, hit: Hit) -> bool:
        token = doc.token(hit.end - 1)
        return token is not None and token.upos in self.not_tag

    @cached_property
    def patterns(self) -> tuple[_Pattern | None, ...]:
        """The patterns before, after, around and anywhere, compiled."""
        before = f"(?:{self.before})$" if self.before else ""
        return tuple(map(_compiled, (before, self.after, self.around, self.anywhere)))


class ContextRow(Context):
    """A context and what follows from it."""

    id: str
    unless: Context | None = None
    reject: Reason = "not a person"
    about: str
    examples: tuple[str, ...]

    def compile(self) -> None:
        """Compile the patterns now, not with the first text."""
        _ = self.patterns, self.unless and self.unless.patterns


class ContextTable(StrictModel):
    """What ``contexts.yaml`` holds."""

    lists: dict[str, str]
    rows: tuple[ContextRow, ...]


def reject_context(doc: Document, hit: Hit, target: str) -> Rejection | None:
    """The rejection by the first row that holds of a reference."""
    word = doc.text_of(hit)
    for row in (*_rows_of_words().get(word.lower(), ()), *_rows(doc.axis, hit.pos, target)):
        if row.holds(doc, hit, target) and not (row.unless and row.unless.holds(doc, hit, target)):
            return doc.reject(row.reject, f"'{word}': {row.about}")
    return None


@cache
def context_table() -> ContextTable:
    """The table of contexts."""
    return validate(ContextTable, data_yaml("contexts.yaml"), "contexts.yaml")


@cache
def _rows_of_words() -> Mapping[str, Sequence[ContextRow]]:
    """The rows about certain words, by word."""
    found: dict[str, list[ContextRow]] = defaultdict(list)
    for row in context_table().rows:
        row.compile()
        for word in row.words:
            found[word].append(row)
    return found


@cache
def _rows(axis: str, kind: str, target: str) -> Sequence[ContextRow]:
    """The rows about all words of a part of speech, those about any part of speech last."""
    rows = [row for row in context_table().rows if not row.words]
    rows = [row for row in rows if not row.axes or axis in row.axes]
    rows = [row for row in rows if not row.targets or target in row.targets]
    return [r for r in rows if kind in r.kinds] + [r for r in rows if not r.kinds]


def _compiled(pattern: str) -> _Pattern | None:
    if not pattern:
        return None
    filled = re.sub(r"\{([a-z_:]+)\}", lambda match: _alternatives(match[1]), pattern)
    if "(?-i:" in pattern:
        return _Pattern(re.compile(filled, re.IGNORECASE), is_cased=True)
    lower = re.sub(r"(?<!\\)[A-Z]", lambda match: match[0].lower(), filled)
    return _Pattern(re.compile(lower), is_cased=False)


def _alternatives(name: str) -> str:
    table, _, listed = name.rpartition(":")
    if not table:
        return "|".join(context_table().lists[listed].split())
    if table == "taxonomy":
        general = listed.replace("_", " ")
        below = (name for (_, name), above in taxonomy().broader.items() if general in above)
        return "|".join(sorted(below))
    file = table if table in {"people", "called_she"} else f"cues/{table}"
    return "|".join(sorted(getattr(WordLists(file), listed)))


def _covers(match: re.Match[str], hit: Hit) -> bool:
    return match.start() <= hit.start and hit.end <= match.end()


def _has_person(doc: Document, hit: Hit) -> bool:
    """Whether a word of the field, beside pronouns, is one for a person, or a name."""
    first, last = doc.field_span(hit.start)
    named = any(
        h.pos in {"name", "title", "noun"} and not h.is_weak and first <= h.start < last
        for h in doc.hits
        if h is not hit and not h.blocked
    )
    text = doc.text[first:last]
    return (
        named
        or any(is_person_word(word) for word in _WORD.findall(text.lower()))
        or any(_is_surname(m[1].lower()) for m in _NAME.finditer(text))
    )


def _is_surname(word: str) -> bool:
    """Whether a word is a surname, no first name, place, month or day."""
    other = word in HER.times or word in word_set("places") or look_up(word) is not None
    return word in surnames() and not other
