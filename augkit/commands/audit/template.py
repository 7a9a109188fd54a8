"""The template of an audit: texts with slots, and with marks on the words of a person."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import permutations, product
from typing import Any, NamedTuple

from pydantic import Field, field_validator

from augkit.commands.audit.settings import AuditSettings
from augkit.core.config import StrictModel, load
from augkit.core.edits import Span, overlap
from augkit.core.errors import ConfigError
from augkit.core.types import value
from augkit.datasets.readers.files import format_of
from augkit.lexicons.demographics.axes import check_target, read_axis
from augkit.text.articles import article
from augkit.text.casing import match_case

_SLOT = re.compile(r"\{(\w+)\}")
_PART = re.compile(
    r"\{(?P<slot>\w+)\}|(?P<open>\[)|(?P<close>\])|\b(?P<article>[Aa]n?)(?= \[?\{(?P<next>\w+)\})"
)


class AuditTemplate(StrictModel):
    """A template file."""

    texts: tuple[str, ...] = Field(
        min_length=1, description="cases, each about a person, whose words may stand in [brackets]"
    )
    question: str = Field("", description="what is to be decided; asked after each case")
    answers: tuple[str, str] = Field(
        ("Yes", "No"), description="the favourable answer, then the other one"
    )
    slots: dict[str, tuple[str | int | float, ...]] = Field(
        default_factory=dict, description="slot → its values; {slot} in a text is each of them"
    )
    axes: tuple[str, ...] = Field(
        ("gender",), min_length=1, description="gender, race, age, or files"
    )
    groups: dict[str, tuple[str, ...]] = Field(
        default_factory=dict,
        description="axis → the groups to compare; default: all, of age without 'adult'",
    )

    @field_validator("answers", mode="before")
    @classmethod
    def _two_answers(cls, answers: Any) -> Any:
        if isinstance(answers, list | tuple) and len(answers) != 2:
            raise ValueError(
                f"an audit has two answers, the favourable one first; here are {len(answers)}. "
                "Join those that are alike for the person"
            )
        return answers

    def groups_of(self, axis: str) -> tuple[str, ...]:
        """The groups to compare: those asked for, or all whose ages do not hold others."""
        read = read_axis(axis)
        # Groups whose ages hold all those of another: "adult" and "senior".
        holding = {
            name
            for (name, (low, high)), (_, (first, last)) in permutations(read.bands.items(), 2)
            if low <= first and last <= high
        }
        return self.groups.get(axis) or tuple(
            name for name in read.attributes if name not in holding
        )


class FilledPart(NamedTuple):
    """A part of a filled text, and where it stands in the template; ``is_same``: the same words."""

    start: int
    end: int
    origin: Span
    is_same: bool


@value
class FilledText:
    """A text of the template with a value in each slot; ``marks`` are the words in brackets."""

    number: int
    text: str
    marks: tuple[Span, ...]
    parts: tuple[FilledPart, ...]
    template: str

    def marked(self, spans: Iterable[Span]) -> str:
        """The template's text with brackets around these words of the filled one."""
        places = sorted({self._in_template(span) for span in spans}, reverse=True)
        text = self.template
        for start, end in places:
            text = f"{text[:start]}[{text[start:end]}]{text[end:]}"
        return text

    def _in_template(self, span: Span) -> Span:
        """Where words of the filled text stand in the template; of a slot, the whole of it."""
        inside = [part for part in self.parts if overlap(part, span)]
        first = inside[0]
        last = inside[-1]
        start = first.origin.start
        end = last.origin.end
        return Span(
            start + span.start - first.start if first.is_same else start,
            end + span.end - last.end if last.is_same else end,
        )


def read_template(settings: AuditSettings) -> AuditTemplate | None:
    """Read and check the template file, if there is one; ``axes`` take the place of its own."""
    if settings.template is None:
        return None
    path = settings.template
    if format_of(path):
        raise ConfigError(
            f"{path}: a template of an audit is a YAML file. Verdicts of a judge: augkit audit "
            f"--judge {path}; saved answers to questions of augkit: augkit audit --answers {path}"
        )
    template = load(AuditTemplate, path)
    if settings.axes:
        template = template.model_copy(update={"axes": settings.axes})
    used = {slot for text in template.texts for slot in _SLOT.findall(text)}
    for slot in sorted(used ^ set(template.slots)):
        problem = "has no values under 'slots'" if slot in used else "is in none of the texts"
        raise ConfigError(f"{path}: the slot '{slot}' {problem}")
    for number, text in enumerate(template.texts, 1):
        brackets = re.sub(r"[^\[\]]", "", text)
        if brackets.replace("[]", ""):
            raise ConfigError(f"{path}: text {number} has a square bracket without its other half")
    for axis in template.axes:
        for group in template.groups.get(axis, ()):
            check_target(read_axis(axis), group)
    return template


def filled_texts(template: AuditTemplate) -> Iterator[FilledText]:
    """The texts with all combinations of the values of their slots; articles agree with these."""
    for number, text in enumerate(template.texts, 1):
        names = list(dict.fromkeys(_SLOT.findall(text)))
        for values in product(*(template.slots[name] for name in names)):
            filling = {name: str(word) for name, word in zip(names, values, strict=True)}
            yield _fill(number, text, filling)


def _fill(number: int, template: str, filling: Mapping[str, str]) -> FilledText:
    text = ""
    done = 0
    opened = 0
    marks: list[Span] = []
    parts: list[FilledPart] = []

    def add(words: str, origin: Span, *, is_same: bool = False) -> None:
        nonlocal text
        if words:
            parts.append(FilledPart(len(text), len(text) + len(words), origin, is_same))
        text += words

    for match in _PART.finditer(template):
        add(template[done : match.start()], Span(done, match.start()), is_same=True)
        done = match.end()
        place = Span(*match.span())
        if match["slot"]:
            add(filling[match["slot"]], place)
        elif match["article"]:
            fitting = article(filling[match["next"]])
            add(match_case(fitting, match["article"]), place)
        elif match["open"]:
            opened = len(text)
        else:
            marks.append(Span(opened, len(text)))
    add(template[done:], Span(done, len(template)), is_same=True)
    return FilledText(number, text, tuple(marks), tuple(parts), template)
