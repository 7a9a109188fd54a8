"""First names and surnames: whose they usually are. A name is no proof of anything about a person.

Every name that belongs to one gender has a counterpart of the other, and the lists of all groups
run in parallel.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated

from pydantic import Field, model_validator
from typing_extensions import Self

from augkit.core.config import StrictModel, validate
from augkit.lexicons.load import data_text, data_yaml

_MEN = 20
_WOMEN = 80
"""Per cent of women among its bearers below and above which a name belongs to one gender."""

Names = Annotated[tuple[str, ...], Field(min_length=1)]


class NamesOfGroup(StrictModel):
    """The names of a group; those of ``also_*`` are read and never written."""

    men: Names
    women: Names
    surnames: tuple[str, ...] = ()
    also_men: tuple[str, ...] = ()
    also_women: tuple[str, ...] = ()


class NameLists(StrictModel):
    """What ``group_names.yaml`` holds."""

    weak: tuple[str, ...]
    groups: dict[str, NamesOfGroup]
    origins: dict[str, NamesOfGroup]
    neutral: Names

    @model_validator(mode="after")
    def _groups_run_in_parallel(self) -> Self:
        lengths = {
            len(names) for group in self.groups.values() for names in (group.men, group.women)
        }
        if len(lengths) != 1:
            raise ValueError(f"the lists of all groups must be equally long, found {lengths}")
        return self


@dataclass(frozen=True, slots=True)
class FirstName:
    """A name, the share of women among its bearers (per cent) and its bearers per million.

    ``also`` tells what else the word may be: w a word, p a place, s more often a surname, l a
    place only where it stands as one ("in Victoria").
    """

    text: str
    women: int
    bearers: int
    also: str
    group: str
    counterpart: str

    @property
    def is_clear(self) -> bool:
        """Whether the word is a name wherever it does not stand as a place."""
        return self.also in {"", "l"}

    @property
    def is_place(self) -> bool:
        """Whether the word is a place too."""
        return "p" in self.also or "l" in self.also

    @property
    def gender(self) -> str:
        """``man``, ``woman``, or ``non-binary`` for a name given to all."""
        if self.women < _MEN:
            return "man"
        return "woman" if self.women > _WOMEN else "non-binary"


@cache
def first_names() -> Mapping[str, FirstName]:
    """All names, by their lower-case form."""
    lines = data_text("first_names.tsv").splitlines()
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return {row[0].lower(): FirstName(row[0], int(row[1]), int(row[2]), *row[3:]) for row in rows}


@cache
def name_lists() -> NameLists:
    """The parallel lists of groups and the names that leave gender open."""
    return validate(NameLists, data_yaml("group_names.yaml"), "group_names.yaml")


def look_up(word: str) -> FirstName | None:
    """What is known of a word as a first name, whatever its casing.

    >>> look_up("Victoria").gender, look_up("table")
    ('woman', None)
    """
    return first_names().get(word.lower())


@cache
def _formal_names() -> Mapping[str, frozenset[str]]:
    """Short form or name → the names, by their first spelling, that its bearer may have."""
    names_of: dict[str, set[str]] = defaultdict(set)
    for names, short_forms in data_yaml("short_names.yaml").items():
        spellings = names.split(", ")
        for form in (*spellings, *short_forms):
            names_of[form].add(spellings[0])
    return {form: frozenset(names) for form, names in names_of.items()}


def may_be_one(first: str, second: str) -> bool:
    """Whether two first names can be forms of one: "Elizabeth" and "Betty", "Bob" and "Rob".

    >>> may_be_one("Elizabeth", "Betty"), may_be_one("Bob", "Robert"), may_be_one("Bob", "Tom")
    (True, True, False)
    """
    formal_names, second_formal_names = (
        _formal_names().get(name.lower(), frozenset()) for name in (first, second)
    )
    return first.lower() != second.lower() and not formal_names.isdisjoint(second_formal_names)


def cased_like(name: str, like: str) -> str:
    """A name in capitals or small letters where ``like`` is, and as it is written elsewhere.

    >>> cased_like("DeShawn", "maria"), cased_like("DeShawn", "Maria")
    ('deshawn', 'DeShawn')
    """
    if like.islower():
        return name.lower()
    return name.upper() if len(like) > 1 and like.isupper() else name


@cache
def surnames() -> Mapping[str, str]:
    """Surname in lower case → its group, or nothing where its bearers are of several.

    >>> surnames()["nguyen"], surnames()["washington"], surnames()["jones"]
    ('asian', 'black', '')
    """
    lines = data_text("surnames.tsv").splitlines()
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    groups = {name.lower(): group for name, group in rows}
    for group, names in name_lists().groups.items():
        groups |= dict.fromkeys(map(str.lower, names.surnames), group)
    return groups
