"""A text with all that the rules ask about it, worked out when first asked."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from augkit.augmenters.panda.finding import find
from augkit.augmenters.panda.jobs import Job
from augkit.core.analysis import Analysis, Token
from augkit.language.coreference.resolve import People, resolve_people
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.first_names import look_up
from augkit.lexicons.demographics.term_senses import name_readings

BETWEEN = "\n\n"
"""Joins fields: the analysis never takes a sentence over a blank line."""

_WORD = re.compile(r"[\w'\u2019]+(?:-\w+)*")
_OLD_AFTER_YEARS = re.compile(r"years?[- ]old $", re.IGNORECASE)
_ONE_OF = re.compile(
    r"(?<![\w'\u2019-])an?(?: (?!few\b|dozen\b|couple\b|hundred\b|thousand\b|million\b|group\b"
    r"|lot\b|number\b|bunch\b|pair\b|team\b|crowd\b|trio\b|great\b|good\b|line\b|row\b|mix\b)"
    r"[a-z]+)? $",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"([\w'\u2019]+(?:-\w+)*)([^\w]*)$")


class Scene:
    """The fields of an example as one text, its references and, where it was made, its analysis."""

    def __init__(
        self, fields: Mapping[str, str], axis: str, analysis: Analysis | None = None
    ) -> None:
        """Join the fields; ``starts`` says where each begins.

        Without an analysis the rules decide by the words alone, or ask for one; ``thorough`` keeps
        them from deciding by the words what an analysis can decide.
        """
        self.fields = fields
        self.axis = axis
        self.text = BETWEEN.join(fields.values())
        self.starts: dict[str, int] = {}
        place = 0
        for name, text in fields.items():
            self.starts[name] = place
            place += len(text) + len(BETWEEN)
        self.analysis = analysis
        self.thorough = False

    def span(self, job: Job) -> tuple[int, int]:
        """Where the chosen word of a job is in the joined text."""
        return self.starts[job.field] + job.start, self.starts[job.field] + job.end

    def field_at(self, offset: int) -> str:
        """The field that a character of the joined text belongs to."""
        names = list(self.starts)
        return names[bisect_right(list(self.starts.values()), offset) - 1]

    def field_text(self, offset: int) -> str:
        """The text of the field that a character belongs to."""
        return self.fields[self.field_at(offset)]

    @cached_property
    def hits(self) -> list[Hit]:
        """The references to the axis, field by field: fixed phrases end where a field does."""
        found: list[Hit] = []
        for name, text in self.fields.items():
            shift = self.starts[name]
            for hit in find(self.axis, text):
                whole = _counted(text, _after_years(text, hit))
                found.append(whole._replace(start=whole.start + shift, end=whole.end + shift))
        return _whole_names(self.text, found)

    @cached_property
    def hit_by_start(self) -> dict[int, Hit]:
        """The references by where they begin."""
        return {hit.start: hit for hit in self.hits}

    def hit_at(self, start: int, end: int) -> Hit | None:
        """The reference that a span is, holds or lies in."""
        for hit in self.hits:
            if hit.start < end and start < hit.end:
                return hit
        return None

    @cached_property
    def people(self) -> People:
        """Who is who; asks for the analysis."""
        return resolve_people(self.parsed)

    @property
    def parsed(self) -> Analysis:
        """The analysis; whoever asks before it was made has to come again."""
        if self.analysis is None:
            raise NeedsAnalysis
        return self.analysis

    def token(self, offset: int) -> Token | None:
        """The token at a character."""
        return self.parsed.token_at(offset)

    def word_after(self, end: int) -> str:
        """The next word in lower case; the sign where one stands before it, nothing at the end."""
        rest = self.text[end : end + 60].lstrip(" \t")
        match = _WORD.match(rest)
        return match.group().lower() if match else rest[:1]

    def word_before(self, start: int) -> str:
        """The word before in lower case; the sign where one stands between."""
        part = self.text[max(0, start - 60) : start].rstrip(" \t")
        last = part[-1:]
        if last.isalpha():  # the usual case: what follows the last space ends with the word
            match = _BEFORE.search(part, part.rfind(" ") + 1)
            word = match[1].lower() if match is not None else last
            # without the mark that opens a quotation: "let" of "'let her go'", but "'s"
            return word[1:] if word[0] in "'\u2019" and len(word) > 3 else word
        match = _BEFORE.search(part)
        return last if match is None or match[2] else match[1].lower()

    def words_before(self, start: int, reach: int = 40) -> list[str]:
        """What stands between spaces before a place, in lower case, ``reach`` characters back."""
        return self.text[max(0, start - reach) : start].lower().split()

    def next_words(self, end: int, count: int) -> list[str]:
        """The next words and signs in lower case, at most ``count``."""
        found = []
        for match in re.finditer(r"[\w'\u2019]+(?:-\w+)*|[^\w\s]|\n", self.text[end : end + 120]):
            found.append(match.group().lower())
            if len(found) == count:
                break
        return found


def _after_years(text: str, hit: Hit) -> Hit:
    """The noun alone in "80-year-old woman": its "old" belongs to the number."""
    before = text[max(0, hit.start - 8) : hit.start + 4]
    if hit.axis != "age" or not _OLD_AFTER_YEARS.search(before):
        return hit
    inner = find(hit.axis, text[hit.start + 4 : hit.end])
    start = hit.start + 4
    return hit._replace(start=start, readings=inner[0].readings, needs=()) if inner else hit


def _counted(text: str, hit: Hit) -> Hit:
    """The noun as one where its article says so: "*A women* is smiling" is a slip."""
    if hit.readings[0].number != "plural" or not _ONE_OF.search(
        text, max(0, hit.start - 24), hit.start
    ):
        return hit
    one = tuple(replace(reading, number="singular") for reading in hit.readings)
    return hit._replace(readings=one)


def _whole_names(text: str, hits: list[Hit]) -> list[Hit]:
    """The hits, with the two halves of a name such as "Mei-Ling" made one."""
    found: list[Hit] = []
    for hit in hits:
        last = found[-1] if found else None
        named = hit.readings[0].pos == "name" and last is not None
        if named and last and last.readings[0].pos == "name" and text[last.end : hit.start] == "-":
            name = look_up(text[last.start : hit.end])
            both = last.readings if name is None else name_readings(hit.axis, name)
            if name is None and last.attribute != hit.attribute:
                both = hit.readings  # "Jean-Jacques"
            found[-1] = last._replace(end=hit.end, readings=both, needs=())
        else:
            found.append(hit)
    return found


class NeedsAnalysis(Exception):
    """The rules cannot go on without the analysis of the text."""
